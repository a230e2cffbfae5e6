//! Shadow memory: who has read and written each byte.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Bytes of memory of a granule.
const GRANULE: u64 = 512;

/// Most granules of a launch: those of 64 MB of memory.
const MAX_GRANULES: usize = 1 << 17;

/// An access: a record of its thread and instruction, and its channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u32);

impl Stamp {
    /// Records count from 1 and have 27 bits.
    pub(crate) const fn new(record: u32, lane: u8) -> Self {
        Self(record << 5 | (lane & 31) as u32)
    }

    pub(crate) const fn is_some(self) -> bool {
        self.0 != 0
    }

    pub(crate) const fn record(self) -> u32 {
        self.0 >> 5
    }

    pub(crate) fn lane(self) -> u8 {
        u8::try_from(self.0 & 31).expect("it has five bits")
    }
}

/// The accesses to a byte, or to the four bytes of a dword, that later ones can conflict with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    /// The last plain write.
    pub(crate) write: Stamp,
    /// Reads or atomics since, by two threads.
    pub(crate) others: [Stamp; 2],
}

/// Stamps of a cell.
const STAMPS: usize = 3;

/// Cells of dwords in a granule.
const DWORDS: usize = 128;

/// The cells of a granule: of dwords, until one is accessed in part. A column has the same stamp
/// of all cells and is empty until one is set, so that a byte takes 4 bytes for each kind of
/// access, and a dword as much as that.
#[derive(Debug, Default)]
struct Granule {
    is_of_bytes: bool,
    columns: [Box<[Stamp]>; STAMPS],
}

impl Granule {
    #[cold]
    fn split(&mut self) {
        self.is_of_bytes = true;
        for column in &mut self.columns {
            *column = column.iter().flat_map(|stamp| [*stamp; 4]).collect();
        }
    }

    #[inline]
    fn cell(&self, index: usize) -> Cell {
        let stamp = |column: usize| self.columns[column].get(index).copied();
        let stamp = |column| stamp(column).unwrap_or_default();
        Cell {
            write: stamp(0),
            others: [stamp(1), stamp(2)],
        }
    }

    #[inline]
    fn set_cell(&mut self, index: usize, cell: Cell) {
        let count = if self.is_of_bytes { 4 * DWORDS } else { DWORDS };
        let stamps = [cell.write, cell.others[0], cell.others[1]];
        for (column, stamp) in self.columns.iter_mut().zip(stamps) {
            match column.get_mut(index) {
                Some(place) => *place = stamp,
                None if stamp.is_some() => {
                    *column = (0..count).map(|_| Stamp::default()).collect();
                    column[index] = stamp;
                }
                None => {}
            }
        }
    }
}

/// Slots for the granules of the last accesses.
const RECENT: usize = 64;

/// The shadow of a memory.
#[derive(Debug)]
pub(crate) struct Shadow {
    granules: Vec<Granule>,
    /// Position of a granule by its number.
    positions: BTreeMap<u64, usize>,
    /// Numbers and positions of the last granules, by the low bits of the number.
    recent: [(u64, usize); RECENT],
}

impl Default for Shadow {
    fn default() -> Self {
        Self {
            granules: Vec::new(),
            positions: BTreeMap::new(),
            recent: [(u64::MAX, 0); RECENT],
        }
    }
}

impl Shadow {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) const fn granules(&self) -> usize {
        self.granules.len()
    }

    /// All stamps.
    pub(crate) fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let columns = self
            .granules
            .iter_mut()
            .flat_map(|granule| &mut granule.columns);
        columns.flat_map(|column| column.iter_mut())
    }

    /// Position of the granule with a number.
    #[inline]
    fn position(&mut self, number: u64) -> Option<usize> {
        let slot = usize::try_from(number % RECENT as u64).expect("there are few slots");
        let (recent, position) = self.recent[slot];
        if recent == number {
            return Some(position);
        }
        let position = match self.positions.get(&number) {
            Some(position) => *position,
            None if self.granules.len() >= MAX_GRANULES => return None,
            None => {
                self.granules.push(Granule::default());
                let position = self.granules.len() - 1;
                self.positions.insert(number, position);
                position
            }
        };
        self.recent[slot] = (number, position);
        Some(position)
    }

    /// Calls `visit` for each cell of an access, with the address and number of its bytes.
    /// Returns whether there was room.
    #[inline]
    pub(crate) fn visit(
        &mut self,
        address: u64,
        bytes: u8,
        mut visit: impl FnMut(&mut Cell, u64, u8),
    ) -> bool {
        let end = address.saturating_add(bytes.into());
        let mut at = address;
        while at < end {
            let Some(position) = self.position(at / GRANULE) else {
                return false;
            };
            let granule = &mut self.granules[position];
            let is_whole = at.is_multiple_of(4) && end - at >= 4;
            if !is_whole && !granule.is_of_bytes {
                granule.split();
            }
            let offset = usize::try_from(at % GRANULE).expect("a granule is small");
            let (index, count) = match granule.is_of_bytes {
                true => (offset, 1),
                false => (offset / 4, 4),
            };
            let mut cell = granule.cell(index);
            visit(&mut cell, at, count);
            granule.set_cell(index, cell);
            at += u64::from(count);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that a shadow takes.
    fn bytes_of(shadow: &Shadow) -> usize {
        // A map keeps its entries in nodes that are at least half full.
        let entries = 2 * shadow.positions.len() * size_of::<(u64, usize)>();
        let granules = shadow.granules.capacity() * size_of::<Granule>();
        let columns = shadow.granules.iter().flat_map(|granule| &granule.columns);
        let stamps: usize = columns.map(|column| column.len()).sum();
        stamps * size_of::<Stamp>() + granules + entries
    }

    #[test]
    fn a_byte_takes_at_most_thirteen() {
        for size in [1, 2, 4] {
            let mut shadow = Shadow::default();
            for at in (0..1 << 16).step_by(usize::from(size)) {
                shadow.visit(at, size, |cell, _, _| {
                    cell.write = Stamp::new(1, 3);
                    cell.others = [Stamp::new(2, 3), Stamp::new(3, 4)];
                });
            }
            let bytes = bytes_of(&shadow);
            assert!(bytes <= 13 << 16, "{size}: {bytes}");
        }
    }

    #[test]
    fn a_dword_is_split_by_an_access_in_part() {
        let mut shadow = Shadow::default();
        let (whole, part) = (Stamp::new(1, 0), Stamp::new(2, 1));
        shadow.visit(8, 4, |cell, at, bytes| {
            assert_eq!((at, bytes), (8, 4));
            cell.write = whole;
        });
        shadow.visit(9, 1, |cell, _, _| cell.write = part);
        let mut found = Vec::new();
        shadow.visit(8, 4, |cell, at, bytes| found.push((at, bytes, cell.write)));
        let expected = [(8, whole), (9, part), (10, whole), (11, whole)];
        assert_eq!(found, expected.map(|(at, write)| (at, 1, write)));
    }
}
