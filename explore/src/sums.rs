//! Groups whose accesses only add, all of them upwards or all downwards: the
//! content never comes back, so that results are counted by a formula.

use super::group::Group;
use super::number::Count;
use super::returns::{self, Returns};
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;
use lanewise_core::number::low_mask;

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
pub(super) fn find(group: &mut Group, symbols: &SymbolTable) -> Option<Sums> {
    let addends = group.addends(symbols)?;
    let bits = u32::from(group.bytes) * 8;
    let mask = low_mask(bits);
    let lanes = group.class_of.iter();
    let of_lanes: Vec<u64> = lanes
        .map(|class| addends.get(*class).copied().unwrap_or(0))
        .collect();
    // The whole way, upwards or downwards, is less than a full circle.
    let upwards = of_lanes.clone();
    let downwards: Vec<u64> = of_lanes.iter().map(|a| a.wrapping_neg() & mask).collect();
    let is_short = |ways: &&Vec<u64>| {
        let way = ways.iter().copied().map(u128::from).sum::<u128>();
        way <= u128::from(mask)
    };
    let ways = [&upwards, &downwards].into_iter().find(is_short)?;
    let down = ways != &upwards;
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
    let at = |way: u64| {
        let way = if down { way.wrapping_neg() } else { way };
        start.wrapping_add(way) & mask
    };
    let returns = if group.returns {
        returns::of_sums(group, symbols, ways, at)
    } else {
        Vec::new()
    };
    Some(Sums {
        count,
        content,
        returns,
    })
}
