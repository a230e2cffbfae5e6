//! A search through a whole program, issue by issue: from every machine state
//! before an issue to every state after it.
//!
//! A program without branches issues the same instructions in every order, so
//! that its last one is known: its results are counted without being made.
//! States of other programs come from a [`Worklist`].

use crate::budget::Budget;
use crate::conflict_search::ConflictSearch;
use crate::conflict_set::sorted;
use crate::distribution::Distribution;
use crate::listing::SetResult;
use crate::number::{Count, add_known};
use crate::outcome::{
    LaneSchedule, MAX_RETURNED_BYTES, Outcome, Run, differing_bytes, fingerprint,
};
use crate::reachability::Returns;
use crate::states::StateList;
use crate::worklist::{NodeId, Worklist, WorklistLimits};
use crate::{Conflict, DEFAULT_WORK, Progress, SearchResult};
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::visa::op::FlowKind;
use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, ScratchExecutor};

/// Maximum number of machine states kept between two instructions, unless more results
/// are requested.
const MAX_STATES_BETWEEN: usize = 4096;

/// Maximum number of results that are listed or distinguished individually.
const MAX_RESULTS: usize = 1 << 16;

/// Maximum number of reported conflict sets.
const MAX_CONFLICTS: usize = 4096;

/// Approximate maximum memory of the states after an instruction, in bytes.
const MAX_STATE_BYTES: usize = 48 << 20;

/// Maximum number of rows that distinguish states: 24 MB.
const MAX_ROWS: usize = 1 << 20;

/// Maximum number of instructions to run when a search stops early.
const MAX_RUNS_AT_STOP: usize = 4096;

/// Work units per state transition.
const STATE_WORK: usize = 64;

/// One state's way through an issue.
#[derive(Clone, Debug)]
struct Task {
    /// The state; its outcome is taken with the last combination.
    run: Run,
    searches: Vec<ConflictSearch>,
    /// Whether the state is the only one.
    is_only: bool,
    /// Once all results of the sets are known: the index of the next result of each set,
    /// and the number of combinations made.
    combination: Option<Vec<usize>>,
    made: usize,
}

/// Incremental search for all results of a program.
#[derive(Clone, Debug)]
pub struct Search {
    program: Rc<Program>,
    limit: usize,
    wants_distributions: bool,
    /// Work done and its limit, in units.
    spent: u64,
    work: u64,
    /// The last reported progress.
    permille: u32,
    /// Issues of a program without branches.
    straight: Option<usize>,
    /// The states of a program with branches.
    worklist: Option<Worklist>,
    /// The states before the issue, and their nodes in the worklist.
    states: Vec<Outcome>,
    nodes: Vec<NodeId>,
    /// The states after it, in a program without branches.
    next: StateList,
    /// How many results there are, at the end.
    found: usize,
    /// Index of the issue that follows the states.
    layer: usize,
    /// Index of the current state.
    at: usize,
    task: Option<Task>,
    /// Whether the last instruction has the same results in all states.
    is_independent: bool,
    is_done: bool,
    is_complete: bool,
    /// Whether a result is [unfinished](Outcome::is_unfinished).
    is_unfinished: bool,
    count: Option<Count>,
    /// Numbers of orders of the preceding instructions, and of this one so far.
    orders: Option<Count>,
    orders_here: Option<Count>,
    conflicts: Vec<Conflict>,
    scratch: ScratchExecutor,
}

impl Search {
    /// Creates a search that lists at most `limit` results, but never more than 65,536.
    #[must_use]
    pub fn new(program: Rc<Program>, limit: usize) -> Self {
        let limit = limit.min(MAX_RESULTS);
        let straight = straight_issues(&program);
        let limits = WorklistLimits {
            waiting: MAX_STATES_BETWEEN.max(limit),
            listed: limit,
            results: MAX_RESULTS,
            bytes: MAX_STATE_BYTES,
            rows: MAX_ROWS,
        };
        let states = match straight {
            Some(_) => alloc::vec![Outcome::start(Some(Count::from(1_usize)))],
            None => Vec::new(),
        };
        Self {
            worklist: straight.is_none().then(|| Worklist::new(&program, limits)),
            nodes: alloc::vec![None; states.len()],
            states,
            is_done: straight == Some(0),
            straight,
            program,
            limit,
            wants_distributions: false,
            spent: 0,
            permille: 0,
            work: DEFAULT_WORK,
            next: StateList::default(),
            // An empty program has one result.
            found: 1,
            layer: 0,
            at: 0,
            task: None,
            is_independent: false,
            is_complete: true,
            is_unfinished: false,
            count: None,
            orders: Some(Count::from(1_usize)),
            orders_here: Some(Count::default()),
            conflicts: Vec::new(),
            scratch: ScratchExecutor::default(),
        }
    }

    /// Sets the work limit in units. The search stops when it is reached, see
    /// [`Search::stop`].
    #[must_use]
    pub fn with_work(mut self, units: u64) -> Self {
        self.work = units;
        self
    }

    /// Also computes [`Conflict::distribution`].
    #[must_use]
    pub fn with_distributions(mut self) -> Self {
        self.wants_distributions = true;
        self
    }

    /// Continues for about `units` work units.
    pub fn work(&mut self, units: u64) -> Progress {
        let left = self.work.saturating_sub(self.spent);
        let mut budget = Budget::new(units.min(left));
        let program = Rc::clone(&self.program);
        while !self.is_done && !budget.is_spent() {
            if let Some(worklist) = &mut self.worklist
                && worklist.advance(&program, &mut budget)
            {
                continue;
            }
            if let Some(mut task) = self.task.take() {
                let mut searches = task.searches.iter_mut();
                let is_known = searches.all(|search| search.work(&program.symbols, &mut budget));
                if is_known && self.finish_task(&mut task, &mut budget) {
                    // The results of one state apply to all.
                    self.at = if self.is_independent {
                        self.states.len()
                    } else {
                        self.at + 1
                    };
                } else {
                    self.task = Some(task);
                }
            } else if self.at < self.states.len() {
                if self.at == 0 {
                    self.is_independent = self.find_is_independent(&mut budget);
                }
                self.start_task(&mut budget);
            } else {
                self.finish_layer();
            }
        }
        self.spent = self.spent.saturating_add(budget.spent());
        if self.spent >= self.work {
            self.stop();
        }
        // New known work can exceed the work done since; never report less progress.
        self.permille = self.permille.max(self.permille());
        Progress {
            done: self.is_done,
            issue: self.layer,
            state: self.at,
            states: self.states.len(),
            permille: self.permille,
        }
    }

    /// Work done, in units.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Approximate progress of the known work, in thousandths.
    fn permille(&self) -> u32 {
        if self.is_done {
            return 1000;
        }
        let Some(issues) = self.straight else {
            // How many issues follow is not known.
            let permille = self.spent.saturating_mul(1000) / self.work.max(1);
            return u32::try_from(permille.min(999)).expect("999 at most");
        };
        let of = |part: usize, done: usize, all: usize| (done * 1000 + part) / all.max(1);
        let task = self.task.as_ref().map_or(0, |task| {
            let parts = task.searches.iter().map(ConflictSearch::permille);
            parts.sum::<usize>() / task.searches.len().max(1)
        });
        let instruction = of(task, self.at, self.states.len());
        let all = of(instruction.min(1000), self.layer, issues);
        to_u32(all.min(1000))
    }

    /// Continues to the end or the work limit.
    pub fn finish(&mut self) {
        while !self.work(1 << 20).done {}
    }

    /// Ends the search early: the states so far are run to the end in program order and
    /// the program's own orders, are results. It is not complete then. States of
    /// a program with branches are dropped if their ends are not near.
    pub fn stop(&mut self) {
        if self.is_done {
            return;
        }
        let task = self.task.take();
        if let Some(task) = task.as_ref().filter(|task| task.combination.is_none()) {
            self.begin_results(task);
        }
        // The results of other states are unknown.
        if self.states.len() > 1 && !self.is_independent {
            let issue = self.issue_index();
            let conflicts = self.conflicts.iter_mut();
            for conflict in conflicts.filter(|c| c.issue == issue) {
                conflict.forget();
            }
        }
        self.is_complete = false;
        self.count = None;
        let states = core::mem::take(&mut self.states);
        if let Some(worklist) = &mut self.worklist {
            let states = states
                .into_iter()
                .skip(self.at + usize::from(task.is_some()));
            let task = task.map(|task| task.run);
            worklist.stop(&self.program, task, states, to_u32(self.layer));
            self.finish_worklist();
            return;
        }
        self.stop_straight(states);
    }

    fn stop_straight(&mut self, states: Vec<Outcome>) {
        let is_last = self.is_last();
        let is_alone = is_last && (self.is_independent || states.len() == 1);
        self.orders = if is_alone {
            self.orders_here
                .take()
                .filter(|orders| *orders != Count::default())
        } else {
            None
        };
        let next = core::mem::take(&mut self.next);
        let found = next.found();
        let mut ends = next.kept;
        let issues = self.straight.expect("it has no branches");
        let left = issues - self.layer;
        let most = (MAX_RUNS_AT_STOP / left).clamp(1, self.limit.max(1));
        let first = to_u32(self.layer);
        let starts = states.into_iter().skip(self.at).map(|state| (state, first));
        if !is_last || ends.is_empty() {
            let later = ends.drain(..).map(|state| (state, first + 1));
            let starts: Vec<_> = later.chain(starts).take(most).collect();
            for (state, index) in starts {
                ends.push(self.run_to_end(state, index));
            }
        }
        // Unprocessed states may lead to the same results, so the number of orders is
        // unknown.
        if !is_alone {
            for outcome in &mut ends {
                outcome.orders = None;
            }
        }
        // Distinguish results by their bytes.
        let mut distinct: Vec<Outcome> = Vec::new();
        let mut seen = BTreeSet::new();
        for mut outcome in ends {
            outcome.drop_control();
            let bytes = outcome.bytes.iter();
            let bytes: Vec<_> = bytes
                .map(|byte| (byte.space.0, byte.address, byte.value))
                .collect();
            if seen.insert((bytes, outcome.fault.is_some())) {
                distinct.push(outcome);
            }
        }
        self.found = distinct.len();
        if is_last {
            self.found = self.found.max(found);
        }
        self.states = distinct;
        self.is_done = true;
    }

    fn run_to_end(&mut self, state: Outcome, index: u32) -> Outcome {
        if state.fault.is_some() {
            return state;
        }
        let mut run = Run::from(&self.program, state, index);
        run.finish(&self.program, u32::MAX);
        let result = Outcome {
            orders: None,
            ..run.into_result()
        };
        self.is_unfinished |= result.is_unfinished();
        result
    }

    /// Takes the results of a program with branches.
    fn finish_worklist(&mut self) {
        let Some(worklist) = &mut self.worklist else {
            return;
        };
        self.is_complete &= worklist.is_exact();
        self.is_unfinished |= worklist.is_unfinished;
        self.orders = worklist.orders.take().filter(|_| self.is_complete);
        let results = core::mem::take(&mut worklist.results);
        self.found = results.found();
        self.states = results.kept;
        if !self.is_complete {
            for result in &mut self.states {
                result.orders = None;
            }
        }
        self.is_done = true;
    }

    /// Returns the result. Before the end, stops the search first.
    #[must_use]
    pub fn result(mut self) -> SearchResult {
        self.stop();
        self.states.truncate(self.limit);
        let other_schedules = has_other_schedules(&self.program);
        SearchResult {
            complete: self.is_complete && !self.is_unfinished && !other_schedules,
            has_cycle: self.worklist.is_some_and(|worklist| worklist.has_cycle),
            is_unfinished: self.is_unfinished,
            has_other_schedules: other_schedules,
            count: self.count.unwrap_or_else(|| Count::from(self.found)),
            orders: self.orders,
            outcomes: self.states,
            conflicts: self.conflicts,
        }
    }

    /// Maximum number of results of the instruction that are materialized.
    fn most(&self) -> usize {
        if self.is_alone() {
            self.limit.max(1)
        } else if self.is_last() || self.worklist.is_some() {
            MAX_RESULTS
        } else {
            MAX_STATES_BETWEEN.max(self.limit)
        }
    }

    fn is_last(&self) -> bool {
        self.straight == Some(self.layer + 1)
    }

    /// Whether results do not have to be distinguished from those of other states.
    fn is_alone(&self) -> bool {
        self.is_last() && (self.is_independent || self.states.len() == 1)
    }

    /// Whether the last instruction has the same effect in every state, on bytes that are
    /// equal in all of them. Its results are then counted as a product, and only listed
    /// ones are materialized.
    fn find_is_independent(&self, budget: &mut Budget) -> bool {
        let [first, others @ ..] = self.states.as_slice() else {
            return false;
        };
        if !self.is_last() || others.is_empty() || self.states.iter().any(|s| s.fault.is_some()) {
            return false;
        }
        let issue = |state: &Outcome| {
            let mut run = Run::from(&self.program, state.clone(), to_u32(self.layer));
            let is_fine = run.fault_ahead(&self.program).is_none();
            is_fine.then(|| (run.issue, run.accesses().to_vec()))
        };
        let Some((instruction, accesses)) = issue(first) else {
            return false;
        };
        // Without accesses, there are no conflicts.
        if accesses.is_empty() {
            return false;
        }
        let differing = differing_bytes(&self.states);
        let bytes: usize = self.states.iter().map(|state| state.bytes.len()).sum();
        budget.spend(bytes);
        if accesses.iter().any(|access| touches(access, &differing)) {
            return false;
        }
        budget.spend(self.states.len() * (STATE_WORK + accesses.len()));
        let same = Some((instruction, accesses));
        others.iter().all(|state| issue(state) == same)
    }

    fn start_task(&mut self, budget: &mut Budget) {
        let program = Rc::clone(&self.program);
        let issue = to_u32(self.layer);
        let machine = (self.worklist.as_mut()).and_then(|worklist| worklist.take_machine(issue));
        let is_kept = self.is_independent || self.worklist.is_none();
        let state = match is_kept {
            true => self.states[self.at].clone(),
            false => core::mem::replace(&mut self.states[self.at], Outcome::start(None)),
        };
        // A state that goes on where it is, alone.
        let is_only = machine.is_some();
        if !is_only {
            budget.spend(STATE_WORK + state.bytes.len() + state.schedules.len());
        }
        if state.fault.is_some() {
            return self.end_at_fault(state);
        }
        let mut run = match machine {
            Some(machine) => Run::at(&program, machine, state, issue),
            None => Run::from(&program, state, issue),
        };
        if run.fault_ahead(&program).is_some() {
            return self.end_at_fault(run.outcome);
        }
        budget.spend(run.accesses().len());
        let most = self.most();
        let sets = run.conflict_sets(&program);
        // Lanes of unsearched sets stay in program order.
        self.is_complete &= sets.is_some();
        let sets = sets.unwrap_or_default().into_iter();
        let searches = sets.map(|set| ConflictSearch::new(set, most, self.wants_distributions));
        let searches: Vec<ConflictSearch> = searches.collect();
        let set_work = if is_only { STATE_WORK / 4 } else { STATE_WORK };
        budget.spend(searches.len() * set_work);
        self.task = Some(Task {
            run,
            searches,
            is_only,
            combination: None,
            made: 0,
        });
    }

    fn end_at_fault(&mut self, outcome: Outcome) {
        self.is_unfinished |= outcome.is_unfinished();
        add_known(&mut self.orders_here, outcome.orders.as_ref());
        self.add(outcome);
        self.at += 1;
    }

    /// Adds the results of one state, the Cartesian product of those of its sets. Returns
    /// whether all of them have been added.
    fn finish_task(&mut self, task: &mut Task, budget: &mut Budget) -> bool {
        let mut combination = task.combination.take().unwrap_or_else(|| {
            self.begin_results(task);
            alloc::vec![0; task.searches.len()]
        });
        let most = self.most();
        let is_running = |search: &Self| search.worklist.as_ref().is_some_and(Worklist::is_running);
        let mut more = true;
        while more && task.made < most && self.next.found() < most && self.has_room() {
            if budget.is_spent() || is_running(self) {
                task.combination = Some(combination);
                return false;
            }
            let current = combination.clone();
            more = combination
                .iter_mut()
                .zip(&task.searches)
                .any(|(at, search)| {
                    *at += 1;
                    let more = *at < search.known.results.len();
                    if !more {
                        *at = 0;
                    }
                    more
                });
            let state = &task.run.outcome;
            if task.is_only && !more && task.made == 0 {
                budget.spend(STATE_WORK / 4);
            } else {
                budget.spend(STATE_WORK / 2 + task.run.accesses().len() + state.bytes.len() / 2);
                budget.spend(state.schedules.len() / 4);
            }
            self.combine(task, &current, !more);
            task.made += 1;
        }
        let mut counts = task.searches.iter().map(|search| &search.known.count);
        let all = counts.try_fold(Count::from(1_usize), |mut all, count| {
            all.multiply(count.as_ref()?);
            Some(all)
        });
        match all {
            Some(mut all) if self.is_alone() => {
                all.multiply(&Count::from(self.states.len()));
                self.count = Some(all);
            }
            Some(all) if all == Count::from(task.made) => {}
            _ => self.is_complete = false,
        }
        true
    }

    fn has_room(&self) -> bool {
        match &self.worklist {
            Some(worklist) => worklist.has_room(),
            None => self.next.bytes() < MAX_STATE_BYTES && self.next.rows() < MAX_ROWS,
        }
    }

    fn issue_index(&self) -> IssueIndex {
        IssueIndex(to_u32(self.layer))
    }

    /// Advances to the next issue.
    fn finish_layer(&mut self) {
        self.at = 0;
        if let Some(worklist) = &mut self.worklist {
            let Some((issue, states, nodes)) = worklist.next_layer() else {
                return self.finish_worklist();
            };
            self.is_complete &= worklist.is_exact();
            self.layer = to_usize(issue);
            (self.states, self.nodes) = (states, nodes);
            self.orders = sum_of_orders(&self.states);
            return;
        }
        let is_last = self.is_last();
        let next = core::mem::take(&mut self.next);
        self.found = next.found();
        self.states = next.kept;
        self.layer += 1;
        let orders = self.orders_here.replace(Count::default());
        // States that were left out are not counted further.
        self.orders = orders.filter(|_| self.orders.is_some() && (self.is_complete || is_last));
        if is_last {
            self.states.iter_mut().for_each(Outcome::drop_control);
            self.is_done = true;
        }
    }

    /// Counts the orders of a state and records its conflicts.
    fn begin_results(&mut self, task: &Task) {
        let state = &task.run.outcome;
        let mut orders = match self.is_independent {
            true => sum_of_orders(&self.states),
            false => state.orders.clone(),
        };
        for search in &task.searches {
            if let Some(orders) = &mut orders {
                orders.multiply(&Count::factorial(search.set.len()));
            }
        }
        add_known(&mut self.orders_here, orders.as_ref());
        self.note_conflicts(task);
    }

    /// Records the conflicts of a state, merging those also found in other states.
    fn note_conflicts(&mut self, task: &Task) {
        let state = &task.run.outcome;
        let issue = self.issue_index();
        let issued = task.run.issue.expect("a task has an issue");
        // Results of states that were left out are unknown.
        let is_exact = self.is_complete;
        let weight = match (&state.orders, &self.orders) {
            _ if self.is_independent => Some(1.0),
            (Some(own), Some(all)) => Some(own.fraction(all)),
            _ => None,
        };
        for search in &task.searches {
            let (set, known) = (&search.set, &search.known);
            let distribution = known.distribution.as_ref().zip(weight).filter(|_| is_exact);
            // Issues follow one another.
            let here = self.conflicts.iter_mut().rev();
            let mut here = here.take_while(|c| c.issue == issue);
            let met = here.find(|c| {
                c.instruction == issued.instruction
                    && (c.space, c.address, c.bytes) == (set.space, set.address, set.bytes)
                    && *c.units == *set.units
            });
            if let Some(met) = met {
                if met.count != known.count {
                    met.count = None;
                }
                met.contents = union(met.contents.take(), known.contents.as_ref());
                if met.returns.len() == known.returns.len() {
                    for (met, own) in met.returns.iter_mut().zip(&known.returns) {
                        *met = union(met.take(), own.as_ref());
                    }
                } else {
                    met.returns.clear();
                }
                match (&mut met.distribution, distribution) {
                    (Some(sum), Some((own, weight))) => {
                        sum.add(own, weight);
                        met.weight += weight;
                    }
                    (sum, _) => *sum = None,
                }
            } else if self.conflicts.len() < MAX_CONFLICTS {
                let weighted = distribution.map(|(own, weight)| {
                    let mut sum = Distribution {
                        returns: alloc::vec![Vec::new(); own.returns.len()],
                        contents: Vec::new(),
                    };
                    sum.add(own, weight);
                    (sum, weight)
                });
                let (distribution, weight) = weighted.unzip();
                self.conflicts.push(Conflict {
                    issue,
                    instruction: issued.instruction,
                    space: set.space,
                    address: set.address,
                    bytes: set.bytes,
                    group: set.group,
                    units: set.units.clone(),
                    count: known.count.clone(),
                    contents: known.contents.clone().filter(|_| is_exact),
                    returns: if is_exact {
                        known.returns.clone()
                    } else {
                        Returns::new()
                    },
                    distribution,
                    weight: weight.unwrap_or(0.0),
                });
            }
        }
    }

    /// Adds the result of one combination of the sets' results, for all states in which it is
    /// the same. The state is not needed after its last combination.
    fn combine(&mut self, task: &mut Task, combination: &[usize], is_last: bool) {
        let mut units: Vec<Unit> = Vec::new();
        let mut order_counts = Vec::new();
        for (search, at) in task.searches.iter().zip(combination) {
            let SetResult { order, orders } = &search.known.results[*at];
            units.extend(order.iter().map(|lane| search.set.units[*lane]));
            order_counts.push(orders);
        }
        let place = |access: &Access| units.iter().position(|unit| *unit == access.unit);
        let (stepper, machine) = (&mut task.run.stepper, &mut task.run.machine);
        (stepper.accesses_mut()).sort_by_key(|access| place(access).unwrap_or(units.len()));
        let issue = task.run.issue.expect("a task has an issue");
        let room = self.most().saturating_sub(self.next.found());
        let mut scratch = core::mem::take(&mut self.scratch);
        let changes = scratch.apply(stepper, &self.program, issue, machine);
        let schedule = (!task.searches.is_empty()).then(|| LaneSchedule {
            issue: IssueIndex(to_u32(self.layer)),
            instruction: issue.instruction,
            units: stepper
                .accesses()
                .iter()
                .map(|access| access.unit)
                .collect(),
        });
        let after = |mut outcome: Outcome| {
            for own in &order_counts {
                match (&mut outcome.orders, own) {
                    (Some(orders), Some(own)) => orders.multiply(own),
                    (orders, _) => *orders = None,
                }
            }
            outcome.apply(changes, &self.program.start);
            outcome.schedules.extend(schedule.clone());
            outcome
        };
        let mut own = || match is_last {
            true => core::mem::replace(&mut task.run.outcome, Outcome::start(None)),
            false => task.run.outcome.clone(),
        };
        let mut outcomes: Vec<Outcome> = Vec::new();
        if let Some(worklist) = &mut self.worklist {
            let node = self.nodes[self.at];
            let index = to_u32(self.layer) + 1;
            let mut run = Run::at(&self.program, machine.clone(), after(own()), index);
            run.fingerprint = worklist.fingerprint(node) ^ fingerprint(changes);
            worklist.start(run, node);
        } else if self.is_independent {
            outcomes.extend(self.states.iter().take(room).cloned().map(after));
        } else {
            outcomes.push(after(own()));
        }
        // The next result starts from the same state.
        for change in changes.iter().rev() {
            machine.undo(change);
        }
        self.scratch = scratch;
        for outcome in outcomes {
            self.add(outcome);
        }
    }

    /// Adds a state after the instruction, or adds its orders to an equal state.
    fn add(&mut self, outcome: Outcome) {
        if self.is_alone() {
            // Distinct results of sets have distinct combinations.
            return self.next.push(outcome);
        }
        // At the end those that are not listed are only counted.
        let is_kept = !self.is_last() || self.next.kept.len() < self.limit;
        self.next.add(outcome, is_kept);
    }
}

/// How often the instructions of a program are issued in all, if it has no
/// branches; a `ret` at its end changes nothing and is left out.
fn straight_issues(program: &Program) -> Option<usize> {
    let Some((last, others)) = program.instructions.split_last() else {
        return Some(0);
    };
    // The lanes of a warp go their own ways.
    if program.has_warps()
        || others
            .iter()
            .any(|placed| placed.instruction.branch().is_some())
    {
        return None;
    }
    let returns = match last.instruction.branch() {
        None => 0,
        Some(branch) if branch.kind == FlowKind::Return => 1,
        Some(_) => return None,
    };
    let groups = program.threads.div_ceil(program.lockstep_width());
    let issues = program.instructions.len() * usize::from(groups);
    // A run without fuel for all of them ends before the last one.
    (issues <= to_usize(program.fuel)).then(|| issues - returns)
}

/// Whether each instruction is issued once, in the order of the text, so that
/// the number of an issue is the index of its instruction: none branches, a
/// `ret` at the end aside, and all threads are in lockstep.
#[must_use]
pub fn issues_once(program: &Program) -> bool {
    program.threads <= program.lockstep_width() && straight_issues(program).is_some()
}

/// Whether threads or work-groups could run in another order than they do.
pub(crate) fn has_other_schedules(program: &Program) -> bool {
    let launch = program.launch.as_ref();
    program.threads > program.lockstep_width() || launch.is_some_and(|l| l.group_count() > 1)
}

fn sum_of_orders(states: &[Outcome]) -> Option<Count> {
    states.iter().try_fold(Count::default(), |mut sum, state| {
        sum.add(state.orders.as_ref()?);
        Some(sum)
    })
}

impl Conflict {
    /// Drops data that depends on the states before the instruction.
    fn forget(&mut self) {
        self.count = None;
        self.contents = None;
        self.returns.clear();
        self.distribution = None;
    }
}

/// Whether an access overlaps some bytes.
fn touches(access: &Access, bytes: &[(u16, u64)]) -> bool {
    let is_within = |space: SpaceId, address: u64, size: u64| {
        let from = bytes.partition_point(|byte| *byte < (space.0, address));
        let next = bytes.get(from);
        next.is_some_and(|byte| byte.0 == space.0 && byte.1 - address < size)
    };
    let registers = SpaceId::registers(access.unit.thread);
    is_within(access.space, access.address, access.bytes.into())
        || access
            .dst
            .is_some_and(|dst| is_within(registers, dst.into(), MAX_RETURNED_BYTES.into()))
}

/// The union of two lists, ascending; unknown if either is.
fn union(a: Option<Vec<u64>>, b: Option<&Vec<u64>>) -> Option<Vec<u64>> {
    let (mut all, b) = (a?, b?);
    all.extend_from_slice(b);
    Some(sorted(all))
}
