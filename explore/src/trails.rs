//! Results one by one, each once, for groups whose contents come back.
//!
//! Take contents for places and each access for a way from the content that it
//! finds to the one that it leaves. A result says where each way starts, so it
//! is a set of ways, and its orders are the walks that take each of them once:
//! Eulerian trails. Of these the first is made: it leaves each place by the
//! lowest way that lets all others be taken later. A way may be taken after a
//! higher one of the same place only where it could not have gone before: when
//! no place that was seen since then is seen again. Some trails are listed;
//! then all are counted, those that go on alike once ([`Tally`]).

use super::closure::bit;
use super::group::Group;
use super::list::Part;
use super::number::Count;
use super::reach::Reach;
use super::tally::Tally;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// The most steps that are made to list results, and to count them.
const MOST_STEPS: usize = 1 << 23;

/// The most contents that are met.
const MOST_CONTENTS: usize = 1 << 19;

/// In a sample, for how many results orders are counted: that takes long.
const MOST_ORDERS: usize = 1024;

/// A way that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: usize,
    lane: usize,
    /// Ways of a place are in this order: those that stay come first.
    pub(super) rank: usize,
}

/// A place that was come to.
#[derive(Clone, Copy, Debug)]
struct Visit {
    content: usize,
    /// The next lane to try.
    next: usize,
    /// How many places were closed before the way here was taken.
    closed: usize,
    /// How many results go on from here, of those that were tried, and what
    /// the sum is noted for.
    sum: u128,
    memo: Option<usize>,
}

impl Visit {
    const fn new(content: usize, closed: usize) -> Self {
        Self {
            content,
            next: 0,
            closed,
            sum: 0,
            memo: None,
        }
    }
}

/// A walk through all results.
#[derive(Clone, Debug)]
pub(super) struct Trails {
    reach: Reach,
    left: u128,
    visits: Vec<Visit>,
    ways: Vec<Way>,
    /// For each place, when it was left.
    exits: Vec<Vec<usize>>,
    /// Places that are not to be seen again, and in which order they were
    /// closed.
    is_closed: Vec<bool>,
    closed: Vec<usize>,
    steps: usize,
    sum: u128,
    parts: Vec<Part>,
    /// When those are listed that are to be: what counts all.
    tally: Option<Tally>,
}

/// What a walk found.
#[derive(Clone, Debug)]
pub(super) struct Walked {
    /// How many results there are; `None` where they are too many.
    pub(super) count: Option<Count>,
    /// The first of them.
    pub(super) parts: Vec<Part>,
}

impl Trails {
    pub(super) fn new(group: &Group) -> Self {
        let lanes = 0..group.units.len();
        Self {
            reach: Reach::of_one(),
            left: lanes.fold(0, |mask, lane| mask | bit(lane)),
            visits: alloc::vec![Visit::new(0, 0)],
            ways: Vec::new(),
            exits: Vec::new(),
            is_closed: Vec::new(),
            closed: Vec::new(),
            steps: 0,
            sum: 0,
            parts: Vec::new(),
            tally: None,
        }
    }

    /// How much of the steps that may be made were made.
    pub(super) const fn permille(&self) -> usize {
        self.steps / (MOST_STEPS / 1000)
    }

    /// Walks on. What was found, once all results were seen, or as many as can
    /// be; where they are not to be counted, as many as are listed.
    pub(super) fn work(
        &mut self,
        group: &mut Group,
        limit: usize,
        counts: bool,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<Walked> {
        let lanes = group.units.len();
        loop {
            if let Some(tally) = &mut self.tally {
                match tally.prepare(group, &mut self.reach, symbols, budget) {
                    None => return Some(self.walked(false)),
                    Some(false) => return None,
                    Some(true) => {}
                }
            } else if self.parts.len() >= limit {
                if counts && let Some(tally) = self.counting(lanes) {
                    self.tally = Some(tally);
                    continue;
                }
                return Some(self.walked(false));
            }
            let Some(visit) = self.visits.last_mut() else {
                // Whoever is told that these are all is told their orders.
                let all = counts || self.parts.iter().all(|part| part.orders.is_some());
                return Some(self.walked(all));
            };
            if self.steps >= MOST_STEPS {
                return Some(self.walked(false));
            }
            if *budget == 0 {
                return None;
            }
            *budget -= 1;
            self.steps += 1;
            let rest = self.left & u128::MAX.unbounded_shl(shift(visit.next));
            if rest == 0 {
                self.go_back(lanes, counts || self.parts.len() < MOST_ORDERS);
                continue;
            }
            let lane = usize::try_from(rest.trailing_zeros()).unwrap_or(0);
            visit.next = lane + 1;
            let from = visit.content;
            let class = group.class_of.get(lane).copied().unwrap_or(0);
            let known = self.reach.next(group, class, from, symbols);
            let to = known.unwrap_or_else(|| group.turn(class, from, symbols).next);
            if to >= MOST_CONTENTS {
                return Some(self.walked(false));
            }
            if self.go(from, lane, to, lanes) && !self.look_up(group, to) {
                return Some(self.walked(false));
            }
        }
    }

    /// Starts again, to count.
    fn counting(&mut self, lanes: usize) -> Option<Tally> {
        while self.visits.len() > 1 {
            self.go_back(usize::MAX, false);
        }
        self.visits = alloc::vec![Visit::new(0, 0)];
        (self.steps, self.sum) = (0, 0);
        Tally::new(self.left, lanes)
    }

    /// Leaves a place again if it is known how many results go on from there.
    /// Whether that can still be kept in mind.
    fn look_up(&mut self, group: &Group, content: usize) -> bool {
        let Some(tally) = self.tally.as_mut().filter(|_| self.left != 0) else {
            return true;
        };
        let (left, ways, closed) = (self.left, &self.ways, &self.is_closed);
        let found = tally.look_up(group, &self.reach, left, content, ways, closed);
        let Some((memo, known)) = found else {
            return false;
        };
        if let Some(visit) = self.visits.last_mut() {
            match known {
                Some(sum) => visit.sum = sum,
                None => visit.memo = Some(memo),
            }
        }
        if known.is_some() {
            self.go_back(usize::MAX, false);
        }
        true
    }

    fn walked(&mut self, all: bool) -> Walked {
        Walked {
            count: all.then(|| Count::from(self.sum)),
            parts: core::mem::take(&mut self.parts),
        }
    }

    /// Takes a way, if the first trail may: whether it does.
    fn go(&mut self, from: usize, lane: usize, to: usize, lanes: usize) -> bool {
        let most = from.max(to) + 1;
        if self.is_closed.len() < most {
            self.is_closed.resize(most, false);
            self.exits.resize(most, Vec::new());
        }
        let rank = if to == from { lane } else { lanes + lane };
        let before = self.closed.len();
        let exits = self.exits.get(from).map_or(&[][..], Vec::as_slice);
        let higher = |at: &usize| self.ways.get(*at).is_some_and(|way| way.rank > rank);
        if let Some(at) = exits.iter().copied().find(higher) {
            for way in self.ways.get(at..).unwrap_or(&[]) {
                if let Some(is_closed) = self.is_closed.get_mut(way.from).filter(|is| !**is) {
                    *is_closed = true;
                    self.closed.push(way.from);
                }
            }
        }
        if self.is_closed.get(to) == Some(&true) {
            self.open(before);
            return false;
        }
        if let Some(exits) = self.exits.get_mut(from) {
            exits.push(self.ways.len());
        }
        self.ways.push(Way { from, lane, rank });
        self.left &= !bit(lane);
        self.visits.push(Visit::new(to, before));
        true
    }

    /// Opens the places again that were closed last.
    fn open(&mut self, before: usize) {
        for place in self.closed.drain(before..) {
            if let Some(is_closed) = self.is_closed.get_mut(place) {
                *is_closed = false;
            }
        }
    }

    /// Leaves a place where there is nothing more to try; if all ways of
    /// `lanes` were taken, it is the end of a result; `counts`: whether its
    /// orders are counted.
    fn go_back(&mut self, lanes: usize, counts: bool) {
        let Some(mut visit) = self.visits.pop() else {
            return;
        };
        if self.ways.len() == lanes {
            visit.sum = 1;
            if self.tally.is_none() {
                self.parts.push(Part {
                    order: self.ways.iter().map(|way| way.lane).collect(),
                    orders: counts.then(|| orders(&self.ways, visit.content)).flatten(),
                });
            }
        }
        if let (Some(memo), Some(tally)) = (visit.memo, &mut self.tally) {
            tally.note(memo, visit.sum);
        }
        match self.visits.last_mut() {
            Some(before) => before.sum += visit.sum,
            None => self.sum = visit.sum,
        }
        if let Some(way) = self.ways.pop() {
            self.left |= bit(way.lane);
            if let Some(exits) = self.exits.get_mut(way.from) {
                exits.pop();
            }
        }
        self.open(visit.closed);
    }
}

fn shift(lane: usize) -> u32 {
    u32::try_from(lane).unwrap_or(u32::MAX)
}

/// How many walks take the same ways, from the first place to the last: with a
/// way back from the last to the first, as many as there are trees of ways
/// towards the first place, times (d − 1)! for each place that d ways leave
/// (de Bruijn, van Aardenne-Ehrenfest, Smith, Tutte). `None` where numbers
/// become too large.
fn orders(ways: &[Way], end: usize) -> Option<Count> {
    let mut places: Vec<usize> = Vec::new();
    let ends = ways.iter().map(|way| way.from).chain([end]);
    let path: Vec<usize> = ends
        .map(|content| {
            let known = places.iter().position(|other| *other == content);
            known.unwrap_or_else(|| {
                places.push(content);
                places.len() - 1
            })
        })
        .collect();
    let size = places.len();
    // Ways that leave, minus ways to each other place.
    let mut matrix = alloc::vec![alloc::vec![0_i128; size]; size];
    let mut leaving = alloc::vec![0_usize; size];
    let back = [(path.last().copied()?, 0)];
    let steps = path.windows(2).filter_map(|pair| match pair {
        [from, to] => Some((*from, *to)),
        _ => None,
    });
    for (from, to) in steps.chain(back) {
        *leaving.get_mut(from)? += 1;
        *matrix.get_mut(from)?.get_mut(from)? += 1;
        *matrix.get_mut(from)?.get_mut(to)? -= 1;
    }
    // Without the first place.
    let minor = matrix
        .iter()
        .skip(1)
        .map(|row| row.iter().skip(1).copied().collect());
    let trees = determinant(minor.collect())?;
    let mut orders = Count::from(u64::try_from(trees).ok()?);
    for ways in leaving {
        orders.multiply(&Count::factorial(ways.saturating_sub(1)));
    }
    Some(orders)
}

/// A determinant in whole numbers (Bareiss); `None` where they become too
/// large.
fn determinant(mut rows: Vec<Vec<i128>>) -> Option<i128> {
    let size = rows.len();
    let mut last = 1_i128;
    let mut sign = 1_i128;
    for step in 0..size {
        let pivot = (step..size).find(|row| at(&rows, *row, step) != 0);
        let Some(pivot) = pivot else {
            return Some(0);
        };
        if pivot != step {
            rows.swap(pivot, step);
            sign = -sign;
        }
        let own = at(&rows, step, step);
        for row in step + 1..size {
            for column in step + 1..size {
                let left = at(&rows, row, column).checked_mul(own)?;
                let right = at(&rows, row, step).checked_mul(at(&rows, step, column))?;
                *rows.get_mut(row)?.get_mut(column)? =
                    left.checked_sub(right)?.checked_div(last)?;
            }
        }
        last = own;
    }
    last.checked_mul(sign)
}

fn at(rows: &[Vec<i128>], row: usize, column: usize) -> i128 {
    let row = rows.get(row).and_then(|row| row.get(column));
    row.copied().unwrap_or(0)
}
