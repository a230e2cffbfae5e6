//! Model of the transport.

use super::{Speed, Stepping, Stride};
use crate::features::program::Source;
use crate::store::Slice;
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::visa::op::FlowKind;
use lanewise_core::program::ProgramInstruction;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Model of the transport.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TransportModel {
    /// Number of completed steps.
    pub(crate) position: usize,
    /// Number of known steps.
    pub(crate) known: usize,
    /// Whether all steps of the run are known.
    pub(crate) explored: bool,
    /// First steps of issues; empty if too dense to mark.
    pub(crate) starts: Vec<usize>,
    /// The faulting step, once known.
    pub(crate) fault: Option<usize>,
    /// Steps that write watched cells.
    pub(crate) writes: Rc<[usize]>,
    /// Steps after which a run stops at a breakpoint, limited to the maximum
    /// number of marks.
    pub(crate) stops: Vec<usize>,
    pub(crate) stride: Stride,
    /// Whether the program has a matrix instruction, which executes in depth
    /// stages of channels.
    pub(crate) has_stages: bool,
    /// Whether the program has a call, which can be stepped over.
    pub(crate) has_calls: bool,
    pub(crate) running: bool,
    pub(crate) speed: Speed,
    pub(crate) can_run: bool,
    /// Whether earlier work-groups still have to run.
    pub(crate) has_earlier_groups: bool,
    pub(crate) at_end: bool,
    /// Whether the last step faulted.
    pub(crate) faulted: bool,
    /// Step summary, or the reason why the program cannot run.
    pub(crate) summary: String,
}

/// Maximum number of marks on the timeline.
const MAX_TICKS: usize = 100;

/// Inputs of [`TransportModel`].
#[derive(Clone, PartialEq)]
pub(super) struct TransportInputs {
    pub(super) session: Slice<Session>,
    pub(super) source: Slice<Source>,
    pub(super) stepping: Stepping,
    /// Steps that write watched cells.
    pub(super) writes: Rc<[usize]>,
    /// Why the visit did not start with the saved program.
    pub(super) start_error: Option<&'static str>,
    /// Work-group that runs before the timeline can start, and the one of the
    /// timeline.
    pub(super) earlier_groups: Option<(u32, u32)>,
}

impl TransportInputs {
    pub(super) fn model(&self) -> TransportModel {
        let session = &self.session;
        let can_run = self.source.can_run();
        TransportModel {
            position: session.position(),
            known: session.known(),
            explored: session.is_explored(),
            starts: match session.issues().len() {
                0..=MAX_TICKS => session.issue_starts().collect(),
                _ => Vec::new(),
            },
            fault: session.fault_ahead().map(|effect| effect + 1),
            writes: Rc::clone(&self.writes),
            stops: self.stops(),
            stride: self.stepping.stride,
            has_stages: self.has_stages(),
            has_calls: self.session.program().instructions.iter().any(is_call),
            running: self.stepping.running,
            speed: self.stepping.speed,
            can_run,
            has_earlier_groups: self.earlier_groups.is_some(),
            at_end: session.at_end(),
            faulted: can_run && session.fault().is_some(),
            summary: self.summary(),
        }
    }

    fn has_stages(&self) -> bool {
        let mut placed = self.session.program().instructions.iter();
        placed.any(|placed| placed.instruction.matrix().is_some())
    }

    /// Known positions at which a run stops at a breakpoint.
    fn stops(&self) -> Vec<usize> {
        // Conditions depend on the state there.
        let lines = self.source.breakpoints.lines.iter();
        let lines = lines.filter(|(_, condition)| condition.is_empty());
        let lines: Vec<u32> = lines.map(|(line, _)| *line).collect();
        if lines.is_empty() {
            return Vec::new();
        }
        let program = self.session.program();
        let issues = self.session.issues().zip(self.session.issue_starts());
        let stops = issues.filter(|(issue, _)| lines.contains(&program.instruction(*issue).line));
        stops.map(|(_, start)| start).take(MAX_TICKS).collect()
    }

    /// For a fault, the lines that define the base address.
    fn address_origin(&self) -> Option<String> {
        let fault = self.session.fault()?;
        let program = self.session.program();
        let index = usize::try_from(fault.instruction).ok()?;
        let instruction = &program.instructions.get(index)?.instruction;
        let lines = &self.source.document.lines;
        let registers = instruction.address_registers(&program.symbols);
        let from = registers.iter().filter_map(|register| {
            let span = program.init_spans(&register.place, fault.unit.eu).last()?;
            let (line, _) = lines.line_column(span.start as usize);
            Some(format!("{} on line {line}", register.place))
        });
        let from: Vec<String> = from.collect();
        (!from.is_empty()).then(|| format!("the address starts from {}", from.join(" and ")))
    }

    fn summary(&self) -> String {
        if let Some(error) = self.start_error {
            return String::from(error);
        }
        if let Some((group, of)) = self.earlier_groups.filter(|_| self.source.can_run()) {
            return match self.stepping.running {
                true => format!("Running work-group {group} of the {of} before this one"),
                false => format!(
                    "Stopped in work-group {group} of the {of} before this one. Press Run to continue."
                ),
            };
        }
        if let Some(goal) = self.stepping.goal.filter(|_| self.stepping.running) {
            return format!("{}: step {}", goal.label(), self.session.position());
        }
        let problems = self.source.problems.iter();
        match problems.filter(|p| p.severity == Severity::Error).count() {
            0 => match stopped_before(&self.source, &self.session, self.stepping) {
                Some(line) => format!("Stopped at the breakpoint on line {}.", line + 1),
                None => match self.address_origin() {
                    Some(origin) => format!("{}; {origin}", self.session.summary()),
                    None => self.session.summary(),
                },
            },
            1 => String::from("1 error. The picture shows your previous program."),
            n => {
                format!("{n} errors. The picture shows your previous program.")
            }
        }
    }
}

pub(crate) fn is_barrier(placed: &ProgramInstruction) -> bool {
    let branch = placed.instruction.branch();
    branch.is_some_and(|branch| branch.kind.synchronizes())
}

/// Whether an instruction calls a subroutine or function.
pub(super) fn is_call(placed: &ProgramInstruction) -> bool {
    let branch = placed.instruction.branch();
    branch.is_some_and(|branch| matches!(branch.kind, FlowKind::Call | FlowKind::IndirectCall))
}

/// Line of the breakpoint at which the run is stopped, if any.
fn stopped_before(source: &Source, session: &Session, stepping: Stepping) -> Option<u32> {
    let stopped = source.breakpoints.stopped_at(session.position());
    stopped.filter(|_| !stepping.running)
}
