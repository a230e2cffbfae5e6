//! Runs without a history, and helpers for both kinds of run.

use super::bounds::bounds_warning;
use super::names::{group_of_timeline, item_of_group, lane_name};
use super::observer::{NoObserver, ObservedStep, Observer};
use super::order::{GroupOrder, RunOrder};
use super::schedule::{
    flow_fault, flow_warning, named_barrier_fault, next_issue, place_of, proceed,
};
use crate::diagnostic::{Diagnostic, to_usize};
use crate::isa::sass::warp::{ADDRESS_BITS, AddressWindow};
use crate::isa::{Access, FaultKind, Unit};
use crate::machine::control::{Control, MAX_DEPTH, ThreadState};
use crate::machine::frames::FRAMES_BYTES;
use crate::machine::{Journal, Machine, NoJournal, Recorder, SpaceId};
use crate::program::{Issue, Launch, PRINTF_BYTES, Program};
use crate::text::capitalized;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An instruction that cannot be executed. It has no effect and ends the run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Index of the instruction.
    pub instruction: u32,
    /// The lane, or the first lane that would have executed the instruction.
    pub unit: Unit,
    /// The space and the faulting address, if an access faulted.
    pub place: Option<(SpaceId, u64)>,
    /// Description with lane, address and reason.
    pub message: String,
}

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
    const NONE: Self = Self {
        first: 0,
        items: BTreeMap::new(),
        open: BTreeMap::new(),
    };

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
                let thread = u64::from(access.unit.eu) * u64::from(launch.simd);
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
    pub const fn at(machine: Machine) -> Self {
        Self {
            machine,
            steps: 0,
            instructions: 0,
            fault: None,
            warnings: BTreeMap::new(),
            printed: PrintfWriters::NONE,
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
    run_from(program, program.start.clone(), recorder)
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

impl Done {
    /// Nothing of the work-group of the timeline.
    fn in_timeline(program: &Program) -> Self {
        Self {
            group: group_of_timeline(program),
            ..Self::default()
        }
    }
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

/// Runs a program from a state to its end.
fn run_from<R: Recorder>(program: &Program, machine: Machine, recorder: &mut R) -> RunResult {
    let mut result = RunResult::at(machine);
    let budget = &mut { u64::MAX };
    run_slice(
        program,
        &mut result,
        &mut Done::in_timeline(program),
        budget,
        recorder,
        &mut NoObserver,
    );
    result
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
    let mut accesses = Vec::new();
    let mut changes = Journal::new();
    let launch = program.launch.as_ref();
    let printf = launch.and_then(|launch| Some((launch, launch.printf?)));
    while let Some(issue) = next_issue(program, &result.machine) {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let placed = program.instruction(issue);
        if let Some(warning) = flow_warning(program, issue, &result.machine) {
            result.warnings.entry(issue.instruction).or_insert(warning);
        }
        let machine = &mut result.machine;
        let is_seen = O::OBSERVES && (O::OPERANDS || !placed.instruction.is_computation());
        let in_order = issue.threads.count() == 1 && placed.order.lanes().is_empty();
        let in_order = in_order && printf.is_none();
        let at_once = match in_order && !is_seen && !R::KEEPS && done.issued < program.fuel {
            true => {
                let thread = issue.threads.first();
                (placed.instruction).run_unrecorded(thread, machine, &program.symbols)
            }
            false => None,
        };
        if O::OBSERVES {
            observer.issue(program, issue, done.issued);
        }
        let units = match at_once {
            Some(units) => units,
            None => {
                accesses.clear();
                result.fault =
                    evaluate_observed(program, issue, *done, machine, &mut accesses, observer);
                if result.fault.is_some() {
                    break;
                }
                if let Some(warning) =
                    bounds_warning(program, issue, done.group, machine, &accesses)
                {
                    result.warnings.entry(issue.instruction).or_insert(warning);
                }
                if let Some((launch, buffer)) = printf {
                    let first_channel = placed.instruction.first_channel();
                    result
                        .printed
                        .note(launch, buffer, first_channel, &accesses);
                }
                let (threads, symbols) = (issue.threads, &program.symbols);
                match O::OPERANDS {
                    true => {
                        changes.clear();
                        let journal = &mut changes;
                        (placed.instruction).perform(&accesses, threads, machine, symbols, journal);
                        let step = ObservedStep {
                            program,
                            issue,
                            machine,
                            steps: done.steps,
                        };
                        observer.performed(step, &accesses, changes.changes());
                    }
                    false => {
                        let instruction = &placed.instruction;
                        instruction.perform(&accesses, threads, machine, symbols, recorder);
                    }
                }
                placed.instruction.units(&accesses)
            }
        };
        proceed(program, issue, &placed.instruction, machine, recorder);
        if O::OBSERVES && (program.has_warps() || placed.instruction.branch().is_some()) {
            observer.branched(ObservedStep {
                program,
                issue,
                machine,
                steps: done.steps,
            });
        }
        let steps = u64::from(units.max(1));
        result.steps += steps;
        result.instructions = result.instructions.saturating_add(1);
        done.steps += steps;
        done.issued += 1;
    }
    true
}

/// Appends the accesses of an instruction in its lane order.
///
/// # Errors
/// If the instruction faults, apart from its accesses and control flow.
pub fn issue_accesses(
    program: &Program,
    issue: Issue,
    machine: &Machine,
    accesses: &mut Vec<Access>,
) -> Result<(), FaultKind> {
    let placed = program.instruction(issue);
    let context = program.context(issue, machine);
    let first = accesses.len();
    let result = placed.instruction.issue(&context, accesses);
    placed.order.apply(&mut accesses[first..]);
    result
}

/// Appends the accesses of an instruction in its lane order; returns its fault, if any.
/// `issued` is the number of instructions issued before it.
#[must_use]
pub fn evaluate(
    program: &Program,
    issue: Issue,
    issued: u32,
    machine: &Machine,
    accesses: &mut Vec<Access>,
) -> Option<Fault> {
    let done = Done {
        issued,
        ..Done::in_timeline(program)
    };
    evaluate_observed(program, issue, done, machine, accesses, &mut NoObserver)
}

/// As [`evaluate`]; the observer sees the accesses before they can fault.
fn evaluate_observed<O: Observer>(
    program: &Program,
    issue: Issue,
    done: Done,
    machine: &Machine,
    accesses: &mut Vec<Access>,
    observer: &mut O,
) -> Option<Fault> {
    let first = accesses.len();
    let issue_result = issue_accesses(program, issue, machine, accesses);
    if done.issued >= program.fuel {
        return Some(fault_of(program, issue, FaultKind::OutOfFuel, machine));
    }
    let kind = issue_result.err();
    if let Some(kind) = kind.or_else(|| flow_fault(program, issue, machine)) {
        return Some(fault_of(program, issue, kind, machine));
    }
    if O::OBSERVES {
        let step = ObservedStep {
            program,
            issue,
            machine,
            steps: done.steps,
        };
        observer.issued(step, &mut accesses[first..]);
    }
    access_fault(program, issue, done.group, &accesses[first..])
}

/// A fault of an instruction as a whole.
#[cold]
fn fault_of(program: &Program, issue: Issue, kind: FaultKind, machine: &Machine) -> Fault {
    let placed = program.instruction(issue);
    let name = placed.instruction.opcode();
    let line = placed.line + 1;
    let thread = issue.threads.first();
    let active = Control::new(machine, thread).active();
    let lane = u8::try_from(active.trailing_zeros() & 31).expect("at most 31");
    let reason = placed
        .instruction
        .fault_reason(&program.context(issue, machine))
        .or_else(|| named_barrier_fault(program, issue, machine));
    let message = match kind {
        _ if let Some(reason) = reason => {
            let place = match program.has_warps() {
                true => format!(" ({} {thread}, lane {lane})", program.words().thread),
                false => String::new(),
            };
            format!("`{name}` on line {line}: {reason}{place}")
        }
        FaultKind::NotModelled => {
            format!("`{name}` on line {line} is not modeled: Lanewise does not execute it")
        }
        FaultKind::Undefined | FaultKind::DivisionByZero => {
            format!("the result of `{name}` on line {line} is undefined")
        }
        FaultKind::PastEnd => format!(
            "lanes go on behind `{name}` on line {line}, the last instruction: the listing may be \
             cut off"
        ),
        FaultKind::BadTarget => {
            format!("the branch target of `{name}` on line {line} does not exist")
        }
        FaultKind::CallTooDeep => match Control::new(machine, thread).depth() {
            MAX_DEPTH.. => format!("`{name}` on line {line}: more than {MAX_DEPTH} nested calls"),
            depth => format!(
                "`{name}` on line {line}: the variables of {depth} nested calls fill {} MB",
                FRAMES_BYTES >> 20
            ),
        },
        FaultKind::OutOfFuel => {
            let what = format!(
                "the run stopped after {} instructions, the limit set by .fuel",
                program.fuel
            );
            what + &places(program, machine)
        }
        FaultKind::Deadlock => {
            let what = format!("`{name}` on line {line} waits forever, and so do all other lanes");
            what + &places(program, machine)
        }
        FaultKind::Misaligned
        | FaultKind::Unmapped
        | FaultKind::OutOfRange
        | FaultKind::AddressSpace => {
            format!("`{name}` on line {line}: an operand is outside the register file")
        }
    };
    Fault {
        kind,
        instruction: issue.instruction,
        unit: Unit::lane(thread, lane),
        place: None,
        message,
    }
}

/// Describes where the channels of the first threads are.
fn places(program: &Program, machine: &Machine) -> String {
    let mut message = String::new();
    let line_of = |pc: u32| {
        let placed = program.instructions.get(to_usize(pc));
        placed.map_or(0, |placed| placed.line + 1)
    };
    // The first few threads are representative.
    for thread in 0..program.threads.min(4) {
        let control = Control::new(machine, thread);
        if control.state() == ThreadState::Ended {
            continue;
        }
        let active = control.active();
        message.push_str(&format!(
            "; {} {thread}: {}s {active:#x} at line {}",
            program.words().thread,
            program.words().channel,
            line_of(place_of(program, machine, thread))
        ));
        let waiting = (0..32).filter_map(|c| Some((c, control.waiting(c)?.0)));
        let mut places: Vec<(u32, u32)> = Vec::new();
        for (channel, pc) in waiting {
            match places.iter_mut().find(|(known, _)| *known == pc) {
                Some((_, mask)) => *mask |= 1 << channel,
                None => places.push((pc, 1 << channel)),
            }
        }
        for (pc, mask) in places {
            message.push_str(&format!(", {mask:#x} wait at line {}", line_of(pc)));
        }
    }
    message
}

/// The fault of an access.
fn access_fault(program: &Program, issue: Issue, group: u32, accesses: &[Access]) -> Option<Fault> {
    let access = accesses.iter().find(|a| a.fault.is_some())?;
    let kind = access.fault?;
    let placed = program.instruction(issue);
    let channel = placed.instruction.first_channel() + access.unit.lane;
    let item = item_of_group(program, group, access.unit.eu, channel);
    let item = item.filter(|_| placed.instruction.lanes() > 1);
    let lane = item.unwrap_or_else(|| match &program.launch {
        Some(launch) => {
            let thread = capitalized(launch.words().thread);
            format!("{thread} {}, lane {}", access.unit.eu, access.unit.lane)
        }
        None => lane_name(access.unit, program.threads),
    });
    let address = access.address;
    let line = placed.line + 1;
    let name = placed.instruction.spec().name;
    let reason = match kind {
        FaultKind::Misaligned => format!("is not a multiple of {}", access.bytes),
        FaultKind::Unmapped => {
            let nearest = program.launch.as_ref();
            match nearest.and_then(|launch| launch.nearest_buffer(address)) {
                Some(place) => format!("is not mapped: {place}"),
                None => String::from("is not mapped"),
            }
        }
        FaultKind::OutOfRange if address >> ADDRESS_BITS != 0 => {
            format!("exceeds {ADDRESS_BITS} bits")
        }
        FaultKind::OutOfRange => String::from("is not mapped"),
        FaultKind::AddressSpace => {
            let window = program.symbols.sass.window_at(address);
            let name = window.map_or("another", AddressWindow::name);
            format!("is in the window of {name} memory")
        }
        FaultKind::NotModelled
        | FaultKind::Undefined
        | FaultKind::DivisionByZero
        | FaultKind::BadTarget
        | FaultKind::PastEnd
        | FaultKind::CallTooDeep
        | FaultKind::OutOfFuel
        | FaultKind::Deadlock => unreachable!("{kind:?} is not a fault of an access"),
    };
    Some(Fault {
        kind,
        instruction: issue.instruction,
        unit: access.unit,
        place: Some((access.space, address)),
        message: format!(
            "{lane}: address {address:#x} {reason}. {name} on line {line} had no effect"
        ),
    })
}
