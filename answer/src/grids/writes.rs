//! Steps that write a cell.

use super::Grids;
use super::place::{CellBits, CellKind, Place};
use alloc::string::String;
use lanewise_core::machine::{Change, Machine};

/// Value of a watched cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchRow {
    pub place: Place,
    pub name: String,
    pub now: String,
    /// Previous value, if the last step wrote the cell.
    pub was: Option<String>,
}

impl<'s> Grids<'s> {
    /// Position after the last step that wrote a cell, even if the value stayed
    /// the same.
    pub fn last_write(&self, cell: CellBits) -> Option<usize> {
        let is_write = |change: &Change| cell.is_written_by(change);
        Some(self.session.last_write(is_write)? + 1)
    }

    /// Positions after the known steps that change a cell, from a position on.
    pub fn writes_from(self, position: usize, cell: CellBits) -> impl Iterator<Item = usize> + 's {
        let is_write = move |change: &Change| cell.is_altered_by(change);
        let effects = self.session.writes_from(position, is_write);
        effects.map(|effect| effect + 1)
    }

    /// The next of them.
    pub fn next_write(&self, cell: CellBits) -> Option<usize> {
        self.writes_from(self.session.position(), cell).next()
    }

    /// A watched cell, and its value before the last step if the step wrote it.
    pub fn watch_row(&self, place: Place, kind: CellKind) -> WatchRow {
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
    }

    /// Whether the last step changed a cell.
    pub fn has_changed(&self, place: Place, kind: CellKind) -> bool {
        let cell = place.bits(kind);
        let changes = self.session.last_changes();
        changes.iter().any(|change| cell.is_altered_by(change))
    }
}
