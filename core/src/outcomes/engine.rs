//! The results of one group, found in slices.

use super::closure::Closure;
use super::count::{Counting, Straight};
use super::graph::{Graph, MOST_STATES};
use super::group::Group;
use super::list::{Lister, Part};
use super::number::Count;
use super::profiles::Profiles;
use super::reach::Reach;
use super::returns::{self, Returns};
use super::sums;
use super::trails::Trails;
use crate::isa::Names;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What is known of a group's results.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// How many there are, where that is known.
    pub(super) count: Option<Count>,
    /// Some of them, or all.
    pub(super) parts: Vec<Part>,
    /// Every content that the group's bytes may have at the end, where that
    /// is known.
    pub(super) contents: Option<Vec<u64>>,
    /// What each access may return, where values are returned and that is
    /// known.
    pub(super) returns: Returns,
}

#[derive(Clone, Debug)]
enum Stage {
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
    /// which contents may stay.
    reach: Reach,
}

impl Engine {
    pub(super) fn new(mut group: Group, limit: usize, names: &Names) -> Self {
        let mut known = Known::default();
        if let Some(sums) = sums::find(&mut group, names) {
            known.count = Some(sums.count);
            known.contents = Some(alloc::vec![sums.content]);
            known.returns = sums.returns;
            let stage = if group.returns {
                Stage::Listing(Lister::new(&mut group, true, names), false)
            } else {
                known.parts = alloc::vec![Part::every(group.units.len())];
                Stage::Done
            };
            return Self {
                group,
                closure: None,
                stage: Box::new(stage),
                limit,
                known,
                reach: Reach::of_all(),
            };
        }
        let mut reach = Reach::of_all();
        if !group.returns
            && let Some(end) = reach.end(&mut group, names)
        {
            known.count = Some(Count::from(1_usize));
            known.contents = Some(alloc::vec![end]);
            known.parts = alloc::vec![Part::every(group.units.len())];
            return Self {
                group,
                closure: None,
                stage: Box::new(Stage::Done),
                limit,
                known,
                reach,
            };
        }
        let mut closure = Closure::find(&mut group, names);
        if let Some(closure) = &closure {
            known.returns = returns::of_closure(&mut group, closure, names);
        }
        let mut stage = Stage::Done;
        let constants = closure.as_ref().filter(|_| !group.returns);
        if let Some(parts) = constants.and_then(|c| last_wins(&group, c, &mut known)) {
            known.parts = parts;
        } else if closure.as_ref().is_some_and(|c| leave_their_own(&group, c)) {
            known.count = Some(Count::factorial(group.units.len()));
            stage = Stage::Listing(Lister::new(&mut group, true, names), false);
        } else {
            closure = closure.and_then(|closure| closure.compared(group.met()));
            stage = Stage::States(Graph::new(&group, closure.as_ref(), group.returns));
        }
        Self {
            group,
            closure,
            stage: Box::new(stage),
            limit,
            known,
            reach,
        }
    }

    /// Works on. Whether all is known that will be.
    pub(super) fn work(&mut self, names: &Names, budget: &mut usize) -> bool {
        while *budget > 0 {
            let stage = core::mem::replace(&mut *self.stage, Stage::Done);
            let closure = self.closure.as_ref();
            *self.stage = match stage {
                Stage::Done => return self.reach(names, budget),
                Stage::States(mut graph) => {
                    graph.work(&mut self.group, closure, names, budget);
                    if !graph.is_done() {
                        Stage::States(graph)
                    } else if graph.len() > MOST_STATES {
                        self.sample(names)
                    } else if !graph.returns {
                        self.known.parts = self.ends(&graph, names);
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
                        Stage::Listing(Lister::new(&mut self.group, true, names), false)
                    }
                },
                Stage::Listing(mut lister, sample) => {
                    match lister.work(&mut self.group, self.limit, names, budget) {
                        None => Stage::Listing(lister, sample),
                        Some(parts) => {
                            self.known.parts = parts;
                            if sample { self.contents() } else { Stage::Done }
                        }
                    }
                }
                Stage::Trails(mut trails, counts) => {
                    let group = &mut self.group;
                    match trails.work(group, self.limit, counts, names, budget) {
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
                    match profiles.work(&mut self.group, names, budget) {
                        None => self.sample(names),
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
                    graph.work(&mut self.group, closure, names, budget);
                    if !graph.is_done() {
                        Stage::Contents(graph)
                    } else {
                        if graph.len() <= MOST_STATES {
                            let _ = self.ends(&graph, names);
                        }
                        Stage::Done
                    }
                }
            };
        }
        false
    }

    /// Finds what results do not tell. Whether all is known that will be.
    fn reach(&mut self, names: &Names, budget: &mut usize) -> bool {
        let (group, known) = (&mut self.group, &mut self.known);
        if group.returns && known.returns.is_empty() {
            match self.reach.work(group, names, budget) {
                None => return false,
                Some(returns) => known.returns = returns,
            }
        }
        if known.contents.is_none() {
            known.contents = self.reach.ends(group, names);
        }
        true
    }

    /// About how much of the work is done.
    pub(super) fn thousandths(&self) -> usize {
        match &*self.stage {
            Stage::States(graph) => graph.thousandths() / 2,
            Stage::Straight(..) => 500,
            Stage::Counting(_, counting) => {
                600 + counting.levels() * 300 / (self.group.units.len() + 1)
            }
            Stage::Profiles(profiles) => 500 + profiles.thousandths() * 2 / 5,
            Stage::Trails(trails, true) => 500 + trails.thousandths() * 2 / 5,
            Stage::Trails(..) | Stage::Listing(..) => 900,
            Stage::Contents(graph) => 900 + graph.thousandths() / 10,
            Stage::Done => 1000,
        }
    }

    /// Some results, where all are too many.
    fn sample(&mut self, names: &Names) -> Stage {
        if self.group.returns && self.tells() {
            return Stage::Trails(Trails::new(&self.group), false);
        }
        Stage::Listing(Lister::new(&mut self.group, false, names), true)
    }

    /// The contents, where results are a sample.
    fn contents(&mut self) -> Stage {
        let closure = self.closure.as_ref();
        if let Some(closure) = closure
            && last_wins(&self.group, closure, &mut self.known).is_some()
        {
            // How many contents there are is not how many results.
            self.known.count = None;
            return Stage::Done;
        }
        if !self.group.returns {
            return Stage::Done;
        }
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
    fn ends(&mut self, graph: &Graph, names: &Names) -> Vec<Part> {
        let ends: Vec<_> = graph.ends().collect();
        let contents = ends.iter().map(|(state, _)| graph.content(*state));
        self.known.contents = Some(contents.map(|c| self.group.content(c)).collect());
        let ends = ends.into_iter().take(self.limit);
        ends.map(|(state, orders)| Part {
            order: graph.order_to(state, &mut self.group, self.closure.as_ref(), names),
            orders: Some(orders),
        })
        .collect()
    }
}

/// Whether every access leaves a content that no other one leaves, whatever it
/// finds, and returned values tell what it found: then these tell the order. One
/// of them may leave the first content: who comes after it is told by the
/// content at the end.
fn leave_their_own(group: &Group, closure: &Closure) -> bool {
    let mut left: Vec<usize> = Vec::new();
    let own = group.classes.iter().enumerate().all(|(class, c)| {
        let content = closure.constant(class);
        let content = content.filter(|content| c.lanes.len() == 1 && !left.contains(content));
        left.extend(content);
        content.is_some()
    });
    own && group.returns && closure.tells()
}

/// Where every access leaves what it leaves whatever it finds, the last one
/// decides.
fn last_wins(group: &Group, closure: &Closure, known: &mut Known) -> Option<Vec<Part>> {
    let all = group.units.len();
    let mut contents: Vec<usize> = Vec::new();
    let mut last: Vec<(usize, usize)> = Vec::new();
    for (class, c) in group.classes.iter().enumerate() {
        let content = closure.constant(class)?;
        let lane = c.lanes.first().copied()?;
        match contents.iter().position(|other| *other == content) {
            Some(at) => {
                if let Some((_, lanes)) = last.get_mut(at) {
                    *lanes += c.lanes.len();
                }
            }
            None => {
                contents.push(content);
                last.push((lane, c.lanes.len()));
            }
        }
    }
    known.count = Some(Count::from(contents.len()));
    known.contents = Some(contents.iter().map(|c| group.content(*c)).collect());
    let parts = last.into_iter().map(|(lane, lanes)| {
        let mut orders = Count::factorial(all - 1);
        orders.multiply(&Count::from(lanes));
        let mut order: Vec<usize> = (0..all).filter(|other| *other != lane).collect();
        order.push(lane);
        Part {
            order,
            orders: Some(orders),
        }
    });
    Some(parts.collect())
}
