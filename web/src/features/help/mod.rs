//! Step shortcuts, and the list of all keyboard shortcuts.

mod list;
mod shortcuts;

pub(crate) use list::{Help, HelpButton};
pub(crate) use shortcuts::use_shortcuts;
