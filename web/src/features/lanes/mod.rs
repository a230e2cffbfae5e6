//! The table of the lanes of the current instruction, and the names of lanes.

pub(crate) mod table;
pub(crate) mod units;
mod view;

pub(crate) use view::LanesPane;
