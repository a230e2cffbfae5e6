//! A run under a debugger: launching, breakpoints, motion in both directions.

use crate::compiler::{self, ProgramFile};
use crate::input::{self, Source};
use crate::launch;
use crate::launch_options::{Blocks, Options};
use crate::structures::DeclaredTypes;
use crate::{CliError, kernel_args, mangled, warp_launch};
use lanewise_api::{FindingJson, Watch};
use lanewise_core::diagnostic::{Diagnostic, to_usize};
use lanewise_core::ide::LaunchForm;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::machine::{Change, Machine, SpaceId};
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::{Condition, Session};
use lanewise_files::WarpProgram;
use lanewise_files::zebin::{self, Argument, LaunchValue};
use lanewise_link::{Link, view};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Work-groups whose history is kept, to step back into.
const MAX_SESSIONS: usize = 16;

/// A breakpoint before an instruction.
#[derive(Clone)]
pub(super) struct Breakpoint {
    /// Instructions with which its line starts.
    instructions: Vec<u32>,
    condition: Option<Condition>,
}

/// A breakpoint on a range of memory.
#[derive(Clone)]
pub(super) struct DataBreakpoint {
    address: u64,
    bytes: u64,
    reads: bool,
    writes: bool,
    name: String,
}

impl DataBreakpoint {
    /// Parses a breakpoint as the client sends it. Its identifier is that of
    /// [`Debuggee::data_breakpoint_info`].
    pub(super) fn parse(value: &Value) -> Option<Self> {
        let mut parts = value["dataId"].as_str()?.splitn(3, ':');
        let (address, bytes) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let access = value["accessType"].as_str().unwrap_or("write");
        Some(Self {
            address,
            bytes,
            reads: access.starts_with("read"),
            writes: access != "read",
            name: parts.next()?.to_owned(),
        })
    }
}

/// Exceptions beside those of the checks: warnings of a run.
pub(super) const WARNINGS: &str = "warnings";

/// Why a motion stopped.
pub(super) struct Stop {
    pub(super) reason: &'static str,
    pub(super) text: String,
}

impl Stop {
    pub(super) fn new(reason: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { reason, text }
    }
}

/// Outcome of a slice of a motion.
pub(super) enum Advance {
    Running,
    Stopped(Stop),
    /// The launch has finished and the client has seen it.
    Ended,
}

/// Where a step ends.
#[derive(Clone, Copy)]
enum Goal {
    /// At a breakpoint only.
    Breakpoint,
    /// Before an instruction of the thread, at most at a depth of calls.
    Step {
        /// Depth at the start of the step.
        depth: u32,
        /// Deepest depth of its end.
        deepest: u32,
        /// Line at the start: the step ends at another one.
        line: Option<u64>,
    },
}

/// A continue or a step under way.
pub(super) struct Motion {
    is_backward: bool,
    goal: Goal,
    has_moved: bool,
}

impl Motion {
    pub(super) fn forward() -> Self {
        Self {
            is_backward: false,
            goal: Goal::Breakpoint,
            has_moved: false,
        }
    }

    pub(super) fn backward() -> Self {
        Self {
            is_backward: true,
            ..Self::forward()
        }
    }
}

/// A value of a launch that is not a buffer.
pub(super) struct Scalar {
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) value: String,
}

/// A run.
pub(super) struct Debuggee {
    /// Sessions of the last work-groups; the last one is shown.
    sessions: Vec<Session>,
    /// The scenario, or the vISA text with the directives of the launch.
    text: String,
    /// File of the scenario, whose lines are those of `text`.
    scenario: Option<PathBuf>,
    /// Folder of the program, for relative names of sources.
    folder: PathBuf,
    pub(super) kernel: String,
    /// Values of arguments as given, which `text` does not have.
    arguments: Vec<String>,
    types: DeclaredTypes,
    pub(super) scalars: Vec<Scalar>,
    /// The thread that steps.
    pub(super) thread: u8,
    pub(super) breakpoints: Vec<Breakpoint>,
    pub(super) data_breakpoints: Vec<DataBreakpoint>,
    /// Exceptions at which to stop: checks, and [`WARNINGS`].
    pub(super) exceptions: Rc<[String]>,
    /// The checks of a launch.
    watch: Option<Watch>,
    /// Findings of the last stop.
    findings: Vec<FindingJson>,
    has_told_end: bool,
}

/// Keys of a launch, with the options of `run` that they stand for.
const KEYS: [(&str, &str); 13] = [
    ("program", ""),
    ("kernel", "kernel"),
    ("global", "global"),
    ("local", "local"),
    ("grid", "grid"),
    ("block", "block"),
    ("shared", "shared"),
    ("cubin", "cubin"),
    ("args", "arg"),
    ("device", "device"),
    ("compiler", "compiler"),
    ("compilerOptions", "compiler-options"),
    ("stopOnEntry", ""),
];

/// The key of an option of `run`.
pub(super) fn key_of(option: &str) -> Option<&'static str> {
    let mut keys = KEYS.iter().filter(|(_, known)| !known.is_empty());
    Some(keys.find(|(_, known)| *known == option)?.0)
}

/// Keys that editors add to a launch or take from it, beside those that begin with `__`.
const EDITOR_KEYS: [&str; 18] = [
    "$schema",
    "cwd",
    "env",
    "name",
    "type",
    "request",
    "noDebug",
    "restart",
    "presentation",
    "preLaunchTask",
    "postDebugTask",
    "internalConsoleOptions",
    "debugServer",
    "serverReadyAction",
    "suppressMultipleSessionWarning",
    "windows",
    "linux",
    "osx",
];

/// Keys of a launch that have no meaning, perhaps misspelled ones.
pub(super) fn unknown_keys(arguments: &Value) -> impl Iterator<Item = &str> {
    let keys = arguments.as_object().into_iter().flat_map(|all| all.keys());
    let is_known =
        |key: &str| KEYS.iter().any(|(known, _)| *known == key) || EDITOR_KEYS.contains(&key);
    keys.map(String::as_str)
        .filter(move |key| !is_known(key) && !key.starts_with("__"))
}

/// The value of a key, which may be missing.
///
/// # Errors
/// If it is of another type.
pub(super) fn value_of<'v, T: Deserialize<'v>>(
    arguments: &'v Value,
    key: &str,
    ty: &str,
) -> Result<Option<T>, String> {
    Option::deserialize(&arguments[key]).map_err(|_| format!("`{key}` must be {ty}"))
}

/// A number in a request, such as a reference, which may be missing.
pub(super) fn number_of(arguments: &Value, key: &str) -> Result<Option<u64>, String> {
    value_of(arguments, key, "a number that the adapter has given")
}

/// Reads launch options, which are those of `run`.
fn options(arguments: &Value) -> Result<Options, String> {
    let text = |name: &str| value_of::<String>(arguments, name, "a string");
    let sizes = |name: &str| -> Result<Vec<u32>, String> {
        let invalid = || format!("`{name}` is a list of one to three sizes, such as [64, 1]");
        let number = |value: &Value| value.as_u64().and_then(|size| u32::try_from(size).ok());
        match &arguments[name] {
            Value::Null => Ok(Vec::new()),
            Value::Array(all) => all.iter().map(|n| number(n).ok_or_else(invalid)).collect(),
            Value::String(text) => {
                let parts = text.split(',').map(|part| part.trim().parse());
                parts.collect::<Result<_, _>>().map_err(|_| invalid())
            }
            one => Ok(vec![number(one).ok_or_else(invalid)?]),
        }
    };
    let value = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), String::from)
    };
    let values = match &arguments["args"] {
        Value::Null => Vec::new(),
        Value::Array(all) => all.iter().map(value).collect(),
        Value::Object(all) => {
            let named = all.iter().map(|(name, of)| format!("{name}={}", value(of)));
            named.collect()
        }
        _ => return Err(String::from("`args` is a list of N=VALUE, or an object")),
    };
    Ok(Options {
        kernel: text("kernel")?,
        global: sizes("global")?,
        local: sizes("local")?,
        blocks: Blocks {
            grid: sizes("grid")?,
            block: sizes("block")?,
        },
        shared: value_of(arguments, "shared", "a number of bytes")?.unwrap_or(0),
        cubin: text("cubin")?.map(PathBuf::from),
        arguments: values,
        compiler: compiler::Options {
            device: text("device")?,
            compiler: text("compiler")?.map(PathBuf::from),
            compiler_options: text("compilerOptions")?,
            compiler_limit: None,
        },
        ..Options::default()
    })
}

/// Index of the instruction of a memory reference, which is its number in hexadecimal.
pub(super) fn instruction(reference: &Value) -> Option<i64> {
    let digits = reference.as_str()?.strip_prefix("0x")?;
    i64::from_str_radix(digits, 16).ok()
}

/// The program of a launch, its scenario, the name of the kernel, and its scalar arguments.
type Started = (Program, String, String, Vec<Scalar>);

fn scalars(arguments: &[Argument], values: &[LaunchValue]) -> Vec<Scalar> {
    let scalar = |(argument, value): (&Argument, &LaunchValue)| {
        let LaunchValue::Value(bytes) = value else {
            return None;
        };
        Some(Scalar {
            name: argument.name.clone(),
            ty: argument.ty.clone().unwrap_or_default(),
            value: kernel_args::shown(argument, bytes),
        })
    };
    arguments.iter().zip(values).filter_map(scalar).collect()
}

/// Starts a kernel of a vISA program.
fn launch_kernel(
    file: &ProgramFile,
    options: &Options,
    types: &DeclaredTypes,
) -> Result<Started, String> {
    let kernel = launch::kernel_of(file, options.kernel.as_deref(), None);
    let kernel = kernel.map_err(|failure| failure.message())?;
    let launch = options.launch(&kernel, types);
    let (global, local, values) = launch.map_err(|CliError(message)| message)?;
    let error = |error: lanewise_files::zebin::LaunchError| error.to_string();
    let program = kernel.launch(global, local, &values).map_err(error)?;
    let text = kernel.launch_text(global, local, &values).map_err(error)?;
    let scalars = scalars(&kernel.arguments, &values);
    Ok((program, text, kernel.name, scalars))
}

/// Starts a kernel for NVIDIA GPUs. Arguments that are `by_name` have no order.
fn launch_warps(
    file: &ProgramFile,
    options: &Options,
    types: &DeclaredTypes,
    by_name: bool,
) -> Result<Started, String> {
    let start = warp_launch::start(file, options, types, by_name);
    let start = start.map_err(|CliError(message)| message)?;
    let prepared = start.prepared;
    let scalars = scalars(&prepared.arguments, &start.values);
    let name = mangled::plain(&prepared.kernel);
    Ok((prepared.program, start.text, name, scalars))
}

impl Debuggee {
    pub(super) fn launch(arguments: &Value) -> Result<Self, String> {
        let what = "the kernel's source, its program or a scenario";
        let path: Option<&str> = value_of(arguments, "program", what)?;
        let path = path.ok_or_else(|| format!("`program` is {what}"))?;
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        let plain = |CliError(message)| message;
        let options = options(arguments)?;
        let (options, types) = options.for_file(&path).map_err(plain)?;
        let sizes = [
            &options.global,
            &options.local,
            &options.blocks.grid,
            &options.blocks.block,
        ];
        let is_scenario = sizes.iter().all(|sizes| sizes.is_empty());
        let (program, text, kernel, scalars, scenario) = match is_scenario {
            true => {
                let (_, bytes) = input::read_bytes(&path).map_err(plain)?;
                let is_compiled = zebin::recognises(&bytes) || WarpProgram::recognises(&bytes);
                if is_compiled || compiler::is_source(&path) {
                    let message = "`global` is missing: the number of work-items or threads";
                    return Err(String::from(message));
                }
                let source = Source::read(&path).map_err(plain)?;
                let program = Program::parse(&source.text);
                let name = path
                    .file_stem()
                    .map(|name| name.to_string_lossy().into_owned());
                let name = name.unwrap_or_default();
                (program, source.text, name, Vec::new(), Some(path.clone()))
            }
            false => {
                let file = compiler::load(&path, &options.compiler);
                let file = file.map_err(|failure| failure.message())?;
                let started = match WarpProgram::recognises(&file.bytes) {
                    true => launch_warps(&file, &options, &types, arguments["args"].is_object()),
                    false => launch_kernel(&file, &options, &types),
                };
                let (program, text, name, scalars) = started?;
                (program, text, name, scalars, None)
            }
        };
        if !program.can_run() {
            let errors = program.diagnostics.iter();
            let errors: Vec<String> = errors.map(Diagnostic::message).collect();
            return Err(errors.join("\n"));
        }
        let program = Rc::new(program);
        let watch = program.launch.as_ref().map(|_| {
            let source = lanewise_api::source_of(&program, &path);
            Watch::new(Rc::clone(&program), source)
        });
        Ok(Self {
            sessions: vec![Session::new(program)],
            text,
            scenario,
            folder: path.parent().map(Path::to_owned).unwrap_or_default(),
            kernel,
            arguments: options.arguments,
            types,
            scalars,
            thread: 0,
            breakpoints: Vec::new(),
            data_breakpoints: Vec::new(),
            exceptions: Rc::default(),
            watch,
            findings: Vec::new(),
            has_told_end: false,
        })
    }

    pub(super) fn session(&self) -> &Session {
        self.sessions.last().expect("a run has a session")
    }

    fn session_mut(&mut self) -> &mut Session {
        self.sessions.last_mut().expect("a run has a session")
    }

    pub(super) fn program(&self) -> &Program {
        self.session().program()
    }

    pub(super) fn machine(&self) -> &Machine {
        self.session().machine()
    }

    /// The text that lines of instructions refer to.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The fragment of a link that opens the work-group at this step on the page.
    pub(super) fn link(&self) -> Result<String, String> {
        let text = match LaunchForm::read(&self.text) {
            None => self.text.clone(),
            Some(mut form) => {
                for argument in &self.arguments {
                    kernel_args::fill(&mut form, argument, &self.types)?;
                }
                let launch = self.program().launch.as_ref();
                form.group = launch.map_or(0, |launch| launch.group).to_string();
                form.write(&self.text)
            }
        };
        let mut link = Link {
            text,
            ..Link::default()
        };
        let step = u64::try_from(self.session().position()).unwrap_or(u64::MAX);
        link.view.set_number(view::STEP, step);
        link.fragment().map_err(|error| error.to_string())
    }

    /// The scenario file, whose lines are those of the text.
    pub(super) fn scenario(&self) -> Option<&Path> {
        self.scenario.as_deref()
    }

    /// Selects the thread of a request, which counts from 1.
    pub(super) fn choose(&mut self, thread: Option<u64>) -> Result<(), String> {
        self.thread = self.thread_of(thread)?;
        Ok(())
    }

    pub(super) fn thread_of(&self, thread: Option<u64>) -> Result<u8, String> {
        let Some(thread) = thread else {
            return Ok(self.thread);
        };
        let index = thread.checked_sub(1).and_then(|t| u8::try_from(t).ok());
        let index = index.filter(|index| *index < self.program().threads);
        index.ok_or_else(|| format!("no thread {thread}"))
    }

    /// File and line of the source of an instruction.
    pub(super) fn source_line(&self, instruction: u32) -> Option<(PathBuf, u64)> {
        let (file, line) = self.program().source_line(instruction)?;
        let file = self.folder.join(file);
        Some((file, line))
    }

    /// Line at which a step by lines ends: that of the source or, without it, of the text.
    fn line(&self, instruction: u32) -> Option<u64> {
        let program = self.program();
        match program.source_file() {
            Some(_) => program.source_line(instruction).map(|(_, line)| line),
            None => {
                let placed = program.instructions.get(to_usize(instruction))?;
                Some(u64::from(placed.line) + 1)
            }
        }
    }

    /// The breakpoint for a line of a source, and its actual line.
    pub(super) fn breakpoint(
        &self,
        source: &Value,
        line: u64,
        condition: Option<&str>,
    ) -> Result<(Breakpoint, u64), String> {
        let program = self.program();
        let condition = condition.filter(|text| !text.trim().is_empty());
        let condition = condition.map(|text| Condition::parse(text, program));
        let condition = condition.transpose()?;
        let path = source["path"].as_str().map(Path::new);
        let is_text = source["sourceReference"].as_u64().is_some_and(|id| id > 0)
            || (self.scenario.is_some() && path == self.scenario());
        let lines = (0..)
            .zip(&program.instructions)
            .filter_map(|(index, placed)| {
                if is_text {
                    return Some((index, u64::from(placed.line) + 1));
                }
                let (file, line) = self.source_line(index)?;
                let is_same = path.is_some_and(|path| path == file || path.ends_with(&file));
                is_same.then_some((index, line))
            });
        let lines: Vec<(u32, u64)> = lines.collect();
        let next = lines
            .iter()
            .map(|(_, line)| *line)
            .filter(|own| *own >= line)
            .min();
        let next = next.ok_or_else(|| format!("no instruction at line {line} or after it"))?;
        let starts = lines.iter().enumerate().filter_map(|(at, (index, own))| {
            let before = at.checked_sub(1).map(|before| lines[before]);
            // Consecutive instructions of a line start once.
            let continues = before == Some((index.wrapping_sub(1), next));
            (*own == next && (is_text || !continues)).then_some(*index)
        });
        let breakpoint = Breakpoint {
            instructions: starts.collect(),
            condition,
        };
        Ok((breakpoint, next))
    }

    /// The breakpoint at an instruction of the disassembly.
    pub(super) fn instruction_breakpoint(&self, value: &Value) -> Result<Breakpoint, String> {
        let index = instruction(&value["instructionReference"]);
        let offset = value["offset"].as_i64().unwrap_or(0);
        let index = index.and_then(|index| index.checked_add(offset));
        let index = index.and_then(|index| u32::try_from(index).ok());
        let program = self.program();
        let count = program.instructions.len();
        let index = index.filter(|index| to_usize(*index) < count);
        let condition = value["condition"].as_str().filter(|text| !text.is_empty());
        let condition = condition.map(|text| Condition::parse(text, program));
        Ok(Breakpoint {
            instructions: vec![index.ok_or("no such instruction")?],
            condition: condition.transpose()?,
        })
    }

    /// Bytes that a name refers to: a buffer or one of its elements.
    pub(super) fn data_breakpoint_info(&self, name: &str, container: Option<u64>) -> Value {
        let refuse = || json!({"dataId": null, "description": "buffers and their elements only"});
        // An element in a list of elements is named by its index.
        let full = match (name.starts_with('['), container) {
            (true, Some(container)) => match self.buffer_of(container) {
                Some(buffer) => format!("{buffer}{name}"),
                None => return refuse(),
            },
            _ => name.to_owned(),
        };
        match self.memory_named(&full) {
            None => refuse(),
            Some((address, bytes)) => json!({
                "dataId": format!("{address}:{bytes}:{full}"),
                "description": full,
                "accessTypes": ["read", "write", "readWrite"],
                "canPersist": false,
            }),
        }
    }

    /// Address and size of `buffer` or `buffer[3]`.
    fn memory_named(&self, name: &str) -> Option<(u64, u64)> {
        let (buffer, index) = self.buffer_element(name)?;
        let size = u64::from(buffer.ty.bytes());
        match index {
            None => Some((buffer.address, buffer.bytes())),
            Some(index) => Some((buffer.address + index * size, size)),
        }
    }

    /// A step as the client asks for it.
    pub(super) fn step(&self, command: &str, by_instruction: bool) -> Motion {
        let control = Control::new(self.machine(), self.thread);
        let depth = control.depth();
        let line = self.line(control.pc()).filter(|_| !by_instruction);
        let (deepest, line) = match command {
            "stepOut" => (depth.saturating_sub(1), None),
            "next" | "stepBack" => (depth, line),
            _ => (u32::MAX, line),
        };
        Motion {
            is_backward: command == "stepBack",
            // Without a caller, a step out runs to the end.
            goal: match (command, depth) {
                ("stepOut", 0) => Goal::Breakpoint,
                _ => Goal::Step {
                    depth,
                    deepest,
                    line,
                },
            },
            has_moved: false,
        }
    }

    /// Continues a motion by at most `effects` effects.
    pub(super) fn advance(&mut self, motion: &mut Motion, effects: usize) -> Advance {
        self.findings.clear();
        for _ in 0..effects {
            let stop = match motion.is_backward {
                true => self.one_back(motion),
                false => self.one_forward(motion),
            };
            match stop {
                Advance::Running => motion.has_moved = true,
                other => return other,
            }
        }
        Advance::Running
    }

    fn one_forward(&mut self, motion: &Motion) -> Advance {
        let warnings = self.session().warnings().count();
        if !self.session_mut().step() {
            return self.end_of_group();
        }
        if let Some(fault) = self.session().fault() {
            let text = fault.message.clone();
            self.thread = fault.unit.thread.min(self.program().threads - 1);
            // The checks say more about it.
            let found = self.finding_stop();
            return Advance::Stopped(found.unwrap_or_else(|| Stop::new("exception", text)));
        }
        let session = self.session();
        let issue = session.last_issue().and_then(|last| session.issue(last));
        if let (Some(stop), Some(issue)) = (self.data_stop(), issue) {
            self.thread = issue.threads.first();
            return Advance::Stopped(stop);
        }
        if let Some(stop) = self.finding_stop() {
            return Advance::Stopped(stop);
        }
        if self.stops_at(WARNINGS) && self.session().warnings().count() > warnings {
            let found = self.session().warnings().last();
            let text = found.map_or_else(String::new, |(_, warning)| warning.message());
            if let Some(issue) = issue {
                self.thread = issue.threads.first();
            }
            return Advance::Stopped(Stop::new("exception", text));
        }
        self.at_boundary(motion)
    }

    fn one_back(&mut self, motion: &Motion) -> Advance {
        if !self.session_mut().step_back() {
            if self.sessions.len() > 1 {
                self.sessions.pop();
                let stop = self.finding_stop();
                return stop.map_or(Advance::Running, Advance::Stopped);
            }
            return Advance::Stopped(Stop::new("entry", "at the start"));
        }
        self.has_told_end = false;
        if let Some(stop) = self.data_stop().or_else(|| self.finding_stop()) {
            return Advance::Stopped(stop);
        }
        self.at_boundary(motion)
    }

    /// The stop of a motion before an instruction, if it ends there.
    fn at_boundary(&mut self, motion: &Motion) -> Advance {
        let Some(issue) = self.next_issue() else {
            return Advance::Running;
        };
        if self.is_hit(issue) {
            self.thread = self.hit_thread(issue);
            return Advance::Stopped(Stop::new("breakpoint", "breakpoint"));
        }
        let Goal::Step {
            depth,
            deepest,
            line,
        } = motion.goal
        else {
            return Advance::Running;
        };
        let is_own = issue.threads.iter().any(|thread| thread == self.thread);
        let is_mark = self
            .program()
            .instruction(issue)
            .instruction
            .is_source_mark();
        if line.is_none() && is_mark {
            return Advance::Running;
        }
        let now = Control::new(self.machine(), self.thread).depth();
        if !is_own || now > deepest {
            return Advance::Running;
        }
        let own = self.line(issue.instruction);
        let is_elsewhere = match line {
            None => true,
            Some(line) => own.is_some_and(|own| own != line) || now != depth,
        };
        // A step back ends where its line starts.
        let is_start = !motion.is_backward || line.is_none() || {
            let before = issue.instruction.checked_sub(1);
            before.is_none_or(|before| self.line(before) != own)
        };
        match is_elsewhere && is_start {
            true => Advance::Stopped(Stop::new("step", "step")),
            false => Advance::Running,
        }
    }

    /// The next issue, if the position is between two issues.
    fn next_issue(&self) -> Option<Issue> {
        let session = self.session();
        let next = session.next_issue()?;
        if session.last_issue() == Some(next) {
            return None;
        }
        session.issue(next)
    }

    /// Whether a thread is about to execute an instruction with a breakpoint.
    pub(super) fn is_at_breakpoint(&self) -> bool {
        self.next_issue().is_some_and(|issue| self.is_hit(issue))
    }

    fn is_hit(&self, issue: Issue) -> bool {
        self.breakpoints.iter().any(|breakpoint| {
            let holds = |condition: &Condition| {
                condition.holds(self.program(), self.machine(), issue.threads)
            };
            breakpoint.instructions.contains(&issue.instruction)
                && breakpoint.condition.as_ref().is_none_or(holds)
        })
    }

    /// The thread to show at a breakpoint: the chosen one, if it issues the instruction.
    fn hit_thread(&self, issue: Issue) -> u8 {
        let is_own = issue.threads.iter().any(|thread| thread == self.thread);
        if is_own {
            self.thread
        } else {
            issue.threads.first()
        }
    }

    /// The stop at a data breakpoint that the last effect hits.
    fn data_stop(&self) -> Option<Stop> {
        let session = self.session();
        let hit = self.data_breakpoints.iter().find(|breakpoint| {
            let (address, bytes) = (breakpoint.address, breakpoint.bytes);
            let changes = session.last_changes();
            let is_hit = |c: &Change| c.touches(SpaceId::VIRTUAL, address, bytes);
            let writes = || changes.iter().any(is_hit);
            let reads = || {
                session.last_access().is_some_and(|access| {
                    let end = access.address.saturating_add(access.bytes.into());
                    let overlaps = access.address < address + bytes && address < end;
                    access.space == SpaceId::VIRTUAL && overlaps && !access.writes
                })
            };
            session.position() > 0
                && ((breakpoint.writes && writes()) || (breakpoint.reads && reads()))
        })?;
        let text = format!("{}: {}", hit.name, session.summary_at(session.position()));
        Some(Stop::new("data breakpoint", text))
    }

    fn stops_at(&self, exception: &str) -> bool {
        self.exceptions.iter().any(|set| set == exception)
    }

    /// The stop after an instruction with findings.
    fn finding_stop(&mut self) -> Option<Stop> {
        let session = self.session();
        let last = session.last_issue()?;
        if session.next_issue() == Some(last) {
            return None;
        }
        let group = session.program().launch.as_ref()?.group;
        let found = self.watch.as_mut()?.at(group, last.0).to_vec();
        self.stop_with(found)
    }

    /// The stop with those of some findings at which the client wants to stop.
    fn stop_with(&mut self, mut found: Vec<FindingJson>) -> Option<Stop> {
        found.retain(|finding| self.stops_at(finding.facts().check));
        self.thread = found.first()?.thread().unwrap_or(self.thread);
        let texts: Vec<&str> = found.iter().map(FindingJson::message).collect();
        let stop = Stop::new("exception", texts.join("\n"));
        self.findings = found;
        Some(stop)
    }

    /// Continues with the next work-group, or ends.
    fn end_of_group(&mut self) -> Advance {
        let session = self.session();
        if session.fault().is_some() && !self.has_told_end {
            let text = session.summary();
            self.has_told_end = true;
            return Advance::Stopped(Stop::new("exception", text));
        }
        let launch = session.program().launch.as_ref();
        let next = launch.map_or(0, |launch| launch.group + 1);
        let is_last = launch.is_none_or(|launch| next >= launch.group_count());
        if session.fault().is_some() || is_last {
            if self.has_told_end {
                return Advance::Ended;
            }
            self.has_told_end = true;
            let found = self.watch.as_ref().map_or_else(Vec::new, Watch::at_end);
            let finished = || Stop::new("pause", "the launch has finished");
            return Advance::Stopped(self.stop_with(found).unwrap_or_else(finished));
        }
        let mut program = session.program().clone();
        let mut start = session.machine().clone();
        if let Some(launch) = &mut program.launch {
            launch.group = next;
            launch.enter_group(&program.symbols.visa, next, &mut start);
        }
        program.start = start;
        self.sessions.push(Session::new(Rc::new(program)));
        if self.sessions.len() > MAX_SESSIONS {
            self.sessions.remove(0);
        }
        match self.next_issue() {
            Some(issue) if self.is_hit(issue) => {
                self.thread = self.hit_thread(issue);
                Advance::Stopped(Stop::new("breakpoint", "breakpoint"))
            }
            _ => Advance::Running,
        }
    }

    /// The findings of the last stop, its fault, or its warning.
    pub(super) fn exception_info(&self) -> Result<Value, String> {
        if let [first, more @ ..] = self.findings.as_slice() {
            let facts = first.facts();
            let more = more
                .iter()
                .map(|finding| format!("{}\n{}", finding.message(), finding.places()));
            let places = [first.places()].into_iter().chain(more);
            let [title, why] = first.title_and_why();
            return Ok(json!({
                "exceptionId": title,
                "description": first.message(),
                "breakMode": "always",
                "details": {
                    "message": why,
                    "typeName": facts.code,
                    "stackTrace": places.collect::<Vec<_>>().join("\n"),
                },
            }));
        }
        let session = self.session();
        let fault = session.fault().map(|fault| fault.message.clone());
        let warnings = session.warnings();
        let found = fault.map(|text| ("fault", text)).or_else(|| {
            let (_, warning) = warnings.last()?;
            Some(("warning", warning.message()))
        });
        let (id, text) = found.ok_or("the launch has not stopped at an exception")?;
        Ok(json!({"exceptionId": id, "description": text, "breakMode": "always"}))
    }

    /// Whether a thread has ended.
    pub(super) fn has_ended(&self, thread: u8) -> bool {
        Control::new(self.machine(), thread).state() == ThreadState::Ended
    }
}
