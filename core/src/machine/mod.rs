//! The machine state: registers, flags and memories.
//!
//! Every space is a [`Memory`], so that a single journal can record and undo all
//! changes.

mod journal;
mod memory;

pub use journal::{Change, Journal, NoJournal, Recorder, StepGranularity};
pub use memory::{Mapped, Memory, Overlap, PAGE_BYTES, PageMut, page_count, update_cell};

use alloc::vec::Vec;

/// ID of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpaceId(pub u16);

/// Kind of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceKind {
    /// The register file of an EU.
    Registers(u8),
    /// The execution mask and the predicates of an EU.
    Flags(u8),
    /// The running sums of a matrix product on an EU.
    Accumulators(u8),
    /// Shared local memory.
    Local,
    /// The virtual address space.
    Virtual,
    /// The buffer behind a surface index.
    Surface(u8),
}

impl SpaceId {
    /// Shared local memory, one for both EUs.
    pub const SLM: Self = Self(6);
    /// The virtual address space: SVM and stateless accesses, global memory
    /// of SASS.
    pub const VIRTUAL: Self = Self(7);

    /// The register file of EU 0 or 1; a warp uses that of EU 0.
    #[must_use]
    pub const fn registers(eu: u8) -> Self {
        Self((eu & 1) as u16)
    }

    /// The execution mask (4 bytes at 0) and predicates (4 bytes at 4 × ID) of EU 0 or 1;
    /// in a warp, the participating lanes and P0 to P6.
    #[must_use]
    pub const fn flags(eu: u8) -> Self {
        Self(2 + (eu & 1) as u16)
    }

    /// The running sums of a matrix product on EU 0 or 1, 4 bytes per channel.
    #[must_use]
    pub const fn accumulators(eu: u8) -> Self {
        Self(4 + (eu & 1) as u16)
    }

    /// The buffer behind a surface index other than 0 and 5.
    #[must_use]
    pub const fn surface(index: u8) -> Self {
        Self(8 + index as u16)
    }

    /// The kind of the space: the inverse of the constants and functions above.
    #[must_use]
    pub fn kind(self) -> SpaceKind {
        match self.0 {
            0 => SpaceKind::Registers(0),
            1 => SpaceKind::Registers(1),
            2 => SpaceKind::Flags(0),
            3 => SpaceKind::Flags(1),
            4 => SpaceKind::Accumulators(0),
            5 => SpaceKind::Accumulators(1),
            6 => SpaceKind::Local,
            7 => SpaceKind::Virtual,
            id => {
                SpaceKind::Surface(u8::try_from(id - 8).expect("spaces end with the last surface"))
            }
        }
    }

    /// The EU of registers, flags or sums.
    #[must_use]
    pub fn eu(self) -> Option<u8> {
        match self.kind() {
            SpaceKind::Registers(eu) | SpaceKind::Flags(eu) | SpaceKind::Accumulators(eu) => {
                Some(eu)
            }
            SpaceKind::Local | SpaceKind::Virtual | SpaceKind::Surface(_) => None,
        }
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
    /// Creates a machine with surfaces up to `last_surface` and no mapped memory.
    #[must_use]
    pub fn new(last_surface: u8) -> Self {
        let count = SpaceId::surface(last_surface).index() + 1;
        Self {
            spaces: (0..count).map(|_| Memory::new()).collect(),
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

    /// Number of EUs, which are those with registers.
    #[must_use]
    pub fn eus(&self) -> u8 {
        1 + u8::from(self.space(SpaceId::registers(1)).is_bound())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_kinds_round_trip() {
        for eu in 0..2 {
            assert_eq!(SpaceId::registers(eu).kind(), SpaceKind::Registers(eu));
            assert_eq!(SpaceId::flags(eu).kind(), SpaceKind::Flags(eu));
            assert_eq!(
                SpaceId::accumulators(eu).kind(),
                SpaceKind::Accumulators(eu)
            );
            assert_eq!(SpaceId::flags(eu).eu(), Some(eu));
        }
        assert_eq!(SpaceId::SLM.kind(), SpaceKind::Local);
        assert_eq!(SpaceId::VIRTUAL.kind(), SpaceKind::Virtual);
        for index in 0..=u8::MAX {
            assert_eq!(SpaceId::surface(index).kind(), SpaceKind::Surface(index));
            assert_eq!(SpaceId::surface(index).eu(), None);
        }
    }
}
