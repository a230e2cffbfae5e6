//! Different machine states, some of them kept.

use crate::interner::Interner;
use crate::number::add_known;
use crate::outcome::{ChangedByte, LaneSchedule, Outcome};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};

/// States that differ in their bytes or faults, in the order of discovery.
#[derive(Clone, Debug)]
pub(crate) struct StateList {
    /// The first states; the others are only counted.
    pub(crate) kept: Vec<Outcome>,
    found: usize,
    /// Bytes that `kept` takes; roughly.
    bytes: usize,
    /// States as paths of rows: the path so far, then some bytes.
    paths: Interner,
    /// By path: number of the state, if the path is a whole one.
    state_of_path: Vec<Option<u32>>,
}

impl Default for StateList {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            found: 0,
            bytes: 0,
            paths: Interner::new(3),
            state_of_path: Vec::new(),
        }
    }
}

impl StateList {
    /// How many states there are, kept or not.
    pub(crate) const fn found(&self) -> usize {
        self.found
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Rows that distinguish the states.
    pub(crate) fn rows(&self) -> usize {
        self.paths.len()
    }

    /// Adds a state that differs from all others.
    pub(crate) fn push(&mut self, state: Outcome) {
        self.found += 1;
        self.keep(state);
    }

    fn keep(&mut self, state: Outcome) {
        self.bytes += state.bytes.len() * size_of::<ChangedByte>()
            + state.schedules.len() * size_of::<LaneSchedule>()
            + size_of::<Outcome>();
        self.kept.push(state);
    }

    /// Adds a state, or its orders to an equal one. Whether it is new.
    pub(crate) fn add(&mut self, state: Outcome, is_kept: bool) -> bool {
        let path = self.path_of(&state);
        self.state_of_path.resize(self.paths.len(), None);
        if let Some(equal) = self.state_of_path[path] {
            if let Some(equal) = self.kept.get_mut(to_usize(equal)) {
                add_known(&mut equal.orders, state.orders.as_ref());
            }
            return false;
        }
        self.state_of_path[path] = Some(to_u32(self.found));
        self.found += 1;
        if is_kept {
            self.keep(state);
        }
        true
    }

    /// Whether an equal state is in the list.
    pub(crate) fn contains(&mut self, state: &Outcome) -> bool {
        let path = self.path_of(state);
        self.state_of_path.get(path).is_some_and(Option::is_some)
    }

    /// The number of a state's bytes and fault, which equal states share.
    pub(crate) fn path_of(&mut self, state: &Outcome) -> usize {
        let mut path = u64::from(u32::MAX);
        for run in state.bytes.chunk_by(ChangedByte::is_followed_by) {
            for bytes in run.chunks(8) {
                let value = bytes.iter().rev();
                let value = value.fold(0, |value, byte| value << 8 | u64::from(byte.value));
                let len = u64::try_from(bytes.len()).expect("a chunk has 8 bytes at most");
                let what = u64::from(bytes[0].space.0) << 48 | len << 32;
                let row = [what | path, bytes[0].address, value];
                path = u64::from(to_u32(self.paths.intern(&row).0));
            }
        }
        let fault = state.fault.as_ref().map_or(0, |fault| {
            (u64::from(fault.instruction) << 8) + u64::from(fault.unit.lane) + 1
        });
        // No chunk has 0 bytes.
        self.paths.intern(&[path, fault, 0]).0
    }
}
