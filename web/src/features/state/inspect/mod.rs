//! Cell inspection: editing the initial value, last and next write, and watched
//! cells.

mod action;
mod cell;
mod initial_value;
mod reducer;
#[cfg(test)]
mod tests;
mod watch;

pub(crate) use action::InspectAction;
use lanewise_answer::grids::{CellBits, Place};
use lanewise_core::machine::StepGranularity;
use lanewise_core::program::Program;
use std::rc::Rc;

/// The inspected cell and watched cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct InspectState {
    /// A byte of the inspected cell; the formats determine which cell contains
    /// it.
    chosen: Option<Place>,
    editor: Editor,
    /// A byte of each watched cell.
    pub(crate) watches: Vec<Place>,
    /// Known steps that write watched cells, for the timeline; at most [`MAX_WRITES`].
    /// Cached, because finding them scans the whole run.
    pub(crate) writes: Rc<[usize]>,
    /// The search that produced `writes`.
    found_for: Option<WriteSearch>,
    /// Result of the last action, if not visible otherwise.
    pub(super) message: Option<Rc<str>>,
}

/// Key of a search for writes of watched cells: equal keys give equal results.
#[derive(Clone, Debug)]
struct WriteSearch {
    program: Rc<Program>,
    granularity: StepGranularity,
    /// Number of known steps.
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Editor {
    #[default]
    Closed,
    Open,
    /// Open, with an error message for what was typed.
    Wrong(String),
}

impl InspectState {
    fn is_editing(&self) -> bool {
        self.editor != Editor::Closed
    }

    pub(crate) fn stop_inspecting(&mut self) {
        *self = Self::default();
    }

    /// A byte of the inspected cell.
    pub(crate) const fn chosen(&self) -> Option<Place> {
        self.chosen
    }
}

/// Maximum number of watched writes marked on the timeline.
const MAX_WRITES: usize = 100;

/// The inspected cell in its grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChosenCell {
    pub(crate) place: Place,
    pub(crate) editor: Option<InitialValueEdit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InitialValueEdit {
    pub(crate) label: String,
    pub(crate) start: String,
    pub(crate) wrong: bool,
}

/// Model of the inspect bar below the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellModel {
    pub(crate) name: String,
    pub(crate) now: String,
    pub(crate) start: String,
    /// Whether the run is at its start.
    pub(crate) at_start: bool,
    /// Whether the initial value is being edited.
    pub(crate) is_edited: bool,
    /// Why the typed text is not a valid initial value.
    pub(crate) wrong: Option<String>,
    pub(crate) watched: bool,
    /// Step that last wrote the cell, from 1, and its effect.
    pub(crate) last: Option<(usize, String)>,
    /// Who wrote the cell if the timeline did not, in words.
    pub(crate) unwritten: String,
    /// Whether the last step wrote the cell.
    pub(crate) is_last: bool,
    /// Whether an earlier step, or an earlier work-group of the launch, wrote the cell.
    pub(crate) has_earlier_write: bool,
}
