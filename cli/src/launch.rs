//! Launches of compiled kernels: `run --kernel`, `open` of a program, and the
//! batch request `launch`.

use crate::input::MAX_FILE;
use crate::steps::first_steps;
use crate::{CliError, Status, kernel_args, render};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use lanewise_answer::RunStatus;
use lanewise_core::diagnostic::{Diagnostic, Span, to_usize};
use lanewise_core::isa::{Style, Target};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{Issue, Launch, Program, Sizes};
use lanewise_core::rules;
use lanewise_core::session::{RunResult, Session, run_launch};
use lanewise_core::text::counted;
use lanewise_files::zebin::{self, ArgumentKind, Kernel, LaunchValue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

/// Options of `run` that launch a kernel.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Launch this kernel of a compiled program (zebin)
    #[arg(long, value_name = "NAME", requires_all = ["global", "local"])]
    pub(crate) kernel: Option<String>,
    /// Work-items in all, in one to three dimensions
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_delimiter = ',',
        requires = "kernel"
    )]
    global: Vec<u32>,
    /// Work-items of a work-group
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_delimiter = ',',
        requires = "kernel"
    )]
    local: Vec<u32>,
    #[arg(
        long = "arg",
        value_name = "N=VALUE",
        requires = "kernel",
        help = "An argument, by number or name: float[64]=iota(1, 0.5), int[4]=1,2,3,4, float[64]=@FILE, 2.5, local(128)"
    )]
    arguments: Vec<String>,
    /// Write the bytes of a buffer to a file after the launch
    #[arg(long = "dump", value_name = "N=FILE", requires = "kernel")]
    dumps: Vec<String>,
}

/// The fields of a `launch` request, beside `do`.
#[derive(Deserialize)]
struct Request {
    path: String,
    kernel: String,
    global: Vec<u32>,
    local: Vec<u32>,
    #[serde(default)]
    args: Vec<Argument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Argument {
    /// Bytes in hexadecimal.
    Buffer(String),
    /// Bytes in hexadecimal, little-endian.
    Scalar(String),
    /// Size in bytes.
    Local(u64),
}

/// The answer: every buffer as it is after the launch.
#[derive(Serialize)]
pub(crate) struct LaunchAnswer {
    ok: bool,
    fault: Option<Fault>,
    instructions: u32,
    buffers: BTreeMap<u32, String>,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    message: String,
}

fn refuse(what: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::new(
        &rules::REQUEST_FIELD,
        Span::default(),
        what,
    )]
}

/// Answers a request.
pub(crate) fn answer(line: &str) -> Result<LaunchAnswer, Vec<Diagnostic>> {
    let request: Request = serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
    let kernel = open(Path::new(&request.path), &request.kernel).map_err(refuse)?;
    let values = request.args.iter().map(|argument| {
        let bytes = |hex: &String| {
            let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
            bytes.map_err(|error| refuse(format!("an argument is not hexadecimal: {error}")))
        };
        Ok(match argument {
            Argument::Buffer(hex) => LaunchValue::Buffer(ElementType::Ub, bytes(hex)?),
            Argument::Scalar(hex) => LaunchValue::Value(bytes(hex)?),
            Argument::Local(bytes) => LaunchValue::Local(*bytes),
        })
    });
    let values: Vec<LaunchValue> = values.collect::<Result<_, Vec<Diagnostic>>>()?;
    let sizes = |sizes: &[u32], name: &str| {
        sizes_of(sizes).ok_or_else(|| refuse(format!("`{name}` has one to three sizes")))
    };
    let global = sizes(&request.global, "global")?;
    let local = sizes(&request.local, "local")?;
    let program = kernel
        .launch(global, local, &values)
        .map_err(|error| refuse(error.to_string()))?;
    if !program.can_run() {
        return Err(program.diagnostics);
    }
    let result = run_launch(&program);
    let contents = buffers(&kernel, &program, &result);
    Ok(answer_of(result, contents))
}

fn answer_of(result: RunResult, buffers: BTreeMap<u32, String>) -> LaunchAnswer {
    LaunchAnswer {
        ok: true,
        buffers,
        instructions: result.instructions,
        fault: result.fault.map(|fault| Fault {
            kind: fault.kind.word(),
            message: fault.message,
        }),
    }
}

/// Runs a kernel of a file and prints its buffers.
pub(crate) fn run(
    path: &Path,
    name: &str,
    options: &Options,
    json: bool,
    trace: bool,
    steps: Option<usize>,
) -> Result<Status, CliError> {
    let kernel = open(path, name).map_err(CliError)?;
    let values = kernel_args::values(&kernel, &options.arguments)?;
    let sizes = |sizes: &[u32], option| {
        sizes_of(sizes).ok_or_else(|| CliError(format!("--{option} takes one to three sizes")))
    };
    let (global, local) = (
        sizes(&options.global, "global")?,
        sizes(&options.local, "local")?,
    );
    let program = kernel.launch(global, local, &values);
    let program = program.map_err(|error| CliError(error.to_string()))?;
    if !program.can_run() {
        let errors = program.diagnostics.iter();
        let errors: Vec<String> = errors.map(Diagnostic::message).collect();
        return Err(CliError(errors.join("\n")));
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (result, is_finished) = match steps {
        Some(limit) => run_steps(&program, limit, trace, &mut out)?,
        None => {
            if trace {
                run_group(&program, 0, usize::MAX, Some(&mut out))?;
            }
            (run_launch(&program), true)
        }
    };
    if trace {
        writeln!(out)?;
    }
    let contents = buffers(&kernel, &program, &result);
    for text in &options.dumps {
        let (_, argument, path) = kernel_args::assignment(&kernel, text)?;
        let hex = contents.get(&argument.index);
        let hex =
            hex.ok_or_else(|| CliError(format!("argument `{}` is not a buffer", argument.name)))?;
        let bytes = HEXLOWER.decode(hex.as_bytes()).expect("it was encoded");
        std::fs::write(path, bytes).map_err(|error| CliError(format!("{path}: {error}")))?;
    }
    let fine = result.fault.is_none();
    for (instruction, warning) in &result.warnings {
        let line = program.instructions[to_usize(*instruction)].line + 1;
        render::say(&format!("warning: line {line}: {}", warning.message()));
    }
    if json {
        let answer = answer_of(result, contents);
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        if steps.is_some() {
            write!(out, "{}, ", counted(result.steps, "step"))?;
        }
        let executed = counted(result.instructions, "instruction");
        let end = match is_finished {
            true => "",
            false => " The launch has not finished.",
        };
        writeln!(out, "{executed}.{end}")?;
        if let Some(fault) = &result.fault {
            writeln!(out, "Fault: {}", fault.message)?;
        }
        print_buffers(&program, &result, &mut out)?;
    }
    out.flush()?;
    Ok(Status::when(fine))
}

/// Runs the first steps of a launch, one work-group after the other. Returns the state after
/// them and whether the launch has finished.
fn run_steps(
    program: &Program,
    limit: usize,
    trace: bool,
    out: &mut impl Write,
) -> io::Result<(RunResult, bool)> {
    let launch = program.launch.as_ref();
    let groups = launch.map_or(1, Launch::group_count);
    let mut result = RunResult::at(program.start.clone());
    for group in 0..groups {
        let mut program = program.clone();
        if let Some(launch) = &mut program.launch {
            launch.group = group;
            launch.enter_group(&program.symbols.visa, group, &mut result.machine);
        }
        program.start = result.machine;
        let done = usize::try_from(result.steps).expect("at most the limit");
        let trace = trace.then_some(&mut *out);
        let session = run_group(&program, done, limit, trace)?;
        let status = RunStatus::of(&session);
        result.machine = status.machine.clone();
        result.steps += status.steps;
        result.instructions += status.instructions;
        result.fault = status.fault.cloned();
        for (instruction, warning) in session.warnings() {
            let first = result.warnings.entry(instruction);
            first.or_insert_with(|| warning.clone());
        }
        if !session.at_end() {
            return Ok((result, false));
        }
        // A fault ends the launch.
        if result.fault.is_some() {
            break;
        }
    }
    Ok((result, true))
}

/// Runs the work-group of the timeline until the launch has executed `limit` steps, `done` of
/// them in earlier work-groups. Prints a trace if requested.
fn run_group<W: Write>(
    program: &Program,
    done: usize,
    limit: usize,
    mut trace: Option<&mut W>,
) -> io::Result<Session> {
    let mut session = Session::new(Rc::new(program.clone()));
    first_steps(&mut session, limit - done, |session| {
        let issue = session.last_issue().and_then(|last| session.issue(last));
        let issue = issue.expect("a step belongs to an issue");
        match &mut trace {
            Some(out) => trace_step(session, issue, done, out),
            None => Ok(()),
        }
    })?;
    Ok(session)
}

/// Prints a step with its work-group, thread, line and source line.
fn trace_step(
    session: &Session,
    issue: Issue,
    done: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let program = session.program();
    let group = program.launch.as_ref().map_or(0, |launch| launch.group);
    let placed = program.instruction(issue);
    let (thread, line) = (issue.threads.first(), placed.line + 1);
    let source = program.source_line(issue.instruction);
    let source = source.map_or(String::new(), |(file, line)| format!(" ({file}:{line})"));
    let text = placed.instruction.text(&program.symbols, Style::Assembler);
    writeln!(
        out,
        "{:>6}  group {group}, thread {thread}, line {line}{source}: {text}  // {}",
        done + session.position(),
        session.summary()
    )
}

/// Most elements of a buffer that are printed.
const MAX_PRINTED: u64 = 1024;

fn print_buffers(program: &Program, result: &RunResult, out: &mut impl Write) -> io::Result<()> {
    /// Elements of a row.
    const ROW: usize = 8;
    let launch = program.launch.as_ref();
    for buffer in launch.map_or(&[][..], |launch| &launch.buffers) {
        let (name, ty) = (&buffer.name, buffer.ty);
        writeln!(out, "\n{name} : {} bytes, as {}", buffer.bytes(), ty.name())?;
        let element = |index: u64| {
            let address = buffer.address + index * u64::from(ty.bytes());
            let bits = result.machine.load(SpaceId::VIRTUAL, address, ty.bytes());
            show(bits.expect("buffers are mapped"), ty)
        };
        let elements: Vec<String> = (0..buffer.elements.min(MAX_PRINTED)).map(element).collect();
        let width = elements.iter().map(String::len).max().unwrap_or(0);
        for (row, elements) in elements.chunks(ROW).enumerate() {
            write!(out, "{:>6} ", row * ROW)?;
            for element in elements {
                write!(out, " {element:>width$}")?;
            }
            writeln!(out)?;
        }
        if buffer.elements > MAX_PRINTED {
            writeln!(
                out,
                "        … {} more; use --dump or --json",
                buffer.elements - MAX_PRINTED
            )?;
        }
    }
    Ok(())
}

/// Lists the kernels of a program with their arguments, or prints the scenario
/// of one with proposed sizes and buffers.
pub(crate) fn list(
    bytes: &[u8],
    name: &str,
    requested: Option<&str>,
    out: &mut impl Write,
) -> Result<Status, CliError> {
    if let Some(requested) = requested {
        let kernel = read(bytes, name, requested, None).map_err(CliError)?;
        return propose(&kernel, out);
    }
    let program = zebin::open(bytes).map_err(|error| CliError(format!("{name}: {error}")))?;
    writeln!(out, "{name}: program for {}", program.platform.name())?;
    for kernel in &program.kernels {
        writeln!(out, "\n{}", kernel.name)?;
        if let Some(obstacle) = kernel.obstacle() {
            writeln!(out, "  cannot be launched: {obstacle}")?;
        }
        for argument in &kernel.arguments {
            let kind = match argument.kind {
                ArgumentKind::Buffer => "buffer".to_owned(),
                ArgumentKind::Local => "local memory".to_owned(),
                ArgumentKind::Value(size) => format!("value of {size} bytes"),
            };
            let ty = argument.ty.as_deref().unwrap_or("");
            let line = format!(
                "  {:>3}  {:<16} {kind:<18} {ty}",
                argument.index, argument.name
            );
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(Status::Fine)
}

/// Prints the scenario of a kernel with proposed sizes and buffers.
pub(crate) fn propose(kernel: &Kernel, out: &mut impl Write) -> Result<Status, CliError> {
    let text = lanewise_files::propose(kernel);
    let text = text.map_err(|error| CliError(error.to_string()))?;
    writeln!(
        out,
        "// Proposed, not from the file: the sizes of the launch, buffers and numbers."
    )?;
    out.write_all(text.as_bytes())?;
    Ok(Status::Fine)
}

/// One to three sizes; those that are left out are 1.
pub(crate) fn sizes_of(sizes: &[u32]) -> Option<Sizes> {
    let fits = (1..=3).contains(&sizes.len());
    fits.then(|| std::array::from_fn(|i| sizes.get(i).copied().unwrap_or(1)))
}

/// Opens a kernel of a file.
pub(crate) fn open(path: &Path, name: &str) -> Result<Kernel, String> {
    let shown = path.display();
    let size = std::fs::metadata(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    if size.len() > MAX_FILE {
        return Err(format!("{shown} has more than 64 MB"));
    }
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    read(&bytes, &shown.to_string(), name, None)
}

/// Reads a kernel of a program, or of a vISA listing or object, which are read for `target`
/// if they do not name theirs.
pub(crate) fn read(
    bytes: &[u8],
    file: &str,
    name: &str,
    target: Option<Target>,
) -> Result<Kernel, String> {
    let missing =
        |names: Vec<String>| format!("no kernel `{name}` in {file}; found {}", names.join(", "));
    if zebin::recognises(bytes) {
        let program = zebin::open(bytes).map_err(|error| format!("{file}: {error}"))?;
        let names = program.kernels.iter().map(|k| k.name.clone()).collect();
        let mut kernels = program.kernels.into_iter();
        let kernel = kernels.find(|kernel| kernel.name == name);
        return kernel.ok_or_else(|| missing(names));
    }
    let opened = lanewise_files::open_for(file, bytes, target);
    let opened = opened.map_err(|error| format!("{file}: {error}"))?;
    let function = opened.functions.iter().find(|f| f.name == name);
    let names = || opened.functions.iter().map(|f| f.name.clone()).collect();
    let function = function.ok_or_else(|| missing(names()))?;
    Kernel::of_function(function).map_err(|error| error.to_string())
}

/// The buffers after a launch, by argument.
fn buffers(kernel: &Kernel, program: &Program, result: &RunResult) -> BTreeMap<u32, String> {
    let launch = program.launch.as_ref();
    let buffers = launch.map_or(&[][..], |launch| &launch.buffers).iter();
    let arguments = kernel.arguments.iter();
    let arguments = arguments.filter(|argument| argument.kind == ArgumentKind::Buffer);
    let memory = result.machine.space(SpaceId::VIRTUAL);
    let contents = arguments.zip(buffers).map(|(argument, buffer)| {
        let size = usize::try_from(buffer.bytes()).expect("mapped memory is bounded");
        let mut bytes = vec![0; size];
        memory.read(buffer.address, &mut bytes);
        (argument.index, HEXLOWER.encode(&bytes))
    });
    contents.collect()
}
