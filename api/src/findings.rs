//! Findings of the checks of a launch: as text, in answers and in reports.

use crate::place::CodePlace;
use lanewise_checks::{
    AccessNote, Checks, Finding, KINDS, Kind, KindFacts, Operands, Operation, Options, Report,
    Rerun, Severity, Space, locate, site_of,
};
use lanewise_core::checks::undefined::{
    Undefined, UndefinedReport, UndefinedUse, UndefinedValues, Unwritten, ValueOrigin,
};
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::{LaunchWords, Unit};
use lanewise_core::machine::SpaceKind;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{ItemPlace, Program, Sizes};
use lanewise_core::session::{LaunchRun, Observer, RunOrder, RunResult, run_observed};
use lanewise_core::text::counted;
use serde::Serialize;
use std::fmt::Write as _;

/// Words of `--check` alone.
pub const DEFAULT_CHECKS: &[&str] = &["races", "uninit", "memory", "barriers"];

/// Groups of findings in a report, if `--max-findings` does not say otherwise.
pub const MAX_FINDINGS: usize = 50;

/// The selected checks.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    options: Options,
    uninit: bool,
    /// Most instructions of the run.
    budget: u64,
}

impl Checked {
    /// The checks of these names; the usual ones if there are none.
    ///
    /// # Errors
    /// If a word is not the name of a check.
    pub fn of(words: &[impl AsRef<str>]) -> Result<Self, String> {
        let mut checked = Self {
            options: Options::NONE,
            uninit: false,
            budget: u64::MAX,
        };
        let given: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let words = if given.is_empty() {
            DEFAULT_CHECKS
        } else {
            &given
        };
        for word in words {
            match *word {
                "uninit" => checked.uninit = true,
                word if checked.options.add(word) => {}
                word => {
                    return Err(format!(
                        "unknown check `{word}`; expected `races`, `uninit`, `memory`, `barriers`, `float` or `lockstep`"
                    ));
                }
            }
        }
        Ok(checked)
    }

    /// Stops launches after so many instructions.
    #[must_use]
    pub const fn within(self, budget: u64) -> Self {
        Self { budget, ..self }
    }

    /// Runs a launch in an order, or another program, and checks it.
    #[must_use]
    pub fn run(self, program: &Program, schedule: RunOrder) -> (RunResult, Report) {
        let (result, mut report) = self.run_and_report(program, schedule);
        report.schedule = Some(schedule);
        if result.fault.is_some() {
            report.limits.push("a fault ended the launch");
        }
        if u64::from(result.instructions) >= self.budget {
            report.limits.push("the launch was stopped early");
        }
        (result, report)
    }

    fn observe<O: Observer>(
        self,
        program: &Program,
        schedule: RunOrder,
        observer: &mut O,
    ) -> RunResult {
        let Some(launch) = &program.launch else {
            return run_observed(program, observer);
        };
        let mut program = program.clone();
        program.schedule = schedule.threads;
        let mut run = LaunchRun::in_order(&program, schedule.groups);
        run.advance_observed(&program, launch.group_count(), self.budget, observer);
        run.into_result()
    }

    fn run_and_report(self, program: &Program, schedule: RunOrder) -> (RunResult, Report) {
        let checks = Checks::new(program, self.options);
        let has_operands = self.options.memory && !program.has_warps() || self.options.float;
        if !self.uninit && !has_operands {
            let mut checks = checks;
            let result = self.observe(program, schedule, &mut checks);
            return (result, checks.into_report());
        }
        let mut observers = (checks, Operands::new(self.options));
        let Some(values) = self.uninit.then(|| UndefinedValues::new(program)) else {
            let result = self.observe(program, schedule, &mut observers);
            return (result, report_of(observers));
        };
        let mut all = (observers, values);
        let result = self.observe(program, schedule, &mut all);
        let mut report = report_of(all.0);
        add_undefined(program, &all.1.finish(), &mut report);
        (result, report)
    }
}

fn report_of((checks, operands): (Checks, Operands)) -> Report {
    let mut report = checks.into_report();
    for finding in operands.into_report().findings() {
        report.extend(Some(finding));
    }
    report
}

fn add_undefined(program: &Program, found: &UndefinedReport, report: &mut Report) {
    for value in &found.values {
        report.extend(Some(undefined(program, value)));
    }
    for part in &found.unwritten {
        report.extend(Some(unwritten(program, part)));
    }
    if !found.is_complete {
        let what = "the launch stores more undefined values than are remembered";
        report.limits.push(what);
    }
}

/// A launch that runs in slices, watched by the selected checks and followed for undefined
/// values.
#[derive(Debug)]
pub struct CheckedRun {
    run: LaunchRun,
    observers: ((Checks, Operands), Option<UndefinedValues>),
    has_ended: bool,
}

impl CheckedRun {
    /// The start of a launch.
    #[must_use]
    pub fn new(checked: Checked, program: &Program) -> Self {
        let options = checked.options;
        let checks = (Checks::new(program, options), Operands::new(options));
        let values = checked.uninit.then(|| UndefinedValues::new(program));
        Self {
            run: LaunchRun::new(program),
            observers: (checks, values),
            has_ended: false,
        }
    }

    /// Issues at most `budget` instructions. Returns whether the launch has ended.
    pub fn advance(&mut self, program: &Program, budget: u64) -> bool {
        let groups = program.launch.as_ref().map_or(0, |l| l.group_count());
        let observers = &mut self.observers;
        self.has_ended = self
            .run
            .advance_observed(program, groups, budget, observers);
        self.has_ended
    }

    /// The work-group that is running or runs next; after a fault, the faulting one.
    #[must_use]
    pub const fn group(&self) -> u32 {
        self.run.group()
    }

    /// The result and findings of the launch as far as it has run.
    #[must_use]
    pub fn finish(self, program: &Program) -> (RunResult, Report) {
        let (observers, values) = self.observers;
        let mut report = report_of(observers);
        if let Some(values) = values {
            add_undefined(program, &values.finish(), &mut report);
        }
        if !self.has_ended {
            report.limits.push("the launch is too long");
        }
        (self.run.into_result(), report)
    }
}

/// An undefined value that matters, as a finding.
pub(crate) fn undefined(program: &Program, found: &Undefined) -> Finding {
    let usage_note = |operation| AccessNote {
        operation,
        group: found.group,
        thread: found.unit.thread,
        lane: lane_of(program, found.instruction, found.unit),
        instruction: found.instruction,
        site: site_of(program, found.instruction),
        address: found.cell.map_or(0, |(address, _)| address),
        bytes: found.cell.map_or(0, |(_, bytes)| bytes),
        value: None,
        step: Some(found.step),
    };
    let (operation, usage) = match found.usage {
        UndefinedUse::Address => (Operation::Read, "is part of an address"),
        UndefinedUse::Condition => (Operation::Branch, "decides a branch"),
        UndefinedUse::Atomic => (Operation::Atomic, "is an operand of an atomic"),
        UndefinedUse::Printed => (Operation::Write, "is printed"),
        UndefinedUse::Stored => (Operation::Write, "is left in a buffer"),
    };
    let mut accesses = vec![usage_note(operation)];
    let (launch, words) = (program.launch.as_ref(), program.words());
    let (space, origin) = match found.origin {
        ValueOrigin::Load {
            instruction,
            group,
            unit,
            step,
            space,
            address,
        } => {
            accesses.push(AccessNote {
                operation: Operation::Read,
                group,
                thread: unit.thread,
                lane: lane_of(program, instruction, unit),
                instruction,
                site: site_of(program, instruction),
                address,
                bytes: 1,
                value: None,
                step: Some(step),
            });
            let is_private = launch.is_some_and(|launch| launch.is_private(address));
            let name = launch.and_then(|launch| launch.element_name(address, 1));
            match space.kind() {
                SpaceKind::Local => (Space::Local, format!("{}[{address:#x}]", words.local)),
                // Local memory of the lanes of a warp.
                SpaceKind::Accumulators(_) => (Space::Private, format!("{} memory", words.private)),
                _ if is_private => (Space::Private, format!("{} memory", words.private)),
                _ => (
                    Space::Global,
                    name.unwrap_or_else(|| format!("memory[{address:#x}]")),
                ),
            }
        }
        ValueOrigin::Register(byte) => {
            let mut variables = program.symbols.visa.at_register_byte(byte);
            let variable = variables.next().filter(|_| !program.has_warps());
            let name = variable.map_or_else(
                || format!("a {}", words.variable),
                |(_, variable)| format!("the {} `{}`", words.variable, variable.name),
            );
            (Space::Private, name)
        }
        ValueOrigin::Other => (Space::Private, format!("a {}", words.variable)),
    };
    let message = format!("undefined value {usage}: {origin} was never written");
    let kind = Kind::Uninitialized;
    let mut finding = Finding::new(kind, Severity::Error, space, message, accesses);
    finding.count = found.count;
    finding.groups.clone_from(&found.groups);
    finding
}

/// A buffer that is written in part, as a finding.
fn unwritten(program: &Program, part: &Unwritten) -> Finding {
    let last = part.last_store;
    let launch = program.launch.as_ref();
    let first = launch.and_then(|launch| launch.element_name(part.first.start, 1));
    let first = first.unwrap_or_else(|| format!("memory[{:#x}]", part.first.start));
    let bytes = counted(part.bytes, "byte");
    let message = format!("{bytes} of a buffer left unwritten, the first in {first}");
    let note = AccessNote {
        operation: Operation::Write,
        group: last.group,
        thread: last.unit.thread,
        lane: lane_of(program, last.instruction, last.unit),
        instruction: last.instruction,
        site: site_of(program, last.instruction),
        address: last.address,
        bytes: last.bytes,
        value: None,
        step: Some(last.step),
    };
    let (kind, severity) = (Kind::Unwritten, Severity::Note);
    Finding::new(kind, severity, Space::Global, message, vec![note])
}

/// The channel of the lane of an instruction.
fn lane_of(program: &Program, instruction: u32, unit: Unit) -> u8 {
    let placed = &program.instructions[to_usize(instruction)];
    (placed.instruction.first_channel() + unit.lane) & 31
}

/// A finding in an answer.
#[derive(Clone, Debug, Serialize)]
pub struct FindingJson {
    /// A word of [`KINDS`].
    pub kind: &'static str,
    pub code: &'static str,
    pub severity: &'static str,
    pub message: String,
    pub space: &'static str,
    pub accesses: Vec<AccessJson>,
    pub count: u64,
    pub groups: u32,
    pub consequences: Vec<String>,
    pub suppressed: bool,
    /// Whether a comment of the source suppresses it.
    #[serde(skip)]
    pub is_marked: bool,
    #[serde(skip)]
    words: &'static LaunchWords,
}

/// An access of a finding in an answer.
#[derive(Clone, Debug, Serialize)]
pub struct AccessJson {
    pub op: &'static str,
    pub group: Sizes,
    pub item: Sizes,
    pub thread: u8,
    pub lane: u8,
    #[serde(flatten)]
    pub place: CodePlace,
    /// Address and size.
    pub bytes: Option<(String, u8)>,
    pub value: Option<String>,
    /// The value as a number of the type of the accessed element.
    #[serde(skip)]
    pub number: Option<String>,
    /// Step of the timeline of its work-group, counted from 1.
    pub step: Option<u64>,
    /// Whether it belongs to a work-item of a launch.
    #[serde(skip)]
    pub has_item: bool,
    #[serde(skip)]
    words: &'static LaunchWords,
    /// The access as the checks noted it.
    #[serde(skip)]
    pub note: AccessNote,
}

impl AccessJson {
    /// Describes who accesses: `write by work-item (0,0,0) of group (1,0,0), thread 0 lane 0`.
    #[must_use]
    pub fn actor(&self) -> String {
        let ([x, y, z], [gx, gy, gz]) = (self.item, self.group);
        let Self {
            op,
            thread,
            lane,
            words,
            ..
        } = self;
        if !self.has_item {
            return format!("{op:<7} by {} {thread} lane {lane}", words.thread);
        }
        format!(
            "{op:<7} by {} ({x},{y},{z}) of {} ({gx},{gy},{gz}), {} {thread} lane {lane}",
            words.item, words.group, words.thread
        )
    }
}

impl FindingJson {
    /// Whether it is not suppressed, and at least this severe.
    #[must_use]
    pub fn reaches(&self, least: Option<Severity>) -> bool {
        !self.suppressed && Some(self.severity()) <= least
    }
}

/// The findings of a launch, suppressed ones marked.
#[derive(Clone, Debug)]
pub struct Findings {
    pub found: Vec<FindingJson>,
    /// Those beyond the limit.
    pub more: u64,
    pub limits: Vec<&'static str>,
    /// A check that was not chosen, although it matters for the launch.
    pub remark: Option<&'static str>,
}

/// The index of a work-item in its group in three dimensions.
fn item_of(program: &Program, access: &AccessNote) -> (Sizes, Sizes) {
    let Some(launch) = &program.launch else {
        return ([0; 3], [0; 3]);
    };
    let item = launch.work_item(ItemPlace {
        group: access.group,
        thread: access.thread,
        channel: access.lane,
    });
    let group = launch.group_id(access.group);
    (group, item.map_or([0; 3], |item| item.local))
}

/// The type of an accessed element: that of the buffer, or else of the registers.
fn element_type(program: &Program, space: Space, access: &AccessNote) -> Option<ElementType> {
    let launch = program.launch.as_ref().filter(|_| space == Space::Global);
    let buffer = launch.and_then(|launch| launch.buffer_at(access.address));
    let placed = &program.instructions[to_usize(access.instruction)];
    let registers = placed.instruction.display_type(&program.symbols);
    let mut types = buffer
        .map(|buffer| buffer.ty)
        .into_iter()
        .chain([registers]);
    types.find(|ty| ty.bytes() == access.bytes)
}

fn access_json(program: &Program, space: Space, access: &AccessNote) -> AccessJson {
    let (group, item) = item_of(program, access);
    AccessJson {
        op: access.operation.word(),
        group,
        item,
        thread: access.thread,
        lane: access.lane,
        place: CodePlace::of(program, access.instruction),
        step: access.step,
        has_item: program.launch.is_some(),
        words: program.words(),
        bytes: (access.bytes > 0).then(|| (format!("{:#x}", access.address), access.bytes)),
        value: access.value.map(|value| {
            let bytes = value.to_le_bytes();
            let used = bytes.get(..usize::from(access.bytes)).unwrap_or(&bytes);
            data_encoding::HEXLOWER.encode(used)
        }),
        number: access
            .value
            .map(|value| match element_type(program, space, access) {
                Some(ty) => show(value, ty),
                None => format!("{value:#x}"),
            }),
        note: access.clone(),
    }
}

impl FindingJson {
    pub(crate) fn of(
        program: &Program,
        finding: Finding,
        allowed: &[String],
        source: Option<&str>,
    ) -> Self {
        let facts = finding.kind.facts();
        let accesses = finding.accesses.iter();
        let accesses: Vec<_> = accesses
            .map(|a| access_json(program, finding.space, a))
            .collect();
        let intent = match finding.kind {
            Kind::RaceLocal | Kind::RaceGlobal => Some("lanewise: intended race"),
            Kind::Uninitialized => Some("lanewise: intended uninitialized"),
            _ => None,
        };
        let is_marked = accesses.iter().any(|access| {
            let says = intent.zip(source).zip(access.place.line);
            says.is_some_and(|((intent, source), line)| is_marked(source, line, intent))
        });
        let is_allowed = |access| allowed.iter().any(|rule| allows(rule, facts.word, access));
        let suppressed = is_marked || accesses.iter().any(is_allowed);
        Self {
            kind: facts.word,
            code: facts.code,
            severity: match suppressed {
                true => Severity::Note.word(),
                false => finding.severity.word(),
            },
            message: finding.message,
            space: finding.space.word(),
            accesses,
            count: finding.count,
            groups: to_u32(finding.groups.len()),
            consequences: Vec::new(),
            suppressed,
            is_marked,
            words: program.words(),
        }
    }

    /// Texts about its kind.
    ///
    /// # Panics
    /// Never: every finding is of a kind.
    #[must_use]
    pub fn facts(&self) -> &'static KindFacts {
        let found = KINDS.iter().find(|facts| facts.word == self.kind);
        found.expect("every kind is in the table")
    }

    /// The title of its kind and why it is a defect, in the words of the program's language.
    #[must_use]
    pub fn title_and_why(&self) -> [String; 2] {
        let facts = self.facts();
        [facts.title, facts.why].map(|text| self.words.translate(text))
    }

    /// The sentence that describes it.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether a comment or option allows it.
    #[must_use]
    pub const fn is_suppressed(&self) -> bool {
        self.suppressed
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        let severities = [Severity::Error, Severity::Warning];
        let mut severities = severities.into_iter();
        let found = severities.find(|severity| severity.word() == self.severity);
        found.unwrap_or(Severity::Note)
    }

    /// The line of the source at which it occurred, from 1.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.accesses.first()?.place.line
    }

    /// The hardware thread that caused it.
    #[must_use]
    pub fn thread(&self) -> Option<u8> {
        self.accesses.first().map(|access| access.thread)
    }

    /// The accesses that it is about, one a line.
    #[must_use]
    pub fn places(&self) -> String {
        let mut out = String::new();
        for access in &self.accesses {
            let _ = write!(out, "  {}  {}", access.actor(), access.place);
            if let Some(number) = &access.number {
                let _ = write!(out, "  value {number}");
            }
            out.push('\n');
        }
        out
    }
}

impl Findings {
    /// The findings of a report: at most so many, with suppressed ones marked.
    #[must_use]
    pub fn of(
        program: &Program,
        report: Report,
        most: usize,
        allowed: &[String],
        source: Option<&str>,
    ) -> Self {
        let (dropped, limits) = (report.dropped(), report.limits.clone());
        let remark = report.remark;
        let rerun = Rerun::of(program, &report);
        let mut found = Vec::new();
        let mut shown = report.findings();
        let more = shown.len().saturating_sub(most) as u64 + dropped;
        shown.truncate(most);
        locate(program, &mut shown, rerun);
        for finding in shown {
            found.push(FindingJson::of(program, finding, allowed, source));
        }
        attach_consequences(&mut found);
        Self {
            found,
            more,
            limits,
            remark,
        }
    }

    /// Whether a finding that is not suppressed is at least this severe.
    #[must_use]
    pub fn reach(&self, least: Option<Severity>) -> bool {
        self.found.iter().any(|finding| finding.reaches(least))
    }

    /// Whether a finding that is shown says more than the warning of a run about an instruction.
    #[must_use]
    pub fn replaces_warning(&self, instruction: u32) -> bool {
        let is_of = |access: &AccessJson| access.note.instruction == instruction;
        self.found.iter().any(|finding| {
            finding.facts().kind.replaces_warning()
                && !finding.suppressed
                && finding.accesses.iter().any(is_of)
        })
    }

    /// Notes on findings beyond the limit, and on parts that were not checked.
    #[must_use]
    pub fn unchecked(&self) -> Vec<String> {
        let more =
            (self.more > 0).then(|| format!("{} not shown", counted(self.more, "more finding")));
        let limits = self
            .limits
            .iter()
            .map(|limit| format!("not all was checked: {limit}"));
        more.into_iter().chain(limits).collect()
    }

    /// The findings as text.
    #[must_use]
    pub fn text(&self, program: &Program) -> String {
        let mut out = text_of(&self.found);
        let suppressed = self.found.iter().filter(|f| f.suppressed).count();
        if suppressed > 0 {
            let _ = writeln!(out, "{} suppressed.", counted(suppressed, "finding"));
        }
        let remark = self.remark.map(String::from);
        for note in self.unchecked().into_iter().chain(remark) {
            let _ = writeln!(out, "note: {note}");
        }
        if self.found.is_empty() && self.more == 0 {
            let launch = program.launch.as_ref();
            let all = launch.map_or(0, |launch| launch.group_count());
            let items: u64 = launch.map_or(0, |l| l.global.iter().map(|n| u64::from(*n)).product());
            let words = program.words();
            let groups = counted(all, words.work_group);
            let checked = match self.limits.is_empty() {
                true => format!("{groups}, {}", counted(items, words.item)),
                false => format!("the checked part of {groups}"),
            };
            let _ = writeln!(out, "\nNo findings in {checked}.");
        }
        out
    }
}

/// Findings that are not suppressed, as text.
#[must_use]
pub fn text_of(findings: &[FindingJson]) -> String {
    let mut out = String::new();
    for finding in findings.iter().filter(|f| !f.suppressed) {
        let _ = writeln!(
            out,
            "\n{}[{}]: {}",
            finding.severity, finding.code, finding.message
        );
        out += &finding.places();
        for consequence in &finding.consequences {
            let _ = writeln!(out, "  also: {consequence}");
        }
        let _ = writeln!(
            out,
            "  {} in {}",
            counted(finding.count, "occurrence"),
            counted(finding.groups, finding.words.work_group)
        );
    }
    out
}

/// Attaches undefined values to the findings that explain them: those at a line where they
/// are used or loaded.
fn attach_consequences(found: &mut Vec<FindingJson>) {
    let place = |access: &AccessJson| {
        (
            access.place.line,
            access
                .place
                .line
                .is_none()
                .then_some(access.place.visa_line),
        )
    };
    let severity = |finding: &FindingJson| {
        let mut words = ["error", "warning", "note"].iter();
        words.position(|word| *word == finding.severity)
    };
    let undefined = Kind::Uninitialized.facts().word;
    let (values, mut others): (Vec<_>, Vec<_>) = std::mem::take(found)
        .into_iter()
        .partition(|finding| finding.kind == undefined);
    let mut left = Vec::new();
    for value in values {
        let cause = others.iter_mut().find(|other| {
            let mut places = other.accesses.iter().map(place);
            other.severity != Severity::Note.word()
                && severity(other) <= severity(&value)
                && places.any(|known| value.accesses.iter().any(|access| place(access) == known))
        });
        match cause {
            Some(cause) => cause.consequences.push(value.message),
            None => left.push(value),
        }
    }
    others.extend(left);
    others.sort_by_key(|finding| {
        let first = finding
            .accesses
            .first()
            .and_then(|access| access.place.line);
        (severity(finding), first)
    });
    *found = others;
}

/// Whether a line of a source, or the one before it, has a comment.
fn is_marked(source: &str, line: u64, comment: &str) -> bool {
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    let first = line.saturating_sub(2);
    let mut lines = source.lines().skip(first).take(line - first);
    lines.any(|text| text.contains(comment))
}

/// Whether `KIND[:FILE[:LINE]]` allows a finding with an access.
fn allows(rule: &str, kind: &str, access: &AccessJson) -> bool {
    let (word, place) = rule.split_once(':').unwrap_or((rule, ""));
    if word != kind {
        return false;
    }
    let (file, line) = match place.rsplit_once(':') {
        Some((file, line)) => match line.parse::<u64>() {
            Ok(line) => (file, Some(line)),
            Err(_) => (place, None),
        },
        None => (place, None),
    };
    let of_file = access
        .place
        .file
        .as_ref()
        .is_some_and(|known| known.ends_with(file));
    (file.is_empty() || of_file) && (line.is_none() || line == access.place.line)
}

/// Parses `KIND[:FILE[:LINE]]` of `--allow`, where the kind is a word or a code. Returns it
/// with the word.
///
/// # Errors
/// If it does not begin with a kind, or ends with something else than a line.
pub fn parse_allowed(rule: &str) -> Result<String, String> {
    let (kind, place) = rule.split_at(rule.find(':').unwrap_or(rule.len()));
    let is_named = |facts: &&KindFacts| facts.word == kind || facts.code.eq_ignore_ascii_case(kind);
    let facts = KINDS.iter().find(is_named);
    let facts = facts.ok_or_else(|| format!("unknown kind of finding `{kind}`"))?;
    let line = place[1.min(place.len())..].rsplit_once(':');
    // A colon may follow the letter of a drive.
    let is_line = |line: &str| line.contains(['/', '\\']) || line.parse::<u64>().is_ok();
    if let Some((_, line)) = line.filter(|(_, line)| !is_line(line)) {
        return Err(format!("expected the number of a line, found `{line}`"));
    }
    Ok(format!("{}{place}", facts.word))
}
