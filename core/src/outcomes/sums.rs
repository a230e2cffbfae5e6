//! Groups whose accesses only add, all of them upwards or all downwards: the
//! content never comes back, so that results are counted by a formula.

use super::group::Group;
use super::number::Count;
use super::returns::{self, Returns};
use crate::isa::Names;
use crate::number::low_mask;
use alloc::vec::Vec;

/// What is known of such a group at once.
#[derive(Debug)]
pub(super) struct Sums {
    /// How many results there are.
    pub(super) count: Count,
    /// The content at the end.
    pub(super) content: u64,
    /// What each access may return.
    pub(super) returns: Returns,
}

/// The results of a group, if it is such a one.
pub(super) fn find(group: &mut Group, names: &Names) -> Option<Sums> {
    let addends = group.addends(names)?;
    let bits = u32::from(group.bytes) * 8;
    let mask = low_mask(bits);
    let lanes = group.class_of.iter();
    let of_lanes: Vec<u64> = lanes
        .map(|class| addends.get(*class).copied().unwrap_or(0))
        .collect();
    // The whole way, upwards and downwards; less than a full circle.
    let way = |down: bool| {
        let steps = of_lanes.iter();
        let steps = steps.map(|a| if down { a.wrapping_neg() & mask } else { *a });
        steps.map(u128::from).sum::<u128>() <= u128::from(mask)
    };
    if !way(false) && !way(true) {
        return None;
    }
    let start = group.content(0);
    let moving = of_lanes.iter().filter(|addend| **addend != 0).count();
    let mut count = Count::from(1_usize);
    if group.returns {
        // Those that add nothing find any of the contents.
        count = Count::factorial(moving);
        for _ in moving..of_lanes.len() {
            count.multiply(&Count::from(moving + 1));
        }
    }
    let sum = of_lanes.iter().fold(0_u64, |sum, a| sum.wrapping_add(*a));
    let content = start.wrapping_add(sum) & mask;
    let step = |lane: usize, content: u64| {
        let addend = of_lanes.get(lane).copied().unwrap_or(0);
        content.wrapping_add(addend) & mask
    };
    let returns = returns::of_commuting(group, names, start, step);
    Some(Sums {
        count,
        content,
        returns,
    })
}
