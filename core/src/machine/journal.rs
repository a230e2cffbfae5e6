//! Records changes to the machine.

use super::SpaceId;
use alloc::vec::Vec;

/// A write of 1 to 8 bytes. `old` can equal `new`, as in a failed compare-and-swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub space: SpaceId,
    /// Number of bytes.
    pub bytes: u8,
    /// Address of the first byte in its space.
    pub address: u64,
    /// The old value, little-endian.
    pub old: u64,
    /// The new value, little-endian.
    pub new: u64,
}

impl Change {
    /// Whether it overlaps `address .. address + bytes` in `space`.
    #[must_use]
    pub fn touches(&self, space: SpaceId, address: u64, bytes: u64) -> bool {
        self.space == space
            && self.address < address.saturating_add(bytes)
            && address < self.address.saturating_add(u64::from(self.bytes))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepGranularity {
    /// A lane of an atomic, or a depth stage of a matrix product.
    #[default]
    Unit,
    /// Like `Unit`, but a single channel of a depth stage.
    Fine,
}

/// Receiver of changes.
pub trait Recorder {
    /// Whether it keeps changes. Callers can skip recording otherwise.
    const KEEPS: bool = true;

    /// Step granularity.
    fn granularity(&self) -> StepGranularity {
        StepGranularity::Unit
    }

    /// Starts the next access; the following changes are its effect.
    #[inline]
    fn begin(&mut self) {}

    /// Records a change.
    fn record(&mut self, change: Change);
}

/// Discards all changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Recorder for NoJournal {
    const KEEPS: bool = false;

    #[inline]
    fn record(&mut self, _: Change) {}
}

/// Keeps all changes in order.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    changes: Vec<Change>,
}

impl Journal {
    /// Creates an empty journal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            changes: Vec::new(),
        }
    }

    /// Removes all changes.
    pub fn clear(&mut self) {
        self.changes.clear();
    }

    /// Removes all changes from an index.
    pub fn truncate(&mut self, len: usize) {
        self.changes.truncate(len);
    }

    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Capacity in changes.
    pub(crate) const fn capacity(&self) -> usize {
        self.changes.capacity()
    }

    /// Creates an empty journal with a capacity.
    pub(crate) fn with_capacity(changes: usize) -> Self {
        Self {
            changes: Vec::with_capacity(changes),
        }
    }

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
