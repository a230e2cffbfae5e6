//! Checks of a launch in the worker, and their findings as messages.

use lanewise_api::{Checked, CheckedRun, FindingJson, Findings, MAX_FINDINGS};
use lanewise_checks::{KINDS, Kind, Space};
use lanewise_core::isa::FaultKind;
use lanewise_core::program::Program;
use lanewise_core::rules::Severity;
use lanewise_core::session::Fault;
use serde::{Deserialize, Serialize};

/// Maximum number of instructions of a launch that are checked.
const MAX_INSTRUCTIONS: u64 = 20_000_000;

/// Instructions checked between two clock reads.
const BUDGET: u64 = 2_000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedLaunch {
    /// By severity, then by line; without those that the source calls intended.
    pub findings: Vec<LaunchFinding>,
    /// Number of findings that the source calls intended.
    pub intended: u64,
    /// Parts of the launch that were not checked, and findings beyond the limit.
    pub unchecked: Vec<String>,
    /// A check that was not chosen, although it matters for the launch.
    pub remark: Option<String>,
    /// Number of work-groups that have run, the last one perhaps in part.
    pub groups: u32,
    /// The fault that has ended the checks.
    pub fault: Option<CheckedFault>,
}

/// A fault that has ended the checks of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedFault {
    /// Index of the work-group in the launch.
    pub group: u32,
    pub kind: FaultKind,
    /// Index of the instruction.
    pub instruction: u32,
    pub message: String,
}

impl CheckedFault {
    /// Whether a fault of a run in a work-group is this one.
    #[must_use]
    pub fn is(&self, fault: &Fault, group: u32) -> bool {
        (self.group, self.kind, self.instruction) == (group, fault.kind, fault.instruction)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchFinding {
    pub severity: Severity,
    pub code: String,
    /// A word for the defect, and its plural: `race`, `races`.
    pub noun: String,
    pub plural: String,
    pub is_out_of_bounds: bool,
    /// Whether it is out of bounds of a buffer, so that it had no effect.
    pub is_outside_buffer: bool,
    pub is_float: bool,
    /// Whether it says more than a warning of the run about the same instruction.
    pub replaces_warning: bool,
    /// Whether it stands for the fault of its access, if there is one.
    pub replaces_fault: bool,
    /// The kind of defect: `race on local memory`.
    pub title: String,
    pub why: String,
    pub message: String,
    /// The accesses of the first occurrence.
    pub accesses: Vec<FindingAccess>,
    pub count: u64,
    pub groups: u32,
    /// Messages of the findings that this one explains.
    pub consequences: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingAccess {
    /// `read`, `write`, `atomic`, `branch` or `barrier`.
    pub operation: String,
    /// Index of the work-group in the launch.
    pub group: u32,
    pub thread: u8,
    pub lane: u8,
    pub instruction: u32,
    /// File and line of the source, if the program names them.
    pub source: Option<(String, u64)>,
    /// Address, unless the access is a branch or barrier.
    pub address: Option<u64>,
    /// As a number of the type of the element.
    pub value: Option<String>,
    /// Step in the timeline of its work-group, if it is known.
    pub step: Option<usize>,
}

impl LaunchFinding {
    fn of(found: FindingJson) -> Self {
        let facts = KINDS.iter().find(|facts| facts.code == found.code);
        let facts = facts.expect("findings have codes of the table");
        let [title, why] = found.title_and_why();
        let is_out_of_bounds = facts.kind == Kind::OutOfBounds;
        let of_buffer = [Space::Global, Space::Constant].map(Space::word);
        let severities = [Severity::Error, Severity::Warning];
        let severity = severities.into_iter().find(|s| s.word() == found.severity);
        Self {
            severity: severity.unwrap_or(Severity::Note),
            code: String::from(facts.code),
            noun: String::from(facts.noun),
            plural: String::from(facts.plural),
            is_out_of_bounds,
            is_outside_buffer: is_out_of_bounds && of_buffer.contains(&found.space),
            is_float: facts.check == "float",
            replaces_warning: facts.kind.replaces_warning(),
            replaces_fault: facts.kind.replaces_fault(),
            title,
            why,
            message: found.message,
            accesses: found.accesses.into_iter().map(access).collect(),
            count: found.count,
            groups: found.groups,
            consequences: found.consequences,
        }
    }

    /// Whether an instruction makes one of its accesses.
    #[must_use]
    pub fn is_about(&self, instruction: u32) -> bool {
        let mut accesses = self.accesses.iter();
        accesses.any(|access| access.instruction == instruction)
    }
}

fn access(access: lanewise_api::AccessJson) -> FindingAccess {
    let note = &access.note;
    FindingAccess {
        operation: String::from(access.op),
        group: note.group,
        thread: access.thread,
        lane: access.lane,
        instruction: note.instruction,
        address: (note.bytes > 0).then_some(note.address),
        value: access.number,
        step: note.step.and_then(|step| usize::try_from(step).ok()),
        source: access.place.file.zip(access.place.line),
    }
}

/// Checks of a launch under way.
#[derive(Debug)]
pub struct LaunchChecks {
    program: Program,
    /// Text of the kernel's source, if it is known.
    source: Option<String>,
    run: CheckedRun,
    /// Instructions that may still be checked.
    left: u64,
}

impl LaunchChecks {
    /// A launch and the names of its checks; unknown ones select the usual checks.
    #[must_use]
    pub fn new(text: &str, source: Option<String>, checks: &[String]) -> Self {
        let program = Program::parse(text);
        let checked = Checked::of(checks).or_else(|_| Checked::of(&[""; 0]));
        let checked = checked.expect("the usual checks are known");
        Self {
            run: CheckedRun::new(checked, &program),
            program,
            source,
            left: MAX_INSTRUCTIONS,
        }
    }

    /// Checks some instructions. Returns whether the launch has ended or its limit is
    /// reached.
    pub fn work(&mut self) -> bool {
        let budget = self.left.min(BUDGET);
        self.left -= budget;
        self.run.advance(&self.program, budget) || self.left == 0
    }

    #[must_use]
    pub fn finish(self) -> CheckedLaunch {
        let program = &self.program;
        let group = self.run.group();
        let (result, report) = self.run.finish(program);
        let groups = report.groups;
        let found = Findings::of(program, report, MAX_FINDINGS, &[], self.source.as_deref());
        let (unchecked, remark) = (found.unchecked(), found.remark.map(String::from));
        let (intended, findings): (Vec<_>, Vec<_>) =
            found.found.into_iter().partition(|found| found.suppressed);
        CheckedLaunch {
            findings: findings.into_iter().map(LaunchFinding::of).collect(),
            intended: intended.len() as u64,
            unchecked,
            remark,
            groups,
            fault: result.fault.map(|fault| CheckedFault {
                group,
                kind: fault.kind,
                instruction: fault.instruction,
                message: fault.message,
            }),
        }
    }
}
