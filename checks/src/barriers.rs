//! Barriers that not all work-items of a group reach.

use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Space};
use crate::{Checks, channel_of};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Unit;
use lanewise_core::isa::visa::op::FlowKind;
use lanewise_core::machine::Machine;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::machine::warp::WarpLanes;
use lanewise_core::number::set_bits;
use lanewise_core::program::Program;
use lanewise_core::session::{ObservedStep, barrier_number, lane_runs};
use lanewise_core::text::counted;

/// A thread that waits at a barrier.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    thread: u8,
    /// The first lane.
    lane: u8,
    /// Lanes of the thread that do not arrive with it.
    missing: u32,
    /// Whether these wait elsewhere; otherwise they have returned.
    waits: bool,
    instruction: u32,
    /// Number of a barrier of a block, and whether it is for all of it.
    number: u8,
    is_whole: bool,
    /// Step of the work-group, counted from 1.
    step: u64,
}

/// The barrier that threads of a group wait at.
#[derive(Debug, Default)]
pub(crate) struct Barriers {
    arrived: Vec<Arrival>,
    /// Whether a barrier of the group was not reached by all.
    is_broken: bool,
    /// Whether that has been reported.
    is_reported: bool,
}

/// Most threads that are listed with their missing lanes.
const MAX_LISTED: usize = 3;

/// Lanes of a thread, in words: `lanes 24–31`.
fn lanes_of(mask: u32) -> String {
    let lanes = set_bits(mask).map(|lane| u8::try_from(lane).expect("at most 31"));
    numbered("lane", lanes)
}

/// Things with numbers, in words: `threads 0–2, 5`.
fn numbered(noun: &str, numbers: impl Iterator<Item = u8>) -> String {
    let units: Vec<Unit> = numbers.map(|number| Unit::lane(0, number)).collect();
    let plural = if units.len() == 1 { "" } else { "s" };
    format!("{noun}{plural} {}", lane_runs(&units, 1))
}

impl Barriers {
    pub(crate) fn enter_group(&mut self) {
        *self = Self::default();
    }

    pub(crate) const fn is_broken(&self) -> bool {
        self.is_broken
    }
}

impl Checks {
    fn barrier_note(&self, arrival: Arrival, lane: u8) -> AccessNote {
        let Arrival {
            thread,
            instruction,
            step,
            ..
        } = arrival;
        AccessNote {
            operation: Operation::Barrier,
            group: self.group,
            thread,
            lane,
            instruction,
            site: self.facts[to_usize(instruction)].site,
            address: 0,
            bytes: 0,
            value: None,
            step: Some(step),
        }
    }

    fn divergent(&mut self, notes: Vec<AccessNote>, why: String) {
        // Later ones in the group are consequences.
        self.barriers.is_broken = true;
        let is_first = !core::mem::replace(&mut self.barriers.is_reported, true);
        if self.options.barriers && is_first {
            let (kind, severity) = (Kind::BarrierDivergence, Severity::Error);
            self.report
                .extend(Some(Finding::new(kind, severity, Space::Local, why, notes)));
        }
    }

    /// Threads arrive at a barrier.
    pub(crate) fn arrive(&mut self, step: ObservedStep<'_>) {
        let instruction = step.issue.instruction;
        let placed = step.program.instruction(step.issue);
        if step.program.has_warps() {
            let context = step.program.context(step.issue, step.machine);
            let thread = step.issue.threads.first();
            let barrier = placed.instruction.block_barrier(&context, thread);
            if let Some(barrier) = barrier.filter(|barrier| !barrier.waits) {
                self.races.signal(thread, barrier.number);
            } else if let Some(barrier) = barrier {
                let arrival = Arrival {
                    thread,
                    lane: barrier.lane,
                    missing: barrier.missing,
                    waits: true,
                    instruction,
                    number: barrier.number,
                    is_whole: barrier.is_whole,
                    step: step.steps + 1,
                };
                self.barriers.arrived.push(arrival);
                if barrier.missing != 0 {
                    let count = barrier.missing.count_ones();
                    let lanes = lanes_of(barrier.missing);
                    let threads = counted(count, step.program.words().item);
                    let have = if count == 1 { "has" } else { "have" };
                    let why = format!("{threads} of warp {thread} ({lanes}) {have} not reached it");
                    let note = self.barrier_note(arrival, barrier.lane);
                    self.divergent(vec![note], why);
                }
            }
            return;
        }
        let Some(branch) = placed.instruction.branch() else {
            return;
        };
        for thread in step.issue.threads.iter() {
            let number = barrier_number(step.program, &branch, thread, step.machine);
            match number {
                Some(number) if branch.kind == FlowKind::NamedSignal => {
                    self.races.signal(thread, number);
                }
                Some(number) => self.races.wait(thread, number),
                None => {}
            }
        }
        if branch.kind != FlowKind::Barrier {
            return;
        }
        for thread in step.issue.threads.iter() {
            let control = Control::new(step.machine, thread);
            let missing = control.dispatched() & !control.active();
            self.barriers.is_broken |= missing != 0;
            self.barriers.arrived.push(Arrival {
                thread,
                lane: channel_of(control.active()),
                missing,
                waits: control.waiting(channel_of(missing).into()).is_some(),
                instruction,
                number: 0,
                is_whole: true,
                step: step.steps + 1,
            });
        }
    }

    /// Reports the work-items that do not reach a barrier at which threads have arrived and all
    /// others have ended, if there are any.
    fn report_missing(&mut self, program: &Program, machine: &Machine, arrived: &[Arrival]) {
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        let (mut count, mut waits) = (0, false);
        for thread in 0..program.threads {
            let control = Control::new(machine, thread);
            let arrival = arrived.iter().find(|arrival| arrival.thread == thread);
            let missing = match arrival {
                Some(arrival) => arrival.missing,
                None if control.state() == ThreadState::Ended => control.dispatched(),
                None => 0,
            };
            count += missing.count_ones();
            waits |= missing != 0 && arrival.is_some_and(|arrival| arrival.waits);
            match missing {
                0 => {}
                _ if arrival.is_none() => whole.push(thread),
                _ => parts.push(format!("{} of thread {thread}", lanes_of(missing))),
            }
        }
        let is_partial = |arrival: &&Arrival| arrival.missing != 0;
        let first = arrived.iter().find(is_partial).or(arrived.first());
        let Some(first) = first.filter(|_| count != 0) else {
            return;
        };
        if parts.len() > MAX_LISTED {
            parts.truncate(MAX_LISTED);
            parts.push(String::from("…"));
        }
        if !whole.is_empty() {
            parts.insert(
                0,
                format!("all of {}", numbered("thread", whole.into_iter())),
            );
        }
        let items = counted(count, program.words().item);
        let have = if count == 1 { "has" } else { "have" };
        let what = match waits {
            true => "not reached it",
            false => "returned before it",
        };
        let why = format!("{items} {have} {what}: {}", parts.join("; "));
        let note = self.barrier_note(*first, first.lane);
        self.divergent(vec![note], why);
    }

    /// A work-group has ended. It may have stopped while threads wait at a barrier.
    pub(crate) fn leave_barriers(&mut self, program: &Program, machine: &Machine) {
        if self.barriers.is_broken && !program.has_warps() {
            let arrived = core::mem::take(&mut self.barriers.arrived);
            self.report_missing(program, machine, &arrived);
        }
    }

    /// Lanes of warps have moved on; barriers of their block may be complete.
    fn release_warps(&mut self, machine: &Machine) {
        let state = |arrival: &Arrival| Control::new(machine, arrival.thread).state();
        let mut arrived = self.barriers.arrived.iter();
        if arrived.all(|arrival| state(arrival) == ThreadState::AtBarrier) {
            return;
        }
        let arrived = core::mem::take(&mut self.barriers.arrived);
        let waits = |arrival: &Arrival| {
            let lanes = WarpLanes::load(machine, arrival.thread);
            let mut barriers = lanes.block_barriers();
            barriers.any(|barrier| barrier == arrival.instruction)
        };
        let (waiting, gone): (Vec<Arrival>, Vec<Arrival>) = arrived.into_iter().partition(waits);
        self.meet_elsewhere(&gone);
        let is_one = gone.windows(2).all(|pair| pair[0].number == pair[1].number);
        let is_whole = gone.iter().all(|arrival| arrival.is_whole);
        if waiting.is_empty() && is_one && is_whole {
            let threads = gone.iter().map(|arrival| arrival.thread);
            self.races.barrier(threads);
        } else {
            // A barrier of some threads orders only these.
            for arrival in &gone {
                self.races.signal(arrival.thread, arrival.number);
            }
            for arrival in &gone {
                self.races.wait(arrival.thread, arrival.number);
            }
        }
        self.barriers.arrived = waiting;
    }

    /// Lanes of a block have met at different instructions.
    fn meet_elsewhere(&mut self, gone: &[Arrival]) {
        for (at, first) in gone.iter().enumerate() {
            let mut others = gone.iter().skip(at + 1);
            let is_other = |other: &&Arrival| {
                let is_same_barrier = first.number == other.number;
                is_same_barrier && first.is_whole && first.instruction != other.instruction
            };
            if let Some(other) = others.find(is_other) {
                let notes =
                    [*other, *first].map(|arrival| self.barrier_note(arrival, arrival.lane));
                let (one, other) = (first.thread, other.thread);
                let why = match one == other {
                    true => format!("threads of warp {one} wait at different barriers"),
                    false => format!("warps {one} and {other} wait at different barriers"),
                };
                self.divergent(notes.to_vec(), why);
                return;
            }
        }
    }

    /// Threads have moved on; a barrier may be complete.
    pub(crate) fn release(&mut self, step: ObservedStep<'_>) {
        let Some(first) = self.barriers.arrived.first().copied() else {
            return;
        };
        if step.program.has_warps() {
            self.release_warps(step.machine);
            return;
        }
        if Control::new(step.machine, first.thread).state() == ThreadState::AtBarrier {
            return;
        }
        let arrived = core::mem::take(&mut self.barriers.arrived);
        self.races
            .barrier(arrived.iter().map(|arrival| arrival.thread));
        let mut others = arrived.iter();
        let other = others.find(|other| other.instruction != first.instruction);
        if let Some(other) = other.filter(|_| !self.barriers.is_broken) {
            let notes = [*other, first].map(|arrival| self.barrier_note(arrival, arrival.lane));
            let (one, other) = (first.thread, other.thread);
            let why = format!("threads {one} and {other} wait at different barriers");
            self.divergent(notes.to_vec(), why);
        }
        self.report_missing(step.program, step.machine, &arrived);
    }
}
