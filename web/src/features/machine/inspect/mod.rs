//! One cell of the state, looked at closely: its start value edited, who wrote
//! it, when it is written next; and cells that are watched.

mod actions;
mod edit;
mod link;
mod place;
#[cfg(test)]
mod tests;
mod values;
mod watch;

pub(crate) use place::{Kind, Place};
use std::rc::Rc;

/// What a reader can do with a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InspectAction {
    /// Look at this cell, and edit its start value.
    Open(Place),
    /// Look at the first cell in view.
    First,
    /// Look at the neighbour: so many to the right, so many down.
    Move(i32, i32),
    /// Edit its start value.
    Edit,
    /// This is the start value; the focus goes back to the cell.
    Commit(String),
    /// This is the start value; the reader has gone elsewhere.
    Leave(String),
    /// The start value stays as it is.
    Cancel,
    /// The cell has the focus that it was to have.
    Focused,
    /// Look at none.
    Close,
    /// Watch it, or no longer.
    Watch,
    /// Watch this one no longer, by its index.
    Unwatch(usize),
    /// Go to the step that wrote it last.
    ToLastWrite,
    /// Go to the step that writes it next.
    ToNextWrite,
    /// Go to the step that writes a watched cell next.
    Continue,
}

/// A cell that is watched.
#[derive(Clone, Debug, PartialEq)]
struct Watched {
    place: Place,
    kind: Kind,
}

/// Which cell is looked at, and which are watched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inspect {
    chosen: Option<Place>,
    /// Whether its start value is being edited.
    open: bool,
    /// Why what was typed is no start value.
    wrong: Option<String>,
    /// Whether the focus is to go to the cell.
    wants_focus: bool,
    watches: Vec<Watched>,
    /// Where watched cells are written, as far as is known, at most
    /// [`MOST_WRITES`] of them.
    writes: Rc<[usize]>,
    /// For how many known steps and watches `writes` was found.
    found_for: (usize, usize),
    /// What the last action came to, where nothing else shows it; may be empty.
    message: &'static str,
}

impl Inspect {
    /// The focus stays where it is, whatever was to have it.
    pub(super) const fn leave_focus(&mut self) {
        self.wants_focus = false;
    }
}

/// The most writes of watched cells that the timeline marks.
const MOST_WRITES: usize = 100;

/// The chosen cell as its pane draws it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChosenCell {
    pub(crate) place: Place,
    pub(crate) editor: Option<StartValueEdit>,
}

/// The editor of a start value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StartValueEdit {
    pub(crate) label: String,
    pub(crate) start: String,
    pub(crate) wrong: bool,
}

/// What the page shows of the chosen cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellView {
    pub(crate) name: String,
    pub(crate) now: String,
    pub(crate) start: String,
    pub(crate) at_start: bool,
    pub(crate) open: bool,
    pub(crate) can_edit: bool,
    pub(crate) wrong: Option<String>,
    pub(crate) watched: bool,
    /// The step that wrote it last, from 1, and what that did.
    pub(crate) last: Option<(usize, String)>,
    /// Whether that is the step done last.
    pub(crate) is_last: bool,
    pub(crate) next: Option<usize>,
}

/// A watched cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WatchRow {
    pub(crate) place: Place,
    pub(crate) name: String,
    pub(crate) now: String,
    /// What it was, if the last step wrote it.
    pub(crate) was: Option<String>,
}

/// What the page shows of watched cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WatchList {
    pub(crate) rows: Vec<WatchRow>,
    pub(crate) message: &'static str,
}
