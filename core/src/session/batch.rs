//! Runs without a history, and helpers for both kinds of run.

use super::bounds::bounds_warning;
use super::schedule::{flow_fault, flow_warning, named_barrier_fault, next_issue, proceed};
use crate::diagnostic::{Diagnostic, to_usize};
use crate::isa::sass::warp::{ADDRESS_BITS, AddressWindow};
use crate::isa::{Access, FIRST_ELEMENT, FaultKind, Unit};
use crate::machine::control::{Control, MAX_DEPTH, ThreadState};
use crate::machine::{Machine, NoJournal, Recorder, SpaceId};
use crate::program::{Issue, Program};
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
    let Some(launch) = &program.launch else {
        return run(program);
    };
    let mut run = LaunchRun::new(program);
    run.advance(program, launch.group_count(), u64::MAX);
    run.result
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
    /// The work-group that is running, or runs next.
    group: u32,
    has_entered: bool,
    /// Instructions issued by the work-group.
    issued: u32,
    result: RunResult,
}

impl LaunchRun {
    #[must_use]
    pub fn new(program: &Program) -> Self {
        Self {
            group: 0,
            has_entered: false,
            issued: 0,
            result: RunResult::at(program.start.clone()),
        }
    }

    /// Runs the work-groups before `end`, issuing at most `budget` instructions. Returns
    /// whether all of them have ended, or one has faulted.
    pub fn advance(&mut self, program: &Program, end: u32, budget: u64) -> bool {
        let Some(launch) = &program.launch else {
            return true;
        };
        let mut budget = budget;
        while self.group < end && self.result.fault.is_none() {
            if !self.has_entered {
                let symbols = &program.symbols.visa;
                launch.enter_group(symbols, self.group, &mut self.result.machine);
                self.has_entered = true;
                self.issued = 0;
            }
            let (result, issued) = (&mut self.result, &mut self.issued);
            if !run_slice(program, result, issued, &mut budget, &mut NoJournal) {
                return false;
            }
            if self.result.fault.is_none() {
                self.group += 1;
                self.has_entered = false;
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
    run_slice(program, &mut result, &mut 0, &mut { u64::MAX }, recorder);
    result
}

/// Continues a run until it ends or the budget of instructions is spent. Returns whether it
/// has ended. `issued` counts the instructions against the fuel of the program.
fn run_slice<R: Recorder>(
    program: &Program,
    result: &mut RunResult,
    issued: &mut u32,
    budget: &mut u64,
    recorder: &mut R,
) -> bool {
    let mut accesses = Vec::new();
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
        let in_order = program.threads == 1 && placed.order.lanes().is_empty();
        let at_once = match in_order && !R::KEEPS && *issued < program.fuel {
            true => (placed.instruction).run_unrecorded(machine, &program.symbols),
            false => None,
        };
        let units = match at_once {
            Some(units) => units,
            None => {
                accesses.clear();
                issue_accesses(program, issue, machine, &mut accesses);
                result.fault = find_fault(program, issue, *issued, machine, &accesses);
                if result.fault.is_some() {
                    break;
                }
                if let Some(warning) = bounds_warning(program, issue, machine, &accesses) {
                    result.warnings.entry(issue.instruction).or_insert(warning);
                }
                let (threads, symbols) = (issue.threads, &program.symbols);
                (placed.instruction).perform(&accesses, threads, machine, symbols, recorder);
                placed.instruction.units(&accesses)
            }
        };
        proceed(program, issue, &placed.instruction, machine, recorder);
        result.steps += u64::from(units.max(1));
        result.instructions = result.instructions.saturating_add(1);
        *issued += 1;
    }
    true
}

/// Appends the accesses of an instruction in its lane order.
pub fn issue_accesses(
    program: &Program,
    issue: Issue,
    machine: &Machine,
    accesses: &mut Vec<Access>,
) {
    let placed = program.instruction(issue);
    let context = program.context(issue, machine);
    let first = accesses.len();
    placed.instruction.issue(&context, accesses);
    placed.order.apply(&mut accesses[first..]);
}

/// The fault of an instruction, if any. `issued` is the number of instructions issued
/// before it.
#[must_use]
pub fn find_fault(
    program: &Program,
    issue: Issue,
    issued: u32,
    machine: &Machine,
    accesses: &[Access],
) -> Option<Fault> {
    if issued >= program.fuel {
        return Some(fault_of(program, issue, FaultKind::OutOfFuel, machine));
    }
    let placed = program.instruction(issue);
    let context = program.context(issue, machine);
    let kind = placed.instruction.fault(&context);
    if let Some(kind) = kind.or_else(|| flow_fault(program, issue, machine)) {
        return Some(fault_of(program, issue, kind, machine));
    }
    access_fault(program, issue, accesses)
}

/// A fault of an instruction as a whole.
#[cold]
fn fault_of(program: &Program, issue: Issue, kind: FaultKind, machine: &Machine) -> Fault {
    let placed = program.instruction(issue);
    let name = placed.instruction.spec().mnemonics[0];
    let line = placed.line + 1;
    let thread = issue.threads.first();
    let active = Control::new(machine, thread).active();
    let reason = placed
        .instruction
        .fault_reason(&program.context(issue, machine))
        .or_else(|| named_barrier_fault(program, issue, machine));
    let message = match kind {
        _ if let Some(reason) = reason => format!("`{name}` on line {line}: {reason}"),
        FaultKind::NotModelled => {
            format!("`{name}` on line {line} is not modelled: Lanewise does not execute it")
        }
        FaultKind::Undefined | FaultKind::DivisionByZero => {
            format!("the result of `{name}` on line {line} is undefined")
        }
        FaultKind::BadTarget => {
            format!("the branch target of `{name}` on line {line} does not exist")
        }
        FaultKind::CallTooDeep => {
            format!("`{name}` on line {line}: more than {MAX_DEPTH} nested calls")
        }
        FaultKind::OutOfFuel => out_of_fuel(program, machine),
        FaultKind::Misaligned
        | FaultKind::Unmapped
        | FaultKind::OutOfRange
        | FaultKind::AddressSpace => {
            format!("`{name}` on line {line}: an operand is outside the register file")
        }
    };
    let lane = u8::try_from(active.trailing_zeros() & 31).expect("at most 31");
    Fault {
        kind,
        instruction: issue.instruction,
        unit: Unit::lane(thread, lane),
        place: None,
        message,
    }
}

/// Describes where the channels of the first threads are.
fn out_of_fuel(program: &Program, machine: &Machine) -> String {
    let mut message = format!(
        "the run stopped after {} instructions, the limit set by .fuel",
        program.fuel
    );
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
            "; thread {thread}: channels {active:#x} at line {}",
            line_of(control.pc())
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
fn access_fault(program: &Program, issue: Issue, accesses: &[Access]) -> Option<Fault> {
    let access = accesses.iter().find(|a| a.fault.is_some())?;
    let kind = access.fault?;
    let placed = program.instruction(issue);
    let lane = match program.launch {
        Some(_) => format!("Thread {}, lane {}", access.unit.eu, access.unit.lane),
        None => lane_name(access.unit, program.threads),
    };
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
        | FaultKind::CallTooDeep
        | FaultKind::OutOfFuel => unreachable!("{kind:?} is not a fault of an access"),
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

/// Formats a lane as `Lane 3`, `Lane 3, channel G`, `Lane 3, element 1` or, with two EUs, `Lane EU1.3`.
#[must_use]
pub fn lane_name(unit: Unit, threads: u8) -> String {
    part_name("Lane", unit, threads)
}

/// Formats a lane within a sentence: `lane 3, channel G`.
#[must_use]
pub fn lane_phrase(unit: Unit, threads: u8) -> String {
    part_name("lane", unit, threads)
}

/// Formats a lane, or an element of a block, with this noun.
pub(super) fn part_name(noun: &str, unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        2 => format!("{noun} EU{}.{}", unit.eu, unit.lane),
        _ => format!("{noun} {}", unit.lane),
    };
    if let Some(channel) = unit.channel {
        name.push_str(match channel < FIRST_ELEMENT {
            true => ", channel ",
            false => ", element ",
        });
        name.push_str(unit.letter());
    }
    name
}

/// Formats a lane as in `.order`: `3`, `3.R` or, with two EUs, `EU1.3`.
#[must_use]
pub fn unit_name(unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        2 => format!("EU{}.{}", unit.eu, unit.lane),
        _ => format!("{}", unit.lane),
    };
    if unit.channel.is_some() {
        name.push('.');
        name.push_str(unit.letter());
    }
    name
}

/// Formats lanes in order, with runs of three or more as ranges: `6, 10, 12–15`,
/// `EU0.3–7, EU1.0`, `2.R, 3.G`.
#[must_use]
pub fn lane_runs(units: &[Unit], threads: u8) -> String {
    let follows = |a: &Unit, b: &Unit| {
        a.eu == b.eu && a.channel.is_none() && b.channel.is_none() && a.lane + 1 == b.lane
    };
    let mut parts = Vec::new();
    for run in units.chunk_by(follows) {
        match run {
            [first, .., last] if run.len() > 2 => {
                parts.push(format!("{}–{}", unit_name(*first, threads), last.lane));
            }
            _ => parts.extend(run.iter().map(|unit| unit_name(*unit, threads))),
        }
    }
    parts.join(", ")
}
