//! The keys that step, and the list of all keys.

mod list;
mod shortcuts;

pub(crate) use list::{Help, HelpButton};
pub(crate) use shortcuts::use_shortcuts;
