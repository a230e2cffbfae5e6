//! What a group can go through: which accesses are left, and the content.
//! States that cannot be told apart are one state.

use super::closure::{Closure, bit};
use super::group::Group;
use super::keys::Keys;
use super::number::{Count, add_product};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;

/// The most states: some 50 MB with all that is kept of them.
pub(super) const MAX_STATES: usize = 1 << 18;

/// An edge that leaves the content as it is.
const STAYS: u32 = 1 << 31;

/// A way on from a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// By an access of this class.
    pub(super) class: usize,
    /// How many of them are left.
    pub(super) left: u8,
    pub(super) to: usize,
    /// Whether the content stays.
    pub(super) stays: bool,
}

/// States and the ways between them.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Whether returned values count: else only the content at the end does,
    /// and accesses that change nothing any more are dropped.
    pub(super) returns: bool,
    /// Counts of what is left, eight a word; then the content.
    states: Keys,
    words: usize,
    /// States by how many accesses are left.
    by_left: Vec<Vec<u32>>,
    /// The states to look at next.
    left: usize,
    at: usize,
    /// With returned values: targets, and where those of a state start.
    edges: Vec<u32>,
    first_edge: Vec<u32>,
    /// Without: orders that lead to a state, and whence one does.
    ways: Vec<u64>,
    way_words: usize,
    came: Vec<(u32, u8)>,
    /// The contents that a state stands for, where they have bits.
    pub(super) stands_for: Vec<u128>,
    /// Whether every change of content so far went up; down; up, and down, on
    /// a circle cut at the first content.
    one_way: [bool; 4],
    /// Room for the row that is looked at, and one that follows it.
    own: Vec<u64>,
    row: Vec<u64>,
}

/// Eight counts as a word.
fn word(counts: &[u8]) -> u64 {
    counts
        .iter()
        .rev()
        .fold(0, |word, c| (word << 8) + u64::from(*c))
}

/// Takes away some of a class, `most` at most; how many there were.
fn take(words: &mut [u64], class: usize, most: u8) -> u8 {
    let Some(word) = words.get_mut(class / 8) else {
        return 0;
    };
    let shift = class % 8 * 8;
    let [count, ..] = (*word >> shift).to_le_bytes();
    *word -= u64::from(count.min(most)) << shift;
    count
}

/// The classes of which some are left.
fn classes_left(words: &[u64]) -> u128 {
    let counts = words.iter().flat_map(|word| word.to_le_bytes());
    let left = counts.enumerate().filter(|(_, count)| *count > 0);
    left.fold(0, |mask, (class, _)| mask | bit(class))
}

impl Graph {
    pub(super) fn new(group: &Group, closure: Option<&Closure>, returns: bool) -> Self {
        let counts = group.counts();
        let words = counts.len().div_ceil(8);
        let all = group.units.len();
        let mut this = Self {
            returns,
            states: Keys::new(words + 1),
            words,
            by_left: alloc::vec![Vec::new(); all + 1],
            left: all,
            at: 0,
            edges: Vec::new(),
            first_edge: Vec::new(),
            ways: Vec::new(),
            way_words: Count::factorial(all).words().len(),
            came: Vec::new(),
            stands_for: Vec::new(),
            one_way: [true; 4],
            own: Vec::new(),
            row: Vec::new(),
        };
        let mut row: Vec<u64> = counts.chunks(8).map(word).collect();
        row.push(0);
        let (start, dropped) = this.state(&mut row, closure);
        if !returns {
            let ways = Count::falling(all, dropped);
            this.add_ways(start, ways.words(), 1);
        }
        this
    }

    pub(super) const fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn by_left(&self) -> &[Vec<u32>] {
        &self.by_left
    }

    pub(super) fn content(&self, state: usize) -> usize {
        let content = self.states.row(state).last();
        content.map_or(0, |c| usize::try_from(*c).unwrap_or(0))
    }

    /// How many accesses of each class are left.
    fn counts(&self, state: usize) -> impl Iterator<Item = u8> {
        let row = self.states.row(state).iter().take(self.words);
        row.flat_map(|word| word.to_le_bytes())
    }

    /// Whether more of a class than another state has are left in this one,
    /// and of no class fewer: the classes.
    pub(super) fn beyond(&self, state: usize, other: usize) -> Option<Vec<usize>> {
        let mut more = Vec::new();
        let pairs = self.counts(state).zip(self.counts(other));
        for (class, (own, others)) in pairs.enumerate() {
            if own < others {
                return None;
            }
            if own > others {
                more.push(class);
            }
        }
        (!more.is_empty()).then_some(more)
    }

    /// The state for a row, in which what comes to the same is still told
    /// apart, and how many accesses were dropped for it.
    fn state(&mut self, row: &mut [u64], closure: Option<&Closure>) -> (usize, usize) {
        let Some((last, words)) = row.split_last_mut() else {
            return (0, 0);
        };
        let mut content = usize::try_from(*last).unwrap_or(0);
        let stands_for = bit(content);
        let mut dropped = 0;
        if let Some(closure) = closure {
            if !self.returns {
                for class in 0..words.len() * 8 {
                    if closure.is_idle(class, content) {
                        dropped += usize::from(take(words, class, u8::MAX));
                    }
                }
            }
            // To the first of their like: these have none.
            for (class, merged) in closure.merges(content) {
                let count = take(words, usize::from(*class), u8::MAX);
                let merged = usize::from(*merged);
                if let Some(word) = words.get_mut(merged / 8).filter(|_| count > 0) {
                    *word += u64::from(count) << (merged % 8 * 8);
                }
            }
            let left = classes_left(words);
            if self.returns || left != 0 {
                content = closure.like(content, left);
                *last = u64::try_from(content).unwrap_or(0);
            }
        }
        let (state, is_new) = self.states.number(row);
        if is_new {
            let left = self.counts(state).map(usize::from).sum::<usize>();
            if let Some(bucket) = self.by_left.get_mut(left) {
                bucket.push(to_u32(state));
            }
            self.stands_for.push(0);
            if self.returns {
                self.first_edge.push(0);
            } else {
                self.ways.resize(self.ways.len() + self.way_words, 0);
                self.came.push((u32::MAX, 0));
            }
        }
        if let Some(mask) = self.stands_for.get_mut(state) {
            *mask |= stands_for;
        }
        (state, dropped)
    }

    fn add_ways(&mut self, state: usize, ways: &[u64], by: u64) {
        let start = state * self.way_words;
        let own = self.ways.get_mut(start..start + self.way_words);
        add_product(own.unwrap_or(&mut []), ways, by);
    }

    fn ways(&self, state: usize) -> Count {
        let start = state * self.way_words;
        let own = self.ways.get(start..start + self.way_words);
        Count::of(own.unwrap_or(&[]))
    }

    /// Whether all states are known, or there are too many.
    pub(super) fn is_done(&self) -> bool {
        self.len() > MAX_STATES || (self.left == 0 && self.at > 0)
    }

    /// How many of the accesses the states have made that are looked at.
    pub(super) fn permille(&self) -> usize {
        let all = self.by_left.len() - 1;
        (all - self.left) * 1000 / all.max(1)
    }

    /// Looks at some states, until the budget of turns is used up or all are
    /// known.
    pub(super) fn work(
        &mut self,
        group: &mut Group,
        closure: Option<&Closure>,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) {
        while !self.is_done() && *budget > 0 {
            let bucket = self.by_left.get(self.left);
            let Some(state) = bucket.and_then(|states| states.get(self.at)) else {
                self.at = 0;
                if self.left == 0 {
                    self.at = 1;
                } else {
                    self.left -= 1;
                }
                continue;
            };
            self.at += 1;
            self.expand(to_usize(*state), group, closure, symbols, budget);
        }
    }

    fn expand(
        &mut self,
        state: usize,
        group: &mut Group,
        closure: Option<&Closure>,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) {
        let content = self.content(state);
        let ways = if self.returns {
            Count::default()
        } else {
            self.ways(state)
        };
        if let Some(first) = self.first_edge.get_mut(state) {
            *first = to_u32(self.edges.len());
        }
        let mut own = core::mem::take(&mut self.own);
        own.clear();
        own.extend_from_slice(self.states.row(state));
        let mut row = core::mem::take(&mut self.row);
        row.clone_from(&own);
        let before = if self.returns {
            0
        } else {
            self.counts(state).map(usize::from).sum::<usize>()
        };
        for class in 0..group.classes.len() {
            row.copy_from_slice(&own);
            let left = take(&mut row, class, 1);
            if left == 0 {
                continue;
            }
            *budget = budget.saturating_sub(1);
            let next = match closure {
                Some(closure) => closure.turn(class, content).map_or(content, |t| t.next),
                None => group.turn(class, content, symbols).next,
            };
            // With a closure it is asked instead.
            if next != content && closure.is_none() {
                self.note_change(group, content, next);
            }
            if let Some(last) = row.last_mut() {
                *last = u64::try_from(next).unwrap_or(0);
            }
            let (to, dropped) = self.state(&mut row, closure);
            if self.returns {
                let stays = if next == content { STAYS } else { 0 };
                self.edges.push(to_u32(to) | stays);
                continue;
            }
            if dropped == 0 {
                self.add_ways(to, ways.words(), u64::from(left));
            } else {
                let mut more = Count::falling(before - 1, dropped);
                more.multiply(&ways);
                self.add_ways(to, more.words(), u64::from(left));
            }
            if let Some(came) = self.came.get_mut(to).filter(|c| c.0 == u32::MAX) {
                *came = (to_u32(state), u8::try_from(class).unwrap_or(0));
            }
        }
        (self.own, self.row) = (own, row);
    }

    fn note_change(&mut self, group: &Group, content: usize, next: usize) {
        let start = group.content(0);
        let mask = lanewise_core::number::low_mask(u32::from(group.bytes) * 8);
        let cuts = [0, 0, start, start.wrapping_add(1)];
        let ways = cuts
            .iter()
            .zip(&mut self.one_way)
            .zip([true, false, true, false]);
        for ((cut, contains), up) in ways {
            let place = |content| group.content(content).wrapping_sub(*cut) & mask;
            *contains &= (place(next) > place(content)) == up;
        }
    }

    /// Whether no content can come back: all changes went one way.
    pub(super) fn is_one_way(&self) -> bool {
        self.one_way.contains(&true)
    }

    /// The ways on from a state, by class. Known with returned values.
    pub(super) fn edges(&self, state: usize) -> impl Iterator<Item = Edge> {
        let first = self
            .first_edge
            .get(state)
            .map_or(0, |first| to_usize(*first));
        let edges = self.edges.get(first..).unwrap_or(&[]).iter();
        let classes = self.counts(state).enumerate();
        let classes = classes.filter(|(_, count)| *count > 0);
        classes.zip(edges).map(|((class, left), edge)| Edge {
            class,
            left,
            to: to_usize(edge & !STAYS),
            stays: edge & STAYS != 0,
        })
    }

    /// The contents at the end, with the orders that lead to each; not with
    /// returned values.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, Count)> {
        let ends = self.by_left.first().map_or(&[][..], Vec::as_slice);
        ends.iter().map(|state| {
            let state = to_usize(*state);
            (state, self.ways(state))
        })
    }

    /// An order of the group's accesses that ends in a state; not with
    /// returned values.
    pub(super) fn order_to(
        &self,
        end: usize,
        group: &mut Group,
        closure: Option<&Closure>,
        symbols: &SymbolTable,
    ) -> Vec<usize> {
        let mut classes = Vec::new();
        let mut state = end;
        while let Some((before, class)) = self.came.get(state).filter(|c| c.0 != u32::MAX) {
            classes.push(usize::from(*class));
            state = to_usize(*before);
        }
        let mut rest: Vec<usize> = (0..group.units.len()).collect();
        let mut order = Vec::new();
        let mut content = 0;
        for class in classes.into_iter().rev() {
            let fits = |lane: &usize| {
                let own = group.class_of.get(*lane).copied().unwrap_or(0);
                closure.map_or(own == class, |c| {
                    c.merged(own, content) == class && !c.is_idle(own, content)
                })
            };
            let Some(at) = rest.iter().position(fits) else {
                break;
            };
            let lane = rest.remove(at);
            order.push(lane);
            let own = group.class_of.get(lane).copied().unwrap_or(0);
            content = group.turn(own, content, symbols).next;
        }
        order.append(&mut rest);
        order
    }
}
