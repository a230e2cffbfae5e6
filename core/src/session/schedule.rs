//! Scheduling: selects the next issue and its threads, and advances the channels.
//!
//! By default, a thread runs until it waits or ends, then the next one runs; with
//! `.schedule round-robin`, the threads take turns. Other schedules show which results depend
//! on the order. The two EUs of a fused pair run in
//! lockstep: the EU with the deeper call, then the lower program counter, issues; both
//! issue if they are at the same position.

use crate::diagnostic::{Diagnostic, to_u32, to_usize};
use crate::isa::sass::op::flow;
use crate::isa::visa::execution::low_lanes;
use crate::isa::visa::op::FlowKind;
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{Branch, FaultKind, PhaseStep, ThreadSet};
use crate::machine::control::{
    self, Continuation, Control, ControlMut, MAX_DEPTH, NAMED_BARRIER_COUNT, Signal, ThreadState,
};
use crate::machine::frames::has_room;
use crate::machine::warp::WarpLanes;
use crate::machine::{Machine, Recorder, SpaceId, flag_address};
use crate::number::Random;
use crate::program::{Issue, Program, ThreadSchedule};
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The next issue of a program in a state; `None` once every thread has ended. If all that
/// are left wait, that is the `nbarrier.wait` of one of them, which faults.
#[must_use]
pub fn next_issue(program: &Program, machine: &Machine) -> Option<Issue> {
    let width = program.lockstep_width();
    let groups = program.threads.div_ceil(width);
    let start = match program.schedule {
        ThreadSchedule::Sequential | ThreadSchedule::Reversed => 0,
        ThreadSchedule::RoundRobin => control::next_thread(machine) / width,
        ThreadSchedule::Random(seed) => {
            let seed = u64::from(seed) << 32 | control::turn(machine);
            let group = Random::new(seed).bits() % u64::from(groups.max(1));
            u8::try_from(group).expect("there are at most 255 groups")
        }
    };
    let is_reversed = program.schedule == ThreadSchedule::Reversed;
    (start..groups)
        .chain(0..start.min(groups))
        .find_map(|position| {
            let group = match is_reversed {
                true => groups - 1 - position,
                false => position,
            };
            issue_of(program, group_at(program, group * width), machine)
        })
        .or_else(|| stuck_issue(program, machine))
}

/// The lockstep threads from `first` on.
fn group_at(program: &Program, first: u8) -> ThreadSet {
    let width = program.lockstep_width().min(program.threads - first);
    ThreadSet::from(first, width)
}

/// The `nbarrier.wait` of a thread that waits.
#[cold]
fn stuck_issue(program: &Program, machine: &Machine) -> Option<Issue> {
    let is_stuck = |thread: &u8| match Control::new(machine, *thread).state() {
        ThreadState::AtNamedBarrier => true,
        // The lanes of a warp may wait for each other, too.
        ThreadState::AtBarrier => program.has_warps(),
        ThreadState::Running | ThreadState::Ended => false,
    };
    let thread = (0..program.threads).find(is_stuck)?;
    Some(Issue {
        instruction: place_of(program, machine, thread),
        threads: ThreadSet::from(thread, 1),
    })
}

/// The instruction at which a thread is: the barrier, if lanes of a warp wait at one.
pub(super) fn place_of(program: &Program, machine: &Machine, thread: u8) -> u32 {
    let control = Control::new(machine, thread);
    let waits = program.has_warps() && control.state() == ThreadState::AtBarrier;
    let barrier = waits.then(|| WarpLanes::load(machine, thread).block_barriers().next());
    barrier.flatten().unwrap_or_else(|| control.pc())
}

/// The next issue of a group of lockstep threads.
fn issue_of(program: &Program, threads: ThreadSet, machine: &Machine) -> Option<Issue> {
    let place = |thread| {
        let at = Control::new(machine, thread).position();
        // In a program without instructions, threads never end.
        let exists = to_usize(at.pc) < program.instructions.len();
        let runs = exists && at.state == ThreadState::Running;
        runs.then_some(((core::cmp::Reverse(at.depth), at.pc), thread))
    };
    let mut places = threads.iter().filter_map(place);
    let (mut best, mut first) = places.next()?;
    let mut count = 1;
    for (place, thread) in places {
        match place.cmp(&best) {
            Ordering::Equal => count += 1,
            Ordering::Greater => {}
            Ordering::Less => (best, first, count) = (place, thread, 1),
        }
    }
    let (_, instruction) = best;
    Some(Issue {
        instruction,
        threads: ThreadSet::from(first, count),
    })
}

/// How the active channels of a thread continue after an instruction.
///
/// # Errors
/// When control flow has no meaning in this state.
fn continuation(
    program: &Program,
    branch: &Branch<'_>,
    thread: u8,
    machine: &Machine,
) -> Result<Continuation, FaultKind> {
    let control = Control::new(machine, thread);
    let taken = taken(branch, program, thread, machine);
    let target = |index: usize| {
        let label = branch.targets.get(index).ok_or(FaultKind::BadTarget)?;
        program.label_position(*label).ok_or(FaultKind::BadTarget)
    };
    let index = || {
        let index = branch.index().ok_or(FaultKind::BadTarget)?;
        let value = index.scalar(&program.symbols.visa, machine, thread);
        value.ok_or(FaultKind::BadTarget)
    };
    let call = |target| {
        if control.depth() >= MAX_DEPTH && taken != 0 {
            return Err(FaultKind::CallTooDeep);
        }
        let frame = program.frame(target).filter(|_| taken != 0);
        if frame.is_some_and(|frame| !has_room(machine, thread, frame)) {
            return Err(FaultKind::CallTooDeep);
        }
        Ok(Continuation::Call {
            taken,
            target,
            frame,
        })
    };
    match branch.kind {
        FlowKind::Jump | FlowKind::Goto => Ok(Continuation::Goto {
            taken,
            target: target(0)?,
        }),
        FlowKind::Switch => {
            let index = usize::try_from(index()?).map_err(|_| FaultKind::BadTarget)?;
            Ok(Continuation::Goto {
                taken,
                target: target(index)?,
            })
        }
        FlowKind::Call => call(target(0)?),
        FlowKind::IndirectCall => {
            let function = program.function_at(index()?);
            call(function.ok_or(FaultKind::BadTarget)?)
        }
        FlowKind::Return if control.depth() == 0 && branch.execution.size.lanes() == 1 => {
            Ok(match taken {
                0 => Continuation::Next,
                _ => Continuation::End,
            })
        }
        FlowKind::Return => Ok(Continuation::Return { taken }),
        FlowKind::Barrier => Ok(Continuation::Barrier),
        FlowKind::NamedSignal | FlowKind::NamedWait => {
            named_barrier(program, branch, thread, machine).map_err(|_| FaultKind::Undefined)
        }
    }
}

/// The number of the named barrier that an instruction signals or waits for.
#[must_use]
pub fn barrier_number(
    program: &Program,
    branch: &Branch<'_>,
    thread: u8,
    machine: &Machine,
) -> Option<u8> {
    if !matches!(branch.kind, FlowKind::NamedSignal | FlowKind::NamedWait) {
        return None;
    }
    let number = branch
        .index()?
        .scalar(&program.symbols.visa, machine, thread)?;
    u8::try_from(number)
        .ok()
        .filter(|number| *number < NAMED_BARRIER_COUNT)
}

/// How a thread continues after an instruction of a named barrier.
///
/// # Errors
/// The reason why the documents leave the effect undefined.
///
/// Source: NBARRIER.md.
fn named_barrier(
    program: &Program,
    branch: &Branch<'_>,
    thread: u8,
    machine: &Machine,
) -> Result<Continuation, String> {
    let scalar = |operand: Option<VectorOperand>| {
        let value = operand.and_then(|o| o.scalar(&program.symbols.visa, machine, thread));
        value.and_then(|value| u8::try_from(value).ok())
    };
    let barrier = barrier_number(program, branch, thread, machine).ok_or_else(|| {
        format!(
            "named barriers are numbered 0 to {}",
            NAMED_BARRIER_COUNT - 1
        )
    })?;
    let control = Control::new(machine, thread);
    let own = control.signal(barrier);
    if branch.kind == FlowKind::NamedWait {
        return match own {
            Signal::None => Err(format!(
                "thread {thread} has not signalled barrier {barrier}"
            )),
            Signal::Pending { threads } if control.state() == ThreadState::AtNamedBarrier => {
                Err(format!(
                    "thread {thread} waits forever: fewer than {threads} threads signal barrier {barrier}"
                ))
            }
            Signal::Pending { .. } | Signal::Complete => Ok(Continuation::Wait { barrier }),
        };
    }
    let threads = match branch.roles() {
        None => scalar(branch.threads()),
        // A thread that both produces and consumes is one of the plain form.
        Some(roles) => {
            let numbers = (scalar(Some(roles.producers)), scalar(Some(roles.consumers)));
            match (scalar(branch.threads()), numbers) {
                (Some(0), (Some(producers), Some(consumers))) if producers == consumers => {
                    Some(producers)
                }
                _ => {
                    return Err(String::from(
                        "a named barrier with threads that only produce or only consume is not modeled",
                    ));
                }
            }
        }
    };
    let threads = threads.filter(|n| (1..=program.threads).contains(n));
    let threads = threads.ok_or_else(|| {
        format!(
            "a named barrier is for 1 to {} threads here",
            program.threads
        )
    })?;
    if own != Signal::None {
        return Err(format!(
            "thread {thread} has not waited since it signalled barrier {barrier}"
        ));
    }
    let others = (0..program.threads).map(|other| Control::new(machine, other).signal(barrier));
    let is_other = |signal| matches!(signal, Signal::Pending { threads: n } if n != threads);
    match others.into_iter().any(is_other) {
        true => Err(different_numbers(barrier)),
        false => Ok(Continuation::Signal { barrier, threads }),
    }
}

fn different_numbers(barrier: u8) -> String {
    format!("threads signal barrier {barrier} with different numbers of threads")
}

/// The barrier that threads of one issue signal with different numbers of threads.
fn disputed_barrier(continuations: &[Continuation]) -> Option<u8> {
    let signals = continuations.iter().filter_map(|next| match next {
        Continuation::Signal { barrier, threads } => Some((*barrier, *threads)),
        _ => None,
    });
    let is_disputed = |(barrier, threads): (u8, u8)| {
        let mut others = signals.clone();
        others.any(|(other, number)| other == barrier && number != threads)
    };
    let mut disputed = signals.clone().filter(|signal| is_disputed(*signal));
    disputed.next().map(|(barrier, _)| barrier)
}

/// The reason why an instruction of a named barrier faults.
pub(super) fn named_barrier_fault(
    program: &Program,
    issue: Issue,
    machine: &Machine,
) -> Option<String> {
    let branch = program.instruction(issue).instruction.branch()?;
    if !matches!(branch.kind, FlowKind::NamedSignal | FlowKind::NamedWait) {
        return None;
    }
    let threads = issue.threads.iter();
    let results = threads.map(|thread| named_barrier(program, &branch, thread, machine));
    match results.collect::<Result<Vec<_>, _>>() {
        Err(reason) => Some(reason),
        Ok(continuations) => disputed_barrier(&continuations).map(different_numbers),
    }
}

/// Mask of the channels that take a branch. With execution size 1, bit 0 of the
/// predicate decides for all active channels, regardless of the mask control.
fn taken(branch: &Branch<'_>, program: &Program, thread: u8, machine: &Machine) -> u32 {
    let execution = branch.execution;
    let active = Control::new(machine, thread).active();
    let id = execution.predicate.id.0;
    let predicate = machine.flag_word(SpaceId::flags(thread), flag_address(id));
    if execution.size.lanes() != 1 {
        let enabled = execution.enabled(active, predicate);
        return enabled.unbounded_shl(u32::from(execution.mask.offset())) & active;
    }
    let declared = program.symbols.visa.predicate_variable(id);
    let lanes = declared.map_or(1, |variable| variable.elements.min(32));
    let lanes = low_lanes(u8::try_from(lanes).expect("at most 32"));
    match execution.predicate.decides(predicate, lanes) {
        true => active,
        false => 0,
    }
}

/// The fault of an instruction of a warp, apart from its accesses.
pub(super) fn warp_fault(program: &Program, issue: Issue, machine: &Machine) -> Option<FaultKind> {
    let thread = issue.threads.first();
    if Control::new(machine, thread).state() != ThreadState::Running {
        return Some(FaultKind::Deadlock);
    }
    let end = to_u32(program.instructions.len());
    let instruction = &program.instruction(issue).instruction;
    let fault = instruction.flow_fault(machine, thread, end);
    let is_cut = program.launch.is_some()
        && issue.instruction + 1 == end
        && instruction.falls_through(machine, thread);
    fault.or_else(|| is_cut.then_some(FaultKind::PastEnd))
}

/// Advances the lanes of a warp that issued an instruction.
fn proceed_warp<R: Recorder>(
    program: &Program,
    issue: Issue,
    machine: &mut Machine,
    recorder: &mut R,
) {
    let (thread, end) = (issue.threads.first(), to_u32(program.instructions.len()));
    let instruction = &program.instruction(issue).instruction;
    instruction.advance_warp(machine, thread, end, recorder);
    if matches!(instruction.phase_step(), Some(step) if step != PhaseStep::Check) {
        flow::release_phases(program.threads, end, machine, recorder);
    }
    let counts = instruction.counts_threads();
    if counts || Control::new(machine, thread).state() != ThreadState::Running {
        flow::release_block(program.threads, end, counts, machine, recorder);
    }
}

/// Appends how the threads that issue a branch continue, all from the state before it;
/// nothing for another instruction.
///
/// # Errors
/// When control flow has no meaning in this state.
pub(super) fn continuations(
    program: &Program,
    issue: Issue,
    machine: &Machine,
    out: &mut Vec<Continuation>,
) -> Result<(), FaultKind> {
    let Some(branch) = program.instruction(issue).instruction.branch() else {
        return Ok(());
    };
    for thread in issue.threads.iter() {
        out.push(continuation(program, &branch, thread, machine)?);
    }
    disputed_barrier(out).map_or(Ok(()), |_| Err(FaultKind::Undefined))
}

/// Advances the threads that issued an instruction; `branches` is how they continue if it
/// is a branch. Returns the next issue, if it is known without looking for one.
pub(super) fn proceed<R: Recorder>(
    program: &Program,
    issue: Issue,
    branches: &[Continuation],
    machine: &mut Machine,
    recorder: &mut R,
) -> Option<Issue> {
    if program.has_warps() {
        proceed_warp(program, issue, machine, recorder);
        take_turns(program, issue, machine, recorder);
        return None;
    }
    let mut together = None;
    for (index, thread) in issue.threads.iter().enumerate() {
        let next = branches.get(index).copied();
        let next = next.unwrap_or(Continuation::Next);
        let end = to_u32(program.instructions.len());
        let mut control = ControlMut::new(machine, thread, end, recorder);
        let place = control
            .proceed(next)
            .expect("a faulting instruction is not executed");
        together = place.filter(|_| index == 0 || together == place);
        if let Continuation::Signal { barrier, .. } = next {
            complete_barrier(program, barrier, machine, recorder);
        }
    }
    if !branches.is_empty() {
        release_barrier(program, machine, recorder);
    }
    let is_turn_over = take_turns(program, issue, machine, recorder);
    let is_whole = || match program.lockstep_width() {
        1 => true,
        width => {
            let first = issue.threads.first();
            issue.threads == group_at(program, first - first % width)
        }
    };
    let instruction = together.filter(|_| !is_turn_over && is_whole())?;
    Some(Issue {
        instruction,
        ..issue
    })
}

/// Passes the turn to another group of threads, if they take turns. Returns whether they do.
fn take_turns<R: Recorder>(
    program: &Program,
    issue: Issue,
    machine: &mut Machine,
    recorder: &mut R,
) -> bool {
    match program.schedule {
        ThreadSchedule::Sequential | ThreadSchedule::Reversed => return false,
        ThreadSchedule::RoundRobin => {
            let width = program.lockstep_width();
            let group = issue.threads.first() / width + 1;
            let next = if group * width < program.threads {
                group * width
            } else {
                0
            };
            control::set_next_thread(next, machine, recorder);
        }
        ThreadSchedule::Random(_) => {
            let turn = control::turn(machine).wrapping_add(1);
            control::set_turn(turn & u64::from(u32::MAX), machine, recorder);
        }
    }
    true
}

/// The warning about control flow whose effect on waiting channels is undefined, or easily
/// overlooked.
#[must_use]
pub(super) fn flow_warning(
    program: &Program,
    issue: Issue,
    continuations: &[Continuation],
    machine: &Machine,
) -> Option<Diagnostic> {
    if continuations.is_empty() {
        return None;
    }
    let placed = program.instruction(issue);
    let branch = placed.instruction.branch()?;
    if !matches!(
        branch.kind,
        FlowKind::Barrier | FlowKind::Jump | FlowKind::Return
    ) {
        return None;
    }
    let mut threads = issue.threads.iter().zip(continuations);
    threads.find_map(|(thread, next)| {
        let control = Control::new(machine, thread);
        let waiting = |within: &dyn Fn(u32, u32) -> bool| {
            let places = (0..32).filter_map(|channel| control.waiting(channel));
            places.filter(|(pc, depth)| within(*pc, *depth)).count()
        };
        let (rule, count) = match (branch.kind, *next) {
            (FlowKind::Barrier, _) => (&rules::DIVERGENT_BARRIER, waiting(&|_, _| true)),
            (FlowKind::Jump, Continuation::Goto { taken, target }) if taken != 0 => {
                let (here, level) = (control.pc(), control.depth());
                let between = |pc, depth| depth == level && here < pc && pc < target;
                (&rules::STRANDING_JUMP, waiting(&between))
            }
            (_, Continuation::End) => (&rules::ENDED_WAITING, waiting(&|_, _| true)),
            _ => return None,
        };
        let channels = match count {
            0 => return None,
            1 => String::from("1 channel waits"),
            _ => format!("{count} channels wait"),
        };
        let name = placed.instruction.spec().mnemonics[0];
        let what = format!("{channels} while thread {thread} executes `{name}`");
        Some(Diagnostic::new(
            rule,
            placed.spans.of(SyntaxPart::Opcode),
            what,
        ))
    })
}

/// Releases the waiting threads once all threads that have not ended wait.
fn release_barrier<R: Recorder>(program: &Program, machine: &mut Machine, recorder: &mut R) {
    let states = (0..program.threads).map(|thread| Control::new(machine, thread).state());
    let mut waits = false;
    for state in states {
        match state {
            ThreadState::Running | ThreadState::AtNamedBarrier => return,
            ThreadState::AtBarrier => waits = true,
            ThreadState::Ended => {}
        }
    }
    for thread in (0..program.threads).filter(|_| waits) {
        if Control::new(machine, thread).state() == ThreadState::AtBarrier {
            ControlMut::new(machine, thread, 0, recorder).release();
        }
    }
}

/// Completes a named barrier once as many threads have signalled it as it is for.
fn complete_barrier<R: Recorder>(
    program: &Program,
    barrier: u8,
    machine: &mut Machine,
    recorder: &mut R,
) {
    let signal = |thread, machine: &Machine| Control::new(machine, thread).signal(barrier);
    let pending = (0..program.threads).filter_map(|thread| match signal(thread, machine) {
        Signal::Pending { threads } => Some((thread, threads)),
        Signal::None | Signal::Complete => None,
    });
    let pending: Vec<(u8, u8)> = pending.collect();
    let is_complete = pending
        .first()
        .is_some_and(|(_, threads)| pending.len() >= usize::from(*threads));
    for (thread, _) in pending.into_iter().filter(|_| is_complete) {
        ControlMut::new(machine, thread, 0, recorder).complete(barrier);
    }
}
