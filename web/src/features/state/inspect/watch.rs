//! Watched cells, and the steps that write a cell.

use super::{MAX_WRITES, WatchRow, WriteSearch};
use crate::features::state::inputs::StateInputs;
use crate::features::state::place::{CellBits, CellKind, Place};
use crate::features::transport::MAX_AHEAD;
use crate::store::State;
use lanewise_core::machine::{Change, Machine};
use std::rc::Rc;

impl StateInputs {
    /// Position after the last step that wrote a cell, even if the value stayed
    /// the same.
    pub(super) fn last_write(&self, cell: CellBits) -> Option<usize> {
        let is_write = |change: &Change| cell.is_written_by(change);
        Some(self.session.last_write(is_write)? + 1)
    }

    /// Positions after the known steps that change a cell, from a position on.
    fn writes_from(&self, position: usize, cell: CellBits) -> impl Iterator<Item = usize> {
        let is_write = move |change: &Change| cell.is_altered_by(change);
        let effects = self.session.writes_from(position, is_write);
        effects.map(|effect| effect + 1)
    }

    /// The next of them.
    fn next_write(&self, cell: CellBits) -> Option<usize> {
        self.writes_from(self.session.position(), cell).next()
    }

    pub(crate) fn watched_rows(&self) -> Vec<WatchRow> {
        let row = |(place, kind): (Place, CellKind)| {
            let machine = self.session.machine();
            let bits = place.bits(kind);
            let range = bits.range;
            let changes = self.changes_in(range.space, range.address, range.bytes);
            // A lane that sets its bit rewrites those of the others.
            let is_written = match kind {
                CellKind::Bit => changes.iter().any(|change| bits.is_altered_by(change)),
                _ => !changes.is_empty(),
            };
            let was = is_written.then(|| {
                let mut before = Machine::clone(machine);
                for change in changes.iter().rev() {
                    before.undo(change);
                }
                self.value_in(&before, place, kind)
            });
            WatchRow {
                place,
                name: self.name_of(place, kind),
                now: self.value_in(machine, place, kind),
                was,
            }
        };
        self.watched().into_iter().map(row).collect()
    }

    /// Whether the last step changed a watched cell.
    fn changed_watched(&self) -> bool {
        let changes = self.session.last_changes();
        let mut watched = self.watched().into_iter();
        watched.any(|(place, kind)| {
            let cell = place.bits(kind);
            changes.iter().any(|change| cell.is_altered_by(change))
        })
    }
}

impl State {
    /// Watches a cell. Returns whether the cell exists.
    pub(crate) fn watch(&mut self, place: Place) -> bool {
        let inputs = self.state_inputs();
        let cell = inputs.cell_at(place);
        if cell.is_some_and(|cell| !inputs.watched().contains(&cell)) {
            self.inspect_mut().watches.push(place);
        }
        cell.is_some()
    }

    /// Stops watching every byte of a cell.
    pub(super) fn unwatch(&mut self, place: Place) {
        let inputs = self.state_inputs();
        let cell = inputs.cell_at(place);
        let mut watches = inputs.state_view.inspect.watches.clone();
        watches.retain(|watched| inputs.cell_at(*watched) != cell);
        self.inspect_mut().watches = watches;
    }

    pub(super) fn toggle_watch(&mut self, place: Place) {
        let inputs = self.state_inputs();
        let cell = inputs.cell_at(place);
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
        if self.state_inputs().next_write(cell).is_none() {
            self.explore_to(self.session.position() + MAX_AHEAD);
        }
        match self.state_inputs().next_write(cell) {
            Some(position) => self.seek_and_show(position),
            None => self.report_no_write("this cell"),
        }
    }

    pub(super) fn go_to_next_watched_write(&mut self) {
        let next = |state: &Self| {
            let inputs = state.state_inputs();
            let cells = inputs.watched().into_iter();
            let writes = cells.filter_map(|(place, kind)| inputs.next_write(place.bits(kind)));
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
            for step in inputs.writes_from(0, *cell).take(MAX_WRITES) {
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
