use crate::features::outcomes::WorkerRequest;
use crate::store::State;
use lanewise_answer::choices;
use lanewise_answer::launch::{FindingKind, ResultPart, result_parts};
use lanewise_api::DEFAULT_CHECKS;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::session::Fault;
use lanewise_core::text::{capitalized, counted};
use lanewise_web::launch_checks::{CheckedFault, CheckedLaunch, FindingAccess, LaunchFinding};
use std::rc::Rc;

/// Maximum number of accesses out of bounds that the Launch dialog lists.
const MAX_TRIAL_LINES: usize = 4;

choices! {
    pub(crate) CheckChoice {
        Races "races" "races",
        /// Includes the races between threads.
        Lockstep "lockstep" "races within a thread",
        Uninit "uninit" "undefined values",
        Memory "memory" "accesses out of bounds",
        Barriers "barriers" "barriers",
        Float "float" "unusual floats",
    }
}

pub(super) fn keys(choices: &[CheckChoice]) -> Vec<String> {
    choices.iter().map(|c| c.key().to_owned()).collect()
}

/// The checks of the last launch, and of the one in the Launch dialog.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
    /// The selected checks, if they are not the usual ones.
    pub(super) chosen: Option<Vec<CheckChoice>>,
    /// The program in the text, with any work-group in the timeline.
    pub(super) program: Option<Rc<Program>>,
    pub(crate) launch: CheckedText,
    pub(crate) trial: CheckedText,
    /// Number of the last request.
    pub(super) count: u32,
}

/// Checks of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedText {
    /// The launch, with the first work-group in the timeline.
    pub(super) text: Option<Rc<str>>,
    pub(crate) status: CheckStatus,
    /// Last request to the worker, and its number.
    pub(crate) request: Option<WorkerRequest>,
    pub(super) id: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum CheckStatus {
    /// The launch has not ended.
    #[default]
    NotRun,
    Running,
    Done(Rc<CheckedLaunch>),
    /// Reason why the worker failed.
    Failed(Rc<str>),
}

impl Checks {
    /// With the checks of an earlier visit.
    pub(crate) fn restored(keys: Option<&[String]>) -> Self {
        let of_keys = |keys: &[String]| {
            keys.iter()
                .filter_map(|key| CheckChoice::of_key(key))
                .collect()
        };
        Self {
            chosen: keys.map(of_keys),
            ..Self::default()
        }
    }

    /// Names of the selected checks, if they are not the usual ones.
    pub(crate) fn settings(&self) -> Option<Vec<String>> {
        self.chosen.as_deref().map(keys)
    }

    /// The selected checks, in order.
    pub(super) fn chosen(&self) -> Vec<CheckChoice> {
        let chosen = self.chosen.clone();
        chosen.unwrap_or_else(|| {
            let is_usual = |choice: &CheckChoice| DEFAULT_CHECKS.contains(&choice.key());
            CheckChoice::ALL.into_iter().filter(is_usual).collect()
        })
    }

    pub(crate) fn findings_about(&self, program: &Rc<Program>) -> &[LaunchFinding] {
        match self.is_about(program) {
            true => self.launch.findings(),
            false => &[],
        }
    }

    /// Whether the findings are about a program.
    pub(super) fn is_about(&self, program: &Rc<Program>) -> bool {
        let known = self.program.as_ref();
        known.is_some_and(|known| Rc::ptr_eq(known, program))
    }

    pub(super) fn is_off(&self) -> bool {
        self.chosen.as_ref().is_some_and(Vec::is_empty)
    }

    pub(crate) const fn awaits_response(&self) -> bool {
        self.launch.awaits_response() || self.trial.awaits_response()
    }
}

impl CheckedText {
    pub(super) const fn awaits_response(&self) -> bool {
        matches!(self.status, CheckStatus::Running)
    }

    fn findings(&self) -> &[LaunchFinding] {
        match &self.status {
            CheckStatus::Done(checked) => &checked.findings,
            _ => &[],
        }
    }
}

impl State {
    /// Findings about the program in the editor.
    pub(crate) fn findings(&self) -> &[LaunchFinding] {
        self.checks.findings_about(&self.source.document.program)
    }

    /// The selected checks, in words: `races, barriers`.
    fn looked_for(&self) -> String {
        let chosen = self.checks.chosen().into_iter();
        let labels: Vec<&str> = chosen.map(CheckChoice::label).collect();
        labels.join(", ")
    }

    pub(super) fn accessing(&self, access: &FindingAccess) -> Option<&ProgramInstruction> {
        let instructions = &self.source.document.program.instructions;
        instructions.get(to_usize(access.instruction))
    }

    /// Whether a finding says more than the warning of the run about the instruction.
    pub(crate) fn is_warning_replaced(&self, instruction: u32) -> bool {
        let mut findings = self.findings().iter().filter(|f| f.replaces_warning);
        findings.any(|found| found.is_about(instruction))
    }

    /// The checks of the program in the editor, if they have ended.
    fn checked_launch(&self) -> Option<&CheckedLaunch> {
        match &self.checks.launch.status {
            CheckStatus::Done(checked) if self.checks.is_about(&self.source.document.program) => {
                Some(checked)
            }
            _ => None,
        }
    }

    /// Whether the checks ended at the fault that stops the run.
    fn is_fault_of_run(&self, end: &CheckedFault) -> bool {
        let launch = self.session.program().launch.as_ref();
        let run = self.session.fault().zip(launch);
        run.is_some_and(|(fault, launch)| end.is(fault, launch.group))
    }

    /// The checks, if they went on after the fault that stops the run.
    fn checked_past_fault(&self) -> Option<&CheckedLaunch> {
        self.session.fault()?;
        let launch = self.session.program().launch.as_ref()?;
        let checked = self.checked_launch()?;
        let end = checked.fault.as_ref();
        // Their limit may have ended them in an earlier work-group.
        let is_past =
            launch.group < checked.groups && !end.is_some_and(|f| self.is_fault_of_run(f));
        is_past.then_some(checked)
    }

    /// Whether a finding stands for the fault that stops the run.
    pub(crate) fn is_fault_replaced(&self, fault: &Fault) -> bool {
        let mut findings = self.findings().iter().filter(|f| f.replaces_fault);
        self.checked_past_fault().is_some()
            && findings.any(|found| found.is_about(fault.instruction))
    }

    /// Outcome of the launch that has ended: what has ended, what the checks have found, and
    /// another remark on the checks.
    pub(crate) fn launch_result(&self) -> Option<(String, Vec<ResultPart>, Option<String>)> {
        let launch = self.session.program().launch.as_ref()?;
        let checked = self.checked_launch();
        let has_ended = self.session.at_end() && !self.waits_for_groups();
        if !self.can_run() || !(checked.is_some() || has_ended) {
            return None;
        }
        let (noun, group) = (launch.words().group, launch.group);
        let run = match (self.session.fault(), checked) {
            _ if !has_ended => format!("Whole launch: {}", launch.size_text()),
            (Some(_), _) => {
                let mut text = format!("Launch stopped by a fault in {noun} {group}");
                if let Some(checked) = self.checked_past_fault() {
                    text.push_str("; the checks went on without the faulting accesses");
                    if let Some(end) = &checked.fault {
                        let end = format!(" until another fault in {noun} {}", end.group);
                        text.push_str(&end);
                    }
                }
                text
            }
            // The checks have run all groups, but the timeline shows one.
            (None, Some(checked)) if self.has_later_groups() => {
                let covered = match &checked.fault {
                    Some(fault) => format!("a fault in {noun} {} stops the launch", fault.group),
                    None if checked.unchecked.is_empty() => {
                        String::from("the whole launch was checked")
                    }
                    None => String::from("the launch was checked in part"),
                };
                let (noun, count) = (capitalized(noun), launch.group_count());
                format!(
                    "{noun} {group} finished ({} of {count}); {covered}",
                    group + 1
                )
            }
            (None, _) => launch.end_text(),
        };
        let mut parts = Vec::new();
        let remark = match &self.checks.launch.status {
            _ if self.checks.is_off() => Some(String::from("not checked")),
            CheckStatus::NotRun => None,
            CheckStatus::Running => Some(String::from("checking…")),
            CheckStatus::Failed(why) => Some(format!("not checked: {why}")),
            CheckStatus::Done(checked) => {
                parts = result_parts(checked.findings.iter().map(counted_kind));
                let remark = match checked.unchecked.is_empty() {
                    true => "no findings",
                    false => "no findings in the part that was checked",
                };
                let has_none = parts.is_empty() && checked.fault.is_none();
                has_none.then(|| String::from(remark))
            }
        };
        Some((run, parts, remark))
    }

    /// Accesses out of bounds of the launch in the Launch dialog, in sentences.
    pub(crate) fn trial_text(&self) -> Vec<String> {
        let trial = &self.checks.trial;
        match &trial.status {
            CheckStatus::NotRun => Vec::new(),
            CheckStatus::Running => vec![String::from("Trying this launch…")],
            CheckStatus::Failed(why) => vec![format!("This launch was not tried: {why}.")],
            CheckStatus::Done(checked) => {
                let found = checked.findings.iter().filter(|f| f.is_out_of_bounds);
                // They start with the name of a buffer.
                let mut lines: Vec<String> =
                    found.map(|found| format!("{}.", found.message)).collect();
                // Several instructions may access the same place.
                lines.dedup();
                let more = lines.len().saturating_sub(MAX_TRIAL_LINES);
                lines.truncate(MAX_TRIAL_LINES);
                if more > 0 {
                    let more = counted(more, "more line");
                    lines.push(format!("{more} with accesses out of bounds."));
                }
                if let Some(fault) = &checked.fault {
                    lines.push(format!(
                        "With these sizes, the launch stops: {}.",
                        fault.message
                    ));
                }
                let unchecked = checked.unchecked.iter();
                lines.extend(unchecked.map(|note| capitalized(note) + "."));
                if lines.is_empty() {
                    lines.push(String::from(
                        "With these sizes, no access is out of bounds.",
                    ));
                }
                lines
            }
        }
    }

    /// Sentence about what the checks have covered, for a launch.
    pub(crate) fn checks_text(&self) -> Option<String> {
        self.session.program().launch.as_ref()?;
        if self.checks.is_off() {
            return Some(String::from(
                "The launch is not checked: all checks are switched off in the Launch dialog.",
            ));
        }
        let looked_for = self.looked_for();
        Some(match &self.checks.launch.status {
            CheckStatus::NotRun => {
                format!("Checked when the launch has ended: {looked_for}.")
            }
            CheckStatus::Running => String::from("The checks of the launch are running."),
            CheckStatus::Failed(why) => format!("The launch was not checked: {why}."),
            CheckStatus::Done(checked) => {
                let groups = counted(checked.groups, self.session.program().words().work_group);
                let mut text = match checked.findings.len() {
                    0 if checked.fault.is_some() => {
                        format!("Checked until the fault: {looked_for}. No findings in {groups}.")
                    }
                    0 => format!("Checked: {looked_for}. No findings in {groups}."),
                    _ => format!("Checked {groups}: {looked_for}."),
                };
                if checked.intended > 0 {
                    let intended = counted(checked.intended, "finding");
                    text.push_str(&format!(" {intended} marked as intended in the source."));
                }
                let end = checked.fault.as_ref();
                if let Some(end) = end.filter(|end| !self.is_fault_of_run(end)) {
                    let noun = self.session.program().words().work_group;
                    let (group, message) = (end.group, &end.message);
                    text.push_str(&format!(
                        " A fault in {noun} {group} ended the checks: {message}."
                    ));
                }
                for note in checked.unchecked.iter().chain(&checked.remark) {
                    text.push_str(&format!(" {}.", capitalized(note)));
                }
                text
            }
        })
    }
}

/// Lines of the kernel's source that findings name, from 1, with their code and title.
pub(crate) fn finding_lines(findings: &[LaunchFinding]) -> Vec<(u32, String, String)> {
    let lines = findings.iter().flat_map(|found| {
        found.accesses.iter().filter_map(|access| {
            let (_, line) = access.source.as_ref()?;
            let line = u32::try_from(*line).ok()?;
            Some((line, found.code.clone(), found.title.clone()))
        })
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    lines.dedup();
    lines
}

/// A finding for its count. Accesses out of bounds and unusual floats are counted by how often
/// they occurred, others by the lines where they did.
fn counted_kind(found: &LaunchFinding) -> FindingKind<'_> {
    let operation = found.accesses.first();
    FindingKind {
        noun: &found.noun,
        plural: &found.plural,
        operation: operation.map_or("", |access| &*access.operation),
        is_outside_buffer: found.is_outside_buffer,
        count: match found.is_out_of_bounds || found.is_float {
            true => found.count,
            false => 1,
        },
    }
}
