//! Cells that are watched, and where cells are written.

use super::{MOST_WRITES, Place, WatchList, WatchRow, Watched};
use crate::features::transport::MAX_AHEAD;
use crate::store::State;
use lanewise_core::machine::Machine;
use std::rc::Rc;

impl State {
    pub(crate) fn watch(&mut self) {
        let Some(place) = self.panes.inspect.chosen else {
            return;
        };
        let known = self
            .panes
            .inspect
            .watches
            .iter()
            .position(|w| w.place == place);
        match known {
            Some(index) => {
                self.panes.inspect.watches.remove(index);
                self.find_writes();
            }
            None => {
                self.watch_at(place);
            }
        }
    }

    /// Watches a cell, once; whether there is one.
    pub(crate) fn watch_at(&mut self, place: Place) -> bool {
        if self.panes.inspect.watches.iter().any(|w| w.place == place) {
            return true;
        }
        let Some(kind) = self.kind_of(place) else {
            return false;
        };
        self.panes.inspect.watches.push(Watched { place, kind });
        self.find_writes();
        true
    }

    /// The positions after the last write of a cell and after the next.
    pub(crate) fn writes_of(&self, place: Place) -> (Option<usize>, Option<usize>) {
        let Some(kind) = self.kind_of(place) else {
            return (None, None);
        };
        let (space, address, bytes) = place.range(kind);
        let session = &self.session;
        let mut next = session.writes_from(session.position(), space, address, bytes);
        (
            session.last_write(space, address, bytes).map(|e| e + 1),
            next.next().map(|e| e + 1),
        )
    }

    pub(crate) fn go_to_next_write(&mut self) {
        let Some(place) = self.panes.inspect.chosen else {
            return;
        };
        if self.writes_of(place).1.is_none() {
            self.look_ahead(self.session.position() + MAX_AHEAD);
        }
        match self.writes_of(place).1 {
            Some(position) => self.seek_shown(position),
            None => self.panes.inspect.message = "This cell is not written again.",
        }
    }

    pub(crate) fn continue_to_watch(&mut self) {
        let next = |state: &Self| {
            let watched = state.panes.inspect.watches.iter();
            watched.filter_map(|w| state.writes_of(w.place).1).min()
        };
        if next(self).is_none() {
            self.look_ahead(self.session.position() + MAX_AHEAD);
        }
        match next(self) {
            Some(position) => {
                self.stepping.running = false;
                self.seek(position);
            }
            None => self.panes.inspect.message = "No watched cell is written again.",
        }
    }

    /// Whether the last step changed a watched cell, where a run stops.
    pub(crate) fn hit_watch(&mut self) -> bool {
        let hit = !self.panes.inspect.watches.is_empty() && self.wrote_watched();
        if hit {
            self.panes.inspect.message = "Stopped: a watched cell has changed.";
        }
        hit
    }

    fn wrote_watched(&self) -> bool {
        let changes = self.session.last_changes();
        self.panes.inspect.watches.iter().any(|watch| {
            let (space, address, bytes) = watch.place.range(watch.kind);
            let mut changes = changes.iter().filter(|c| c.old != c.new);
            changes.any(|c| c.touches(space, address, bytes))
        })
    }

    /// Whether a cell is chosen or watched.
    pub(crate) fn is_inspecting(&self) -> bool {
        self.panes.inspect.chosen.is_some() || !self.panes.inspect.watches.is_empty()
    }

    /// Finds where watched cells are written, if more is known by now.
    pub(crate) fn find_writes(&mut self) {
        if !self.panes.inspect.watches.is_empty() || !self.panes.inspect.writes.is_empty() {
            self.find_all_writes();
        }
    }

    fn find_all_writes(&mut self) {
        let for_what = (self.session.known(), self.panes.inspect.watches.len());
        if for_what.1 == 0 {
            self.panes.inspect.writes = Rc::from([]);
        } else if self.panes.inspect.found_for != for_what {
            let mut writes = Vec::new();
            for watch in &self.panes.inspect.watches {
                let (space, address, bytes) = watch.place.range(watch.kind);
                let found = self.session.writes_from(0, space, address, bytes);
                for step in found.map(|e| e + 1).take(MOST_WRITES) {
                    if let Err(at) = writes.binary_search(&step) {
                        writes.insert(at, step);
                    }
                }
            }
            writes.truncate(MOST_WRITES);
            self.panes.inspect.writes = writes.into();
        }
        self.panes.inspect.found_for = for_what;
    }

    /// Finds them again: another history of the run has other steps.
    pub(crate) fn inspect_again(&mut self) {
        self.panes.inspect.found_for = (usize::MAX, 0);
        self.find_writes();
    }

    /// Where watched cells are written, for the timeline.
    pub(crate) fn watched_writes(&self) -> Rc<[usize]> {
        Rc::clone(&self.panes.inspect.writes)
    }

    /// What the page shows of watched cells.
    pub(crate) fn watch_list(&self) -> WatchList {
        let rows = self.panes.inspect.watches.iter().map(|watch| {
            let (space, address, bytes) = watch.place.range(watch.kind);
            let machine = self.session.machine();
            let changes = self.changes_in(space, address, bytes);
            let now = self.value_in(machine, watch.place, watch.kind);
            let was = (!changes.is_empty()).then(|| {
                let mut before = Machine::clone(machine);
                for change in changes.iter().rev() {
                    before.undo(change);
                }
                self.value_in(&before, watch.place, watch.kind)
            });
            WatchRow {
                place: watch.place,
                name: self.name_of(watch.place, watch.kind),
                now,
                was,
            }
        });
        WatchList {
            rows: rows.collect(),
            message: self.panes.inspect.message,
        }
    }
}
