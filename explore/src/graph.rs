//! The graph of states of a conflict set, which consist of the number of lanes left of
//! each class and the content. Indistinguishable states are merged.

use crate::budget::Budget;
use crate::conflict_set::{ConflictSet, to_content};
use crate::interner::Interner;
use crate::number::{Count, add_product};
use crate::transitions::{Merges, TransitionTable, bit};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;
use lanewise_core::number::low_mask;

/// Maximum number of states: about 50 MB including their records.
const MAX_STATES: usize = 1 << 18;

/// Marks an edge that leaves the content unchanged.
const UNCHANGED: u32 = 1 << 31;

/// The transitions of a set with few contents.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(crate) table: TransitionTable,
    pub(crate) merges: Merges,
}

/// Records of the states.
#[derive(Clone, Debug)]
enum StateRecords {
    /// If values are returned: the edges of all states, by class, and the index of the
    /// first edge of each state.
    Edges { edges: Vec<u32>, first: Vec<u32> },
    /// If only the final content matters: the number of orders that lead to each state,
    /// in words, and the previous state and class in one of them. Accesses that no longer
    /// change anything are left out.
    Orders {
        orders: Vec<u64>,
        words: usize,
        predecessors: Vec<Option<(u32, u8)>>,
    },
}

/// An edge from a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Class of the lane.
    pub(crate) class: usize,
    /// Number of lanes of the class left before it.
    pub(crate) left: u8,
    pub(crate) to: usize,
    pub(crate) is_unchanged: bool,
}

/// States and the edges between them, layer by layer.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// Rows: lanes left of each class, eight classes per word, followed by the content.
    states: Interner,
    /// States by number of lanes left.
    layers: Vec<Vec<u32>>,
    /// The layer, and index within it, of the next state to expand.
    layer: usize,
    at: usize,
    kept: StateRecords,
    /// By state: mask of the contents it represents, if they fit a mask.
    pub(crate) represents: Vec<u128>,
    /// Whether all changes of content were upward or downward: as numbers, and modulo the
    /// width relative to the initial content.
    is_monotonic: [bool; 4],
}

/// Removes up to `most` lanes of a class; returns how many there were.
fn take(words: &mut [u64], class: usize, most: u8) -> u8 {
    let shift = class % 8 * 8;
    let [count, ..] = (words[class / 8] >> shift).to_le_bytes();
    words[class / 8] -= u64::from(count.min(most)) << shift;
    count
}

fn counts(words: &[u64]) -> impl Iterator<Item = u8> {
    words.iter().flat_map(|word| word.to_le_bytes())
}

impl Graph {
    /// Creates a graph for counting results with `returns`, otherwise for final contents.
    pub(crate) fn new(set: &ConflictSet, contents: Option<&Contents>, returns: bool) -> Self {
        let lanes = set.len();
        let kept = if returns {
            StateRecords::Edges {
                edges: Vec::new(),
                first: Vec::new(),
            }
        } else {
            StateRecords::Orders {
                orders: Vec::new(),
                words: Count::factorial(lanes).words().len(),
                predecessors: Vec::new(),
            }
        };
        let mut row = set.first_row();
        let mut graph = Self {
            states: Interner::new(row.len()),
            layers: alloc::vec![Vec::new(); lanes + 1],
            layer: lanes,
            at: 0,
            kept,
            represents: Vec::new(),
            is_monotonic: [true; 4],
        };
        let (start, dropped) = graph.intern(&mut row, contents.map(|c| &c.merges));
        graph.add_orders(start, Count::falling(lanes, dropped).words(), 1);
        graph
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// States by number of lanes left.
    pub(crate) fn layers(&self) -> &[Vec<u32>] {
        &self.layers
    }

    pub(crate) fn content(&self, state: usize) -> usize {
        to_content(self.states.row(state))
    }

    /// Number of lanes left of each class.
    fn counts(&self, state: usize) -> impl Iterator<Item = u8> {
        let row = self.states.row(state);
        counts(&row[..row.len() - 1])
    }

    /// The classes of which a state has more lanes left than another; `None` if there are
    /// none, or if it has fewer of some class.
    pub(crate) fn ahead_of(&self, state: usize, other: usize) -> Option<Vec<usize>> {
        let mut more = Vec::new();
        for (class, (own, other)) in self.counts(state).zip(self.counts(other)).enumerate() {
            if own < other {
                return None;
            }
            if own > other {
                more.push(class);
            }
        }
        (!more.is_empty()).then_some(more)
    }

    /// The state of a row after merging, and the number of lanes left out because they no
    /// longer change anything.
    fn intern(&mut self, row: &mut [u64], merges: Option<&Merges>) -> (usize, usize) {
        let last = row.len() - 1;
        let content = to_content(row);
        let returns = matches!(self.kept, StateRecords::Edges { .. });
        let mut dropped = 0;
        if let Some(merges) = merges {
            let words = &mut row[..last];
            if !returns {
                for class in 0..words.len() * 8 {
                    if merges.is_idle(class, content) {
                        dropped += usize::from(take(words, class, u8::MAX));
                    }
                }
            }
            for (class, first) in merges.merged(content) {
                let count = take(words, *class, u8::MAX);
                words[first / 8] += u64::from(count) << (first % 8 * 8);
            }
            let left = counts(words).enumerate().filter(|(_, count)| *count > 0);
            let left = left.fold(0, |mask, (class, _)| mask | bit(class));
            if returns || left != 0 {
                let content = merges.representative_content(content, left);
                row[last] = u64::try_from(content).expect("a number fits 64 bits");
            }
        }
        let (state, is_new) = self.states.intern(row);
        if is_new {
            let left: usize = self.counts(state).map(usize::from).sum();
            self.layers[left].push(to_u32(state));
            self.represents.push(0);
            match &mut self.kept {
                StateRecords::Edges { first, .. } => first.push(0),
                StateRecords::Orders {
                    orders,
                    words,
                    predecessors,
                } => {
                    orders.resize(orders.len() + *words, 0);
                    predecessors.push(None);
                }
            }
        }
        self.represents[state] |= bit(content);
        (state, dropped)
    }

    fn add_orders(&mut self, state: usize, more: &[u64], by: u64) {
        if let StateRecords::Orders { orders, words, .. } = &mut self.kept {
            add_product(&mut orders[state * *words..][..*words], more, by);
        }
    }

    /// Whether all states are known.
    pub(crate) const fn is_done(&self) -> bool {
        self.layer == 0 && self.at > 0
    }

    pub(crate) fn is_too_large(&self) -> bool {
        self.len() > MAX_STATES
    }

    /// Progress in thousandths of the lanes.
    pub(crate) fn permille(&self) -> usize {
        let lanes = self.layers.len() - 1;
        (lanes - self.layer) * 1000 / lanes.max(1)
    }

    /// Expands states until all are known, there are too many, or the budget is spent.
    pub(crate) fn work(
        &mut self,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) {
        while !self.is_done() && !self.is_too_large() && !budget.is_spent() {
            if let Some(state) = self.layers[self.layer].get(self.at).copied() {
                self.at += 1;
                self.expand(to_usize(state), set, contents, symbols, budget);
            } else {
                // The last layer has no lanes left.
                self.layer -= 1;
                self.at = 0;
            }
        }
    }

    fn expand(
        &mut self,
        state: usize,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) {
        let own = self.states.row(state).to_vec();
        let content = to_content(&own);
        let lanes: usize = self.counts(state).map(usize::from).sum();
        let mut orders = Count::default();
        match &mut self.kept {
            StateRecords::Edges { edges, first } => first[state] = to_u32(edges.len()),
            StateRecords::Orders {
                orders: all, words, ..
            } => {
                orders = Count::of(&all[state * *words..][..*words]);
            }
        }
        let mut row = own.clone();
        for class in 0..set.classes.len() {
            row.copy_from_slice(&own);
            let left = take(&mut row, class, 1);
            if left == 0 {
                continue;
            }
            budget.spend(1);
            let next = match contents {
                Some(contents) => contents.table.transition(class, content).next,
                None => {
                    budget.spend(3);
                    let next = set.apply(class, content, symbols).next;
                    self.note_change(set, content, next);
                    next
                }
            };
            let last = row.len() - 1;
            row[last] = u64::try_from(next).expect("a number fits 64 bits");
            let (to, dropped) = self.intern(&mut row, contents.map(|c| &c.merges));
            match &mut self.kept {
                StateRecords::Edges { edges, .. } => {
                    let unchanged = if next == content { UNCHANGED } else { 0 };
                    edges.push(to_u32(to) | unchanged);
                }
                StateRecords::Orders { predecessors, .. } => {
                    let class = u8::try_from(class).expect("there are 128 classes at most");
                    predecessors[to].get_or_insert((to_u32(state), class));
                    // The lanes left out can be at any remaining position.
                    let mut more = Count::falling(lanes - 1, dropped);
                    more.multiply(&orders);
                    self.add_orders(to, more.words(), left.into());
                }
            }
        }
    }

    fn note_change(&mut self, set: &ConflictSet, from: usize, to: usize) {
        if from == to {
            return;
        }
        let first = set.content(0);
        let mask = low_mask(u32::from(set.bytes) * 8);
        let cuts = [
            (0, true),
            (0, false),
            (first, true),
            (first.wrapping_add(1), false),
        ];
        for ((cut, up), holds) in cuts.into_iter().zip(&mut self.is_monotonic) {
            let place = |content| set.content(content).wrapping_sub(cut) & mask;
            *holds &= (place(to) > place(from)) == up;
        }
    }

    /// Whether no content can recur because all changes have the same direction. Only
    /// available without a table of contents.
    pub(crate) fn is_monotonic(&self) -> bool {
        self.is_monotonic.contains(&true)
    }

    /// The edges of a state, by class, in a graph with returned values.
    pub(crate) fn edges(&self, state: usize) -> impl Iterator<Item = Edge> {
        let StateRecords::Edges { edges, first } = &self.kept else {
            unreachable!("only graphs with returned values have edges");
        };
        let edges = &edges[to_usize(first[state])..];
        let classes = self.counts(state).enumerate();
        let classes = classes.filter(|(_, count)| *count > 0);
        classes.zip(edges).map(|((class, left), edge)| Edge {
            class,
            left,
            to: to_usize(edge & !UNCHANGED),
            is_unchanged: edge & UNCHANGED != 0,
        })
    }

    /// The final states with their numbers of orders, in a graph without returned values.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (usize, Count)> {
        let StateRecords::Orders { orders, words, .. } = &self.kept else {
            unreachable!("results with returned values are not states");
        };
        self.layers[0].iter().map(move |state| {
            let state = to_usize(*state);
            (state, Count::of(&orders[state * words..][..*words]))
        })
    }

    /// An order of the lanes that ends in a state, in a graph without returned values.
    pub(crate) fn order_to(
        &self,
        end: usize,
        set: &mut ConflictSet,
        contents: Option<&Contents>,
        symbols: &SymbolTable,
    ) -> Vec<usize> {
        let StateRecords::Orders { predecessors, .. } = &self.kept else {
            unreachable!("results with returned values are not states");
        };
        let mut classes = Vec::new();
        let mut state = end;
        while let Some((before, class)) = predecessors[state] {
            classes.push(usize::from(class));
            state = to_usize(before);
        }
        let mut left: Vec<usize> = (0..set.len()).collect();
        let mut order = Vec::new();
        let mut content = 0;
        for class in classes.into_iter().rev() {
            let fits = |lane: &usize| {
                let own = set.class_of[*lane];
                contents.map_or(own == class, |c| {
                    c.merges.representative(own, content) == class
                        && !c.merges.is_idle(own, content)
                })
            };
            let at = left.iter().position(fits);
            let lane = left.remove(at.expect("a lane of the class is left"));
            order.push(lane);
            content = set.apply(set.class_of[lane], content, symbols).next;
        }
        order.append(&mut left);
        order
    }
}
