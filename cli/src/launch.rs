//! Launches of compiled kernels: `run --kernel`, `open` of a program, and the
//! batch request `launch`.

use crate::{CliError, Status};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::ide::opencl_type;
use lanewise_core::isa::{Style, Target};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, parse_literal, show};
use lanewise_core::program::{Program, Sizes};
use lanewise_core::rules;
use lanewise_core::session::{RunResult, Session, run_launch};
use lanewise_files::zebin::{self, Argument as KernelArgument, ArgumentKind, Kernel, LaunchValue};
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

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

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
            Argument::Buffer(hex) => LaunchValue::Buffer(bytes(hex)?),
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

/// A type by OpenCL's name or ours.
fn element_type(name: &str) -> Option<ElementType> {
    match opencl_type(name) {
        Some((ty, 1)) => Some(ty),
        _ => ElementType::named(name),
    }
}

/// The value of an argument as `--arg` gives it.
fn value_of(argument: &KernelArgument, text: &str) -> Result<LaunchValue, String> {
    let text = text.trim();
    let wrong = |wanted: &str| {
        Err(format!(
            "argument {} (`{}`) takes {wanted}, found `{text}`",
            argument.index, argument.name
        ))
    };
    match argument.kind {
        ArgumentKind::Local => {
            let bytes = text
                .strip_prefix("local(")
                .and_then(|rest| rest.strip_suffix(')'));
            match bytes.and_then(|bytes| bytes.trim().parse().ok()) {
                Some(bytes) => Ok(LaunchValue::Local(bytes)),
                None => wrong("local(BYTES)"),
            }
        }
        ArgumentKind::Value(size) => scalar(text, size).map_or_else(
            || wrong(&format!("a number of {size} bytes")),
            |bytes| Ok(LaunchValue::Value(bytes)),
        ),
        ArgumentKind::Buffer => buffer(text).map_or_else(
            |why| wrong(&format!("a buffer, such as float[64]=iota(1, 0.5) ({why})")),
            |bytes| Ok(LaunchValue::Buffer(bytes)),
        ),
    }
}

/// A number: `41`, `-1`, `0x29`, `2.5`, or with its type `2.5:half`.
fn scalar(text: &str, size: u32) -> Option<Vec<u8>> {
    let (number, ty) = match text.rsplit_once(':') {
        Some((number, ty)) => (number, Some(element_type(ty.trim())?)),
        None => (text, None),
    };
    let is_float = number.contains(['.', 'e']) && !number.starts_with("0x");
    let ty = ty.or(match (size, is_float, number.starts_with('-')) {
        (2, true, _) => Some(ElementType::Hf),
        (4, true, _) => Some(ElementType::F),
        (8, true, _) => Some(ElementType::Df),
        (1, false, true) => Some(ElementType::B),
        (1, false, false) => Some(ElementType::Ub),
        (2, false, true) => Some(ElementType::W),
        (2, false, false) => Some(ElementType::Uw),
        (4, false, true) => Some(ElementType::D),
        (4, false, false) => Some(ElementType::Ud),
        (8, false, true) => Some(ElementType::Q),
        (8, false, false) => Some(ElementType::Uq),
        _ => None,
    })?;
    let bits = parse_literal(number.trim(), ty).ok()?;
    let bytes = bits.to_le_bytes();
    let fits = u32::from(ty.bytes()) == size;
    fits.then(|| bytes[..usize::from(ty.bytes())].to_vec())
}

/// The bytes of a buffer: `float[64]`, `float[64]=iota(1, 0.5)`, `ubyte[4]=@FILE`.
fn buffer(text: &str) -> Result<Vec<u8>, String> {
    let (head, values) = match text.split_once('=') {
        Some((head, values)) => (head, Some(values.trim())),
        None => (text, None),
    };
    let parts = head
        .trim()
        .strip_suffix(']')
        .and_then(|head| head.split_once('['));
    let (ty, length) = parts.ok_or("expected TYPE[LENGTH]")?;
    let ty = element_type(ty.trim()).ok_or(format!("unknown type `{}`", ty.trim()))?;
    let length: u64 = length.trim().parse().map_err(|_| "expected a length")?;
    let bytes = length
        .checked_mul(ty.bytes().into())
        .filter(|bytes| *bytes <= MAX_FILE);
    let bytes = bytes.ok_or("a buffer has at most 64 MB")?;
    let size = usize::try_from(bytes).expect("64 MB fit");
    let Some(values) = values else {
        return Ok(vec![0; size]);
    };
    if let Some(path) = values.strip_prefix('@') {
        let mut bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        if bytes.len() > size {
            return Err(format!(
                "{path} has {} bytes, the buffer {size}",
                bytes.len()
            ));
        }
        bytes.resize(size, 0);
        return Ok(bytes);
    }
    // The scenario text has the same values.
    let text = format!(
        ".launch global=1 local=1\n.simd 8\n.buffer b : {}[{length}] = {values}\n",
        ty.name()
    );
    let program = Program::parse(&text);
    if let Some(error) = program.diagnostics.first().filter(|_| !program.can_run()) {
        return Err(error.message());
    }
    let launch = program.launch.as_ref().expect("the text has a launch");
    let mut bytes = vec![0; size];
    program
        .start
        .space(SpaceId::VIRTUAL)
        .read(launch.buffers[0].address, &mut bytes);
    Ok(bytes)
}

/// Splits `N=VALUE`, and finds the argument.
fn assignment<'k, 't>(
    kernel: &'k Kernel,
    text: &'t str,
) -> Result<(usize, &'k KernelArgument, &'t str), CliError> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| CliError(format!("expected N=VALUE, found `{text}`")))?;
    let is =
        |argument: &KernelArgument| argument.name == name || argument.index.to_string() == name;
    let mut arguments = kernel.arguments.iter().enumerate();
    let found = arguments.find(|(_, argument)| is(argument));
    let (position, argument) =
        found.ok_or_else(|| CliError(format!("`{}` has no argument `{name}`", kernel.name)))?;
    Ok((position, argument, value))
}

/// Runs a kernel of a file and prints its buffers.
pub(crate) fn run(
    path: &Path,
    name: &str,
    options: &Options,
    json: bool,
    trace: bool,
) -> Result<Status, CliError> {
    let kernel = open(path, name).map_err(CliError)?;
    let mut values: Vec<Option<LaunchValue>> = vec![None; kernel.arguments.len()];
    for text in &options.arguments {
        let (position, argument, value) = assignment(&kernel, text)?;
        values[position] = Some(value_of(argument, value).map_err(CliError)?);
    }
    let missing = kernel
        .arguments
        .iter()
        .zip(&values)
        .find(|(_, value)| value.is_none());
    if let Some((argument, _)) = missing {
        let (index, name) = (argument.index, &argument.name);
        return Err(CliError(format!(
            "missing argument {index} (`{name}`); add --arg {index}=VALUE"
        )));
    }
    let values: Vec<LaunchValue> = values.into_iter().flatten().collect();
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
    if trace {
        print_trace(&program, &mut out)?;
    }
    let result = run_launch(&program);
    let contents = buffers(&kernel, &program, &result);
    for text in &options.dumps {
        let (_, argument, path) = assignment(&kernel, text)?;
        let hex = contents.get(&argument.index);
        let hex =
            hex.ok_or_else(|| CliError(format!("argument `{}` is not a buffer", argument.name)))?;
        let bytes = HEXLOWER.decode(hex.as_bytes()).expect("it was encoded");
        std::fs::write(path, bytes).map_err(|error| CliError(format!("{path}: {error}")))?;
    }
    let fine = result.fault.is_none();
    if json {
        let answer = answer_of(result, contents);
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{} instructions.", result.instructions)?;
        for warning in result.warnings.values() {
            writeln!(out, "Warning: {}", warning.message())?;
        }
        if let Some(fault) = &result.fault {
            writeln!(out, "Fault: {}", fault.message)?;
        }
        print_buffers(&program, &result, &mut out)?;
    }
    out.flush()?;
    Ok(Status::when(fine))
}

/// Prints the steps of the first work-group, with thread, line and source line.
fn print_trace(program: &Program, out: &mut impl Write) -> io::Result<()> {
    let group = program.launch.as_ref().map_or(0, |launch| launch.group);
    let mut session = Session::new(Rc::new(program.clone()));
    while session.step() {
        let Some(issue) = session.last_issue().and_then(|last| session.issue(last)) else {
            continue;
        };
        let placed = program.instruction(issue);
        let (thread, line) = (issue.threads.first(), placed.line + 1);
        let source = program.source_line(issue.instruction);
        let source = source.map_or(String::new(), |(file, line)| format!(" ({file}:{line})"));
        let text = placed.instruction.text(&program.symbols, Style::Assembler);
        writeln!(
            out,
            "{:>6}  group {group}, thread {thread}, line {line}{source}: {text}  // {}",
            session.position(),
            session.summary()
        )?;
    }
    writeln!(out)
}

/// Most elements of a buffer that are printed.
const MAX_PRINTED: u64 = 1024;

fn print_buffers(program: &Program, result: &RunResult, out: &mut impl Write) -> io::Result<()> {
    /// Elements of a row.
    const ROW: u64 = 8;
    let launch = program.launch.as_ref();
    for buffer in launch.map_or(&[][..], |launch| &launch.buffers) {
        // Bytes are what a launch passes; dwords are easier to read.
        let ty = match buffer.bytes() % 4 {
            0 => ElementType::D,
            _ => ElementType::Ub,
        };
        let width = u64::from(ty.bytes());
        let count = buffer.bytes() / width;
        writeln!(
            out,
            "\n{} : {} bytes, as {}",
            buffer.name,
            buffer.bytes(),
            ty.name()
        )?;
        for first in (0..count.min(MAX_PRINTED)).step_by(ROW as usize) {
            write!(out, "{first:>6} ")?;
            for element in first..(first + ROW).min(count) {
                let address = buffer.address + element * width;
                let bits = result.machine.load(SpaceId::VIRTUAL, address, ty.bytes());
                write!(out, " {:>11}", show(bits.expect("buffers are mapped"), ty))?;
            }
            writeln!(out)?;
        }
        if count > MAX_PRINTED {
            writeln!(
                out,
                "        … {} more; use --dump or --json",
                count - MAX_PRINTED
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
