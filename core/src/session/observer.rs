//! Observers of launches: they see what the steps of a launch do and change nothing.
//!
//! [`super::LaunchRun::advance_observed`] calls an [`Observer`]. For each step, in order:
//!
//! 1. [`Observer::issue`]: an instruction is about to run;
//! 2. [`Observer::issued`]: its accesses, with the state before it. Old values are in that
//!    state, values to store in the accesses;
//! 3. [`Observer::performed`]: all that it changed, with the state after it, for observers of
//!    [`Observer::OPERANDS`] only;
//! 4. [`Observer::branched`]: the threads have moved on. Only after control flow: branches,
//!    barriers, and the ends of threads; in warps after each instruction.
//!
//! Observers classify instructions by their capabilities ([`crate::isa::Semantics`]):
//! `update` is `Some` for atomics, `fence` for fences, `branch` for control flow and barriers;
//! `computation` has the elements that each lane of a computation reads and writes, and
//! `source_elements` the registers that an access reads. A computation is seen, apart from
//! [`Observer::issue`], only by observers of operands: it cannot touch memory.
//!
//! Two observers watch the same launch as a pair.

use crate::isa::{Access, FaultKind, Unit};
use crate::machine::{Change, Machine};
use crate::program::{Issue, Program};

/// An instruction that runs.
#[derive(Clone, Copy, Debug)]
pub struct ObservedStep<'s> {
    pub program: &'s Program,
    /// The instruction and its threads.
    pub issue: Issue,
    /// The state before or after it, depending on the call.
    pub machine: &'s Machine,
    /// Steps of the work-group before it. Each of its accesses is one more step.
    pub steps: u64,
}

/// The fault that has ended a launch, and its lane.
pub type GroupFault = Option<(FaultKind, Unit)>;

/// Sees what a launch does.
#[expect(unused_variables, reason = "defaults ignore their arguments")]
pub trait Observer {
    /// Whether it sees anything. A launch without an observer runs as fast as one before
    /// there were any.
    const OBSERVES: bool = true;

    /// Whether it sees what instructions do to registers, which takes time.
    const OPERANDS: bool = false;

    /// A work-group starts, with the state of its first step. A program that is not a launch has
    /// one work-group.
    fn enter_group(&mut self, program: &Program, group: u32, machine: &Machine) {}

    /// An instruction is about to run; `issued` have run in the work-group.
    #[inline]
    fn issue(&mut self, program: &Program, issue: Issue, issued: u32) {}

    /// An instruction is about to perform its accesses. An observer that reports the fault of
    /// an access can clear it, for the launch to go on: an access that is not
    /// [`Access::in_bounds`] reads zero and writes nothing.
    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {}

    /// An instruction has performed its accesses and made these changes.
    fn performed(&mut self, step: ObservedStep<'_>, accesses: &[Access], changes: &[Change]) {}

    /// Threads have moved on after control flow.
    fn branched(&mut self, step: ObservedStep<'_>) {}

    /// A work-group has ended, or a fault of a lane has ended the launch.
    fn leave_group(&mut self, program: &Program, machine: &Machine, fault: GroupFault) {}
}

/// Sees nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const OBSERVES: bool = false;
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    const OBSERVES: bool = A::OBSERVES || B::OBSERVES;
    const OPERANDS: bool = A::OPERANDS || B::OPERANDS;

    fn enter_group(&mut self, program: &Program, group: u32, machine: &Machine) {
        self.0.enter_group(program, group, machine);
        self.1.enter_group(program, group, machine);
    }

    #[inline]
    fn issue(&mut self, program: &Program, issue: Issue, issued: u32) {
        self.0.issue(program, issue, issued);
        self.1.issue(program, issue, issued);
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        self.0.issued(step, accesses);
        self.1.issued(step, accesses);
    }

    fn performed(&mut self, step: ObservedStep<'_>, accesses: &[Access], changes: &[Change]) {
        self.0.performed(step, accesses, changes);
        self.1.performed(step, accesses, changes);
    }

    fn branched(&mut self, step: ObservedStep<'_>) {
        self.0.branched(step);
        self.1.branched(step);
    }

    fn leave_group(&mut self, program: &Program, machine: &Machine, fault: GroupFault) {
        self.0.leave_group(program, machine, fault);
        self.1.leave_group(program, machine, fault);
    }
}

/// Sees a launch if there is an observer.
impl<O: Observer> Observer for Option<O> {
    const OBSERVES: bool = O::OBSERVES;
    const OPERANDS: bool = O::OPERANDS;

    fn enter_group(&mut self, program: &Program, group: u32, machine: &Machine) {
        if let Some(observer) = self {
            observer.enter_group(program, group, machine);
        }
    }

    #[inline]
    fn issue(&mut self, program: &Program, issue: Issue, issued: u32) {
        if let Some(observer) = self {
            observer.issue(program, issue, issued);
        }
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        if let Some(observer) = self {
            observer.issued(step, accesses);
        }
    }

    fn performed(&mut self, step: ObservedStep<'_>, accesses: &[Access], changes: &[Change]) {
        if let Some(observer) = self {
            observer.performed(step, accesses, changes);
        }
    }

    fn branched(&mut self, step: ObservedStep<'_>) {
        if let Some(observer) = self {
            observer.branched(step);
        }
    }

    fn leave_group(&mut self, program: &Program, machine: &Machine, fault: GroupFault) {
        if let Some(observer) = self {
            observer.leave_group(program, machine, fault);
        }
    }
}
