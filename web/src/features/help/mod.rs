//! Step shortcuts, and the list of all keyboard shortcuts.

mod list;
mod shortcuts;

pub(crate) use list::{help, help_button};
pub(crate) use shortcuts::use_shortcuts;
