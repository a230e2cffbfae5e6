//! Probabilities of returned values and final contents, with equally likely orders.

use crate::budget::Budget;
use crate::conflict_set::{ConflictSet, to_content};
use crate::graph::Contents;
use crate::interner::Interner;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// Maximum number of states per layer.
const MAX_STATES: usize = 1 << 17;

/// Maximum number of values per lane, or of final contents.
const MAX_VALUES: usize = 256;

/// Values in ascending order, each with its share of all orders, 0 to 1.
pub type Shares = Vec<(u64, f64)>;

/// Shares of the orders of a conflict set. With several instructions, only orders in
/// which the accesses conflict count.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distribution {
    /// Returned values by lane of the set; empty for a lane without a returned value.
    pub returns: Vec<Shares>,
    /// Contents of the bytes after the instruction.
    pub contents: Shares,
}

/// Adds to the share of a value.
pub(crate) fn add_share(shares: &mut Shares, value: u64, share: f64) {
    match shares.binary_search_by_key(&value, |(value, _)| *value) {
        Ok(at) => shares[at].1 += share,
        Err(at) => shares.insert(at, (value, share)),
    }
}

impl Distribution {
    fn is_small(&self) -> bool {
        let mut lists = self.returns.iter().chain([&self.contents]);
        lists.all(|shares| shares.len() <= MAX_VALUES)
    }

    /// Adds a weighted distribution of the same lanes.
    pub(crate) fn add(&mut self, other: &Self, weight: f64) {
        let lists = self.returns.iter_mut().zip(&other.returns);
        let lists = lists.chain([(&mut self.contents, &other.contents)]);
        for (own, other) in lists {
            for (value, share) in other {
                add_share(own, *value, share * weight);
            }
        }
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        let lists = self.returns.iter_mut().chain([&mut self.contents]);
        for (_, share) in lists.flatten() {
            *share *= factor;
        }
    }
}

/// Search for a distribution: states (lanes left of each class, content) with their
/// probabilities, layer by layer.
#[derive(Clone, Debug)]
pub(crate) struct DistributionSearch {
    layer: Interner,
    shares: Vec<f64>,
    next_layer: Interner,
    next_shares: Vec<f64>,
    at: usize,
    /// Number of lanes left.
    left: u32,
    /// Returned values by class.
    returns: Vec<Shares>,
}

impl DistributionSearch {
    pub(crate) fn new(set: &ConflictSet) -> Self {
        let row = set.first_row();
        let mut layer = Interner::new(row.len());
        layer.intern(&row);
        Self {
            next_layer: Interner::new(row.len()),
            layer,
            shares: alloc::vec![1.0],
            next_shares: Vec::new(),
            at: 0,
            left: lanewise_core::diagnostic::to_u32(set.len()),
            returns: alloc::vec![Shares::new(); set.classes.len()],
        }
    }

    /// Continues; returns the distribution once known, or `Some(None)` if it is too large.
    pub(crate) fn work(
        &mut self,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<Option<Distribution>> {
        if let Some(known) = of_constants(set, contents, symbols) {
            return Some(known.is_small().then_some(known));
        }
        while self.left > 0 {
            if budget.is_spent() {
                return None;
            }
            if self.at == self.layer.len() {
                let row_len = self.layer.row(0).len();
                let next = core::mem::replace(&mut self.next_layer, Interner::new(row_len));
                self.layer = next;
                self.shares = core::mem::take(&mut self.next_shares);
                self.at = 0;
                self.left -= 1;
                continue;
            }
            self.expand(set, contents, symbols, budget);
            if self.next_layer.len() > MAX_STATES {
                return Some(None);
            }
        }
        let mut known = Distribution::default();
        for class in &set.class_of {
            known.returns.push(self.returns[*class].clone());
        }
        for (state, share) in self.shares.iter().enumerate() {
            let row = self.layer.row(state);
            add_share(&mut known.contents, set.content(to_content(row)), *share);
            if known.contents.len() > MAX_VALUES {
                return Some(None);
            }
        }
        Some(known.is_small().then_some(known))
    }

    fn expand(
        &mut self,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) {
        let row = self.layer.row(self.at).to_vec();
        let share = self.shares[self.at] / f64::from(self.left);
        self.at += 1;
        let content = to_content(&row);
        for class in 0..set.classes.len() {
            let [left, ..] = (row[class / 8] >> (class % 8 * 8)).to_le_bytes();
            if left == 0 {
                continue;
            }
            let transition = match contents {
                Some(contents) => contents.table.transition(class, content),
                None => set.apply(class, content, symbols),
            };
            let returned = &mut self.returns[class];
            if set.classes[class].access.dst.is_some() && returned.len() <= MAX_VALUES {
                // Per lane of the class.
                let lanes = u32::try_from(set.classes[class].lanes.len()).expect("few lanes");
                let share = share * f64::from(left) / f64::from(lanes);
                add_share(returned, transition.returned, share);
            }
            let mut next = row.clone();
            next[class / 8] -= 1 << (class % 8 * 8);
            let last = next.len() - 1;
            next[last] = u64::try_from(transition.next).expect("a number fits 64 bits");
            let (to, is_new) = self.next_layer.intern(&next);
            if is_new {
                self.next_shares.push(0.0);
            }
            self.next_shares[to] += share * f64::from(left);
            budget.spend(1);
        }
    }
}

/// The distribution if every lane always leaves the same content: each other lane, or
/// none, is equally likely to precede a lane.
fn of_constants(
    set: &mut ConflictSet,
    contents: Option<&Contents>,
    symbols: &SymbolTable,
) -> Option<Distribution> {
    let constants = contents?.table.constants()?;
    let lanes = u32::try_from(set.len()).expect("an instruction has at most 128 accesses");
    let share = 1.0 / f64::from(lanes);
    let class_of = set.class_of.clone();
    let mut known = Distribution::default();
    for (lane, class) in class_of.iter().enumerate() {
        add_share(&mut known.contents, set.content(constants[*class]), share);
        let mut returned = Shares::new();
        if set.classes[*class].access.dst.is_some() {
            let others = class_of
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != lane);
            let found = others.map(|(_, class)| constants[*class]).chain([0]);
            for content in found.collect::<Vec<_>>() {
                let value = set.apply(*class, content, symbols).returned;
                add_share(&mut returned, value, share);
            }
        }
        known.returns.push(returned);
    }
    Some(known)
}
