//! How many different results there are, without listing them.
//!
//! A result is what every access returns, and the content at the end. The
//! accesses that return the same content and leave it change places freely, so
//! of their orders only the ascending one is counted; the others, and the
//! content they find, follow one from the other. That counts each result once
//! as long as no content comes back after it was left.

use super::closure::{Closure, bit};
use super::graph::Graph;
use super::group::Group;
use super::number::{Count, add_product};
use crate::diagnostic::to_usize;
use alloc::vec::Vec;

/// How many pairs of states are compared at most.
const MOST_PAIRS: usize = 1 << 24;

/// Whether no result has two ways that differ in more than the order of
/// accesses that leave a content as it is.
pub(super) fn is_straight(graph: &Graph, group: &Group, closure: Option<&Closure>) -> bool {
    match closure {
        Some(closure) => {
            let back = come_back(graph, closure);
            back == 0 || only_start_comes_back(back, group, closure)
        }
        None => graph.is_one_way() || !any_comes_back(graph),
    }
}

/// The contents that may come back after they were left.
fn come_back(graph: &Graph, closure: &Closure) -> u128 {
    // The contents that are entered from a state on.
    let mut entered = alloc::vec![0_u128; graph.len()];
    let mut back = 0;
    for state in graph.by_left().iter().flatten() {
        let state = to_usize(*state);
        let own = graph.stands_for.get(state).copied().unwrap_or(0);
        let mut mask = 0;
        for edge in graph.edges(state) {
            let beyond = entered.get(edge.to).copied().unwrap_or(0);
            mask |= beyond;
            if !edge.stays {
                let turn = closure.turn(edge.class, graph.content(state));
                mask |= turn.map_or(0, |turn| bit(turn.next));
                back |= own & beyond;
            }
        }
        if let Some(entered) = entered.get_mut(state) {
            *entered = mask;
        }
    }
    back
}

/// One access alone leads back, and only to the content before the
/// instruction; nothing else leaves that content as it is. Then each result
/// still has one way.
fn only_start_comes_back(back: u128, group: &Group, closure: &Closure) -> bool {
    if back != bit(0) {
        return false;
    }
    let classes = group.classes.iter().enumerate();
    let leads = classes.filter(|(class, _)| {
        let to_start = |content| closure.turn(*class, content).is_some_and(|t| t.next == 0);
        (0..group.met()).any(to_start)
    });
    let lanes: usize = leads.map(|(_, class)| class.lanes.len()).sum();
    lanes == 1
}

/// Whether some content may come back, by comparing the states that have it.
fn any_comes_back(graph: &Graph) -> bool {
    let mut by_content: Vec<Vec<usize>> = Vec::new();
    for state in graph.by_left().iter().flatten() {
        let state = to_usize(*state);
        let content = graph.content(state);
        if by_content.len() <= content {
            by_content.resize(content + 1, Vec::new());
        }
        if let Some(states) = by_content.get_mut(content) {
            states.push(state);
        }
    }
    let pairs: usize = by_content.iter().map(|s| s.len() * s.len() / 2).sum();
    if pairs > MOST_PAIRS {
        return true;
    }
    by_content.iter().any(|states| {
        let mut rest = states.as_slice();
        while let Some((later, before)) = rest.split_first() {
            let stays = |state: usize, class: usize| {
                let mut edges = graph.edges(state);
                edges.any(|edge| edge.class == class && edge.stays)
            };
            let back = |state: &&usize| {
                let more = graph.beyond(**state, *later).unwrap_or_default();
                more.iter().any(|class| !stays(**state, *class))
            };
            if before.iter().any(|state| back(&state)) {
                return true;
            }
            rest = before;
        }
        false
    })
}

/// The count of results, state by state.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    words: usize,
    /// For each state, the results when of the classes that leave its content
    /// the last 0, 1, 2 … may still do so.
    results: Vec<u64>,
    first: Vec<usize>,
    /// For each state, its last entry: all of them may.
    last: Vec<usize>,
    left: usize,
    at: usize,
}

impl Counting {
    pub(super) fn new(graph: &Graph, group: &Group) -> Self {
        Self {
            words: Count::factorial(group.units.len()).words().len(),
            results: Vec::new(),
            first: alloc::vec![0; graph.len()],
            last: alloc::vec![0; graph.len()],
            left: 0,
            at: 0,
        }
    }

    /// How many levels are counted.
    pub(super) const fn levels(&self) -> usize {
        self.left
    }

    /// Counts on. The number of all results once it is known.
    pub(super) fn work(&mut self, graph: &Graph, budget: &mut usize) -> Option<Count> {
        while let Some(states) = graph.by_left().get(self.left) {
            if *budget == 0 {
                return None;
            }
            let Some(state) = states.get(self.at) else {
                self.left += 1;
                self.at = 0;
                continue;
            };
            self.at += 1;
            *budget -= 1;
            self.count(to_usize(*state), graph);
        }
        let start = graph.by_left().last()?.first()?;
        let last = self.last.get(to_usize(*start)).copied()?;
        Some(Count::of(self.entry(last)))
    }

    fn entry(&self, entry: usize) -> &[u64] {
        let start = entry * self.words;
        self.results.get(start..start + self.words).unwrap_or(&[])
    }

    fn count(&mut self, state: usize, graph: &Graph) {
        let mut sum = alloc::vec![0; self.words];
        let mut staying = Vec::new();
        let mut is_end = true;
        for edge in graph.edges(state) {
            is_end = false;
            if edge.stays {
                staying.push(edge);
                continue;
            }
            let all = self.last.get(edge.to).copied().unwrap_or(0);
            add_product(&mut sum, self.entry(all), u64::from(edge.left));
        }
        if is_end {
            add_product(&mut sum, &[1], 1);
        }
        let own = self.results.len() / self.words.max(1);
        if let Some(first) = self.first.get_mut(state) {
            *first = own;
        }
        if let Some(last) = self.last.get_mut(state) {
            *last = own + staying.len();
        }
        self.results.extend_from_slice(&sum);
        for (others, edge) in staying.iter().rev().enumerate() {
            // 1, 2, … of the class's accesses, then only later classes.
            let mut to = edge.to;
            for taken in 1..=edge.left {
                let ways = Count::binomial(edge.left.into(), taken.into());
                let first = self.first.get(to).copied().unwrap_or(0);
                add_product(&mut sum, self.entry(first + others), ways);
                let next = graph.edges(to).find(|e| e.class == edge.class);
                to = next.map_or(to, |e| e.to);
            }
            self.results.extend_from_slice(&sum);
        }
    }
}
