//! Model of the transport.

use crate::features::program::breakpoint_place;
use crate::store::State;
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::visa::op::FlowKind;
use lanewise_core::program::ProgramInstruction;
use lanewise_core::text::counted;

/// Parts of the transport that depend on the whole program or run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TransportModel {
    /// First steps of issues; empty if too dense to mark.
    pub(crate) starts: Vec<usize>,
    /// The faulting step, once known.
    pub(crate) fault: Option<usize>,
    /// Steps after which a run stops at a breakpoint, limited to the maximum
    /// number of marks.
    pub(crate) stops: Vec<usize>,
    /// Whether the program has a matrix instruction, which executes in depth
    /// stages of channels.
    pub(crate) has_stages: bool,
    /// Whether the program has a call, which can be stepped over.
    pub(crate) has_calls: bool,
    /// Whether the program is a kernel, which is debugged as such.
    pub(crate) is_kernel: bool,
    /// Whether the source of the kernel is shown, whose lines can be stepped.
    pub(crate) has_source: bool,
    /// Whether the last step faulted.
    pub(crate) faulted: bool,
    /// Step summary, or the reason why the program cannot run.
    pub(crate) summary: String,
}

/// Maximum number of marks on the timeline.
const MAX_TICKS: usize = 100;

impl State {
    pub(crate) fn transport(&self) -> TransportModel {
        let session = &self.session;
        let mut placed = session.program().instructions.iter();
        TransportModel {
            starts: match session.issues().len() {
                0..=MAX_TICKS => session.issue_starts().collect(),
                _ => Vec::new(),
            },
            fault: session.fault_ahead().map(|effect| effect + 1),
            stops: self.breakpoint_stops(),
            has_calls: placed.clone().any(is_call),
            is_kernel: self.is_kernel(),
            has_source: self.kernel_source().is_some(),
            has_stages: placed.any(|placed| placed.instruction.matrix().is_some()),
            faulted: self.can_run() && session.fault().is_some(),
            summary: self.step_summary(),
        }
    }

    /// Known positions at which a run stops at a breakpoint.
    fn breakpoint_stops(&self) -> Vec<usize> {
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
            let span = program
                .init_spans(&register.place, fault.unit.thread)
                .last()?;
            let (line, _) = lines.line_column(span.start as usize);
            Some(format!("{} on line {line}", register.place))
        });
        let from: Vec<String> = from.collect();
        (!from.is_empty()).then(|| format!("the address starts from {}", from.join(" and ")))
    }

    fn step_summary(&self) -> String {
        if let Some(error) = self.start_error {
            return String::from(error);
        }
        let running = self.stepping.running;
        if let Some(progress) = self.group_progress().filter(|_| self.can_run()) {
            return match running {
                true => format!("Running {progress}"),
                false => {
                    let button = if self.is_kernel() { "Continue" } else { "Run" };
                    format!("Stopped in {progress}. Press {button} to go on.")
                }
            };
        }
        let position = self.session.position();
        if let Some(goal) = self.stepping.goal.filter(|_| running) {
            return format!("Running to {}: step {position}", goal.name());
        }
        let problems = self.source.problems.iter();
        let errors = problems.filter(|p| p.severity == Severity::Error).count();
        if errors > 0 {
            let previous = match self.session.program().instructions.is_empty() {
                true => "",
                false => " The picture shows your previous program.",
            };
            return format!("{}.{previous}", counted(errors, "error"));
        }
        let stopped = self.source.breakpoints.stopped_at(position);
        match (stopped.filter(|_| !running), self.address_origin()) {
            (Some(stop), _) => {
                let program = self.session.program();
                let place = breakpoint_place(program, stop.line);
                let error = self.source.breakpoints.condition_error(stop.line, program);
                let no_effect = error.map_or("", |_| "; its condition is not valid");
                let words = program.words();
                let thread = (program.threads > 1).then(|| (words.thread, u32::from(stop.thread)));
                let launch = program.launch.as_ref();
                let launch = launch.filter(|launch| launch.group_count() > 1);
                let group = launch.map(|launch| (words.work_group, launch.group));
                let who = thread.into_iter().chain(group);
                let who: String = who
                    .map(|(noun, number)| format!(", {noun} {number}"))
                    .collect();
                format!("Stopped at the breakpoint on {place}{who}{no_effect}.")
            }
            (None, Some(origin)) => format!("{}; {origin}", self.session.summary()),
            (None, None) => self
                .start_of_group()
                .unwrap_or_else(|| self.session.summary()),
        }
    }

    /// Names the work-group at whose start the run is, if others have run before it.
    fn start_of_group(&self) -> Option<String> {
        let launch = self.session.program().launch.as_ref()?;
        let group = launch.group;
        let noun = launch.words().work_group;
        let before = match group {
            1 => format!("{noun} 0 has run"),
            _ => format!("{noun}s 0–{} have run", group - 1),
        };
        (group > 0 && self.session.position() == 0)
            .then(|| format!("At the start of {noun} {group}; {before}."))
    }
}

/// Whether an instruction calls a subroutine or function.
pub(super) fn is_call(placed: &ProgramInstruction) -> bool {
    let branch = placed.instruction.branch();
    branch.is_some_and(|branch| matches!(branch.kind, FlowKind::Call | FlowKind::IndirectCall))
}
