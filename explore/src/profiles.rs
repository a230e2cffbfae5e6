//! Results found by going through them: for groups whose contents come back,
//! where counting ways would count results twice.

use super::group::Group;
use super::keys::Keys;
use super::list::Part;
use super::number::{Count, add_product};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;

/// The most that are kept: some 100 MB with what is kept of them.
const MOST_WORDS: usize = 1 << 23;

/// What the accesses made so far returned, class by class and in ascending
/// order of values, and the content that they left.
#[derive(Clone, Debug)]
pub(super) struct Profiles {
    /// The values as numbers from 1, four a word, 0 for accesses to come; then
    /// the content.
    rows: Keys,
    row_words: usize,
    /// Returned values that were met.
    values: Keys,
    /// How many sequences of classes lead to a row, and whence one does.
    ways: Vec<u64>,
    way_words: usize,
    came: Vec<(u32, u16, u16)>,
    /// The row to look at next.
    at: usize,
    too_many: bool,
    /// The row to count next, once all are known, and what was counted.
    counted: usize,
    count: Count,
    parts: Vec<Part>,
}

impl Profiles {
    pub(super) fn new(group: &Group) -> Self {
        let all = group.units.len();
        let row_words = all.div_ceil(4) + 1;
        let mut this = Self {
            rows: Keys::new(row_words),
            row_words,
            values: Keys::new(1),
            ways: Vec::new(),
            way_words: Count::factorial(all).words().len(),
            came: Vec::new(),
            at: 0,
            too_many: false,
            counted: 0,
            count: Count::default(),
            parts: Vec::new(),
        };
        this.row(&alloc::vec![0; all], 0, (u32::MAX, 0, 0));
        if let Some(first) = this.ways.first_mut() {
            *first = 1;
        }
        this
    }

    fn row(&mut self, values: &[u16], content: usize, came: (u32, u16, u16)) -> usize {
        let mut row = alloc::vec![0; self.row_words];
        for (word, values) in row.iter_mut().zip(values.chunks(4)) {
            *word = values.iter().rev().fold(0, |w, v| w << 16 | u64::from(*v));
        }
        if let Some(last) = row.last_mut() {
            *last = u64::try_from(content).unwrap_or(0);
        }
        let (number, is_new) = self.rows.number(&row);
        if is_new {
            self.ways.resize(self.ways.len() + self.way_words, 0);
            self.came.push(came);
            self.too_many |= self.rows.len() * (self.row_words + self.way_words) > MOST_WORDS;
        }
        number
    }

    fn values(&self, row: usize) -> Vec<u16> {
        let words = self.rows.row(row).iter();
        let values = words.take(self.row_words - 1).flat_map(|word| {
            let word = *word;
            (0..4).map(move |i| u16::try_from(word >> (16 * i) & 0xffff).unwrap_or(0))
        });
        values.collect()
    }

    /// How many of the rows that are known were looked at.
    pub(super) const fn permille(&self) -> usize {
        self.at * 1000 / (self.rows.len() + 1)
    }

    /// Looks at some rows. Whether all are known; `None` where there are too
    /// many.
    pub(super) fn work(
        &mut self,
        group: &mut Group,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<bool> {
        // Rows come in the order of how many accesses were made, so that all
        // ways to a row are known before it is looked at.
        while self.at < self.rows.len() && *budget > 0 {
            let at = self.at;
            let values = self.values(at);
            let content = self.rows.row(at).last().copied().unwrap_or(0);
            let content = usize::try_from(content).unwrap_or(0);
            let start = at * self.way_words;
            let ways = self.ways.get(start..start + self.way_words);
            let ways = ways.unwrap_or(&[]).to_vec();
            let mut first = 0;
            for class in 0..group.classes.len() {
                let lanes = group.classes.get(class).map_or(0, |c| c.lanes.len());
                let slots = first..first + lanes;
                first += lanes;
                let made = values.get(slots.clone()).unwrap_or(&[]);
                let made = made.iter().filter(|v| **v != 0).count();
                if made == lanes {
                    continue;
                }
                *budget = budget.saturating_sub(1);
                let turn = group.turn(class, content, symbols);
                let number = self.values.number(&[turn.returned]).0 + 1;
                let Ok(number) = u16::try_from(number) else {
                    return None;
                };
                let mut next = values.clone();
                if let Some(own) = next.get_mut(slots) {
                    let at = own.iter().take(made).filter(|v| **v <= number).count();
                    if let Some(slot) = own.get_mut(made) {
                        *slot = number;
                    }
                    if let Some(moved) = own.get_mut(at..=made) {
                        moved.rotate_right(1);
                    }
                }
                let class = u16::try_from(class).unwrap_or(0);
                let row = self.row(&next, turn.next, (to_u32(at), class, number));
                let start = row * self.way_words;
                let to = self.ways.get_mut(start..start + self.way_words);
                add_product(to.unwrap_or(&mut []), &ways, 1);
            }
            if self.too_many {
                return None;
            }
            self.at += 1;
        }
        Some(self.at == self.rows.len())
    }

    /// How many results there are, and the first `limit` of them, once they
    /// are counted; all rows are known.
    pub(super) fn results(
        &mut self,
        group: &Group,
        limit: usize,
        budget: &mut usize,
    ) -> Option<(Count, Vec<Part>)> {
        while self.counted < self.rows.len() {
            if *budget == 0 {
                return None;
            }
            *budget -= 1;
            let row = self.counted;
            self.counted += 1;
            let values = self.values(row);
            if values.iter().take(group.units.len()).any(|v| *v == 0) {
                continue;
            }
            // Equal accesses share out their values in any way; each of these
            // results has the orders in which those with equal values go.
            let mut results = Count::from(1_usize);
            let start = row * self.way_words;
            let own = self.ways.get(start..start + self.way_words);
            let mut orders = Count::of(own.unwrap_or(&[]));
            let mut first = 0;
            for class in &group.classes {
                let slots = values.get(first..first + class.lanes.len());
                first += class.lanes.len();
                let mut left = class.lanes.len();
                for equal in slots.unwrap_or(&[]).chunk_by(|a, b| a == b) {
                    let ways = Count::binomial(left, equal.len());
                    results.multiply(&Count::from(ways));
                    orders.multiply(&Count::factorial(equal.len()));
                    left -= equal.len();
                }
            }
            self.count.add(&results);
            let mut parts = core::mem::take(&mut self.parts);
            let before = parts.len();
            self.share_out(row, group, &values, &orders, limit, &mut parts);
            *budget = budget.saturating_sub((parts.len() - before) * group.units.len());
            self.parts = parts;
        }
        Some((self.count.clone(), core::mem::take(&mut self.parts)))
    }

    /// The results of one row: every way in which the accesses of a class
    /// share out their values.
    fn share_out(
        &self,
        row: usize,
        group: &Group,
        values: &[u16],
        orders: &Count,
        limit: usize,
        parts: &mut Vec<Part>,
    ) {
        let mut turns = Vec::new();
        let mut at = row;
        while let Some((before, class, value)) = self.came.get(at).filter(|c| c.0 != u32::MAX) {
            turns.push((usize::from(*class), *value));
            at = to_usize(*before);
        }
        turns.reverse();
        let mut values = values.to_vec();
        while parts.len() < limit {
            // Each turn takes the first access of its class with its value.
            let mut order: Vec<usize> = Vec::new();
            for (class, value) in &turns {
                let mut first = 0;
                for (number, c) in group.classes.iter().enumerate() {
                    if number == *class {
                        let own = values.get(first..).unwrap_or(&[]);
                        let mut own = c.lanes.iter().zip(own);
                        let lane = own.find(|(lane, v)| *v == value && !order.contains(lane));
                        order.extend(lane.map(|(lane, _)| *lane));
                    }
                    first += c.lanes.len();
                }
            }
            parts.push(Part {
                order,
                orders: Some(orders.clone()),
            });
            let mut first = 0;
            let more = group.classes.iter().any(|class| {
                let slots = values.get_mut(first..first + class.lanes.len());
                first += class.lanes.len();
                next_arrangement(slots.unwrap_or(&mut []))
            });
            if !more {
                return;
            }
        }
    }
}

/// The next arrangement in ascending order; after the last, the first again
/// and `false`.
fn next_arrangement(values: &mut [u16]) -> bool {
    let falls = values
        .windows(2)
        .rposition(|pair| matches!(pair, [a, b] if a < b));
    let Some(pivot) = falls else {
        values.reverse();
        return false;
    };
    let own = values.get(pivot).copied().unwrap_or(0);
    let other = values.iter().rposition(|v| *v > own).unwrap_or(pivot);
    values.swap(pivot, other);
    if let Some(rest) = values.get_mut(pivot + 1..) {
        rest.reverse();
    }
    true
}
