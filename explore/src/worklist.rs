//! States of a program with branches that wait to be continued, by the number
//! of their next issue, and the results that were reached.
//!
//! A state runs on by itself as long as no lanes conflict. Where they do it
//! waits, so that equal states of the same issue become one. States form a tree
//! by the first way that led to each of them: one that is equal to a state on
//! its own way closes a cycle and is not continued. Every infinite run has such
//! a state, because states are finite.

use crate::budget::Budget;
use crate::number::{Count, add_known};
use crate::outcome::{Outcome, Run};
use crate::states::StateList;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::machine::Machine;
use lanewise_core::program::Program;

/// Work of one issue without conflicts, in units, apart from its accesses.
const ISSUE_WORK: usize = 8;

/// The most words of a number of orders: about 20,000 decimal digits.
const MAX_ORDER_WORDS: usize = 1024;

/// The most issues of one state, and of all, that are run when a search stops
/// early.
const MAX_ISSUES_AT_STOP: u32 = 1 << 12;
const MAX_ALL_ISSUES_AT_STOP: u32 = 1 << 16;

/// Limits of the waiting states and the results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorklistLimits {
    pub(crate) waiting: usize,
    pub(crate) listed: usize,
    pub(crate) results: usize,
    pub(crate) bytes: usize,
    pub(crate) rows: usize,
}

/// Index of a node of the tree; None is above its root.
pub(crate) type NodeId = Option<u32>;

#[derive(Clone, Copy, Debug)]
struct Node {
    fingerprint: u64,
    parent: NodeId,
}

/// States of one issue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    states: StateList,
    /// The node of each state.
    nodes: Vec<NodeId>,
}

/// A state that runs on. Finds its own cycles as Brent's algorithm does.
#[derive(Clone, Debug)]
struct Stretch {
    run: Run,
    parent: NodeId,
    /// Fingerprint of an earlier state, and the issues since then.
    anchor: u64,
    since: u32,
    /// How many issues after it the anchor is replaced.
    until: u32,
}

impl Stretch {
    fn new(run: Run, parent: NodeId) -> Self {
        Self {
            anchor: run.fingerprint,
            run,
            parent,
            since: 0,
            until: 1,
        }
    }

    /// Notes an issue. Whether the state is one that it was in before.
    fn recurs(&mut self) -> bool {
        if self.run.fingerprint == self.anchor {
            return true;
        }
        self.since += 1;
        if self.since == self.until {
            self.anchor = self.run.fingerprint;
            self.since = 0;
            self.until = self.until.saturating_mul(2);
        }
        false
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Worklist {
    limits: WorklistLimits,
    layers: BTreeMap<u32, Layer>,
    /// States, bytes and rows of all layers.
    waiting: usize,
    bytes: usize,
    rows: usize,
    stretch: Option<Stretch>,
    /// The machine of the only state that waits, and its issue.
    only: Option<(u32, Machine)>,
    nodes: Vec<Node>,
    fingerprints: BTreeSet<u64>,
    pub(crate) results: StateList,
    /// Orders that lead to results.
    pub(crate) orders: Option<Count>,
    /// Whether a result is [unfinished](Outcome::is_unfinished).
    pub(crate) is_unfinished: bool,
    /// Whether states were dropped at the limit.
    pub(crate) is_partial: bool,
    pub(crate) has_cycle: bool,
}

impl Worklist {
    /// The start of a program.
    pub(crate) fn new(program: &Program, limits: WorklistLimits) -> Self {
        let start = Outcome::start(Some(Count::from(1_usize)));
        let mut worklist = Self {
            limits,
            layers: BTreeMap::new(),
            waiting: 0,
            bytes: 0,
            rows: 0,
            stretch: None,
            only: None,
            nodes: Vec::new(),
            fingerprints: BTreeSet::new(),
            results: StateList::default(),
            orders: Some(Count::default()),
            is_unfinished: false,
            is_partial: false,
            has_cycle: false,
        };
        worklist.start(Run::from(program, start, 0), None);
        worklist
    }

    /// Whether the results are complete.
    pub(crate) const fn is_exact(&self) -> bool {
        !self.is_partial && !self.has_cycle
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.stretch.is_some()
    }

    pub(crate) fn has_room(&self) -> bool {
        self.waiting < self.limits.waiting
            && self.bytes + self.results.bytes() < self.limits.bytes
            && self.rows + self.results.rows() < self.limits.rows
            && self.nodes.len() < self.limits.rows
            && self.results.found() < self.limits.results
    }

    pub(crate) fn fingerprint(&self, node: NodeId) -> u64 {
        node.map_or(0, |node| self.nodes[to_usize(node)].fingerprint)
    }

    /// Continues a state that comes from a node.
    pub(crate) fn start(&mut self, mut run: Run, parent: NodeId) {
        let orders = run.outcome.orders.take();
        run.outcome.orders = orders.filter(|orders| orders.words().len() <= MAX_ORDER_WORDS);
        self.stretch = Some(Stretch::new(run, parent));
    }

    /// Runs the state that was started on, to an issue whose order may matter
    /// or to its end. Whether there was one.
    pub(crate) fn advance(&mut self, program: &Program, budget: &mut Budget) -> bool {
        let Some(mut stretch) = self.stretch.take() else {
            return false;
        };
        while !budget.is_spent() {
            let run = &mut stretch.run;
            if run.fault_ahead(program).is_some() || run.issue.is_none() {
                self.add_result(stretch.run.into_result());
                return true;
            }
            budget.spend(ISSUE_WORK + run.accesses().len());
            if run.has_conflicts() {
                self.wait(stretch, budget);
                return true;
            }
            run.perform(program, false);
            if stretch.recurs() {
                self.has_cycle = true;
                return true;
            }
        }
        self.stretch = Some(stretch);
        true
    }

    fn wait(&mut self, stretch: Stretch, budget: &mut Budget) {
        let Run {
            machine,
            outcome,
            index,
            fingerprint,
            ..
        } = stretch.run;
        let has_room = self.has_room();
        let is_only = self.layers.is_empty();
        self.only = None;
        // Equal states have equal fingerprints.
        let is_known = self.fingerprints.contains(&fingerprint);
        let closes_cycle = is_known && self.is_on_way(fingerprint, stretch.parent, budget);
        let layer = self.layers.entry(index).or_default();
        let before = (layer.states.bytes(), layer.states.rows());
        if is_known && layer.states.contains(&outcome) {
            layer.states.add(outcome, false);
        } else if closes_cycle {
            self.has_cycle = true;
        } else if !has_room {
            self.is_partial = true;
        } else {
            layer.states.add(outcome, true);
            layer.nodes.push(Some(to_u32(self.nodes.len())));
            self.waiting += 1;
            self.nodes.push(Node {
                fingerprint,
                parent: stretch.parent,
            });
            self.fingerprints.insert(fingerprint);
            self.only = is_only.then_some((index, machine));
        }
        self.bytes += layer.states.bytes() - before.0;
        self.rows += layer.states.rows() - before.1;
    }

    /// Whether a node or one above it has a fingerprint. Different states that
    /// share one make a search incomplete, never wrong.
    fn is_on_way(&self, fingerprint: u64, mut node: NodeId, budget: &mut Budget) -> bool {
        let mut passed = 0_usize;
        let mut found = false;
        while let Some(Node {
            fingerprint: own,
            parent,
        }) = node.map(|node| self.nodes[to_usize(node)])
            && !found
        {
            found = own == fingerprint;
            node = parent;
            passed += 1;
        }
        budget.spend(passed / 16);
        found
    }

    /// Takes the states of the earliest issue, and their nodes.
    pub(crate) fn next_layer(&mut self) -> Option<(u32, Vec<Outcome>, Vec<NodeId>)> {
        let (issue, layer) = self.layers.pop_first()?;
        self.waiting -= layer.nodes.len();
        self.bytes -= layer.states.bytes();
        self.rows -= layer.states.rows();
        Some((issue, layer.states.kept, layer.nodes))
    }

    /// Takes the machine of a state if it is the only one.
    pub(crate) fn take_machine(&mut self, issue: u32) -> Option<Machine> {
        let only = self.only.take_if(|(only, _)| *only == issue);
        only.map(|(_, machine)| machine)
    }

    fn add_result(&mut self, result: Outcome) {
        let is_first = self.results.found() == 0;
        if !is_first && !self.has_room() && !self.results.contains(&result) {
            self.is_partial = true;
            return;
        }
        self.is_unfinished |= result.is_unfinished();
        add_known(&mut self.orders, result.orders.as_ref());
        let is_kept = self.results.found() < self.limits.listed;
        self.results.add(result, is_kept);
    }

    /// Runs states to their ends, in the program's own orders, as far as they
    /// end soon; the others are dropped. `states` are before the issue `issue`.
    pub(crate) fn stop(
        &mut self,
        program: &Program,
        task: Option<Run>,
        states: impl IntoIterator<Item = Outcome>,
        issue: u32,
    ) {
        self.is_partial = true;
        let mut left = MAX_ALL_ISSUES_AT_STOP;
        let stretch = self.stretch.take().map(|stretch| stretch.run);
        for run in stretch.into_iter().chain(task) {
            self.finish(program, run, &mut left);
        }
        for state in states {
            self.finish_state(program, state, issue, &mut left);
        }
        while let Some((issue, states, _)) = self.next_layer() {
            for state in states {
                self.finish_state(program, state, issue, &mut left);
            }
        }
        self.orders = None;
        for result in &mut self.results.kept {
            result.orders = None;
        }
    }

    fn finish_state(&mut self, program: &Program, state: Outcome, issue: u32, left: &mut u32) {
        if *left > 0 {
            self.finish(program, Run::from(program, state, issue), left);
        }
    }

    /// Runs a state to its end, if that is near.
    fn finish(&mut self, program: &Program, mut run: Run, left: &mut u32) {
        let first = run.index;
        let has_ended = run.finish(program, MAX_ISSUES_AT_STOP.min(*left));
        // A run that ends at once takes time too.
        *left = left.saturating_sub(run.index - first + 16);
        if has_ended {
            self.add_result(run.into_result());
        }
    }
}
