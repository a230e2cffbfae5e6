//! Counts distinct results without listing them.
//!
//! A result consists of the returned values and the final content. Lanes that find the
//! same content and leave it unchanged can be swapped, so only their ascending order is
//! counted. This counts each result once if no content recurs.

use crate::budget::Budget;
use crate::conflict_set::ConflictSet;
use crate::graph::{Contents, Edge, Graph};
use crate::number::{Count, add_product};
use crate::transitions::bit;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;

/// Maximum number of pairs of states to compare.
const MAX_PAIRS: u64 = 1 << 24;

/// Iteration over the states of a graph, by ascending number of lanes left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    layer: usize,
    at: usize,
}

impl Walk {
    fn next(&mut self, graph: &Graph) -> Option<usize> {
        while let Some(layer) = graph.layers().get(self.layer) {
            if let Some(state) = layer.get(self.at) {
                self.at += 1;
                return Some(to_usize(*state));
            }
            self.layer += 1;
            self.at = 0;
        }
        None
    }
}

/// Check whether a content can recur.
#[derive(Clone, Debug)]
pub(crate) enum RecurrenceCheck {
    /// Along the edges, if contents fit a mask.
    Edges {
        walk: Walk,
        /// By state: mask of the contents entered from it.
        entered: Vec<u128>,
        recurring: u128,
    },
    /// By comparing the states of each content pairwise.
    Pairs {
        by_content: Vec<Vec<usize>>,
        content: usize,
        later: usize,
        pairs: u64,
    },
}

impl RecurrenceCheck {
    pub(crate) fn new(graph: &Graph, contents: Option<&Contents>) -> Self {
        if contents.is_some() {
            return Self::Edges {
                walk: Walk::default(),
                entered: alloc::vec![0; graph.len()],
                recurring: 0,
            };
        }
        let mut by_content: Vec<Vec<usize>> = Vec::new();
        for state in graph.layers().iter().flatten() {
            let content = graph.content(to_usize(*state));
            if by_content.len() <= content {
                by_content.resize(content + 1, Vec::new());
            }
            by_content[content].push(to_usize(*state));
        }
        let pairs = by_content.iter().map(|states| {
            let states = u64::try_from(states.len()).expect("a length fits 64 bits");
            states * states / 2
        });
        Self::Pairs {
            pairs: pairs.sum(),
            by_content,
            content: 0,
            later: 0,
        }
    }

    /// Continues; returns the answer once known, or true if it takes too long.
    pub(crate) fn work(
        &mut self,
        graph: &Graph,
        set: &ConflictSet,
        contents: Option<&Contents>,
        budget: &mut Budget,
    ) -> Option<bool> {
        match self {
            Self::Edges {
                walk,
                entered,
                recurring,
            } => {
                let contents = contents.expect("contents with masks are known");
                while !budget.is_spent() {
                    let Some(state) = walk.next(graph) else {
                        let found = *recurring;
                        return Some(found != 0 && !only_start_recurs(found, set, contents));
                    };
                    budget.spend(1);
                    let mut mask = 0;
                    for edge in graph.edges(state) {
                        mask |= entered[edge.to];
                        if !edge.is_unchanged {
                            let next = contents.table.transition(edge.class, graph.content(state));
                            mask |= bit(next.next);
                            *recurring |= graph.represents[state] & entered[edge.to];
                        }
                    }
                    entered[state] = mask;
                }
                None
            }
            Self::Pairs { .. } if graph.is_monotonic() => Some(false),
            Self::Pairs { pairs, .. } if *pairs > MAX_PAIRS => Some(true),
            Self::Pairs {
                by_content,
                content,
                later,
                ..
            } => {
                while let Some(states) = by_content.get(*content) {
                    if budget.is_spent() {
                        return None;
                    }
                    if *later == states.len() {
                        *content += 1;
                        *later = 0;
                        continue;
                    }
                    // States with more lanes left come later.
                    let (before, state) = (&states[..*later], states[*later]);
                    *later += 1;
                    budget.spend(1 + before.len() / 8);
                    let unchanged = |class: usize| {
                        let mut edges = graph.edges(state);
                        edges.any(|edge| edge.class == class && edge.is_unchanged)
                    };
                    let recurs = |other: &usize| {
                        let more = graph.ahead_of(state, *other);
                        more.is_some_and(|more| more.iter().any(|class| !unchanged(*class)))
                    };
                    if before.iter().any(recurs) {
                        return Some(true);
                    }
                }
                Some(false)
            }
        }
    }
}

/// Whether only one lane leads back, and only to the initial content, which no lane
/// leaves unchanged. Each result still has exactly one canonical order then.
fn only_start_recurs(recurring: u128, set: &ConflictSet, contents: &Contents) -> bool {
    if recurring != bit(0) {
        return false;
    }
    let leads_back = |class: &usize| {
        (0..set.contents_len()).any(|at| contents.table.transition(*class, at).next == 0)
    };
    let classes = (0..set.classes.len()).filter(leads_back);
    let lanes: usize = classes.map(|class| set.classes[class].lanes.len()).sum();
    lanes == 1
}

/// Counting of results, state by state.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    walk: Walk,
    /// Words of one entry.
    words: usize,
    /// By state: the number of results if only the last 0, 1, 2 … of the classes that
    /// leave its content unchanged can still do so here.
    entries: Vec<u64>,
    /// By state: its first and last entry; for the last, all classes can.
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Counting {
    pub(crate) fn new(graph: &Graph, set: &ConflictSet) -> Self {
        Self {
            walk: Walk::default(),
            words: Count::factorial(set.len()).words().len(),
            entries: Vec::new(),
            first: alloc::vec![0; graph.len()],
            last: alloc::vec![0; graph.len()],
        }
    }

    /// Number of layers of states.
    pub(crate) const fn layers(&self) -> usize {
        self.walk.layer
    }

    /// Continues; returns the number of results once known.
    pub(crate) fn work(&mut self, graph: &Graph, budget: &mut Budget) -> Option<Count> {
        while !budget.is_spent() {
            let Some(state) = self.walk.next(graph) else {
                // The initial state is the first one.
                return Some(Count::of(self.entry(self.last[0])));
            };
            budget.spend(1);
            self.count(state, graph);
        }
        None
    }

    fn entry(&self, entry: usize) -> &[u64] {
        &self.entries[entry * self.words..][..self.words]
    }

    fn count(&mut self, state: usize, graph: &Graph) {
        let mut sum = alloc::vec![0; self.words];
        let mut unchanged: Vec<Edge> = Vec::new();
        let mut is_end = true;
        for edge in graph.edges(state) {
            is_end = false;
            if edge.is_unchanged {
                unchanged.push(edge);
            } else {
                add_product(&mut sum, self.entry(self.last[edge.to]), edge.left.into());
            }
        }
        if is_end {
            add_product(&mut sum, &[1], 1);
        }
        self.first[state] = self.entries.len() / self.words;
        self.last[state] = self.first[state] + unchanged.len();
        self.entries.extend_from_slice(&sum);
        for (later, edge) in unchanged.iter().rev().enumerate() {
            // 1, 2, … lanes of the class, followed only by later classes.
            let mut to = edge.to;
            for taken in 1..=edge.left {
                let ways = Count::binomial(edge.left.into(), taken.into());
                add_product(&mut sum, self.entry(self.first[to] + later), ways);
                let next = graph.edges(to).find(|e| e.class == edge.class);
                to = next.map_or(to, |e| e.to);
            }
            self.entries.extend_from_slice(&sum);
        }
    }
}
