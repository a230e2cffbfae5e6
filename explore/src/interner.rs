//! Interns rows of words of equal length.

use alloc::vec::Vec;
use hashbrown::HashTable;
use lanewise_core::diagnostic::{to_u32, to_usize};

/// A set of rows, numbered from 0 in insertion order.
#[derive(Clone, Debug)]
pub(crate) struct Interner {
    row_len: usize,
    words: Vec<u64>,
    table: HashTable<u32>,
}

fn hash(row: &[u64]) -> u64 {
    row.iter().fold(0, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    })
}

fn row_at(words: &[u64], row_len: usize, number: u32) -> &[u64] {
    let start = to_usize(number) * row_len;
    &words[start..start + row_len]
}

impl Interner {
    /// Creates a set of rows of `row_len` words, at least 1.
    pub(crate) fn new(row_len: usize) -> Self {
        debug_assert!(row_len > 0, "rows must not be empty");
        Self {
            row_len,
            words: Vec::new(),
            table: HashTable::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn row(&self, number: usize) -> &[u64] {
        row_at(&self.words, self.row_len, to_u32(number))
    }

    /// Interns a row; returns its number and whether it is new.
    pub(crate) fn intern(&mut self, row: &[u64]) -> (usize, bool) {
        let (words, row_len) = (&self.words, self.row_len);
        let hashed = hash(row);
        let found = self
            .table
            .find(hashed, |number| row_at(words, row_len, *number) == row);
        if let Some(number) = found {
            return (to_usize(*number), false);
        }
        let number = self.table.len();
        self.words.extend_from_slice(row);
        let (words, row_len) = (&self.words, self.row_len);
        self.table.insert_unique(hashed, to_u32(number), |number| {
            hash(row_at(words, row_len, *number))
        });
        (number, true)
    }
}
