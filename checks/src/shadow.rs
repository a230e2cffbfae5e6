//! Shadow memory: who has read and written each byte.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Bytes of memory of a granule.
const GRANULE: u64 = 256;

/// Most granules of a launch: those of 64 MB of memory.
const MAX_GRANULES: usize = 1 << 18;

/// An access: a moment of a thread, an instruction and a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// Most instructions of a program that can be checked.
    pub(crate) const MAX_INSTRUCTION: u32 = (1 << 27) - 1;

    /// Moments count from 1.
    pub(crate) const fn new(moment: u32, instruction: u32, lane: u8) -> Self {
        Self((moment as u64) << 32 | (instruction as u64) << 5 | (lane & 31) as u64)
    }

    pub(crate) const fn is_some(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn moment(self) -> u32 {
        u32::try_from(self.0 >> 32).expect("it has 32 bits")
    }

    pub(crate) fn instruction(self) -> u32 {
        let index = self.0 >> 5 & u64::from(Self::MAX_INSTRUCTION);
        u32::try_from(index).expect("it has 27 bits")
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
    /// Plain reads since, by two threads.
    pub(crate) reads: [Stamp; 2],
    /// Atomics since, by two threads.
    pub(crate) atomics: [Stamp; 2],
}

impl Cell {
    fn stamps(self) -> [Stamp; STAMPS] {
        let (reads, atomics) = (self.reads, self.atomics);
        [self.write, reads[0], reads[1], atomics[0], atomics[1]]
    }
}

/// Stamps of a cell.
const STAMPS: usize = 5;

/// Cells of dwords in a granule.
const DWORDS: usize = 64;

/// Cells of 256 bytes: of dwords, until one is accessed in part. A column has the same stamp of
/// all cells and is empty until one is set, so that a byte takes 8 bytes for its last write and
/// for each reader, and a dword as much as that.
#[derive(Debug, Default)]
struct Granule {
    is_of_bytes: bool,
    columns: [Vec<Stamp>; STAMPS],
}

impl Granule {
    #[cold]
    fn split(&mut self) {
        self.is_of_bytes = true;
        for column in &mut self.columns {
            *column = column.iter().flat_map(|stamp| [*stamp; 4]).collect();
        }
    }

    fn cell(&self, index: usize) -> Cell {
        let stamp = |column: usize| self.columns[column].get(index).copied();
        let stamp = |column| stamp(column).unwrap_or_default();
        Cell {
            write: stamp(0),
            reads: [stamp(1), stamp(2)],
            atomics: [stamp(3), stamp(4)],
        }
    }

    fn set_cell(&mut self, index: usize, cell: Cell) {
        let count = if self.is_of_bytes { 4 * DWORDS } else { DWORDS };
        for (column, stamp) in self.columns.iter_mut().zip(cell.stamps()) {
            if column.is_empty() {
                if !stamp.is_some() {
                    continue;
                }
                column.resize(count, Stamp::default());
            }
            if let Some(place) = column.get_mut(index) {
                *place = stamp;
            }
        }
    }
}

/// The shadow of a memory.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    granules: Vec<Granule>,
    /// Position of a granule by its number.
    positions: BTreeMap<u64, usize>,
    /// The granule of the last access.
    last: Option<(u64, usize)>,
}

impl Shadow {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    fn granule(&mut self, number: u64) -> Option<&mut Granule> {
        let position = match self.last {
            Some((last, position)) if last == number => position,
            _ => {
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
                self.last = Some((number, position));
                position
            }
        };
        self.granules.get_mut(position)
    }

    /// Calls `visit` for each cell of an access, with the address and number of its bytes.
    /// Returns whether there was room.
    pub(crate) fn visit(
        &mut self,
        address: u64,
        bytes: u8,
        mut visit: impl FnMut(&mut Cell, u64, u8),
    ) -> bool {
        let end = address.saturating_add(bytes.into());
        let mut at = address;
        while at < end {
            let Some(granule) = self.granule(at / GRANULE) else {
                return false;
            };
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

    fn bytes_of(shadow: &Shadow) -> usize {
        let columns = shadow.granules.iter().flat_map(|granule| &granule.columns);
        columns
            .map(|column| column.len() * size_of::<Stamp>())
            .sum()
    }

    #[test]
    fn a_byte_takes_at_most_sixteen() {
        for size in [1, 2, 4] {
            let mut shadow = Shadow::default();
            for at in (0..4096).step_by(usize::from(size)) {
                shadow.visit(at, size, |cell, _, _| cell.write = Stamp::new(1, 2, 3));
                shadow.visit(at, size, |cell, _, _| cell.reads[0] = Stamp::new(4, 5, 6));
            }
            assert!(
                bytes_of(&shadow) <= 16 * 4096,
                "{size}: {}",
                bytes_of(&shadow)
            );
        }
    }

    #[test]
    fn a_dword_is_split_by_an_access_in_part() {
        let mut shadow = Shadow::default();
        let (whole, part) = (Stamp::new(1, 1, 0), Stamp::new(2, 2, 1));
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
