//! Watched cells, and the steps that write a cell.

use super::{MAX_WRITES, WriteSearch};
use crate::features::state::inputs::StateInputs;
use crate::features::transport::MAX_AHEAD;
use crate::store::State;
use lanewise_answer::grids::{Place, WatchRow};
use std::rc::Rc;

impl StateInputs {
    pub(crate) fn watched_rows(&self) -> Vec<WatchRow> {
        let (grids, watched) = (self.grids(), self.watched().into_iter());
        watched
            .map(|(place, kind)| grids.watch_row(place, kind))
            .collect()
    }

    /// Whether the last step changed a watched cell.
    fn changed_watched(&self) -> bool {
        let (grids, mut watched) = (self.grids(), self.watched().into_iter());
        watched.any(|(place, kind)| grids.has_changed(place, kind))
    }
}

impl State {
    /// Watches a cell. Returns whether the cell exists.
    pub(crate) fn watch(&mut self, place: Place) -> bool {
        let inputs = self.state_inputs();
        let cell = inputs.grids().cell_at(place);
        if cell.is_some_and(|cell| !inputs.watched().contains(&cell)) {
            self.inspect_mut().watches.push(place);
        }
        cell.is_some()
    }

    /// Stops watching every byte of a cell.
    pub(super) fn unwatch(&mut self, place: Place) {
        let inputs = self.state_inputs();
        let cell = inputs.grids().cell_at(place);
        let mut watches = inputs.state_view.inspect.watches.clone();
        watches.retain(|watched| inputs.grids().cell_at(*watched) != cell);
        self.inspect_mut().watches = watches;
    }

    pub(super) fn toggle_watch(&mut self, place: Place) {
        let inputs = self.state_inputs();
        let cell = inputs.grids().cell_at(place);
        if cell.is_some_and(|cell| inputs.watched().contains(&cell)) {
            self.unwatch(place);
        } else {
            self.watch(place);
        }
    }

    pub(super) fn go_to_next_write(&mut self) {
        let Some((place, kind)) = self.state_inputs().chosen() else {
            return;
        };
        let cell = place.bits(kind);
        if self.grids().next_write(cell).is_none() {
            self.explore_to(self.session.position() + MAX_AHEAD);
        }
        match self.grids().next_write(cell) {
            Some(position) => self.seek_and_show(position),
            None => self.report_no_write("this cell"),
        }
    }

    pub(super) fn go_to_next_watched_write(&mut self) {
        let next = |state: &Self| {
            let inputs = state.state_inputs();
            let cells = inputs.watched().into_iter();
            let writes =
                cells.filter_map(|(place, kind)| inputs.grids().next_write(place.bits(kind)));
            writes.min()
        };
        if next(self).is_none() {
            self.explore_to(self.session.position() + MAX_AHEAD);
        }
        match next(self) {
            Some(position) => self.move_to(position),
            None => self.report_no_write("a watched cell"),
        }
    }

    fn report_no_write(&mut self, cell: &str) {
        let message = match self.session.is_explored() {
            true => format!("No later step writes {cell}."),
            false => format!("None of the next {MAX_AHEAD} steps writes {cell}."),
        };
        self.inspect_mut().message = Some(message.into());
    }

    /// If the last step changed a watched cell, sets the message that the run
    /// stopped. Returns whether it did.
    pub(crate) fn stop_at_watch(&mut self) -> bool {
        let stops = self.state_inputs().changed_watched();
        if stops {
            self.inspect_mut().message = Some("Stopped: a watched cell changed.".into());
        }
        stops
    }

    /// Updates the cached writes of watched cells.
    pub(crate) fn find_writes(&mut self) {
        let inspect = &self.state_view.inspect;
        // Early return: a mutable borrow would copy the slice.
        if inspect.watches.is_empty() && inspect.writes.is_empty() {
            return;
        }
        let inputs = self.state_inputs();
        let cells = inputs.watched().into_iter();
        let search = WriteSearch {
            program: self.session.shared_program(),
            granularity: self.session.granularity(),
            known: self.session.known(),
            cells: cells.map(|(place, kind)| place.bits(kind)).collect(),
        };
        if inspect.found_for.as_ref() == Some(&search) {
            return;
        }
        let mut writes = Vec::new();
        for cell in &search.cells {
            for step in inputs.grids().writes_from(0, *cell).take(MAX_WRITES) {
                if let Err(at) = writes.binary_search(&step) {
                    writes.insert(at, step);
                }
            }
        }
        writes.truncate(MAX_WRITES);
        let inspect = self.inspect_mut();
        inspect.writes = Rc::from(writes);
        inspect.found_for = Some(search);
    }
}
