//! Small hooks, one a file.

mod persisted;
mod runner;
mod shortcuts;

pub(crate) use persisted::use_persisted;
pub(crate) use runner::use_runner;
pub(crate) use shortcuts::{show_help, use_shortcuts};
