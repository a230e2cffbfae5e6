//! Programs of `lanewise serve`, which adds a script to the page: `cli/src/serve/served.js`.
//! The script follows the files of the server and fills the tab Source.

mod action;
mod reducer;
mod script;
#[cfg(test)]
mod tests;

pub(crate) use action::ServedAction;
pub(crate) use script::{choose_served, served_problems, source_pane, use_served};
