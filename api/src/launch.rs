//! The request and its answer.

use crate::findings::{Checked, FindingJson, Findings, MAX_FINDINGS};
use crate::place::{CodePlace, source_beside, source_of};
use crate::schedules::Schedules;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use lanewise_answer::printf::{self, Printed};
use lanewise_checks::Report;
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::program::{Launch, MAX_FUEL, Program, Sizes};
use lanewise_core::rules;
use lanewise_core::session::{self, NoObserver, RunOrder, RunResult, run_scheduled};
use lanewise_files::zebin::{self, ArgumentKind, Kernel, LaunchValue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The fields of a `launch` request.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// File of the program, on the command line.
    #[serde(default)]
    pub path: String,
    /// The kernel; the only one if it is not named.
    pub kernel: Option<String>,
    #[serde(flatten)]
    sizes: RequestSizes,
    #[serde(default)]
    offset: Vec<u32>,
    #[serde(default)]
    args: Vec<Argument>,
    /// Device to compile a source for, on the command line.
    pub device: Option<String>,
    check: Option<CheckField>,
    /// Order of threads and work-groups.
    schedule: Option<String>,
    /// Number of orders whose buffers are compared.
    schedules: Option<u32>,
    #[serde(flatten)]
    limit: RunLimit,
}

/// The limit of a launch.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct RunLimit {
    /// Instructions after which a work-group is stopped.
    fuel: Option<u32>,
}

impl RunLimit {
    /// Sets the limit of a program.
    ///
    /// # Errors
    /// If the limit is out of range.
    pub fn set(self, program: &mut Program) -> Result<(), String> {
        program.fuel_setting = "`fuel` in the request";
        let Some(fuel) = self.fuel else {
            return Ok(());
        };
        if !(1..=MAX_FUEL).contains(&fuel) {
            return Err(format!("`fuel` must be from 1 to {MAX_FUEL}"));
        }
        program.fuel = fuel;
        Ok(())
    }
}

/// The sizes of a launch: `global` and `local` in work-items, or `grid` in work-groups of
/// `block` work-items.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RequestSizes {
    global: Option<Vec<u32>>,
    local: Option<Vec<u32>>,
    grid: Option<Vec<u32>>,
    block: Option<Vec<u32>>,
}

impl RequestSizes {
    /// Work-items in all, and of a work-group.
    ///
    /// # Errors
    /// If a size is missing, there is one too many, or one has more than three dimensions.
    pub fn global_and_local(&self) -> Result<(Sizes, Sizes), String> {
        let sizes = |sizes: &[u32], name: &str| {
            sizes_of(sizes, 1).ok_or_else(|| format!("`{name}` has one to three sizes"))
        };
        match (&self.global, &self.local, &self.grid, &self.block) {
            (Some(global), Some(local), None, None) => {
                Ok((sizes(global, "global")?, sizes(local, "local")?))
            }
            (None, None, Some(grid), Some(block)) => {
                let (grid, block) = (sizes(grid, "grid")?, sizes(block, "block")?);
                let mut global = [0; 3];
                for (global, (grid, block)) in global.iter_mut().zip(grid.iter().zip(&block)) {
                    let product = grid.checked_mul(*block);
                    *global = product.ok_or("`grid` times `block` is too large")?;
                }
                Ok((global, block))
            }
            _ => Err(String::from(
                "a launch has `global` and `local`, or `grid` and `block`",
            )),
        }
    }
}

/// All checks, or a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "`check` must be true, false or a list of checks"
)]
pub enum CheckField {
    All(bool),
    List(Vec<String>),
}

impl CheckField {
    /// The requested checks.
    ///
    /// # Errors
    /// If a word is not the name of a check.
    pub fn checked(&self) -> Result<Option<Checked>, String> {
        match self {
            Self::All(false) => Ok(None),
            Self::All(true) => Checked::of(&[""; 0]).map(Some),
            Self::List(words) => Checked::of(words).map(Some),
        }
    }
}

/// One argument: exactly one of the first five fields.
#[derive(Clone, Debug, Deserialize)]
struct Argument {
    /// Bytes in hexadecimal.
    buffer: Option<String>,
    /// Bytes in hexadecimal, little-endian.
    scalar: Option<String>,
    /// Size in bytes.
    local: Option<u64>,
    /// Position of the argument with the same buffer.
    alias: Option<usize>,
    /// Whether it is a NULL pointer.
    #[serde(default)]
    null: bool,
    /// Whether the bytes of the buffer count as written.
    initialized: Option<bool>,
}

impl Argument {
    /// The value at a position, for an argument of a kernel, if it has one there.
    fn value(
        &self,
        position: usize,
        argument: Option<&zebin::Argument>,
    ) -> Result<LaunchValue, Vec<Diagnostic>> {
        let bytes = |hex| bytes_of(hex, position).map_err(refuse);
        match (
            &self.buffer,
            &self.scalar,
            self.local,
            self.alias,
            self.null,
        ) {
            (Some(hex), None, None, None, false) => {
                let bytes = bytes(hex)?;
                let declared = argument.and_then(zebin::Argument::declared_element);
                let fits = |ty: &ElementType| bytes.len().is_multiple_of(ty.bytes().into());
                let ty = declared.map(|(ty, _)| ty).filter(fits);
                Ok(LaunchValue::Buffer(ty.unwrap_or(ElementType::Ub), bytes))
            }
            (None, Some(hex), None, None, false) => Ok(LaunchValue::Value(bytes(hex)?)),
            (None, None, Some(bytes), None, false) => Ok(LaunchValue::Local(bytes)),
            (None, None, None, Some(other), false) => Ok(LaunchValue::SameAs(other)),
            (None, None, None, None, true) => Ok(LaunchValue::Null),
            _ => Err(refuse(format!(
                "`args[{position}]` must be one of `buffer`, `scalar`, `local`, `alias` and `null`"
            ))),
        }
    }
}

/// The bytes of the argument at a position.
///
/// # Errors
/// If the text is not hexadecimal.
pub fn bytes_of(hex: &str, position: usize) -> Result<Vec<u8>, String> {
    let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
    bytes.map_err(|error| format!("`args[{position}]` is not hexadecimal: {error}"))
}

/// The answer: every buffer as it is after the launch.
#[derive(Clone, Debug, Serialize)]
pub struct LaunchAnswer {
    ok: bool,
    fault: Option<Fault>,
    instructions: u32,
    buffers: BTreeMap<u32, String>,
    /// Warnings of the run, but for those whose instruction has a finding.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    /// The output of printf, if the kernel calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<String>,
    /// The findings of the checks, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<FindingJson>>,
    /// Notes on findings beyond the limit, and on parts of the launch that were not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchecked: Vec<String>,
    /// The comparison of several orders, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules: Option<Schedules>,
    /// Notes on parts missing from `stdout`, and on formats that do not fit their arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    printf: Vec<String>,
}

impl LaunchAnswer {
    /// Adds the findings of checks.
    pub fn add(&mut self, found: Option<Findings>) {
        if let Some(found) = &found {
            self.warnings
                .retain(|warning| !found.replaces_warning(warning.instruction));
        }
        self.unchecked = found.as_ref().map_or_else(Vec::new, Findings::unchecked);
        let remark = found.as_ref().and_then(|found| found.remark);
        self.unchecked.extend(remark.map(String::from));
        self.findings = found.map(|found| found.found);
    }
}

#[derive(Clone, Debug, Serialize)]
struct Fault {
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    place: FaultPlace,
}

#[derive(Clone, Debug, Serialize)]
struct Warning {
    code: &'static str,
    message: String,
    #[serde(skip)]
    instruction: u32,
    #[serde(flatten)]
    place: CodePlace,
}

/// Where a fault occurred.
#[derive(Clone, Debug, Serialize)]
pub struct FaultPlace {
    #[serde(flatten)]
    place: CodePlace,
    /// Text of the line of the source, if the source is found and the line is not empty.
    source: Option<String>,
}

impl FaultPlace {
    /// The place of a fault of the program of the file at a path, beside which its source may
    /// be.
    #[must_use]
    pub fn of(program: &Program, fault: &session::Fault, path: &Path) -> Self {
        let place = CodePlace::of(program, fault.instruction);
        let source = place
            .file
            .as_ref()
            .and_then(|file| source_beside(file, path));
        let line = source.as_deref().and_then(|text| place.line_of(text));
        let source = line.filter(|line| !line.is_empty()).map(String::from);
        Self { place, source }
    }

    /// The message of the fault, and below it the place and the line of the source, as far as
    /// they are known.
    #[must_use]
    pub fn report(&self, message: &str) -> String {
        let mut text = message.to_owned();
        if self.place.line.is_some() {
            let _ = write!(text, "\n  {}", self.place);
        }
        if let Some(source) = &self.source {
            let _ = write!(text, "\n      {source}");
        }
        text
    }
}

/// A refusal of a field of a request.
#[must_use]
pub fn refuse(what: impl Into<String>) -> Vec<Diagnostic> {
    let rule = &rules::REQUEST_FIELD;
    vec![Diagnostic::new(rule, Span::default(), what)]
}

/// A refusal of a launch that its program, kernel or arguments do not allow.
#[must_use]
pub fn refuse_launch(what: impl Into<String>) -> Vec<Diagnostic> {
    let rule = &rules::LAUNCH_REFUSED;
    vec![Diagnostic::new(rule, Span::default(), what)]
}

/// Answers a request about a kernel.
///
/// # Errors
/// The problems of the request, or of the program of the launch.
pub fn answer(kernel: &Kernel, request: &Request) -> Result<LaunchAnswer, Vec<Diagnostic>> {
    let mut kinds = kernel.arguments.iter();
    let values = request
        .args
        .iter()
        .enumerate()
        .map(|(position, argument)| argument.value(position, kinds.next()));
    let values: Vec<LaunchValue> = values.collect::<Result<_, Vec<Diagnostic>>>()?;
    let is_buffer = |index: &usize| matches!(values.get(*index), Some(LaunchValue::Buffer(..)));
    let mut aliases = request.args.iter().filter_map(|argument| argument.alias);
    if let Some(wrong) = aliases.find(|index| !is_buffer(index)) {
        let why = match values.get(wrong) {
            Some(LaunchValue::Null) => "NULL",
            _ => "not a buffer",
        };
        return Err(refuse(format!("`alias`: argument {wrong} is {why}")));
    }
    let (global, local) = request.sizes.global_and_local().map_err(refuse)?;
    let offset =
        offset_of(&request.offset).ok_or_else(|| refuse("`offset` has at most three numbers"))?;
    let mut program = kernel
        .launch_at(offset, global, local, &values)
        .map_err(|error| refuse_launch(error.to_string()))?;
    if !program.can_run() {
        return Err(program.diagnostics);
    }
    let checked = request.check.as_ref().map_or(Ok(None), CheckField::checked);
    let checked = checked.map_err(refuse)?;
    let schedule = schedule_of(&program, request.schedule.as_deref()).map_err(refuse)?;
    let given = request.args.iter();
    let given = given.filter(|a| a.buffer.is_some() || a.null);
    let launch = program.launch.iter_mut();
    for (buffer, argument) in launch.flat_map(|l| &mut l.buffers).zip(given) {
        buffer.is_undefined = argument.initialized == Some(false);
    }
    request.limit.set(&mut program).map_err(refuse)?;
    let (result, report) = run(&program, checked, schedule);
    let orders = request.schedules;
    let schedules = orders.map(|orders| Schedules::compare(&program, &result, orders));
    let found = report.map(|mut report| {
        if let Some(schedules) = &schedules {
            schedules.add_to(&program, &mut report);
        }
        let source = source_of(&program, Path::new(&request.path));
        Findings::of(&program, report, MAX_FINDINGS, &[], source.as_deref())
    });
    let contents = buffers(&kernel.arguments, &program, &result);
    let mut answer = answer_of(&program, result, contents, Path::new(&request.path));
    answer.add(found);
    answer.schedules = schedules;
    Ok(answer)
}

/// The schedule of a name, or the usual one.
///
/// # Errors
/// If the name is not that of a schedule.
pub fn schedule_of(program: &Program, name: Option<&str>) -> Result<RunOrder, String> {
    let Some(name) = name else {
        return Ok(RunOrder::of(program));
    };
    RunOrder::named(name).ok_or_else(|| {
        format!(
            "unknown schedule `{name}`; expected `sequential`, `round-robin`, `reversed` or `seed:N`"
        )
    })
}

/// Runs a launch, with checks if requested.
#[must_use]
pub fn run(
    program: &Program,
    checked: Option<Checked>,
    schedule: RunOrder,
) -> (RunResult, Option<Report>) {
    match checked {
        Some(checked) => {
            let (result, report) = checked.run(program, schedule);
            (result, Some(report))
        }
        None => {
            let groups = program.launch.as_ref().map_or(0, Launch::group_count);
            let run = run_scheduled(program, schedule, groups, &mut NoObserver);
            (run.into_result(), None)
        }
    }
}

/// The output of printf, if the kernel calls it.
#[must_use]
pub fn printed(program: &Program, result: &RunResult) -> Option<Printed> {
    let launch = program.launch.as_ref()?;
    printf::printed(launch, &result.machine, Some(&result.printed))
}

/// The answer about a launch of a program in the file at a path, after it has run.
#[must_use]
pub fn answer_of(
    program: &Program,
    result: RunResult,
    buffers: BTreeMap<u32, String>,
    path: &Path,
) -> LaunchAnswer {
    let (stdout, printf) = printed(program, &result).map_or((None, Vec::new()), |printed| {
        (Some(printed.text), printed.notes)
    });
    let warnings = result.warnings.iter();
    let warnings = warnings.map(|(instruction, warning)| Warning {
        code: warning.rule.code,
        message: warning.message(),
        instruction: *instruction,
        place: CodePlace::of(program, *instruction),
    });
    LaunchAnswer {
        warnings: warnings.collect(),
        stdout,
        printf,
        findings: None,
        schedules: None,
        unchecked: Vec::new(),
        ok: true,
        buffers,
        instructions: result.instructions,
        fault: result.fault.map(|fault| Fault {
            kind: fault.kind.word(),
            place: FaultPlace::of(program, &fault, path),
            message: fault.message,
        }),
    }
}

/// One to three sizes; those that are left out are `rest`.
#[must_use]
pub fn sizes_of(sizes: &[u32], rest: u32) -> Option<Sizes> {
    let fits = (1..=3).contains(&sizes.len());
    fits.then(|| std::array::from_fn(|i| sizes.get(i).copied().unwrap_or(rest)))
}

/// The global ID of the first work-item: 0 unless given.
#[must_use]
pub fn offset_of(offset: &[u32]) -> Option<Sizes> {
    match offset {
        [] => Some([0; 3]),
        offset => sizes_of(offset, 0),
    }
}

/// The buffers after a launch, by argument.
#[must_use]
pub fn buffers(
    arguments: &[zebin::Argument],
    program: &Program,
    result: &RunResult,
) -> BTreeMap<u32, String> {
    let launch = program.launch.as_ref();
    let buffers = launch.map_or(&[][..], |launch| &launch.buffers).iter();
    let arguments = arguments.iter();
    let arguments = arguments.filter(|argument| argument.kind == ArgumentKind::Buffer);
    let memory = result.machine.space(SpaceId::VIRTUAL);
    let contents = arguments.filter_map(|argument| {
        // An argument may have the buffer of another one.
        let buffer = buffers
            .clone()
            .find(|buffer| buffer.name == argument.name && !buffer.is_null)?;
        let size = usize::try_from(buffer.bytes()).expect("mapped memory is bounded");
        let mut bytes = vec![0; size];
        memory.read(buffer.address, &mut bytes);
        Some((argument.index, HEXLOWER.encode(&bytes)))
    });
    contents.collect()
}
