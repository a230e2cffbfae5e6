//! What a browser keeps between visits.

use super::workbench::Workbench;
use super::{Aside, Theme};

/// What a browser keeps between visits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    /// The text.
    pub(crate) text: Option<String>,
    /// The id of the scenario that it started from.
    pub(crate) scenario: Option<String>,
    /// A text put aside.
    pub(crate) aside: Option<Aside>,
    /// Where the panes are.
    pub(crate) workbench: Workbench,
    /// The theme.
    pub(crate) theme: Theme,
    /// Whether keys without a modifier are shortcuts.
    pub(crate) single_keys: bool,
    /// Whether plain text is wanted for the program.
    pub(crate) plain: bool,
    /// The lines that had breakpoints, from 1, with commas between them.
    pub(crate) breakpoints: Option<String>,
}
