//! Lane table of the current instruction.

mod view;

pub(crate) use view::LanesPane;
