//! What a browser keeps between visits.

use crate::features::program::Draft;
use crate::features::screen::{Screen, Theme};
use crate::features::state::Tab;
use crate::features::transport::Speed;
use lanewise_saved::{Formats, Position};

/// What a visit starts with: what the browser kept of earlier ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    /// The text.
    pub(crate) text: Option<String>,
    /// The id of the scenario that it started from.
    pub(crate) scenario: Option<String>,
    /// Texts put aside, the last first.
    pub(crate) drafts: Vec<Draft>,
    /// Whether the text was put aside because the page stopped over it.
    pub(crate) gave_up: bool,
    /// Where things are on the screen.
    pub(crate) screen: Screen,
    /// The state tab that was open.
    pub(crate) tab: Option<Tab>,
    /// How fast runs step.
    pub(crate) speed: Option<Speed>,
    /// The theme.
    pub(crate) theme: Theme,
    /// How the panes of the state show their values, where a reader chose.
    pub(crate) formats: Option<Formats>,
    /// Whether keys without a modifier are shortcuts.
    pub(crate) single_keys: bool,
    /// Whether plain text is wanted for the program.
    pub(crate) plain: bool,
    /// Whether long lines of the program are wrapped, where a reader chose.
    pub(crate) wrap: Option<bool>,
    /// The lines that had breakpoints, from 1.
    pub(crate) breakpoints: Vec<u32>,
    /// Where in the run of the text the reader was.
    pub(crate) position: Position,
    /// Whether the page is a player inside another: then nothing was kept,
    /// and nothing will be.
    pub(crate) embedded: bool,
}
