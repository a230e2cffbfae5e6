//! How many trails there are, without making each: those that come to a place
//! with the same accesses left go on in the same ways, as long as what they
//! have seen of places that may be seen again is the same.

use super::closure::{MOST, bit};
use super::count::pairs;
use super::graph::MAX_STATES;
use super::group::Group;
use super::keys::Keys;
use super::reach::Reach;
use super::trails::Way;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;

/// How many pairs of states are compared at most.
const MAX_PAIRS: u64 = 1 << 24;

/// Set in what is noted of a content that is not to be seen again.
const CLOSED: u32 = 1 << 7;

/// The most accesses: a mask of them is a word, and counts are of 128 bits.
const MAX_LANES: usize = 32;

/// How far the preparation is.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// States are found: the next to look at.
    States(usize),
    /// Contents that may come back are found: the next to look at.
    Contents(usize),
    /// What may come is found, from the last state on: how many are left.
    Ahead(usize),
    Ready,
}

/// Counts of trails by what is left to do.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    stage: Stage,
    /// What is left, and the content, of every state.
    states: Keys,
    /// By content: its states, and its bit, from 1, if it may come back.
    of: Vec<Vec<u32>>,
    bits: Vec<u8>,
    used: u8,
    pairs: u64,
    /// For each state, the contents that may still come.
    ahead: Vec<u128>,
    /// What trails have in common that go on alike, and how many ways on.
    memo: Keys,
    sums: Vec<u128>,
    row: Vec<u64>,
}

fn word(mask: u128) -> u64 {
    u64::try_from(mask & u128::from(u64::MAX)).unwrap_or(0)
}

fn place(content: usize) -> u64 {
    u64::try_from(content).unwrap_or(0)
}

impl Tally {
    /// `None` where there are too many accesses.
    pub(super) fn new(all: u128, lanes: usize) -> Option<Self> {
        if lanes > MAX_LANES {
            return None;
        }
        let mut states = Keys::new(2);
        states.number(&[word(all), 0]);
        Some(Self {
            stage: Stage::States(0),
            states,
            of: alloc::vec![alloc::vec![0]],
            bits: Vec::new(),
            used: 0,
            pairs: 0,
            ahead: Vec::new(),
            memo: Keys::new(2 + lanes.div_ceil(2)),
            sums: Vec::new(),
            row: Vec::new(),
        })
    }

    /// Prepares. Whether it is ready; `None` where it cannot be.
    pub(super) fn prepare(
        &mut self,
        group: &mut Group,
        reach: &mut Reach,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<bool> {
        while *budget > 0 {
            match self.stage {
                Stage::Ready => return Some(true),
                Stage::States(at) if at == self.states.len() => {
                    self.bits.resize(self.of.len(), 0);
                    self.ahead.resize(at, 0);
                    self.stage = Stage::Contents(0);
                }
                Stage::States(at) => {
                    let before = self.states.len();
                    self.steps(at, group, reach, symbols, budget)?;
                    for new in before..self.states.len() {
                        let content = self.content(new);
                        if self.of.len() <= content {
                            self.of.resize(content + 1, Vec::new());
                        }
                        self.of.get_mut(content)?.push(to_u32(new));
                    }
                    if self.states.len() > MAX_STATES {
                        return None;
                    }
                    self.stage = Stage::States(at + 1);
                }
                Stage::Contents(at) if at == self.of.len() => {
                    self.stage = Stage::Ahead(self.states.len());
                }
                Stage::Contents(at) => {
                    if self.comes_back(at, budget)? {
                        if usize::from(self.used) >= MOST {
                            return None;
                        }
                        self.used += 1;
                        *self.bits.get_mut(at)? = self.used;
                    }
                    self.stage = Stage::Contents(at + 1);
                }
                Stage::Ahead(0) => self.stage = Stage::Ready,
                Stage::Ahead(left) => {
                    let next = self.steps(left - 1, group, reach, symbols, budget)?;
                    let mut mask = 0;
                    for state in next {
                        mask |= self.bit(self.content(state));
                        mask |= self.ahead.get(state).copied().unwrap_or(0);
                    }
                    *self.ahead.get_mut(left - 1)? = mask;
                    self.stage = Stage::Ahead(left - 1);
                }
            }
        }
        Some(matches!(self.stage, Stage::Ready))
    }

    fn content(&self, state: usize) -> usize {
        let content = self.states.row(state).last();
        content.map_or(0, |c| usize::try_from(*c).unwrap_or(0))
    }

    fn left(&self, state: usize) -> u64 {
        self.states.row(state).first().copied().unwrap_or(0)
    }

    /// The states that follow a state.
    fn steps(
        &mut self,
        state: usize,
        group: &mut Group,
        reach: &mut Reach,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<Vec<usize>> {
        let (left, content) = (self.left(state), self.content(state));
        let mut next = Vec::new();
        let mut rest = left;
        while rest != 0 {
            let lane = to_usize(rest.trailing_zeros());
            let own = rest & rest.wrapping_neg();
            rest ^= own;
            let class = group.class_of.get(lane).copied()?;
            let to = reach.next(group, class, content, symbols)?;
            next.push(self.states.number(&[left ^ own, place(to)]).0);
        }
        *budget = budget.saturating_sub(next.len() + 1);
        Some(next)
    }

    /// The bit of a content; none where it cannot come back.
    fn bit(&self, content: usize) -> u128 {
        let number = self.bits.get(content).copied().unwrap_or(0);
        number.checked_sub(1).map_or(0, |n| bit(n.into()))
    }

    /// Whether a content may come back after it was met: it has two states of
    /// which one has less left. Where contents are few, none is asked.
    fn comes_back(&mut self, content: usize, budget: &mut usize) -> Option<bool> {
        if self.of.len() <= MOST {
            return Some(true);
        }
        let states = self.of.get(content)?;
        let pairs = pairs(states.len());
        self.pairs = self.pairs.saturating_add(pairs);
        if self.pairs > MAX_PAIRS {
            return None;
        }
        *budget = budget.saturating_sub(1 + usize::try_from(pairs / 8).unwrap_or(usize::MAX));
        let back = states.iter().enumerate().any(|(at, later)| {
            let later = self.left(to_usize(*later));
            let mut before = states.iter().take(at);
            before.any(|state| {
                let before = self.left(to_usize(*state));
                before != later && later & !before == 0
            })
        });
        Some(back)
    }

    /// The number of what a trail has in common with those that go on alike,
    /// and how many ways on there are, if that is known; `None` where these are
    /// too many.
    pub(super) fn look_up(
        &mut self,
        group: &Group,
        reach: &Reach,
        left: u128,
        content: usize,
        ways: &[Way],
        is_closed: &[bool],
    ) -> Option<(usize, Option<u128>)> {
        let lanes = group.units.len();
        let (state, _) = self.states.number(&[word(left), place(content)]);
        let ahead = self.ahead.get(state).copied().unwrap_or(0);
        let (mut closed, mut open) = (Vec::new(), Vec::new());
        let mut decides = false;
        for way in ways {
            if way.from != content && ahead & self.bit(way.from) == 0 {
                continue;
            }
            let place = to_u32(way.from) << 8;
            if is_closed.get(way.from) == Some(&true) {
                closed.push(place | CLOSED);
                continue;
            }
            // How many of the ways that are left there would have come first:
            // that decides what is closed when one of them is taken.
            let lower = (0..lanes).filter(|lane| {
                let class = group.class_of.get(*lane).copied().unwrap_or(0);
                left & bit(*lane) != 0
                    && reach.known(group, class, way.from).is_some_and(|to| {
                        let rank = if to == way.from { *lane } else { lanes + *lane };
                        rank < way.rank
                    })
            });
            let lower = lower.count();
            decides |= lower > 0;
            if decides {
                open.push(place | to_u32(lower));
            }
        }
        closed.sort_unstable();
        closed.dedup();
        closed.append(&mut open);
        let mut row = core::mem::take(&mut self.row);
        row.clear();
        row.extend([word(left), place(content)]);
        for pair in closed.chunks(2) {
            // No note is 0.
            let notes = pair.iter().map(|note| u64::from(*note) + 1);
            row.push(notes.fold(0, |word, note| word << 32 | note));
        }
        row.resize(2 + lanes.div_ceil(2), 0);
        let (number, is_new) = self.memo.number(&row);
        self.row = row;
        if is_new {
            self.sums.push(0);
        }
        if self.memo.len() > MAX_STATES {
            return None;
        }
        let known = self.sums.get(number).copied().filter(|_| !is_new);
        Some((number, known))
    }

    /// Notes how many ways on there are.
    pub(super) fn note(&mut self, number: usize, sum: u128) {
        if let Some(own) = self.sums.get_mut(number) {
            *own = sum;
        }
    }
}
