//! Lane table of the current instruction, and lane names.

pub(crate) mod table;
pub(crate) mod units;
mod view;

pub(crate) use view::LanesPane;
