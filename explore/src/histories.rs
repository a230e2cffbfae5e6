//! Results with recurring contents: a search through histories of returned values, with
//! equal histories merged.
//!
//! A history consists of the current content and, for each class, the sorted list of
//! returned values. Orders with the same history continue the same way and are counted
//! together. A final history stands for as many results as there are ways to assign the
//! returned values to the lanes of each class.

use crate::budget::Budget;
use crate::conflict_set::ConflictSet;
use crate::graph::Contents;
use crate::interner::Interner;
use crate::listing::SetResult;
use crate::number::Count;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;

/// Maximum number of words of all histories, 32 MB: a million histories of 12 lanes.
const MAX_WORDS: usize = 1 << 22;

/// Maximum number of lanes, since orders are counted in 128 bits.
const MAX_LANES: usize = 32;

/// Breadth-first search through histories.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    /// The content, followed by the numbers of the returned values plus 1, class by class
    /// and descending; 0 for lanes left. Four lanes per word.
    rows: Interner,
    row_len: usize,
    /// The first slot of each class, and the end.
    slots: Vec<usize>,
    /// By history: number of sequences of classes that lead to it.
    sequences: Vec<u128>,
    /// By history: the previous history and the class, in one such sequence.
    predecessors: Vec<(u32, u8)>,
    /// Returned values by number; number 0 stands for no value.
    returned: Interner,
    at: usize,
    /// The first final history, once one is reached.
    first_final: Option<usize>,
}

/// Result of a search through histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Complete,
    TooMany,
}

impl Histories {
    pub(crate) fn new(set: &ConflictSet) -> Self {
        let mut slots = alloc::vec![0];
        for class in &set.classes {
            slots.push(slots[slots.len() - 1] + class.lanes.len());
        }
        let row_len = 1 + set.len().div_ceil(4);
        let mut rows = Interner::new(row_len);
        rows.intern(&alloc::vec![0; row_len]);
        let mut returned = Interner::new(2);
        returned.intern(&[0, 0]);
        Self {
            rows,
            row_len,
            slots,
            sequences: alloc::vec![1],
            predecessors: alloc::vec![(0, 0)],
            returned,
            at: 0,
            first_final: None,
        }
    }

    /// Approximate progress in thousandths.
    pub(crate) fn permille(&self) -> usize {
        self.at * 1000 / self.rows.len()
    }

    fn unpack(&self, history: usize) -> (usize, Vec<u16>) {
        let row = self.rows.row(history);
        let content = usize::try_from(row[0]).expect("content numbers fit a usize");
        let lanes = row[1..].iter().flat_map(|word| {
            let bytes = word.to_le_bytes();
            [0, 2, 4, 6].map(|at| u16::from_le_bytes([bytes[at], bytes[at + 1]]))
        });
        (content, lanes.collect())
    }

    /// The number of the value that a class returns for a content, plus 1, and the next
    /// content. `None` if there are too many values.
    fn step(
        &mut self,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        class: usize,
        content: usize,
        symbols: &SymbolTable,
    ) -> Option<(u16, usize)> {
        let transition = match contents {
            Some(contents) => contents.table.transition(class, content),
            None => set.apply(class, content, symbols),
        };
        let number = match set.classes[class].access.dst {
            Some(_) => self.returned.intern(&[1, transition.returned]).0,
            None => 0,
        };
        let number = u16::try_from(number + 1).ok()?;
        Some((number, transition.next))
    }

    /// Continues; returns the result once finished.
    pub(crate) fn work(
        &mut self,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<End> {
        if set.len() > MAX_LANES {
            return Some(End::TooMany);
        }
        while !budget.is_spent() {
            if self.at == self.rows.len() || self.first_final.is_some_and(|first| self.at >= first)
            {
                return Some(End::Complete);
            }
            let (content, lanes) = self.unpack(self.at);
            let left = lanes[..set.len()].iter().filter(|slot| **slot == 0).count();
            if left == 0 {
                self.first_final = Some(self.at);
                continue;
            }
            for class in 0..set.classes.len() {
                let slots = self.slots[class]..self.slots[class + 1];
                if lanes[slots.end - 1] != 0 {
                    continue;
                }
                let Some((number, next)) = self.step(set, contents, class, content, symbols) else {
                    return Some(End::TooMany);
                };
                let mut lanes = lanes.clone();
                lanes[slots.end - 1] = number;
                lanes[slots].sort_unstable_by(|a, b| b.cmp(a));
                let mut row = Vec::with_capacity(self.row_len);
                row.push(u64::try_from(next).expect("a number fits 64 bits"));
                for four in lanes.chunks(4) {
                    let word = four.iter().rev();
                    row.push(word.fold(0, |word, lane| word << 16 | u64::from(*lane)));
                }
                let (to, is_new) = self.rows.intern(&row);
                if is_new {
                    let class = u8::try_from(class).expect("there are at most 128 classes");
                    self.sequences.push(0);
                    self.predecessors.push((to_u32(self.at), class));
                }
                self.sequences[to] += self.sequences[self.at];
                budget.spend(8);
            }
            self.at += 1;
            if self.rows.len() * self.row_len > MAX_WORDS {
                return Some(End::TooMany);
            }
        }
        None
    }

    /// The number of results and up to `limit` of them, after completion.
    pub(crate) fn results(
        &mut self,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        limit: usize,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> (Count, Vec<SetResult>) {
        let mut count = Count::default();
        let mut results = Vec::new();
        let first = self.first_final.unwrap_or(self.rows.len());
        for last in first..self.rows.len() {
            let (_, lanes) = self.unpack(last);
            // The values returned by the lanes of each class, ascending.
            let mut by_class: Vec<Vec<u16>> = Vec::new();
            let mut all = Count::from(1_usize);
            let mut orders = Count::from(self.sequences[last]);
            for (class, slots) in self.slots.windows(2).enumerate() {
                let mut own = lanes[slots[0]..slots[1]].to_vec();
                own.reverse();
                let mut free = set.classes[class].lanes.len();
                for equal in own.chunk_by(|a, b| a == b) {
                    all.multiply(&Count::from(Count::binomial(free, equal.len())));
                    orders.multiply(&Count::factorial(equal.len()));
                    free -= equal.len();
                }
                by_class.push(own);
            }
            count.add(&all);
            if results.len() >= limit {
                continue;
            }
            let sequence = self.sequence_to(last, set, contents, symbols);
            loop {
                budget.spend(set.len());
                results.push(SetResult {
                    order: assign(&sequence, &by_class, set),
                    orders: Some(orders.clone()),
                });
                if results.len() >= limit || !by_class.iter_mut().any(|own| next_permutation(own)) {
                    break;
                }
            }
        }
        (count, results)
    }

    /// A sequence of classes that leads to a history, each with the number of its returned
    /// value plus 1.
    fn sequence_to(
        &mut self,
        history: usize,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
    ) -> Vec<(usize, u16)> {
        let mut sequence = Vec::new();
        let mut at = history;
        while at != 0 {
            let (before, class) = self.predecessors[at];
            at = to_usize(before);
            let class = usize::from(class);
            let (content, _) = self.unpack(at);
            let step = self.step(set, contents, class, content, symbols);
            sequence.push((class, step.expect("the value has a number").0));
        }
        sequence.reverse();
        sequence
    }
}

/// An order of the lanes in which each returns its assigned value.
fn assign(sequence: &[(usize, u16)], by_class: &[Vec<u16>], set: &ConflictSet) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for (class, returned) in sequence {
        let lanes = set.classes[*class].lanes.iter().zip(&by_class[*class]);
        let mut lanes = lanes.filter(|(lane, own)| *own == returned && !order.contains(lane));
        let (lane, _) = lanes.next().expect("the assignment matches the history");
        order.push(*lane);
    }
    order
}

/// Advances to the next permutation in lexicographic order; after the last one, wraps to
/// the first and returns false.
fn next_permutation(list: &mut [u16]) -> bool {
    let Some(at) = list.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        list.reverse();
        return false;
    };
    let swap = list.iter().rposition(|value| *value > list[at]);
    list.swap(at, swap.expect("the next one is greater"));
    list[at + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiset_permutations_are_distinct() {
        let mut list = [1, 1, 2, 3];
        let mut count = 1;
        while next_permutation(&mut list) {
            count += 1;
        }
        assert_eq!((count, list), (12, [1, 1, 2, 3]));
    }
}
