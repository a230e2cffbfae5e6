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
use lanewise_core::session::{ObservedStep, barrier_number, lane_runs};
use lanewise_core::text::counted;

/// A thread that waits at a barrier.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    thread: u8,
    /// The first lane.
    lane: u8,
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
}

/// Lanes of a thread, in words: `lanes 24–31`.
fn lanes_of(mask: u32) -> String {
    let units = set_bits(mask).map(|lane| Unit::lane(0, u8::try_from(lane).expect("at most 31")));
    let units: Vec<Unit> = units.collect();
    let noun = if units.len() == 1 { "lane" } else { "lanes" };
    format!("{noun} {}", lane_runs(&units, 1))
}

impl Barriers {
    pub(crate) fn enter_group(&mut self) {
        self.arrived.clear();
        self.is_broken = false;
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
        let is_first = !core::mem::replace(&mut self.barriers.is_broken, true);
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
            if let Some(barrier) = placed.instruction.block_barrier(&context, thread) {
                let arrival = Arrival {
                    thread,
                    lane: barrier.lane,
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
            let arrival = Arrival {
                thread,
                lane: 0,
                instruction,
                number: 0,
                is_whole: true,
                step: step.steps + 1,
            };
            self.barriers.arrived.push(arrival);
            let control = Control::new(step.machine, thread);
            let missing = control.dispatched() & !control.active();
            if missing == 0 {
                continue;
            }
            let waits = control.waiting(channel_of(missing).into()).is_some();
            let count = missing.count_ones();
            let have = if count == 1 { "has" } else { "have" };
            let what = match waits {
                true => "not reached it",
                false => "returned before it",
            };
            let lanes = lanes_of(missing);
            let items = counted(count, step.program.words().item);
            let why = format!("{items} of thread {thread} ({lanes}) {have} {what}");
            let note = self.barrier_note(arrival, channel_of(control.active()));
            self.divergent(vec![note], why);
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
        if let Some(other) = others.find(|other| other.instruction != first.instruction) {
            let notes = vec![self.barrier_note(*other, 0), self.barrier_note(first, 0)];
            let (one, other) = (first.thread, other.thread);
            let why = format!("threads {one} and {other} wait at different barriers");
            self.divergent(notes, why);
            return;
        }
        let has_ended = |thread: &u8| {
            let control = Control::new(step.machine, *thread);
            control.dispatched() != 0
                && control.state() == ThreadState::Ended
                && !arrived.iter().any(|arrival| arrival.thread == *thread)
        };
        if let Some(ended) = (0..step.program.threads).find(has_ended) {
            let note = self.barrier_note(first, 0);
            let why = format!("thread {ended} has ended and does not reach it");
            self.divergent(vec![note], why);
        }
    }
}
