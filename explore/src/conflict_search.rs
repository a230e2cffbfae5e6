//! Incremental search for the results of a conflict set.
//!
//! 1. Accesses that only add, without wrapping, are counted by a formula.
//! 2. Without returned values, the results are the final contents: the states of a
//!    graph without lanes left.
//! 3. With returned values, results are counted along the edges of the graph if no
//!    content recurs (`counting`), and otherwise by the history of returned values
//!    (`histories`).
//! 4. If that is too much, some results are listed, and the final contents and possible
//!    returned values are searched separately.

use crate::budget::Budget;
use crate::conflict_set::{ConflictSet, sorted};
use crate::counting::{Counting, RecurrenceCheck};
use crate::distribution::{Distribution, DistributionSearch};
use crate::graph::{Contents, Graph};
use crate::histories::{End, Histories};
use crate::listing::{Listing, SetResult};
use crate::number::Count;
use crate::reachability::{Reachability, Returns};
use crate::transitions::TransitionTable;
use alloc::boxed::Box;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;
use lanewise_core::number::low_mask;

/// Known results of a conflict set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// Number of results.
    pub(crate) count: Option<Count>,
    /// All results, or a sample.
    pub(crate) results: Vec<SetResult>,
    /// All possible final contents, ascending.
    pub(crate) contents: Option<Vec<u64>>,
    /// Possible returned values of each lane; empty if nothing is returned.
    pub(crate) returns: Returns,
    pub(crate) distribution: Option<Distribution>,
}

#[derive(Clone, Debug)]
enum Phase {
    Start,
    States(Graph),
    Recurrence(Graph, RecurrenceCheck),
    Counting(Graph, Counting),
    Histories(Histories),
    /// Listing of results; the flag says whether all of them are known.
    Listing(Listing, bool),
    /// Final contents, if the results are a sample.
    Ends(Graph),
    Returns,
    Distribution(DistributionSearch),
    Done,
}

/// Search for the results of a conflict set.
#[derive(Clone, Debug)]
pub(crate) struct ConflictSearch {
    pub(crate) set: ConflictSet,
    contents: Option<Contents>,
    phase: Box<Phase>,
    /// Maximum number of listed results.
    limit: usize,
    wants_distribution: bool,
    pub(crate) known: Known,
    reachability: Reachability,
}

impl ConflictSearch {
    pub(crate) fn new(set: ConflictSet, limit: usize, wants_distribution: bool) -> Self {
        Self {
            set,
            contents: None,
            phase: Box::new(Phase::Start),
            limit,
            wants_distribution,
            known: Known::default(),
            reachability: Reachability::of_all_lanes(),
        }
    }

    /// Determines what is known immediately, and the search for the rest.
    fn start(&mut self, symbols: &SymbolTable, budget: &mut Budget) -> Phase {
        let (set, known) = (&mut self.set, &mut self.known);
        if let Some(sum) = sum(set, symbols) {
            known.count = Some(sum.count);
            known.contents = Some(alloc::vec![sum.content]);
            if set.returns {
                return Phase::Listing(Listing::new(set, true, symbols), true);
            }
            known.results = alloc::vec![SetResult::of_any_order(set.len())];
            return Phase::Returns;
        }
        if !set.returns
            && let Some(end) = self.reachability.end(set, symbols, budget)
        {
            known.count = Some(Count::from(1_usize));
            known.contents = Some(alloc::vec![end]);
            known.results = alloc::vec![SetResult::of_any_order(set.len())];
            return Phase::Returns;
        }
        let Some(table) = TransitionTable::build(set, symbols, budget) else {
            return Phase::States(Graph::new(set, None, set.returns));
        };
        if set.contents_len() == 1 {
            // Nothing is changed, so nothing can be observed.
            known.count = Some(Count::from(1_usize));
            known.contents = Some(alloc::vec![set.content(0)]);
            known.results = alloc::vec![SetResult::of_any_order(set.len())];
            self.contents = contents(table, budget);
            return Phase::Returns;
        }
        if let Some(constants) = table.constants() {
            known.contents = Some(contents_of(&constants, set));
            if !set.returns {
                known.results = last_writers(&constants, set);
                known.count = Some(Count::from(known.results.len()));
                known.results.truncate(self.limit.max(1));
                return Phase::Returns;
            }
            if set.classes.len() == set.len()
                && known.contents.as_ref().map(Vec::len) == Some(set.len())
                && table.is_injective()
            {
                // Each lane leaves a different content, so the returned values determine
                // the order. A lane can leave the initial content; the final content then
                // determines which lane follows it.
                known.count = Some(Count::factorial(set.len()));
                self.contents = contents(table, budget);
                return Phase::Listing(Listing::new(set, true, symbols), true);
            }
        }
        self.contents = contents(table, budget);
        Phase::States(Graph::new(set, self.contents.as_ref(), set.returns))
    }

    /// Continues; returns whether the search is finished.
    pub(crate) fn work(&mut self, symbols: &SymbolTable, budget: &mut Budget) -> bool {
        while !budget.is_spent() {
            let phase = core::mem::replace(&mut *self.phase, Phase::Done);
            if matches!(phase, Phase::Done) {
                return true;
            }
            *self.phase = self.step(phase, symbols, budget);
        }
        matches!(*self.phase, Phase::Done)
    }

    fn step(&mut self, phase: Phase, symbols: &SymbolTable, budget: &mut Budget) -> Phase {
        let contents = self.contents.as_ref();
        let (set, known) = (&mut self.set, &mut self.known);
        match phase {
            Phase::Done => Phase::Done,
            Phase::Start => self.start(symbols, budget),
            Phase::States(mut graph) => {
                graph.work(set, contents, symbols, budget);
                if graph.is_too_large() {
                    self.sample(symbols)
                } else if !graph.is_done() {
                    Phase::States(graph)
                } else if !set.returns {
                    self.note_ends(&graph, symbols);
                    Phase::Returns
                } else if self.is_injective() {
                    let check = RecurrenceCheck::new(&graph, self.contents.as_ref());
                    Phase::Recurrence(graph, check)
                } else {
                    Phase::Histories(Histories::new(&self.set))
                }
            }
            Phase::Recurrence(graph, mut check) => {
                match check.work(&graph, set, contents, budget) {
                    None => Phase::Recurrence(graph, check),
                    Some(true) => Phase::Histories(Histories::new(set)),
                    Some(false) => {
                        let counting = Counting::new(&graph, set);
                        Phase::Counting(graph, counting)
                    }
                }
            }
            Phase::Counting(graph, mut counting) => match counting.work(&graph, budget) {
                None => Phase::Counting(graph, counting),
                Some(count) => {
                    known.count = Some(count);
                    Phase::Listing(Listing::new(set, true, symbols), true)
                }
            },
            Phase::Histories(mut histories) => {
                match histories.work(set, contents, symbols, budget) {
                    None => Phase::Histories(histories),
                    Some(End::TooMany) => self.sample(symbols),
                    Some(End::Complete) => {
                        let (count, results) =
                            histories.results(set, contents, self.limit, symbols, budget);
                        known.count = Some(count);
                        known.results = results;
                        self.ends()
                    }
                }
            }
            Phase::Listing(mut listing, is_all) => {
                match listing.work(set, self.limit, symbols, budget) {
                    None => Phase::Listing(listing, is_all),
                    Some(results) => {
                        known.results = results;
                        if !is_all {
                            self.drop_equal_results(symbols, budget);
                        }
                        self.ends()
                    }
                }
            }
            Phase::Ends(mut graph) => {
                graph.work(set, contents, symbols, budget);
                if graph.is_too_large() {
                    known.contents = self.reachability.end_contents(set, symbols, budget);
                    return Phase::Returns;
                }
                if !graph.is_done() {
                    return Phase::Ends(graph);
                }
                known.contents = Some(end_contents(&graph, set));
                Phase::Returns
            }
            Phase::Returns => {
                if set.returns {
                    match self.reachability.work(set, symbols, budget) {
                        None => return Phase::Returns,
                        Some(returns) => known.returns = returns,
                    }
                }
                if self.wants_distribution {
                    Phase::Distribution(DistributionSearch::new(set))
                } else {
                    Phase::Done
                }
            }
            Phase::Distribution(mut search) => match search.work(set, contents, symbols, budget) {
                None => Phase::Distribution(search),
                Some(distribution) => {
                    known.distribution = distribution;
                    Phase::Done
                }
            },
        }
    }

    /// Approximate progress in thousandths.
    pub(crate) fn permille(&self) -> usize {
        match &*self.phase {
            Phase::Start => 0,
            Phase::States(graph) => graph.permille() / 2,
            Phase::Recurrence(..) => 500,
            Phase::Counting(_, counting) => 600 + counting.layers() * 200 / (self.set.len() + 1),
            Phase::Histories(histories) => 500 + histories.permille() * 3 / 10,
            Phase::Listing(..) => 800,
            Phase::Ends(graph) => 800 + graph.permille() / 10,
            Phase::Returns => 900,
            Phase::Distribution(_) => 950,
            Phase::Done => 1000,
        }
    }

    /// Lists a sample if there are too many results.
    fn sample(&mut self, symbols: &SymbolTable) -> Phase {
        let listing = Listing::new(&mut self.set, false, symbols);
        Phase::Listing(listing, false)
    }

    /// Searches the final contents if the results do not contain all of them.
    fn ends(&mut self) -> Phase {
        if self.known.contents.is_some() {
            return Phase::Returns;
        }
        Phase::Ends(Graph::new(&self.set, self.contents.as_ref(), false))
    }

    /// Whether returned values identify the previous contents.
    fn is_injective(&self) -> bool {
        match &self.contents {
            Some(contents) => contents.table.is_injective(),
            None => self.set.returns_content,
        }
    }

    /// The final contents as results.
    fn note_ends(&mut self, graph: &Graph, symbols: &SymbolTable) {
        let (set, contents) = (&mut self.set, self.contents.as_ref());
        self.known.contents = Some(end_contents(graph, set));
        self.known.count = Some(Count::from(graph.ends().count()));
        let ends = graph.ends().take(self.limit.max(1));
        let results = ends.map(|(state, orders)| SetResult {
            order: graph.order_to(state, set, contents, symbols),
            orders: Some(orders),
        });
        self.known.results = results.collect();
    }

    /// Removes duplicate results from a sample.
    fn drop_equal_results(&mut self, symbols: &SymbolTable, budget: &mut Budget) {
        let set = &mut self.set;
        let mut seen: Vec<Vec<u64>> = Vec::new();
        self.known.results.retain(|result| {
            budget.spend(set.len());
            let mut key = alloc::vec![0; set.len() + 1];
            let mut content = 0;
            for lane in &result.order {
                let transition = set.apply(set.class_of[*lane], content, symbols);
                key[*lane] = transition.returned;
                content = transition.next;
            }
            key[set.len()] = set.content(content);
            match seen.binary_search(&key) {
                Ok(_) => false,
                Err(at) => {
                    seen.insert(at, key);
                    true
                }
            }
        });
    }
}

fn contents(table: TransitionTable, budget: &mut Budget) -> Option<Contents> {
    let merges = table.merges(budget)?;
    Some(Contents { table, merges })
}

fn end_contents(graph: &Graph, set: &ConflictSet) -> Vec<u64> {
    let contents = graph
        .ends()
        .map(|(state, _)| set.content(graph.content(state)));
    sorted(contents.collect())
}

fn contents_of(constants: &[usize], set: &ConflictSet) -> Vec<u64> {
    sorted(
        constants
            .iter()
            .map(|number| set.content(*number))
            .collect(),
    )
}

/// The results if every lane always leaves the same content: the last lane determines
/// the result.
fn last_writers(constants: &[usize], set: &ConflictSet) -> Vec<SetResult> {
    let mut results: Vec<(usize, SetResult)> = Vec::new();
    for (class, content) in set.classes.iter().zip(constants) {
        let mut orders = Count::factorial(set.len() - 1);
        orders.multiply(&Count::from(class.lanes.len()));
        match results.iter_mut().find(|(other, _)| other == content) {
            Some((_, result)) => {
                let known = result.orders.as_mut().expect("the orders were counted");
                known.add(&orders);
            }
            None => {
                let last = class.lanes[0];
                let mut order: Vec<usize> = (0..set.len()).filter(|lane| *lane != last).collect();
                order.push(last);
                let orders = Some(orders);
                results.push((*content, SetResult { order, orders }));
            }
        }
    }
    results.into_iter().map(|(_, result)| result).collect()
}

/// Immediately known results of accesses that only add.
struct Sum {
    count: Count,
    content: u64,
}

/// The results of accesses that only add in the same direction without wrapping, so no
/// content recurs.
fn sum(set: &ConflictSet, symbols: &SymbolTable) -> Option<Sum> {
    let addends = set.addends(symbols)?;
    let mask = low_mask(u32::from(set.bytes) * 8);
    let up: Vec<u64> = set.class_of.iter().map(|class| addends[*class]).collect();
    let down: Vec<u64> = up
        .iter()
        .map(|addend| addend.wrapping_neg() & mask)
        .collect();
    let is_short = |ways: &[u64]| {
        let way: u128 = ways.iter().copied().map(u128::from).sum();
        way <= u128::from(mask)
    };
    if !is_short(&up) && !is_short(&down) {
        return None;
    }
    let mut count = Count::from(1_usize);
    if set.returns {
        // Lanes that add 0 can find any of the contents.
        let moving = up.iter().filter(|addend| **addend != 0).count();
        count = Count::factorial(moving);
        for _ in moving..set.len() {
            count.multiply(&Count::from(moving + 1));
        }
    }
    let sum = up
        .iter()
        .fold(set.content(0), |sum, addend| sum.wrapping_add(*addend));
    let content = sum & mask;
    Some(Sum { count, content })
}

/// An order of the lanes that ends with a content, if found; otherwise, whether absence
/// is proven.
pub(crate) fn order_of_content(
    set: &mut ConflictSet,
    content: u64,
    symbols: &SymbolTable,
) -> (Option<Vec<usize>>, bool) {
    set.returns = false;
    let mut search = ConflictSearch::new(set.clone(), usize::MAX, false);
    search.work(symbols, &mut Budget::new(crate::DEFAULT_WORK));
    // All final contents, if known.
    let contents = &search.known.contents;
    let is_impossible = contents
        .as_ref()
        .is_some_and(|contents| !contents.contains(&content));
    let mut results = search.known.results.into_iter();
    let order = results.find_map(|result| {
        let end = result.order.iter().fold(0, |at, lane| {
            set.apply(set.class_of[*lane], at, symbols).next
        });
        (set.content(end) == content).then_some(result.order)
    });
    (order, is_impossible)
}
