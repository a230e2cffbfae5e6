//! How many different results there are, without listing them.
//!
//! A result is what every access returns, and the content at the end. The
//! accesses that return the same content and leave it change places freely, so
//! of their orders only the ascending one is counted; the others, and the
//! content they find, follow one from the other. That counts each result once
//! as long as no content comes back after it was left.

use super::closure::{Closure, bit};
use super::graph::{Edge, Graph};
use super::group::Group;
use super::number::{Count, add_product};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};

/// How many pairs of states are compared at most.
const MAX_PAIRS: u64 = 1 << 24;

/// How many pairs some states make, in 64 bits: a `usize` of the page has 32.
pub(super) fn pairs(states: usize) -> u64 {
    let states = u64::from(to_u32(states));
    states * states / 2
}

/// A look at whether no result has two ways that differ in more than the
/// order of accesses that leave a content as it is.
#[derive(Clone, Debug)]
pub(super) struct Straight {
    /// How many of the states were looked at, ascending by what is left.
    left: usize,
    at: usize,
    /// Where all contents are known: those that are entered from a state on,
    /// and those that may come back after they were left.
    entered: Vec<u128>,
    back: u128,
    /// Where they are not: the states that have a content.
    by_content: Vec<Vec<usize>>,
    content: usize,
    later: usize,
    pairs: u64,
}

impl Straight {
    pub(super) fn new(graph: &Graph, closure: Option<&Closure>) -> Self {
        let mut by_content: Vec<Vec<usize>> = Vec::new();
        let open = closure.is_none() && !graph.is_one_way();
        let states = graph.by_left().iter().flatten().filter(|_| open);
        for state in states {
            let state = to_usize(*state);
            let content = graph.content(state);
            if by_content.len() <= content {
                by_content.resize(content + 1, Vec::new());
            }
            if let Some(states) = by_content.get_mut(content) {
                states.push(state);
            }
        }
        let states = closure.map_or(0, |_| graph.len());
        Self {
            left: 0,
            at: 0,
            entered: alloc::vec![0; states],
            back: 0,
            pairs: by_content.iter().map(|s| pairs(s.len())).sum(),
            by_content,
            content: 0,
            later: 0,
        }
    }

    /// Looks on. The answer once it is known.
    pub(super) fn work(
        &mut self,
        graph: &Graph,
        group: &Group,
        closure: Option<&Closure>,
        budget: &mut usize,
    ) -> Option<bool> {
        let Some(closure) = closure else {
            return self.compare(graph, budget);
        };
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
            self.enter(to_usize(*state), graph, closure);
        }
        let back = self.back;
        Some(back == 0 || only_start_comes_back(back, group, closure))
    }

    /// Notes the contents that may come back after a state.
    fn enter(&mut self, state: usize, graph: &Graph, closure: &Closure) {
        let own = graph.stands_for.get(state).copied().unwrap_or(0);
        let mut mask = 0;
        for edge in graph.edges(state) {
            let beyond = self.entered.get(edge.to).copied().unwrap_or(0);
            mask |= beyond;
            if !edge.stays {
                let turn = closure.turn(edge.class, graph.content(state));
                mask |= turn.map_or(0, |turn| bit(turn.next));
                self.back |= own & beyond;
            }
        }
        if let Some(entered) = self.entered.get_mut(state) {
            *entered = mask;
        }
    }

    /// Compares the states that have the same content: whether it comes back.
    fn compare(&mut self, graph: &Graph, budget: &mut usize) -> Option<bool> {
        if self.pairs > MAX_PAIRS {
            return Some(false);
        }
        while let Some(states) = self.by_content.get(self.content) {
            let Some((before, [later, ..])) = states.split_at_checked(self.later) else {
                self.content += 1;
                self.later = 0;
                continue;
            };
            if *budget == 0 {
                return None;
            }
            self.later += 1;
            *budget = budget.saturating_sub(1 + before.len() / 8);
            let stays = |state: usize, class: usize| {
                let mut edges = graph.edges(state);
                edges.any(|edge| edge.class == class && edge.stays)
            };
            // Those with more left come after those with less.
            let back = |state: &usize| {
                let more = graph.beyond(*later, *state).unwrap_or_default();
                more.iter().any(|class| !stays(*later, *class))
            };
            if before.iter().any(back) {
                return Some(false);
            }
        }
        Some(true)
    }
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
    /// Room for a state's results, and for the ways that keep its content.
    sum: Vec<u64>,
    staying: Vec<Edge>,
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
            sum: Vec::new(),
            staying: Vec::new(),
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
        let mut sum = core::mem::take(&mut self.sum);
        sum.clear();
        sum.resize(self.words, 0);
        let mut staying = core::mem::take(&mut self.staying);
        staying.clear();
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
        (self.sum, self.staying) = (sum, staying);
    }
}
