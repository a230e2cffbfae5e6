//! The table of the lanes of the instruction at hand.

pub(crate) mod model;
mod table;
mod view;

pub(crate) use view::LanesPane;
