//! Rows of words, each kept once and known by its number.

use alloc::vec::Vec;

/// Rows of the same length.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    length: usize,
    words: Vec<u64>,
    count: usize,
    /// Open addressing: a row's number and one, or 0.
    slots: Vec<u32>,
}

fn hash(row: &[u64]) -> usize {
    let mut hash = 0_u64;
    for word in row {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    // What a pointer cannot hold is not needed: tables are smaller.
    usize::try_from(hash & 0xffff_ffff).unwrap_or(0)
}

impl Keys {
    pub(super) fn new(length: usize) -> Self {
        Self {
            length,
            words: Vec::new(),
            count: 0,
            slots: alloc::vec![0; 64],
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn row(&self, number: usize) -> &[u64] {
        let start = number * self.length;
        self.words.get(start..start + self.length).unwrap_or(&[])
    }

    /// The slot of a row: its own, or the empty one where it belongs.
    fn slot(&self, row: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(row) & mask;
        while let Some(number) = self.slots.get(at).copied().filter(|n| *n != 0)
            && self.row(lanewise_core::diagnostic::to_usize(number) - 1) != row
        {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a row, and whether it is new.
    pub(super) fn number(&mut self, row: &[u64]) -> (usize, bool) {
        let at = self.slot(row);
        match self.slots.get(at) {
            Some(0) | None => {}
            Some(number) => return (lanewise_core::diagnostic::to_usize(*number) - 1, false),
        }
        self.words.extend_from_slice(row);
        self.count += 1;
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = lanewise_core::diagnostic::to_u32(self.count);
        }
        if self.count * 2 > self.slots.len() {
            self.slots = alloc::vec![0; self.slots.len() * 4];
            for number in 0..self.count {
                let at = self.slot(self.row(number));
                if let Some(slot) = self.slots.get_mut(at) {
                    *slot = lanewise_core::diagnostic::to_u32(number + 1);
                }
            }
        }
        (self.count - 1, true)
    }
}
