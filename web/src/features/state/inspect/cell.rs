//! Models of the inspected cell.

use super::{CellModel, ChosenCell, Editor, InitialValueEdit};
use crate::features::state::inputs::StateInputs;
use lanewise_answer::grids::{CellKind, Place};

impl StateInputs {
    pub(super) fn chosen(&self) -> Option<(Place, CellKind)> {
        self.grids().cell_at(self.state_view.inspect.chosen?)
    }

    /// Watched cells, deduplicated: after a format change, several watched
    /// bytes may fall into one cell.
    pub(super) fn watched(&self) -> Vec<(Place, CellKind)> {
        let (grids, mut cells) = (self.grids(), Vec::new());
        for place in &self.state_view.inspect.watches {
            if let Some(cell) = grids.cell_at(*place)
                && !cells.contains(&cell)
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
            start: grids.value_in(grids.start_of(place), place, kind),
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
            start: grids.value_in(grids.start_of(place), place, kind),
            unwritten: grids.unwritten_text(place, kind),
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
                None => grids.is_written_earlier(place, kind),
            },
            last: last.map(|step| (step, self.session.summary_at(step))),
        })
    }
}
