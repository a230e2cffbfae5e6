//! Cells that are watched, and where cells are written.

use super::{MAX_WRITES, WatchList, WatchRow};
use crate::features::machine::inputs::MachineInputs;
use crate::features::machine::place::Place;
use crate::features::transport::MAX_AHEAD;
use crate::store::State;
use lanewise_core::machine::{Machine, SpaceId};
use std::rc::Rc;

impl MachineInputs<'_> {
    /// The bytes of a cell: space, address and how many.
    fn bytes_of(&self, place: Place) -> Option<(SpaceId, u64, u64)> {
        Some(place.range(self.kind_of(place)?))
    }

    /// The position after the last write of a cell.
    pub(super) fn last_write(&self, place: Place) -> Option<usize> {
        let (space, address, bytes) = self.bytes_of(place)?;
        let effect = self.session.last_write(space, address, bytes)?;
        Some(effect + 1)
    }

    /// The position after the next write of a cell, as far as is known.
    fn next_write(&self, place: Place) -> Option<usize> {
        let (space, address, bytes) = self.bytes_of(place)?;
        let from = self.session.position();
        let effect = self
            .session
            .writes_from(from, space, address, bytes)
            .next()?;
        Some(effect + 1)
    }

    /// What the page shows of watched cells.
    pub(crate) fn watch_list(&self) -> WatchList {
        let row = |place: &Place| {
            let kind = self.kind_of(*place)?;
            let (space, address, bytes) = place.range(kind);
            let machine = self.session.machine();
            let changes = self.changes_in(space, address, bytes);
            let was = (!changes.is_empty()).then(|| {
                let mut before = Machine::clone(machine);
                for change in changes.iter().rev() {
                    before.undo(change);
                }
                self.value_in(&before, *place, kind)
            });
            Some(WatchRow {
                place: *place,
                name: self.name_of(*place, kind),
                now: self.value_in(machine, *place, kind),
                was,
            })
        };
        WatchList {
            rows: self
                .machine
                .inspect
                .watches
                .iter()
                .filter_map(row)
                .collect(),
            message: self.machine.inspect.message.clone(),
        }
    }

    /// Whether the last step changed a watched cell.
    fn changed_watched(&self) -> bool {
        let changes = self.session.last_changes();
        self.machine.inspect.watches.iter().any(|place| {
            self.bytes_of(*place)
                .is_some_and(|(space, address, bytes)| {
                    let mut changes = changes.iter().filter(|c| c.old != c.new);
                    changes.any(|c| c.touches(space, address, bytes))
                })
        })
    }
}

impl State {
    /// Watches a cell; whether there is one.
    pub(crate) fn watch(&mut self, place: Place) -> bool {
        let is_there = self.machine_inputs().kind_of(place).is_some();
        if is_there && !self.machine.inspect.watches.contains(&place) {
            self.inspect().watches.push(place);
            self.find_writes();
        }
        is_there
    }

    pub(super) fn unwatch(&mut self, place: Place) {
        self.inspect().watches.retain(|watched| *watched != place);
        self.find_writes();
    }

    pub(super) fn toggle_watch(&mut self, place: Place) {
        if self.machine.inspect.watches.contains(&place) {
            self.unwatch(place);
        } else {
            self.watch(place);
        }
    }

    pub(super) fn go_to_next_write(&mut self) {
        let Some(place) = self.machine.inspect.chosen else {
            return;
        };
        if self.machine_inputs().next_write(place).is_none() {
            self.look_ahead(self.session.position() + MAX_AHEAD);
        }
        match self.machine_inputs().next_write(place) {
            Some(position) => self.seek_and_show(position),
            None => self.inspect().message = Some("This cell is not written again.".into()),
        }
    }

    pub(super) fn go_to_next_watched_write(&mut self) {
        let next = |state: &Self| {
            let inputs = state.machine_inputs();
            let watched = state.machine.inspect.watches.iter();
            watched.filter_map(|place| inputs.next_write(*place)).min()
        };
        if next(self).is_none() {
            self.look_ahead(self.session.position() + MAX_AHEAD);
        }
        match next(self) {
            Some(position) => self.move_to(position),
            None => self.inspect().message = Some("No watched cell is written again.".into()),
        }
    }

    /// Whether the last step changed a watched cell, where a run stops.
    pub(crate) fn stops_at_watch(&mut self) -> bool {
        let stops = self.machine_inputs().changed_watched();
        if stops {
            self.inspect().message = Some("Stopped: a watched cell has changed.".into());
        }
        stops
    }

    /// Finds where watched cells are written, if more is known by now.
    pub(crate) fn find_writes(&mut self) {
        let inspect = &self.machine.inspect;
        let found_for = (self.session.known(), inspect.watches.len());
        // Without watches nothing is borrowed mutably, which would copy the slice.
        if inspect.watches.is_empty() && inspect.writes.is_empty() || inspect.found_for == found_for
        {
            return;
        }
        let inputs = self.machine_inputs();
        let mut writes = Vec::new();
        for place in &inspect.watches {
            let Some((space, address, bytes)) = inputs.bytes_of(*place) else {
                continue;
            };
            let found = self.session.writes_from(0, space, address, bytes);
            for step in found.map(|effect| effect + 1).take(MAX_WRITES) {
                if let Err(at) = writes.binary_search(&step) {
                    writes.insert(at, step);
                }
            }
        }
        writes.truncate(MAX_WRITES);
        let writes = Rc::from(writes);
        let inspect = self.inspect();
        (inspect.writes, inspect.found_for) = (writes, found_for);
    }

    /// Finds them again: another text, or another history of the run, has other
    /// steps.
    pub(crate) fn find_writes_anew(&mut self) {
        if !self.machine.inspect.watches.is_empty() || !self.machine.inspect.writes.is_empty() {
            self.inspect().found_for = (usize::MAX, 0);
            self.find_writes();
        }
    }
}
