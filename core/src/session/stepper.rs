//! The execution of a program, issue by issue.

use super::bounds::bounds_warning;
use super::fault::{Fault, access_fault, fault_of};
use super::names::group_of_timeline;
use super::schedule::{self, continuations, flow_warning, warp_fault};
use crate::diagnostic::Diagnostic;
use crate::isa::{Access, Evaluation, FaultKind, IssueFault};
use crate::machine::control::Continuation;
use crate::machine::{Machine, Recorder};
use crate::program::{Issue, Program};
use alloc::vec::Vec;

/// Evaluates issues of a program and applies them to a machine, for all kinds of runs.
#[derive(Clone, Debug, Default)]
pub struct Stepper {
    evaluation: Evaluation,
    /// How the issuing threads continue; empty if all do with the next instruction.
    continuations: Vec<Continuation>,
}

impl Stepper {
    /// Evaluates an issue of the timeline, before which `issued` instructions were issued,
    /// without changing the machine. Returns its fault, if any.
    #[must_use]
    pub fn evaluate(
        &mut self,
        program: &Program,
        issue: Issue,
        issued: u32,
        machine: &Machine,
    ) -> Option<Fault> {
        let fault = self.evaluate_issue(program, issue, issued, machine);
        let group = group_of_timeline(program);
        fault.or_else(|| access_fault(program, issue, group, machine, self.accesses()))
    }

    /// As [`Self::evaluate`], apart from faults of accesses.
    pub(super) fn evaluate_issue(
        &mut self,
        program: &Program,
        issue: Issue,
        issued: u32,
        machine: &Machine,
    ) -> Option<Fault> {
        self.continuations.clear();
        let evaluated = self.evaluate_accesses(program, issue, machine);
        if issued >= program.fuel {
            let fault = FaultKind::OutOfFuel.into();
            return Some(fault_of(program, issue, fault, machine));
        }
        let continued = evaluated.and_then(|()| self.evaluate_flow(program, issue, machine));
        let fault = continued.err()?;
        Some(fault_of(program, issue, fault, machine))
    }

    fn evaluate_accesses(
        &mut self,
        program: &Program,
        issue: Issue,
        machine: &Machine,
    ) -> Result<(), IssueFault> {
        let placed = program.instruction(issue);
        self.evaluation.clear();
        let context = program.context(issue, machine);
        let evaluated = placed.instruction.evaluate(&context, &mut self.evaluation);
        placed.order.apply(&mut self.evaluation.accesses);
        evaluated
    }

    fn evaluate_flow(
        &mut self,
        program: &Program,
        issue: Issue,
        machine: &Machine,
    ) -> Result<(), IssueFault> {
        if program.has_warps() {
            return match warp_fault(program, issue, machine) {
                Some(kind) => Err(kind.into()),
                None => Ok(()),
            };
        }
        let out = &mut self.continuations;
        Ok(continuations(program, issue, machine, out)?)
    }

    /// The accesses of the evaluated issue, in the order in which they are performed.
    #[must_use]
    pub fn accesses(&self) -> &[Access] {
        &self.evaluation.accesses
    }

    /// The accesses, to be brought into another order.
    pub fn accesses_mut(&mut self) -> &mut [Access] {
        &mut self.evaluation.accesses
    }

    /// A warning about control flow or bounds of the evaluated issue of a work-group, which
    /// has no fault; `machine` is the state before it.
    #[inline]
    pub(super) fn warning(
        &self,
        program: &Program,
        issue: Issue,
        group: u32,
        machine: &Machine,
    ) -> Option<Diagnostic> {
        if self.continuations.is_empty() && self.accesses().is_empty() {
            return None;
        }
        flow_warning(program, issue, &self.continuations, machine)
            .or_else(|| bounds_warning(program, issue, group, machine, self.accesses()))
    }

    /// How the threads continue that execute a branch; empty for other instructions.
    pub(super) fn continuations(&self) -> &[Continuation] {
        &self.continuations
    }

    /// Applies the evaluated issue, which has no fault, and advances its threads.
    pub fn apply<R: Recorder>(
        &self,
        program: &Program,
        issue: Issue,
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        self.perform(program, issue, machine, recorder);
        self.proceed(program, issue, machine, recorder);
    }

    /// Performs the accesses of the evaluated issue or writes its results.
    pub(super) fn perform<R: Recorder>(
        &self,
        program: &Program,
        issue: Issue,
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        let instruction = &program.instruction(issue).instruction;
        let (threads, symbols) = (issue.threads, &program.symbols);
        (self.evaluation).perform(instruction, threads, machine, symbols, recorder);
    }

    /// Advances the threads of the evaluated issue. Returns the next issue, if it is known
    /// without looking for one.
    pub(super) fn proceed<R: Recorder>(
        &self,
        program: &Program,
        issue: Issue,
        machine: &mut Machine,
        recorder: &mut R,
    ) -> Option<Issue> {
        schedule::proceed(program, issue, &self.continuations, machine, recorder)
    }
}

/// The accesses of an issue in its lane order, also of one that faults.
#[must_use]
pub fn accesses_of(program: &Program, issue: Issue, machine: &Machine) -> Vec<Access> {
    let mut stepper = Stepper::default();
    let _ = stepper.evaluate_accesses(program, issue, machine);
    stepper.evaluation.accesses
}
