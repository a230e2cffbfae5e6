use crate::features::outcomes::WorkerRequest;
use crate::store::State;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Family;
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::text::counted;
use lanewise_web::launch_checks::{CheckedLaunch, FindingAccess, LaunchFinding};
use std::rc::Rc;

/// Maximum number of accesses out of bounds that the Launch dialog lists.
const MAX_TRIAL_LINES: usize = 4;

/// The checks of the last launch, and of the one in the Launch dialog.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
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
        let is_current = self
            .checks
            .program
            .as_ref()
            .is_some_and(|program| Rc::ptr_eq(program, &self.source.document.program));
        match is_current {
            true => self.checks.launch.findings(),
            false => &[],
        }
    }

    /// Whether the program is a launch that the checks understand.
    pub(super) fn is_checkable(&self) -> bool {
        let program = &self.source.document.program;
        program.launch.is_some() && program.symbols.target.family() == Family::Visa
    }

    /// The instruction of an access.
    pub(super) fn accessing(&self, access: &FindingAccess) -> Option<&ProgramInstruction> {
        let instructions = &self.source.document.program.instructions;
        instructions.get(to_usize(access.instruction))
    }

    /// Whether a finding says more than the warning of the run about the instruction.
    pub(crate) fn is_warning_replaced(&self, instruction: u32) -> bool {
        let mut findings = self.findings().iter().filter(|f| f.replaces_warning);
        findings.any(|found| found.accesses.iter().any(|a| a.instruction == instruction))
    }

    /// Outcome of the launch that has ended, in one line.
    pub(super) fn launch_result(&self) -> Option<String> {
        let launch = self.session.program().launch.as_ref()?;
        if !self.can_run() || !self.session.at_end() || self.waits_for_groups() {
            return None;
        }
        let groups = launch.group_count();
        let items = launch.global.iter().map(|n| u64::from(*n)).product::<u64>();
        let all = format!(
            "{}, {}",
            counted(items, "work-item"),
            counted(groups, "group")
        );
        let run = match self.session.fault() {
            Some(_) => format!("Launch stopped by a fault in group {}", launch.group),
            None if launch.group + 1 == groups => format!("Launch finished: {all}"),
            None => format!("Group {} finished. Launch: {all}", launch.group),
        };
        let found = match &self.checks.launch.status {
            CheckStatus::NotRun => return Some(run),
            CheckStatus::Running => String::from("checking…"),
            CheckStatus::Failed(why) => format!("not checked: {why}"),
            CheckStatus::Done(checked) => found(checked),
        };
        Some(format!("{run} · {found}"))
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
                let mut lines: Vec<String> = found
                    .map(|found| capitalized(&found.message) + ".")
                    .collect();
                let more = lines.len().saturating_sub(MAX_TRIAL_LINES);
                lines.truncate(MAX_TRIAL_LINES);
                if more > 0 {
                    let more = counted(more, "more line");
                    lines.push(format!("{more} with accesses out of bounds."));
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
        if !self.is_checkable() {
            return Some(String::from(
                "SASS kernels are not checked for races and undefined values.",
            ));
        }
        Some(match &self.checks.launch.status {
            CheckStatus::NotRun => String::from(
                "Races, undefined values and accesses out of bounds are checked when the launch has ended.",
            ),
            CheckStatus::Running => String::from("The checks of the launch are running."),
            CheckStatus::Failed(why) => format!("The launch was not checked: {why}."),
            CheckStatus::Done(checked) => {
                let groups = counted(checked.groups, "work-group");
                let mut text = match checked.findings.len() {
                    0 => format!(
                        "Checked for races, undefined values, memory errors and barriers: no findings in {groups}."
                    ),
                    _ => format!("Checked {groups}."),
                };
                if checked.intended > 0 {
                    let intended = counted(checked.intended, "finding");
                    text.push_str(&format!(" {intended} marked as intended in the source."));
                }
                for note in &checked.unchecked {
                    text.push_str(&format!(" {}.", capitalized(note)));
                }
                text
            }
        })
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).collect()
}

/// Numbers of findings: `2 races, 1 undefined value`.
fn found(checked: &CheckedLaunch) -> String {
    let mut counts: Vec<(&LaunchFinding, usize)> = Vec::new();
    for finding in &checked.findings {
        let noun = |known: &&mut (&LaunchFinding, usize)| known.0.noun == finding.noun;
        match counts.iter_mut().find(noun) {
            Some((_, count)) => *count += 1,
            None => counts.push((finding, 1)),
        }
    }
    let counts = counts.into_iter().map(|(finding, count)| match count {
        1 => format!("1 {}", finding.noun),
        count => format!("{count} {}", finding.plural),
    });
    let counts: Vec<String> = counts.collect();
    match (counts.is_empty(), checked.unchecked.is_empty()) {
        (false, _) => counts.join(", "),
        (true, true) => String::from("no findings"),
        (true, false) => String::from("no findings in the part that was checked"),
    }
}
