//! The table of the lanes of the instruction at hand.

pub(crate) mod model;
pub(crate) mod reorder;
mod table;
mod view;

pub(crate) use view::{LanesPane, parse_unit_key, unit_key};
