//! Lists results one after the other, each once.

use super::closure::bit;
use super::group::Group;
use super::number::Count;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// A result of a group: an order that gives it, and how many do.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The group's accesses, by number.
    pub(super) order: Vec<usize>,
    /// How many orders of them give it; `None` where that is not known.
    pub(super) orders: Option<Count>,
}

impl Part {
    /// The one result of some accesses whose order makes no difference.
    pub(super) fn every(accesses: usize) -> Self {
        Self {
            order: (0..accesses).collect(),
            orders: Some(Count::factorial(accesses)),
        }
    }
}

/// A list of results in the making: each content with the accesses that leave
/// it as it is, in ascending order, then one that changes it. Where values
/// are returned and no content comes back, each result comes once.
#[derive(Clone, Debug)]
pub(super) struct Lister {
    visits: Vec<Visit>,
    /// Whether that is so: then it is known how many orders give a result.
    straight: bool,
    parts: Vec<Part>,
}

/// A content that has been entered, and the accesses that are left.
#[derive(Clone, Debug)]
struct Visit {
    content: usize,
    left: u128,
    /// Of these, those that leave it as it is, and which of them do so here.
    staying: u128,
    here: u128,
    /// Those that change it, and the next of them to try.
    moving: u128,
    next: usize,
}

impl Visit {
    fn new(content: usize, left: u128, group: &mut Group, symbols: &SymbolTable) -> Self {
        let mut staying = 0;
        for lane in lanes(left) {
            let class = group.class_of.get(lane).copied().unwrap_or(0);
            if group.turn(class, content, symbols).next == content {
                staying |= bit(lane);
            }
        }
        Self {
            content,
            left,
            staying,
            // Where nothing moves on, all of them are here.
            here: if staying == left { left } else { 0 },
            moving: left & !staying,
            next: 0,
        }
    }

    /// The next way on: by that access.
    fn advance(&mut self) -> Option<usize> {
        loop {
            if let Some(lane) =
                lanes(self.moving & u128::MAX.unbounded_shl(to_shift(self.next))).next()
            {
                self.next = lane + 1;
                return Some(lane);
            }
            self.next = 0;
            // The next subset of those that stay.
            self.here = self.here.wrapping_sub(self.staying) & self.staying;
            if self.here == 0 {
                return None;
            }
        }
    }
}

fn to_shift(lane: usize) -> u32 {
    u32::try_from(lane).unwrap_or(u32::MAX)
}

/// The lanes of a mask, ascending.
fn lanes(mut mask: u128) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = usize::try_from(mask.trailing_zeros()).ok();
        let lane = lane.filter(|_| mask != 0)?;
        mask &= mask - 1;
        Some(lane)
    })
}

impl Lister {
    pub(super) fn new(group: &mut Group, straight: bool, symbols: &SymbolTable) -> Self {
        let all = (0..group.units.len()).fold(0, |mask, lane| mask | bit(lane));
        Self {
            visits: alloc::vec![Visit::new(0, all, group, symbols)],
            straight,
            parts: Vec::new(),
        }
    }

    /// Lists on. The results once they are all, or `limit`.
    pub(super) fn work(
        &mut self,
        group: &mut Group,
        limit: usize,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<Vec<Part>> {
        while let Some(last) = self.visits.last_mut() {
            if *budget == 0 {
                return None;
            }
            let moved = if last.moving == 0 {
                self.parts.push(part(&self.visits, self.straight));
                if self.parts.len() == limit {
                    break;
                }
                None
            } else {
                last.advance()
            };
            match (moved, self.visits.last()) {
                (Some(lane), Some(last)) => {
                    let left = last.left & !last.here & !bit(lane);
                    let class = group.class_of.get(lane).copied().unwrap_or(0);
                    let next = group.turn(class, last.content, symbols).next;
                    let visit = Visit::new(next, left, group, symbols);
                    // One turn for each that is left.
                    let turns = usize::try_from(left.count_ones()).unwrap_or(0);
                    *budget = budget.saturating_sub(turns + 1);
                    self.visits.push(visit);
                }
                _ => {
                    *budget = budget.saturating_sub(1);
                    self.visits.pop();
                }
            }
        }
        Some(core::mem::take(&mut self.parts))
    }
}

fn part(visits: &[Visit], straight: bool) -> Part {
    let mut order = Vec::new();
    let mut orders = Count::from(1_usize);
    for visit in visits {
        let before = order.len();
        order.extend(lanes(visit.here));
        if order.len() - before > 1 {
            orders.multiply(&Count::factorial(order.len() - before));
        }
        // The one before the next is the one that moved on.
        if visit.moving != 0
            && let Some(moved) = visit.next.checked_sub(1)
        {
            order.push(moved);
        }
    }
    Part {
        order,
        orders: straight.then_some(orders),
    }
}
