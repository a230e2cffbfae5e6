//! The picture of the instruction at hand.

pub(crate) mod matrix;
pub(crate) mod svg;
