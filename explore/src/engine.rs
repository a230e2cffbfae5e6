//! The results of one group, found in slices.

use super::closure::Closure;
use super::constants::{last_wins, leave_their_own};
use super::count::{Counting, Straight};
use super::graph::{Graph, MAX_STATES};
use super::group::Group;
use super::list::{Lister, Part};
use super::number::Count;
use super::profiles::Profiles;
use super::reach::Reach;
use super::returns::{self, Returns};
use super::sums;
use super::trails::Trails;
use alloc::boxed::Box;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// What is known of a group's results.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// How many there are, where that is known.
    pub(super) count: Option<Count>,
    /// Some of them, or all.
    pub(super) parts: Vec<Part>,
    /// Every content that the group's bytes may have at the end, ascending,
    /// where that is known.
    pub(super) contents: Option<Vec<u64>>,
    /// What each access may return, where values are returned and that is
    /// known.
    pub(super) returns: Returns,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Nothing is known.
    Start,
    States(Graph),
    /// Whether results can be counted state by state.
    Straight(Graph, Straight),
    Counting(Graph, Counting),
    Profiles(Profiles),
    /// Results one by one, to be counted, or a sample of them.
    Trails(Trails, bool),
    /// Results one by one; whether they are a sample, and the contents are to
    /// be found after them.
    Listing(Lister, bool),
    /// The contents alone; results are a sample.
    Contents(Graph),
    Done,
}

/// A search for the results of one group.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) group: Group,
    closure: Option<Closure>,
    stage: Box<Stage>,
    limit: usize,
    pub(super) known: Known,
    /// What is asked for when results are known: what accesses may return, and
    /// which contents may stay; whether the latter was asked.
    reach: Reach,
    asked_ends: bool,
}

impl Engine {
    pub(super) fn new(mut group: Group, limit: usize, symbols: &SymbolTable) -> Self {
        let mut known = Known::default();
        let mut stage = Stage::Start;
        if let Some(sums) = sums::find(&mut group, symbols) {
            known.count = Some(sums.count);
            known.contents = Some(alloc::vec![sums.content]);
            known.returns = sums.returns;
            stage = if group.returns {
                Stage::Listing(Lister::new(&mut group, true, symbols), false)
            } else {
                known.parts = alloc::vec![Part::every(group.units.len())];
                Stage::Done
            };
        }
        Self {
            group,
            closure: None,
            stage: Box::new(stage),
            limit,
            known,
            reach: Reach::of_all(),
            asked_ends: false,
        }
    }

    /// Looks what can be told at once, and how to go on.
    fn start(&mut self, symbols: &SymbolTable, budget: &mut usize) -> Stage {
        let (group, known) = (&mut self.group, &mut self.known);
        if !group.returns {
            if self.reach.commuting(group, symbols, budget).is_none() {
                return Stage::Start;
            }
            if let Some(end) = self.reach.end(group, symbols) {
                known.count = Some(Count::from(1_usize));
                known.contents = Some(alloc::vec![end]);
                known.parts = alloc::vec![Part::every(group.units.len())];
                return Stage::Done;
            }
        }
        let closure = Closure::find(group, symbols);
        *budget = budget.saturating_sub(group.met() * group.classes.len());
        let Some(closure) = closure else {
            return Stage::States(Graph::new(group, None, group.returns));
        };
        known.returns = returns::of_closure(group, &closure, symbols);
        if let Some((contents, parts)) = last_wins(group, &closure) {
            known.contents = Some(contents);
            if !group.returns {
                known.count = Some(Count::from(parts.len()));
                known.parts = parts;
                return Stage::Done;
            }
        }
        if leave_their_own(group, &closure) {
            known.count = Some(Count::factorial(group.units.len()));
            self.closure = Some(closure);
            return Stage::Listing(Lister::new(group, true, symbols), false);
        }
        self.closure = closure.compared(group.met());
        Stage::States(Graph::new(group, self.closure.as_ref(), group.returns))
    }

    /// Works on. Whether all is known that will be.
    pub(super) fn work(&mut self, symbols: &SymbolTable, budget: &mut usize) -> bool {
        while *budget > 0 {
            let stage = core::mem::replace(&mut *self.stage, Stage::Done);
            let closure = self.closure.as_ref();
            *self.stage = match stage {
                Stage::Done => return self.reach(symbols, budget),
                Stage::Start => self.start(symbols, budget),
                Stage::States(mut graph) => {
                    graph.work(&mut self.group, closure, symbols, budget);
                    if !graph.is_done() {
                        Stage::States(graph)
                    } else if graph.len() > MAX_STATES {
                        self.sample(symbols)
                    } else if !graph.returns {
                        self.known.parts = self.ends(&graph, symbols);
                        self.known.count = Some(Count::from(graph.ends().count()));
                        Stage::Done
                    } else if self.tells() {
                        let straight = Straight::new(&graph, closure);
                        Stage::Straight(graph, straight)
                    } else {
                        Stage::Profiles(Profiles::new(&self.group))
                    }
                }
                Stage::Straight(graph, mut straight) => {
                    match straight.work(&graph, &self.group, closure, budget) {
                        None => Stage::Straight(graph, straight),
                        Some(true) => {
                            let counting = Counting::new(&graph, &self.group);
                            Stage::Counting(graph, counting)
                        }
                        Some(false) if self.group.classes.len() == self.group.units.len() => {
                            Stage::Trails(Trails::new(&self.group), true)
                        }
                        Some(false) => Stage::Profiles(Profiles::new(&self.group)),
                    }
                }
                Stage::Counting(graph, mut counting) => match counting.work(&graph, budget) {
                    None => Stage::Counting(graph, counting),
                    Some(count) => {
                        self.known.count = Some(count);
                        Stage::Listing(Lister::new(&mut self.group, true, symbols), false)
                    }
                },
                Stage::Listing(mut lister, sample) => {
                    match lister.work(&mut self.group, self.limit, symbols, budget) {
                        None => Stage::Listing(lister, sample),
                        Some(parts) => {
                            self.known.parts = parts;
                            if sample { self.contents() } else { Stage::Done }
                        }
                    }
                }
                Stage::Trails(mut trails, counts) => {
                    let group = &mut self.group;
                    match trails.work(group, self.limit, counts, symbols, budget) {
                        None => Stage::Trails(trails, counts),
                        Some(walked) => {
                            self.known.parts = walked.parts;
                            self.known.count = walked.count;
                            match self.known.count {
                                Some(_) => Stage::Done,
                                None => self.contents(),
                            }
                        }
                    }
                }
                Stage::Profiles(mut profiles) => {
                    match profiles.work(&mut self.group, symbols, budget) {
                        None => self.sample(symbols),
                        Some(false) => Stage::Profiles(profiles),
                        Some(true) => match profiles.results(&self.group, self.limit, budget) {
                            None => Stage::Profiles(profiles),
                            Some((count, parts)) => {
                                self.known.parts = parts;
                                self.known.count = Some(count);
                                Stage::Done
                            }
                        },
                    }
                }
                Stage::Contents(mut graph) => {
                    graph.work(&mut self.group, closure, symbols, budget);
                    if !graph.is_done() {
                        Stage::Contents(graph)
                    } else {
                        if graph.len() <= MAX_STATES {
                            let _ = self.ends(&graph, symbols);
                        }
                        Stage::Done
                    }
                }
            };
        }
        false
    }

    /// Finds what results do not tell. Whether all is known that will be.
    fn reach(&mut self, symbols: &SymbolTable, budget: &mut usize) -> bool {
        let (group, known) = (&mut self.group, &mut self.known);
        let asks = group.returns && known.returns.is_empty();
        let asks_ends = known.contents.is_none() && !self.asked_ends;
        if (asks || asks_ends) && self.reach.commuting(group, symbols, budget).is_none() {
            return false;
        }
        if asks {
            match self.reach.work(group, symbols, budget) {
                None => return false,
                Some(returns) => known.returns = returns,
            }
        }
        if asks_ends {
            if *budget == 0 {
                return false;
            }
            self.asked_ends = true;
            known.contents = self.reach.ends(group, symbols);
            self.reach.charge(budget);
        }
        true
    }

    /// About how much of the work is done.
    pub(super) fn permille(&self) -> usize {
        match &*self.stage {
            Stage::Start => 0,
            Stage::States(graph) => graph.permille() / 2,
            Stage::Straight(..) => 500,
            Stage::Counting(_, counting) => {
                600 + counting.levels() * 300 / (self.group.units.len() + 1)
            }
            Stage::Profiles(profiles) => 500 + profiles.permille() * 2 / 5,
            Stage::Trails(trails, true) => 500 + trails.permille() * 2 / 5,
            Stage::Trails(..) | Stage::Listing(..) => 900,
            Stage::Contents(graph) => 900 + graph.permille() / 10,
            Stage::Done => 1000,
        }
    }

    /// Some results, where all are too many.
    fn sample(&mut self, symbols: &SymbolTable) -> Stage {
        if self.group.returns && self.tells() {
            return Stage::Trails(Trails::new(&self.group), false);
        }
        Stage::Listing(Lister::new(&mut self.group, false, symbols), true)
    }

    /// The contents, where results are a sample.
    fn contents(&mut self) -> Stage {
        if self.known.contents.is_some() || !self.group.returns {
            return Stage::Done;
        }
        let closure = self.closure.as_ref();
        Stage::Contents(Graph::new(&self.group, closure, false))
    }

    /// Whether returned values tell the contents that were found.
    fn tells(&self) -> bool {
        match &self.closure {
            Some(closure) => closure.tells(),
            None => self.group.returns_old,
        }
    }

    /// The contents at the end as results.
    fn ends(&mut self, graph: &Graph, symbols: &SymbolTable) -> Vec<Part> {
        let ends: Vec<_> = graph.ends().collect();
        let contents = ends.iter().map(|(state, _)| graph.content(*state));
        let mut contents: Vec<u64> = contents.map(|c| self.group.content(c)).collect();
        contents.sort_unstable();
        self.known.contents = Some(contents);
        let ends = ends.into_iter().take(self.limit);
        ends.map(|(state, orders)| Part {
            order: graph.order_to(state, &mut self.group, self.closure.as_ref(), symbols),
            orders: Some(orders),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
