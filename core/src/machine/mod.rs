//! The machine state: registers, flags and memories.
//!
//! Every space is a [`Memory`], so that a single journal can record and undo all
//! changes.

pub mod control;
pub mod frames;
mod journal;
mod memory;
pub mod warp;

pub use journal::{Change, Journal, NoJournal, Recorder, StepGranularity};
pub use memory::{Mapped, Memory, Overlap, PAGE_BYTES, PageMut, page_count, update_cell};

use crate::diagnostic::to_usize;
use alloc::vec::Vec;
use memory::store_row;

/// ID of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpaceId(pub u16);

/// Kind of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceKind {
    /// The register file of a thread.
    Registers(u8),
    /// The execution mask, predicates and address variables of a thread.
    Flags(u8),
    /// The running sums of a matrix product of a thread.
    Accumulators(u8),
    /// Program counter, waiting channels and call stack of a thread; see [`control`].
    Control(u8),
    /// Shared local memory.
    Local,
    /// The virtual address space.
    Virtual,
    /// The buffer behind a surface index.
    Surface(u8),
}

/// Number of spaces per thread.
const PER_THREAD: u16 = 4;

/// The first space of thread 2. Spaces of threads 0 and 1 come first, then memories, so
/// that single-threaded programs have few spaces.
const LATER_THREADS: u16 = SpaceId::surface(u8::MAX).0 + 1;

/// Maximum number of threads of a work-group.
pub const MAX_THREADS: u8 = 128;

impl SpaceId {
    /// Shared local memory, one for the work-group.
    pub const SLM: Self = Self(2 * PER_THREAD);
    /// The virtual address space: SVM and stateless accesses, global memory
    /// of SASS.
    pub const VIRTUAL: Self = Self(2 * PER_THREAD + 1);

    const fn of_thread(thread: u8, kind: u16) -> Self {
        match thread {
            0 | 1 => Self(2 * kind + thread as u16),
            _ => Self(LATER_THREADS + (thread as u16 - 2) * PER_THREAD + kind),
        }
    }

    /// The register file of a thread; a warp uses that of thread 0.
    #[must_use]
    pub const fn registers(thread: u8) -> Self {
        Self::of_thread(thread, 0)
    }

    /// The execution mask (4 bytes at 0) and predicates (4 bytes at 4 × ID) of a thread;
    /// in a warp, the participating lanes and P0 to P6.
    #[must_use]
    pub const fn flags(thread: u8) -> Self {
        Self::of_thread(thread, 1)
    }

    /// The running sums of a matrix product of a thread, 4 bytes per channel.
    #[must_use]
    pub const fn accumulators(thread: u8) -> Self {
        Self::of_thread(thread, 2)
    }

    /// Program counter, waiting channels and call stack of a thread; see
    /// [`control`].
    #[must_use]
    pub const fn control(thread: u8) -> Self {
        Self::of_thread(thread, 3)
    }

    /// The buffer behind a surface index other than 0 and 5.
    #[must_use]
    pub const fn surface(index: u8) -> Self {
        Self(Self::VIRTUAL.0 + 1 + index as u16)
    }

    /// The kind of the space: the inverse of the constants and functions above.
    #[must_use]
    pub fn kind(self) -> SpaceKind {
        let small = |id: u16| u8::try_from(id).expect("spaces end with the last thread");
        let of_thread = |kind: u16, thread: u8| match kind {
            0 => SpaceKind::Registers(thread),
            1 => SpaceKind::Flags(thread),
            2 => SpaceKind::Accumulators(thread),
            _ => SpaceKind::Control(thread),
        };
        match self {
            Self::SLM => SpaceKind::Local,
            Self::VIRTUAL => SpaceKind::Virtual,
            Self(id) if id < Self::SLM.0 => of_thread(id / 2, small(id % 2)),
            Self(id) if id < LATER_THREADS => SpaceKind::Surface(small(id - Self::surface(0).0)),
            Self(id) => {
                let later = id - LATER_THREADS;
                of_thread(later % PER_THREAD, small(later / PER_THREAD + 2))
            }
        }
    }

    /// The thread of registers, flags, sums or control state.
    #[must_use]
    pub fn eu(self) -> Option<u8> {
        match self.kind() {
            SpaceKind::Registers(thread)
            | SpaceKind::Flags(thread)
            | SpaceKind::Accumulators(thread)
            | SpaceKind::Control(thread) => Some(thread),
            SpaceKind::Local | SpaceKind::Virtual | SpaceKind::Surface(_) => None,
        }
    }

    /// Whether the space holds control state, which instructions cannot reference.
    #[must_use]
    pub fn is_control(self) -> bool {
        matches!(self.kind(), SpaceKind::Control(_))
    }

    /// The surface index of a buffer space.
    #[must_use]
    pub fn surface_index(self) -> Option<u8> {
        match self.kind() {
            SpaceKind::Surface(index) => Some(index),
            _ => None,
        }
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Address of the dword of a predicate in a flags space, with one bit per lane. Dword 0
/// is the execution mask or, in SASS, the participating lanes.
#[must_use]
pub const fn flag_address(id: u16) -> u64 {
    id as u64 * 4
}

/// All spaces of the machine. Clones share pages copy-on-write.
#[derive(Clone, Debug)]
pub struct Machine {
    spaces: Vec<Memory>,
}

impl Machine {
    /// Creates a machine with surfaces up to `last_surface`, `threads` threads and no
    /// mapped memory.
    #[must_use]
    pub fn new(last_surface: u8, threads: u8) -> Self {
        let last = match threads {
            0..=2 => SpaceId::surface(last_surface),
            _ => SpaceId::control(threads - 1),
        };
        Self {
            spaces: (0..=last.index()).map(|_| Memory::new()).collect(),
        }
    }

    /// A space; an empty one for an unknown ID.
    #[must_use]
    pub fn space(&self, id: SpaceId) -> &Memory {
        const EMPTY: &Memory = &Memory::new();
        self.spaces.get(id.index()).unwrap_or(EMPTY)
    }

    /// Bytes not shared with `earlier`, a state of the same run.
    #[must_use]
    pub fn bytes_beside(&self, earlier: &Self) -> usize {
        let spaces = self.spaces.iter().zip(&earlier.spaces);
        let bytes = spaces.map(|(space, earlier)| space.bytes_beside(earlier));
        size_of_val(self.spaces.as_slice()) + bytes.sum::<usize>()
    }

    /// Whether the same ranges are mapped as in another machine.
    #[must_use]
    pub fn is_mapped_like(&self, other: &Self) -> bool {
        let ranges = |machine: &Self| {
            let spaces = machine.spaces.iter();
            spaces
                .map(|space| space.regions().collect())
                .collect::<Vec<Vec<_>>>()
        };
        ranges(self) == ranges(other)
    }

    /// A space, to be mapped or filled before a run.
    pub fn space_mut(&mut self, id: SpaceId) -> Option<&mut Memory> {
        self.spaces.get_mut(id.index())
    }

    /// Mutable references to two different spaces.
    #[inline]
    pub fn two_spaces(&mut self, a: SpaceId, b: SpaceId) -> Option<[&mut Memory; 2]> {
        self.spaces.get_disjoint_mut([a.index(), b.index()]).ok()
    }

    /// Reads `bytes` (1 to 8), little-endian; `None` if not mapped.
    #[must_use]
    pub fn load(&self, space: SpaceId, address: u64, bytes: u8) -> Option<u64> {
        self.spaces.get(space.index())?.load(address, bytes)
    }

    /// Flag word of an EU at an address: an execution mask, a predicate or an element of
    /// an address variable.
    ///
    /// # Panics
    /// If the EU does not run.
    #[must_use]
    pub fn flag_word(&self, flags: SpaceId, address: u64) -> u32 {
        let bits = self.load(flags, address, 4);
        let bits = bits.expect("declared variables exist on every running EU");
        u32::try_from(bits).expect("four bytes were loaded")
    }

    /// Restores the old value of a change.
    pub fn undo(&mut self, change: &Change) {
        self.put(change, change.old);
    }

    /// Reapplies a change.
    pub fn redo(&mut self, change: &Change) {
        self.put(change, change.new);
    }

    fn put(&mut self, change: &Change, value: u64) {
        let space = self.space_mut(change.space);
        let is_stored = space.is_some_and(|s| s.store(change.address, change.bytes, value));
        debug_assert!(
            is_stored,
            "a change is of a cell that is mapped: {change:?}"
        );
    }

    /// Replaces the value at an address by `f` of it and records both.
    /// Returns the old value; `None`, with nothing changed, where nothing is
    /// mapped.
    #[inline]
    pub fn update<R: Recorder>(
        &mut self,
        recorder: &mut R,
        space: SpaceId,
        address: u64,
        bytes: u8,
        f: impl FnOnce(u64) -> u64,
    ) -> Option<u64> {
        let memory = self.spaces.get_mut(space.index())?;
        let (old, new) = memory.update(address, bytes, f)?;
        recorder.record(Change {
            space,
            bytes,
            address,
            old,
            new,
        });
        Some(old)
    }

    /// Writes cells of `bytes` (1, 2, 4 or 8) bytes in order and records each change. Skips
    /// unmapped cells.
    #[inline]
    pub fn store_each<R: Recorder>(
        &mut self,
        recorder: &mut R,
        space: SpaceId,
        bytes: u8,
        cells: impl Iterator<Item = (u64, u64)>,
    ) {
        let Some(memory) = self.spaces.get_mut(space.index()) else {
            return;
        };
        let mut record = changes_of(space, bytes, recorder);
        memory.scatter(bytes, cells.map(Some), |change| {
            if let Some((address, old, new)) = change {
                record(address, old, new);
            }
        });
    }

    /// Writes adjacent cells of `bytes` (1, 2, 4 or 8) bytes, those in the mask `enabled`, and
    /// records each change. Returns false and writes nothing if one page does not hold them.
    pub fn store_row<R: Recorder>(
        &mut self,
        recorder: &mut R,
        (space, first, bytes): (SpaceId, u64, u8),
        enabled: u32,
        values: &[u64; 32],
    ) -> bool {
        let lanes = to_usize(u32::BITS - enabled.leading_zeros());
        let memory = self.spaces.get_mut(space.index());
        let row = memory.and_then(|memory| memory.slice_mut(first, lanes * usize::from(bytes)));
        let Some(row) = row else {
            return false;
        };
        let mut record = changes_of(space, bytes, recorder);
        let written = |lane: usize, old, new| {
            let offset = lane * usize::from(bytes);
            record(
                first + u64::try_from(offset).expect("rows are short"),
                old,
                new,
            );
        };
        match bytes {
            1 => store_row::<1>(row, enabled, values, written),
            2 => store_row::<2>(row, enabled, values, written),
            4 => store_row::<4>(row, enabled, values, written),
            _ => store_row::<8>(row, enabled, values, written),
        }
        true
    }

    /// Writes a value and records the change. Returns whether the address is
    /// mapped.
    #[inline]
    pub fn store<R: Recorder>(
        &mut self,
        recorder: &mut R,
        space: SpaceId,
        address: u64,
        bytes: u8,
        value: u64,
    ) -> bool {
        self.update(recorder, space, address, bytes, |_| value)
            .is_some()
    }
}

/// Records changes of cells of a space, by address, old and new value.
fn changes_of<R: Recorder>(
    space: SpaceId,
    bytes: u8,
    recorder: &mut R,
) -> impl FnMut(u64, u64, u64) {
    move |address, old, new| {
        recorder.record(Change {
            space,
            bytes,
            address,
            old,
            new,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_kinds_round_trip() {
        for thread in 0..MAX_THREADS {
            let of = [
                (SpaceId::registers(thread), SpaceKind::Registers(thread)),
                (SpaceId::flags(thread), SpaceKind::Flags(thread)),
                (
                    SpaceId::accumulators(thread),
                    SpaceKind::Accumulators(thread),
                ),
                (SpaceId::control(thread), SpaceKind::Control(thread)),
            ];
            for (space, kind) in of {
                assert_eq!((space.kind(), space.eu()), (kind, Some(thread)));
            }
        }
        assert_eq!(SpaceId::SLM.kind(), SpaceKind::Local);
        assert_eq!(SpaceId::VIRTUAL.kind(), SpaceKind::Virtual);
        for index in 0..=u8::MAX {
            assert_eq!(SpaceId::surface(index).kind(), SpaceKind::Surface(index));
            assert_eq!(SpaceId::surface(index).eu(), None);
        }
    }

    #[test]
    fn rows_are_stored_within_a_page() {
        let mut machine = Machine::new(0, 1);
        let space = SpaceId::registers(0);
        machine.space_mut(space).unwrap().map(0, 8192).unwrap();
        let values = core::array::from_fn(|lane| u64::try_from(lane).unwrap() + 1);
        let mut journal = Journal::new();
        assert!(machine.store_row(&mut journal, (space, 0x40, 4), 0b101, &values));
        let changes = journal.changes().iter();
        let changes: Vec<_> = changes
            .map(|c| (c.address, c.bytes, c.old, c.new))
            .collect();
        assert_eq!(changes, [(0x40, 4, 0, 1), (0x48, 4, 0, 3)]);
        assert_eq!(machine.load(space, 0x40, 8), Some(1));
        // Two pages hold the lanes.
        assert!(!machine.store_row(&mut journal, (space, 4092, 4), 0b11, &values));
        assert_eq!(journal.changes().len(), 2);
        assert_eq!(machine.load(space, 4092, 8), Some(0));
    }
}
