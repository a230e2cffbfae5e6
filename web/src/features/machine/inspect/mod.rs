//! One cell of the state, looked at closely: its start value edited, who wrote
//! it, when it is written next; and cells that are watched.

mod action;
mod cell;
mod neighbours;
mod reducer;
mod start_value;
#[cfg(test)]
mod tests;
mod watch;

use super::place::{CellBits, Place};
pub(crate) use action::InspectAction;
use lanewise_core::machine::StepGranularity;
use lanewise_core::program::Program;
use std::rc::Rc;

/// Which cell is looked at, and which are watched.
#[derive(Clone, Debug, Default)]
pub(crate) struct InspectState {
    /// A byte of the chosen cell: which cell it belongs to is a matter of the
    /// formats.
    chosen: Option<Place>,
    editor: Editor,
    /// Whether the focus is to go to the chosen cell.
    wants_focus: bool,
    /// Bytes of the watched cells.
    watches: Vec<Place>,
    /// Where watched cells are written, as far as is known, at most
    /// [`MAX_WRITES`] of them: found by going through the whole run, so it is
    /// kept.
    writes: Rc<[usize]>,
    /// The search that found `writes`.
    found_for: Option<WriteSearch>,
    /// What the last action came to, where nothing else shows it.
    message: Option<Rc<str>>,
}

/// A search for the steps that write watched cells: an equal one finds the same.
#[derive(Clone, Debug)]
struct WriteSearch {
    program: Rc<Program>,
    granularity: StepGranularity,
    /// How many steps are known.
    known: usize,
    cells: Vec<CellBits>,
}

impl PartialEq for WriteSearch {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.program, &other.program)
            && self.granularity == other.granularity
            && self.known == other.known
            && self.cells == other.cells
    }
}

/// The editor of the chosen cell's start value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Editor {
    #[default]
    Closed,
    Open,
    /// Open: what was typed is no start value, and why.
    Wrong(String),
}

impl InspectState {
    /// Whether the focus is to go to the chosen cell as soon as it is on the page.
    pub(crate) const fn wants_focus(&self) -> bool {
        self.wants_focus
    }

    /// The focus stays where it is, whatever was to have it.
    pub(super) const fn cancel_focus(&mut self) {
        self.wants_focus = false;
    }

    fn is_editing(&self) -> bool {
        self.editor != Editor::Closed
    }

    /// Closes the editor; the focus goes back to the cell.
    pub(super) fn close_editor(&mut self) {
        if self.is_editing() {
            self.editor = Editor::Closed;
            self.wants_focus = true;
        }
    }

    /// Looks at no cell, and watches none.
    pub(crate) fn look_at_none(&mut self) {
        *self = Self::default();
    }

    /// A byte of the cell that is looked at.
    pub(crate) const fn chosen(&self) -> Option<Place> {
        self.chosen
    }

    /// Bytes of the cells that are watched.
    pub(crate) fn watches(&self) -> &[Place] {
        &self.watches
    }

    /// Where watched cells are written, for the timeline.
    pub(crate) fn watched_writes(&self) -> Rc<[usize]> {
        Rc::clone(&self.writes)
    }
}

/// The most writes of watched cells that the timeline marks.
const MAX_WRITES: usize = 100;

/// The chosen cell in its grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChosenCell {
    pub(crate) place: Place,
    pub(crate) editor: Option<StartValueEdit>,
}

/// The editor of a start value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartValueEdit {
    pub(crate) label: String,
    pub(crate) start: String,
    pub(crate) wrong: bool,
}

/// What the page shows of the chosen cell below the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellModel {
    pub(crate) name: String,
    pub(crate) now: String,
    pub(crate) start: String,
    /// Whether nothing has run yet.
    pub(crate) at_start: bool,
    /// Whether its start value is being edited.
    pub(crate) is_edited: bool,
    /// Why what was typed is no start value.
    pub(crate) wrong: Option<String>,
    pub(crate) watched: bool,
    /// The step that wrote it last, from 1, and what that did.
    pub(crate) last: Option<(usize, String)>,
    /// Whether that is the step done last.
    pub(crate) is_last: bool,
}

/// A watched cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchRow {
    pub(crate) place: Place,
    pub(crate) name: String,
    pub(crate) now: String,
    /// What it was, if the last step wrote it.
    pub(crate) was: Option<String>,
}

/// What the page shows of watched cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WatchList {
    pub(crate) rows: Vec<WatchRow>,
    /// What the last action came to, where nothing else shows it.
    pub(crate) message: Option<Rc<str>>,
}
