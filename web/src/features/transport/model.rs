//! What the transport shows.

use super::{Speed, Stepping, Stride};
use crate::features::program::Source;
use crate::store::Slice;
use lanewise_core::diagnostic::Severity;
use lanewise_core::session::Session;
use std::rc::Rc;

/// What the transport shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TransportModel {
    /// How many steps lie behind.
    pub(crate) position: usize,
    /// How many steps are known.
    pub(crate) known: usize,
    /// Whether these are all.
    pub(crate) explored: bool,
    /// Where instructions start; none if they lie too close to be told apart.
    pub(crate) starts: Vec<usize>,
    /// The step that faults, once it is known.
    pub(crate) fault: Option<usize>,
    /// Steps that write watched cells.
    pub(crate) writes: Rc<[usize]>,
    /// Steps after which a run stops at a breakpoint; at most as many as there
    /// may be marks.
    pub(crate) stops: Vec<usize>,
    pub(crate) stride: Stride,
    /// Whether an instruction multiplies matrices, in depth stages of channels.
    pub(crate) has_stages: bool,
    pub(crate) running: bool,
    pub(crate) speed: Speed,
    pub(crate) can_run: bool,
    pub(crate) at_end: bool,
    /// Whether the last step was a fault.
    pub(crate) faulted: bool,
    /// One sentence on the last step, or on why there is none.
    pub(crate) summary: String,
}

/// The most marks on the timeline.
const MOST_TICKS: usize = 100;

/// All that the transport shows is made of.
#[derive(Clone, PartialEq)]
pub(super) struct TransportInputs {
    pub(super) session: Slice<Session>,
    pub(super) source: Slice<Source>,
    pub(super) stepping: Stepping,
    /// Steps that write watched cells.
    pub(super) writes: Rc<[usize]>,
    /// Why the visit did not start with the program that was kept.
    pub(super) start_error: Option<&'static str>,
}

impl TransportInputs {
    pub(super) fn model(&self) -> TransportModel {
        let session = &self.session;
        let can_run = self.source.can_run();
        TransportModel {
            position: session.position(),
            known: session.known(),
            explored: session.is_explored(),
            starts: match session.program().instructions.len() {
                0..=MOST_TICKS => session.instruction_starts().collect(),
                _ => Vec::new(),
            },
            fault: session.fault_ahead().map(|effect| effect + 1),
            writes: Rc::clone(&self.writes),
            stops: self.stops(),
            stride: self.stepping.stride,
            has_stages: self.has_stages(),
            running: self.stepping.running,
            speed: self.stepping.speed,
            can_run,
            at_end: session.at_end(),
            faulted: can_run && session.fault().is_some(),
            summary: self.summary(),
        }
    }

    fn has_stages(&self) -> bool {
        let mut placed = self.session.program().instructions.iter();
        placed.any(|placed| placed.instruction.matrix().is_some())
    }

    /// Where a run would stop at a breakpoint, as far as steps are known.
    fn stops(&self) -> Vec<usize> {
        let lines = self.source.breakpoints.lines();
        if lines.is_empty() {
            return Vec::new();
        }
        // Instructions are issued one after the other.
        let placed = self.session.program().instructions.iter();
        let starts = placed.zip(self.session.instruction_starts());
        let stops = starts.filter(|(placed, _)| lines.contains(&placed.line));
        stops.map(|(_, start)| start).take(MOST_TICKS).collect()
    }

    /// Of a fault the lines that its address starts from.
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
        let problems = self.source.problems.iter();
        match problems.filter(|p| p.severity == Severity::Error).count() {
            0 => match stopped_before(&self.source, &self.session, self.stepping) {
                Some(line) => format!("Stopped at the breakpoint on line {}.", line + 1),
                None => match self.address_origin() {
                    Some(origin) => format!("{}; {origin}", self.session.summary()),
                    None => self.session.summary(),
                },
            },
            1 => String::from(
                "Cannot run: 1 problem in the program. Showing the last valid program.",
            ),
            n => {
                format!("Cannot run: {n} problems in the program. Showing the last valid program.")
            }
        }
    }
}

/// The line before which the run stopped, while it is there and does not go on.
pub(super) fn stopped_before(
    source: &Source,
    session: &Session,
    stepping: Stepping,
) -> Option<u32> {
    let stopped = source.breakpoints.stopped_at(session.position());
    stopped.filter(|_| !stepping.running)
}
