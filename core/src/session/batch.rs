//! Runs without a history.

use super::fault::{Fault, access_fault};
use super::names::group_of_timeline;
use super::observer::{NoObserver, ObservedStep, Observer};
use super::order::{GroupOrder, RunOrder};
use super::schedule::next_issue;
use super::stepper::Stepper;
use crate::diagnostic::Diagnostic;
use crate::isa::Access;
use crate::machine::{Journal, Machine, NoJournal, Recorder, SpaceId};
use crate::program::{Issue, Launch, PRINTF_BYTES, Program};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;

/// Result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The final state.
    pub machine: Machine,
    /// Number of effects.
    pub steps: u64,
    /// Number of executed instructions.
    pub instructions: u32,
    /// The fault that ended the run, if any.
    pub fault: Option<Fault>,
    /// The first warning about each instruction.
    pub warnings: BTreeMap<u32, Diagnostic>,
    pub printed: PrintfWriters,
}

/// The work-items that have written the printf buffer.
#[derive(Clone, Debug, Default)]
pub struct PrintfWriters {
    /// Index of the first work-item of the work-group that runs.
    first: u64,
    /// Index of the work-item that has written at an address.
    items: BTreeMap<u64, u64>,
    /// End of each record, by its start, that may not have been written completely.
    open: BTreeMap<u64, u64>,
}

impl PrintfWriters {
    /// Enters a work-group, whose threads write from now on.
    pub(super) fn enter(&mut self, launch: &Launch, group: u32) {
        self.first = u64::from(group) * u64::from(launch.group_items());
    }

    /// Index in the launch of the work-item that has written the record at an address.
    #[must_use]
    pub fn item_at(&self, address: u64) -> Option<u64> {
        self.items.get(&address).copied()
    }

    /// End of the record at an address, if it may not have been written completely.
    #[must_use]
    pub fn open_until(&self, address: u64) -> Option<u64> {
        self.open.get(&address).copied()
    }

    /// Notes that a record may not have been written completely.
    pub(super) fn note_open(&mut self, start: u64, end: u64) {
        self.open.insert(start, end);
    }

    /// Notes accesses to the printf buffer by an instruction whose lane 0 is
    /// `first_channel` of the thread.
    pub(super) fn note(
        &mut self,
        launch: &Launch,
        buffer: u64,
        first_channel: u8,
        accesses: &[Access],
    ) {
        for access in accesses
            .iter()
            .filter(|a| a.writes && a.space == SpaceId::VIRTUAL)
        {
            if access.address.wrapping_sub(buffer) < PRINTF_BYTES {
                let thread = u64::from(access.unit.thread) * u64::from(launch.simd);
                let channel = u64::from(first_channel) + u64::from(access.unit.lane);
                let item = self.first + thread + channel;
                self.items.entry(access.address).or_insert(item);
            }
        }
    }
}

impl RunResult {
    /// A run that is about to start.
    #[must_use]
    pub fn at(machine: Machine) -> Self {
        Self {
            machine,
            steps: 0,
            instructions: 0,
            fault: None,
            warnings: BTreeMap::new(),
            printed: PrintfWriters::default(),
        }
    }
}

/// Runs a program to its end without keeping a history.
#[must_use]
pub fn run(program: &Program) -> RunResult {
    run_recorded(program, &mut NoJournal)
}

/// Runs a program to its end, reporting every change to `recorder`.
pub fn run_recorded<R: Recorder>(program: &Program, recorder: &mut R) -> RunResult {
    let mut result = RunResult::at(program.start.clone());
    let done = &mut Done {
        group: group_of_timeline(program),
        ..Done::default()
    };
    let (budget, observer) = (&mut { u64::MAX }, &mut NoObserver);
    run_slice(program, &mut result, done, budget, recorder, observer);
    result
}

/// Runs every work-group of a launch to its end, one after the other, without
/// keeping a history; a program that is not a launch as [`run`] does.
#[must_use]
pub fn run_launch(program: &Program) -> RunResult {
    run_observed(program, &mut NoObserver)
}

/// Runs a launch as [`run_launch`] does, watched by an observer.
pub fn run_observed<O: Observer>(program: &Program, observer: &mut O) -> RunResult {
    let Some(launch) = &program.launch else {
        let mut result = RunResult::at(program.start.clone());
        let (done, budget) = (&mut Done::default(), &mut { u64::MAX });
        observer.enter_group(program, 0, &result.machine);
        run_slice(program, &mut result, done, budget, &mut NoJournal, observer);
        let fault = result.fault.as_ref().map(|fault| (fault.kind, fault.unit));
        observer.leave_group(program, &result.machine, fault);
        return result;
    };
    let mut run = LaunchRun::new(program);
    run.advance_observed(program, launch.group_count(), u64::MAX, observer);
    run.result
}

/// Runs `count` work-groups of a launch in an order, watched by an observer.
pub fn run_scheduled<O: Observer>(
    program: &Program,
    schedule: RunOrder,
    count: u32,
    observer: &mut O,
) -> LaunchRun {
    let mut program = program.clone();
    program.schedule = schedule.threads;
    let mut run = LaunchRun::in_order(&program, schedule.groups);
    run.advance_observed(&program, count, u64::MAX, observer);
    run
}

/// The program, starting with the memory that the work-groups before the one of its
/// timeline leave.
///
/// # Errors
/// The run, if one of these work-groups faults.
pub fn after_earlier_groups(program: &Program) -> Result<Program, Box<RunResult>> {
    let group = program.launch.as_ref().map_or(0, |launch| launch.group);
    if group == 0 {
        return Ok(program.clone());
    }
    let mut run = LaunchRun::new(program);
    run.advance(program, group, u64::MAX);
    match run.result.fault {
        Some(_) => Err(Box::new(run.result)),
        None => Ok(run.continue_in_timeline(program)),
    }
}

/// A launch under way. Its work-groups run one after the other, without a history and in
/// slices, so that a caller can report progress and stop.
#[derive(Clone, Debug)]
pub struct LaunchRun {
    order: GroupOrder,
    /// Work-groups that have ended.
    ended: u32,
    /// The work-group that is running, or runs next.
    group: u32,
    has_entered: bool,
    done: Done,
    result: RunResult,
}

/// Progress of a work-group.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    /// Instructions issued, which count against the fuel of the program.
    issued: u32,
    steps: u64,
    group: u32,
}

impl LaunchRun {
    #[must_use]
    pub fn new(program: &Program) -> Self {
        Self::in_order(program, GroupOrder::Ascending)
    }

    #[must_use]
    pub fn in_order(program: &Program, order: GroupOrder) -> Self {
        let launch = program.launch.as_ref();
        Self {
            order,
            ended: 0,
            group: launch.map_or(0, |launch| order.group_at(0, launch.group_count().max(1))),
            has_entered: false,
            done: Done::default(),
            result: RunResult::at(program.start.clone()),
        }
    }

    /// Runs work-groups until `end` of them have ended, issuing at most `budget` instructions.
    /// Returns whether they have, or one has faulted.
    pub fn advance(&mut self, program: &Program, end: u32, budget: u64) -> bool {
        self.advance_observed(program, end, budget, &mut NoObserver)
    }

    /// As [`Self::advance`], watched by `observer`.
    pub fn advance_observed<O: Observer>(
        &mut self,
        program: &Program,
        end: u32,
        budget: u64,
        observer: &mut O,
    ) -> bool {
        let Some(launch) = &program.launch else {
            return true;
        };
        let mut budget = budget;
        while self.ended < end && self.result.fault.is_none() {
            if !self.has_entered {
                let symbols = &program.symbols.visa;
                launch.enter_group(symbols, self.group, &mut self.result.machine);
                self.has_entered = true;
                self.done = Done {
                    group: self.group,
                    ..Done::default()
                };
                self.result.printed.enter(launch, self.group);
                observer.enter_group(program, self.group, &self.result.machine);
            }
            let (result, done) = (&mut self.result, &mut self.done);
            if !run_slice(program, result, done, &mut budget, &mut NoJournal, observer) {
                return false;
            }
            let fault = self.result.fault.as_ref();
            let (machine, fault) = (&self.result.machine, fault.map(|f| (f.kind, f.unit)));
            observer.leave_group(program, machine, fault);
            if self.result.fault.is_none() {
                self.ended += 1;
                self.has_entered = false;
                let count = launch.group_count();
                self.group = match self.ended < count {
                    true => self.order.group_at(self.ended, count),
                    false => self.ended,
                };
            }
        }
        true
    }

    /// The work-group that is running or runs next; after a fault, the faulting one.
    #[must_use]
    pub const fn group(&self) -> u32 {
        self.group
    }

    /// State, totals and fault so far.
    #[must_use]
    pub const fn result(&self) -> &RunResult {
        &self.result
    }

    #[must_use]
    pub fn into_result(self) -> RunResult {
        self.result
    }

    /// The program, starting in the work-group of its timeline with the memory left by the
    /// work-groups that have run.
    #[must_use]
    pub fn continue_in_timeline(self, program: &Program) -> Program {
        let mut start = self.result.machine;
        if let Some(launch) = &program.launch {
            launch.enter_group(&program.symbols.visa, launch.group, &mut start);
        }
        program.started_at(start)
    }
}

/// Continues a run until it ends or the budget of instructions is spent. Returns whether it
/// has ended.
fn run_slice<R: Recorder, O: Observer>(
    program: &Program,
    result: &mut RunResult,
    done: &mut Done,
    budget: &mut u64,
    recorder: &mut R,
    observer: &mut O,
) -> bool {
    let mut stepper = Stepper::default();
    let mut changes = Journal::new();
    let launch = program.launch.as_ref();
    let printf = launch.and_then(|launch| Some((launch, launch.printf?)));
    let mut next = next_issue(program, &result.machine);
    while let Some(issue) = next {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let instruction = &program.instruction(issue).instruction;
        let machine = &mut result.machine;
        if O::OBSERVES {
            observer.issue(program, issue, done.issued);
        }
        let fault = evaluate(&mut stepper, program, issue, *done, machine, observer);
        if fault.is_some() {
            result.fault = fault;
            break;
        }
        if let Some(warning) = stepper.warning(program, issue, done.group, machine) {
            result.warnings.entry(issue.instruction).or_insert(warning);
        }
        if let Some((launch, buffer)) = printf {
            let (first_channel, accesses) = (instruction.first_channel(), stepper.accesses());
            (result.printed).note(launch, buffer, first_channel, accesses);
        }
        match O::OPERANDS {
            true => {
                changes.clear();
                stepper.perform(program, issue, machine, &mut changes);
                let step = ObservedStep {
                    program,
                    issue,
                    machine,
                    steps: done.steps,
                };
                observer.performed(step, stepper.accesses(), changes.changes());
            }
            false => stepper.perform(program, issue, machine, recorder),
        }
        let known = stepper.proceed(program, issue, machine, recorder);
        if O::OBSERVES && (program.has_warps() || instruction.branch().is_some()) {
            observer.branched(ObservedStep {
                program,
                issue,
                machine,
                steps: done.steps,
            });
        }
        let units = instruction.units(stepper.accesses(), issue.threads);
        let steps = u64::from(units.max(1));
        result.steps += steps;
        result.instructions = result.instructions.saturating_add(1);
        done.steps += steps;
        done.issued += 1;
        debug_assert!(known.is_none() || known == next_issue(program, &result.machine));
        next = known.or_else(|| next_issue(program, &result.machine));
    }
    true
}

/// Evaluates an issue; returns its fault, if any. The observer sees its accesses before they
/// can fault.
fn evaluate<O: Observer>(
    stepper: &mut Stepper,
    program: &Program,
    issue: Issue,
    done: Done,
    machine: &Machine,
    observer: &mut O,
) -> Option<Fault> {
    let fault = stepper.evaluate_issue(program, issue, done.issued, machine);
    if fault.is_some() {
        return fault;
    }
    let is_computation = || program.instruction(issue).instruction.is_computation();
    if O::OBSERVES && (O::OPERANDS || !is_computation()) {
        let step = ObservedStep {
            program,
            issue,
            machine,
            steps: done.steps,
        };
        observer.issued(step, stepper.accesses_mut());
    }
    access_fault(program, issue, done.group, machine, stepper.accesses())
}
