//! The picture of the instruction at hand.

pub(crate) mod svg;
