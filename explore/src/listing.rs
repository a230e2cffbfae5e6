//! Lists results of a conflict set one by one.

use crate::budget::Budget;
use crate::conflict_set::ConflictSet;
use crate::number::Count;
use crate::transitions::{bit, bits};
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// One result of a conflict set.
#[derive(Clone, Debug)]
pub(crate) struct SetResult {
    /// A lane order that produces the outcome.
    pub(crate) order: Vec<usize>,
    /// Number of orders that lead to it; `None` if unknown.
    pub(crate) orders: Option<Count>,
}

impl SetResult {
    /// The single result of accesses whose order does not matter.
    pub(crate) fn of_any_order(lanes: usize) -> Self {
        Self {
            order: (0..lanes).collect(),
            orders: Some(Count::factorial(lanes)),
        }
    }
}

/// Depth-first enumeration of canonical orders: at each content, first the lanes that
/// leave it unchanged, ascending, then one lane that changes it.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    visits: Vec<Visit>,
    /// Whether each result has exactly one canonical order.
    unique: bool,
    results: Vec<SetResult>,
}

/// An entered content and the lanes left.
#[derive(Clone, Debug)]
struct Visit {
    content: usize,
    left: u128,
    /// Lanes that leave the content unchanged, and those that do so here.
    unchanging: u128,
    here: u128,
    /// Lanes that change it, and the first untried one.
    changing: u128,
    next: usize,
}

impl Visit {
    fn new(content: usize, left: u128, set: &mut ConflictSet, symbols: &SymbolTable) -> Self {
        let unchanging = bits(left)
            .filter(|lane| set.apply(set.class_of[*lane], content, symbols).next == content)
            .fold(0, |mask, lane| mask | bit(lane));
        Self {
            content,
            left,
            unchanging,
            // At the end, all of them are here.
            here: if unchanging == left { left } else { 0 },
            changing: left & !unchanging,
            next: 0,
        }
    }

    /// The next lane to continue with.
    fn advance(&mut self) -> Option<usize> {
        loop {
            let untried = bits(self.changing).find(|lane| *lane >= self.next);
            if let Some(lane) = untried {
                self.next = lane + 1;
                return Some(lane);
            }
            self.next = 0;
            // The next subset of the unchanging lanes.
            self.here = self.here.wrapping_sub(self.unchanging) & self.unchanging;
            if self.here == 0 {
                return None;
            }
        }
    }
}

impl Listing {
    pub(crate) fn new(set: &mut ConflictSet, unique: bool, symbols: &SymbolTable) -> Self {
        let all = (0..set.len()).fold(0, |mask, lane| mask | bit(lane));
        Self {
            visits: alloc::vec![Visit::new(0, all, set, symbols)],
            unique,
            results: Vec::new(),
        }
    }

    /// Continues; returns the results once all, or `limit` of them, are listed.
    pub(crate) fn work(
        &mut self,
        set: &mut ConflictSet,
        limit: usize,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<Vec<SetResult>> {
        while let Some(last) = self.visits.last_mut() {
            if budget.is_spent() {
                return None;
            }
            let lane = if last.changing == 0 {
                let result = result(&self.visits, self.unique);
                budget.spend(result.order.len());
                self.results.push(result);
                if self.results.len() >= limit {
                    break;
                }
                None
            } else {
                last.advance()
            };
            budget.spend(1);
            let Some(lane) = lane else {
                self.visits.pop();
                continue;
            };
            let last = &self.visits[self.visits.len() - 1];
            let left = last.left & !last.here & !bit(lane);
            let next = set.apply(set.class_of[lane], last.content, symbols).next;
            self.visits.push(Visit::new(next, left, set, symbols));
            budget.spend(bits(left).count());
        }
        Some(core::mem::take(&mut self.results))
    }
}

fn result(visits: &[Visit], unique: bool) -> SetResult {
    let mut order = Vec::new();
    let mut orders = Count::from(1_usize);
    for visit in visits {
        let before = order.len();
        order.extend(bits(visit.here));
        orders.multiply(&Count::factorial(order.len() - before));
        if visit.changing != 0 {
            // The lane that led to the next visit.
            order.push(visit.next - 1);
        }
    }
    SetResult {
        order,
        orders: unique.then_some(orders),
    }
}
