//! Every change to the machine, old → new.

use super::SpaceId;
use alloc::vec::Vec;

/// One write of 1 to 8 bytes. `old` may equal `new`: a compare-and-swap that
/// fails still touched the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub space: SpaceId,
    /// How many bytes.
    pub bytes: u8,
    /// Address of the first byte in its space.
    pub address: u64,
    /// The value before, little-endian.
    pub old: u64,
    /// The value after.
    pub new: u64,
}

impl Change {
    /// Whether it touches a byte of `address .. address + bytes` of `space`.
    #[must_use]
    pub fn touches(&self, space: SpaceId, address: u64, bytes: u64) -> bool {
        self.space == space
            && self.address < address.saturating_add(bytes)
            && address < self.address.saturating_add(u64::from(self.bytes))
    }
}

/// How much one effect is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepGranularity {
    /// The smallest thing worth seeing: a lane of an atomic, a depth stage of
    /// a matrix product.
    #[default]
    Unit,
    /// Finer where there is something finer: a channel of a depth stage.
    Fine,
}

/// A receiver of changes.
pub trait Recorder {
    /// Whether it keeps changes; one that keeps nothing may be spared
    /// the work.
    const KEEPS: bool = true;

    /// How much one effect is.
    fn granularity(&self) -> StepGranularity {
        StepGranularity::Unit
    }

    /// The next access begins: what is recorded from here on is its effect.
    #[inline]
    fn begin(&mut self) {}

    /// Takes note of one change.
    fn record(&mut self, change: Change);
}

/// Keeps nothing: for runs that never go back.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Recorder for NoJournal {
    const KEEPS: bool = false;

    #[inline]
    fn record(&mut self, _: Change) {}
}

/// Keeps every change, in order.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    changes: Vec<Change>,
}

impl Journal {
    /// No change yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            changes: Vec::new(),
        }
    }

    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.changes.clear();
    }

    /// Forgets all changes from an index on.
    pub fn truncate(&mut self, len: usize) {
        self.changes.truncate(len);
    }

    /// All changes so far.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How many changes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// How many changes it has room for.
    pub(crate) const fn capacity(&self) -> usize {
        self.changes.capacity()
    }

    /// No change yet, and room for some.
    pub(crate) fn with_capacity(changes: usize) -> Self {
        Self {
            changes: Vec::with_capacity(changes),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Recorder for Journal {
    #[inline]
    fn record(&mut self, change: Change) {
        self.changes.push(change);
    }
}
