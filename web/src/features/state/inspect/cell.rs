//! Models of the inspected cell.

use super::{CellModel, ChosenCell, Editor, InitialValueEdit};
use crate::features::state::inputs::StateInputs;
use lanewise_answer::grids::{CellBits, CellKind, MemoryKind, Place};
use lanewise_core::machine::{Machine, SpaceId};

impl StateInputs {
    /// The state with the initial value of a cell: of registers the one in which the
    /// work-group starts, of memory the one before the first work-group.
    pub(super) fn start_of(&self, place: Place) -> &Machine {
        match MemoryKind::of(place.space) {
            Some(_) => self.written.start(),
            None => &self.session.program().start,
        }
    }

    /// Whether a work-group before the one in the timeline has changed a cell.
    pub(super) fn is_written_earlier(&self, bits: CellBits) -> bool {
        let program = self.session.program();
        let has_earlier = program
            .launch
            .as_ref()
            .is_some_and(|launch| launch.group > 0);
        let is_kept = bits.range.space == SpaceId::VIRTUAL;
        has_earlier && is_kept && bits.load(self.written.start()) != bits.load(&program.start)
    }

    /// The inspected cell.
    pub(super) fn chosen(&self) -> Option<(Place, CellKind)> {
        self.grids().cell_at(self.state_view.inspect.chosen?)
    }

    /// Watched cells, deduplicated: after a format change, several watched
    /// bytes may fall into one cell.
    pub(super) fn watched(&self) -> Vec<(Place, CellKind)> {
        let mut cells = Vec::new();
        for place in &self.state_view.inspect.watches {
            if let Some(cell) = self
                .grids()
                .cell_at(*place)
                .filter(|cell| !cells.contains(cell))
            {
                cells.push(cell);
            }
        }
        cells
    }

    /// The inspected cell, as its grid shows it.
    pub(crate) fn chosen_cell(&self) -> Option<ChosenCell> {
        let inspect = &self.state_view.inspect;
        let (place, kind) = self.chosen()?;
        let grids = self.grids();
        let editor = inspect.is_editing().then(|| InitialValueEdit {
            label: format!("Initial value of {}", grids.name_of(place, kind)),
            start: grids.value_in(self.start_of(place), place, kind),
            wrong: matches!(inspect.editor, Editor::Wrong(_)),
        });
        Some(ChosenCell { place, editor })
    }

    /// Model of the inspect bar below the grid.
    pub(crate) fn cell_model(&self) -> Option<CellModel> {
        let inspect = &self.state_view.inspect;
        let (place, kind) = self.chosen()?;
        let grids = self.grids();
        let last = grids.last_write(place.bits(kind));
        let position = self.session.position();
        Some(CellModel {
            name: grids.name_of(place, kind),
            now: grids.value_in(self.session.machine(), place, kind),
            start: grids.value_in(self.start_of(place), place, kind),
            unwritten: grids.unwritten_text(place, kind, self.written.start()),
            at_start: position == 0,
            is_edited: inspect.is_editing(),
            wrong: match &inspect.editor {
                Editor::Wrong(why) => Some(why.clone()),
                Editor::Closed | Editor::Open => None,
            },
            watched: self.watched().contains(&(place, kind)),
            is_last: last == Some(position),
            has_earlier_write: match last {
                Some(last) => last != position,
                None => self.is_written_earlier(place.bits(kind)),
            },
            last: last.map(|step| (step, self.session.summary_at(step))),
        })
    }
}
