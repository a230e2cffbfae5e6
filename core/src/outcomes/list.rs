//! Lists results one after the other, each once.

use super::closure::bit;
use super::group::Group;
use super::number::Count;
use crate::isa::Names;
use alloc::vec::Vec;

/// A result of a group: an order that gives it, and how many do.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The group's accesses, by number.
    pub(super) order: Vec<usize>,
    /// How many orders of them give it; `None` where that is not known.
    pub(super) orders: Option<Count>,
}

/// A content that has been entered, and the accesses that are left.
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
    fn new(content: usize, left: u128, group: &mut Group, names: &Names) -> Self {
        let mut staying = 0;
        for lane in lanes(left) {
            let class = group.class_of.get(lane).copied().unwrap_or(0);
            if group.turn(class, content, names).next == content {
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

/// The first `limit` results of a group where values are returned and no
/// content comes back: each content with the accesses that leave it as it is,
/// in ascending order, then one that changes it.
pub(super) fn list(group: &mut Group, straight: bool, limit: usize, names: &Names) -> Vec<Part> {
    let mut parts = Vec::new();
    let all = (0..group.units.len()).fold(0, |mask, lane| mask | bit(lane));
    let mut visits = alloc::vec![Visit::new(0, all, group, names)];
    while let Some(last) = visits.last_mut() {
        let moved = if last.moving == 0 {
            parts.push(part(&visits, straight));
            if parts.len() == limit {
                break;
            }
            None
        } else {
            last.advance()
        };
        match (moved, visits.last()) {
            (Some(lane), Some(last)) => {
                let left = last.left & !last.here & !bit(lane);
                let class = group.class_of.get(lane).copied().unwrap_or(0);
                let next = group.turn(class, last.content, names).next;
                visits.push(Visit::new(next, left, group, names));
            }
            _ => {
                visits.pop();
            }
        }
    }
    parts
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
