//! Launches of compiled kernels: `run --kernel`, `open` of a program, and the
//! batch request `launch`.

use crate::compiler::{self, Failure};
use crate::input::Source;
use crate::lanes::write_lanes;
use crate::launch_options::{Fuel, LACKS_SIZE, Options, Prepared, position, runnable};
use crate::reports::{self, FileReport};
use crate::steps::first_steps;
use crate::structures::DeclaredTypes;
use crate::{CliError, Status, kernel_args, render, warp_launch};
use data_encoding::HEXLOWER;
use lanewise_answer::RunStatus;
use lanewise_answer::buffer_view::BufferView;
use lanewise_answer::table::aligned;
use lanewise_api::{
    FaultPlace, LaunchAnswer, Request, Schedules, answer_of, buffers, printed, refuse,
    refuse_launch, schedule_of,
};
use lanewise_core::diagnostic::{Diagnostic, to_usize};
use lanewise_core::isa::{FaultKind, Style, Target};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::show;
use lanewise_core::program::{Issue, Launch, Program};
use lanewise_core::session::{RunResult, Session};
use lanewise_core::text::counted;
use lanewise_files::zebin::{self, Argument, ArgumentKind, Kernel, LaunchError};
use lanewise_files::{FileKind, Function, OpenedFile, WarpProgram, is_scenario};
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

/// The launch of a kernel of a compiled program or of a listing.
pub(crate) fn prepare(
    file: &compiler::ProgramFile,
    options: &Options,
    types: &DeclaredTypes,
) -> Result<Prepared, Failure> {
    let message = |CliError(message)| Failure::Unusable(message);
    let text = lanewise_files::decode_text(&file.bytes);
    if let Some(option) = options.of_whole_launch().filter(|_| !options.is_launch()) {
        let scenario = text.filter(|text| is_scenario(text));
        let program = scenario.map(|text| Program::parse_to_run(&text));
        return match program.filter(|program| program.launch.is_some()) {
            Some(program) => scenario_launch(program).map_err(message),
            None => Err(Failure::Unusable(format!("{option} {LACKS_SIZE}"))),
        };
    }
    if let Some(refusal) = text.and_then(|text| scenario_refusal(&file.name, &text)) {
        return Err(Failure::Unusable(refusal));
    }
    if WarpProgram::recognises(&file.bytes) {
        return warp_launch::prepare(file, options, types).map_err(message);
    }
    let kernel = kernel_of(file, options.kernel.as_deref(), options.target)?;
    Ok(Prepared {
        program: options.program(&kernel, types).map_err(message)?,
        notes: kernel.notes().to_vec(),
        kernel: kernel.name,
        arguments: kernel.arguments,
    })
}

/// The launch of a scenario, with an argument for each of its buffers.
fn scenario_launch(program: Program) -> Result<Prepared, CliError> {
    let program = runnable(program)?;
    let launch = program.launch.as_ref().expect("the scenario has a launch");
    let arguments = (0..).zip(&launch.buffers).map(|(index, buffer)| Argument {
        index,
        name: buffer.name.clone(),
        ty: None,
        kind: ArgumentKind::Buffer,
    });
    Ok(Prepared {
        kernel: program.title.clone().unwrap_or_default(),
        arguments: arguments.collect(),
        program,
        notes: Vec::new(),
    })
}

/// Why a text cannot be launched, if it is a scenario rather than the listing of a kernel.
fn scenario_refusal(name: &str, text: &str) -> Option<String> {
    if !is_scenario(text) {
        return None;
    }
    let mut lines = text.lines().map(str::trim_start);
    let kind = match Program::parse_to_run(text).launch.is_some() {
        true => "with a launch of its own",
        false if lines.any(|line| line.starts_with(KERNEL_ATTRIBUTE)) => return None,
        false => "without a kernel",
    };
    Some(format!(
        "{name} is a scenario {kind}: `lanewise run {name}`, without --global, --grid, --kernel and --arg"
    ))
}

/// Directive of the vISA listings of kernels.
const KERNEL_ATTRIBUTE: &str = ".kernel_attr";

/// Answers a `launch` request.
pub(crate) fn answer(line: &str) -> Result<LaunchAnswer, Vec<Diagnostic>> {
    let request: Request = serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
    if request.path.is_empty() {
        return Err(refuse("`path` is missing"));
    }
    let options = compiler::Options {
        device: request.device.clone(),
        ..compiler::Options::default()
    };
    let refused = |failure| match failure {
        Failure::Unusable(message) => refuse_launch(message),
        Failure::Rejected(_, messages) => messages,
    };
    let file = compiler::load(Path::new(&request.path), &options).map_err(refused)?;
    if WarpProgram::recognises(&file.bytes) {
        return warp_launch::answer(line, &file);
    }
    let kernel = kernel_of(&file, request.kernel.as_deref(), None).map_err(refused)?;
    lanewise_api::answer(&kernel, &request)
}

/// Runs a kernel of a file and prints its buffers.
pub(crate) fn run(
    path: &Path,
    options: &Options,
    types: &DeclaredTypes,
    json: bool,
    trace: bool,
    steps: Option<usize>,
    entries: &mut Vec<FileReport>,
) -> Result<Status, CliError> {
    let file = match compiler::read(path, &options.compiler) {
        Ok(file) => file,
        Err(failure) => {
            entries.extend(failure.entry());
            return failure.report();
        }
    };
    let prepared = match prepare(&file, options, types) {
        Ok(prepared) => prepared,
        Err(failure) => return failure.report(),
    };
    for note in &prepared.notes {
        render::say(&format!("{}: note: {note}", path.display()));
    }
    let mut program = prepared.program;
    options.fuel.set(&mut program);
    options.say_assumed(&program);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let checked = options.checked().map_err(CliError)?;
    if checked.is_some() && steps.is_some() {
        return Err(CliError(String::from(
            "--check runs the whole launch, without --steps",
        )));
    }
    let schedule = options.schedule.as_deref();
    let schedule = schedule_of(&program, schedule).map_err(CliError)?;
    let (mut result, stopped, report) = match steps {
        Some(limit) => {
            let (result, stopped) = run_steps(&program, limit, trace, &mut out)?;
            (result, stopped, None)
        }
        None => {
            if trace {
                run_group(&program, 0, usize::MAX, Some(&mut out))?;
            }
            let (result, report) = lanewise_api::run(&program, checked, schedule);
            (result, None, report)
        }
    };
    let orders = options.schedules;
    let schedules = orders.map(|orders| Schedules::compare(&program, &result, orders));
    let found = report.map(|mut report| {
        if let Some(schedules) = &schedules {
            schedules.add_to(&program, &mut report);
        }
        options.findings(&program, report, path)
    });
    if let Some(found) = &found {
        let is_new = |instruction: &u32| !found.replaces_warning(*instruction);
        result.warnings.retain(|instruction, _| is_new(instruction));
    }
    if trace {
        writeln!(out)?;
    }
    let contents = buffers(&prepared.arguments, &program, &result);
    for text in &options.dumps {
        let (_, argument, path) =
            kernel_args::assignment(&prepared.kernel, &prepared.arguments, text, "FILE")?;
        let hex = contents.get(&argument.index).ok_or_else(|| {
            // Every other buffer has contents.
            let why = match argument.kind {
                ArgumentKind::Buffer => "NULL",
                _ => "not a buffer",
            };
            CliError(format!("argument `{}` is {why}", argument.name))
        })?;
        let bytes = HEXLOWER.decode(hex.as_bytes()).expect("it was encoded");
        std::fs::write(path, bytes).map_err(|error| CliError(format!("{path}: {error}")))?;
    }
    let fails = found
        .as_ref()
        .is_some_and(|found| found.reach(options.check_fail.severity()));
    let are_same = schedules.as_ref().is_none_or(Schedules::are_same);
    let fine = result.fault.is_none() && !fails && are_same;
    let mut entry = entry(file, &prepared.kernel, &program, &result);
    entry.fails_at = options.check_fail.severity();
    entry.findings = found.as_ref().map_or_else(Vec::new, |f| f.found.clone());
    entries.push(entry);
    for (instruction, warning) in &result.warnings {
        let place = place_of(&program, *instruction);
        render::say(&format!("warning: {place}: {}", warning.message()));
    }
    let printed = printed(&program, &result);
    for note in printed.iter().flat_map(|printed| &printed.notes) {
        render::say(&format!("warning: {note}"));
    }
    if json {
        let mut answer = answer_of(&program, result, contents, path);
        answer.add(found);
        answer.schedules = schedules;
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        if let Some(text) = printed.map(|printed| printed.text) {
            let end = if text.is_empty() || text.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            write!(out, "{text}{end}")?;
        }
        if steps.is_some() {
            write!(out, "{}, ", counted(result.steps, "step"))?;
        }
        let executed = counted(result.instructions, "instruction");
        let end = match stopped {
            None => "",
            Some(_) => " The launch has not finished.",
        };
        writeln!(out, "{executed}.{end}")?;
        if let Some(fault) = &result.fault {
            let report = FaultPlace::of(&program, fault, path).report(&fault.message);
            writeln!(out, "Fault: {report}{}", Fuel::help(fault))?;
            let is_shared = fault.place.is_some_and(|(space, _)| space == SpaceId::SLM);
            if is_shared && fault.kind == FaultKind::Unmapped && program.has_warps() {
                writeln!(
                    out,
                    "Help: add `--shared N` for N bytes of dynamic shared memory"
                )?;
            }
        }
        print_buffers(&program, &result, &mut out)?;
        if let Some(schedules) = &schedules {
            writeln!(out, "\n{}", schedules.text())?;
        }
        if let Some(found) = &found {
            write!(out, "{}", found.text(&program))?;
        }
        if let Some(session) = stopped.filter(|_| trace) {
            write_lanes(&session, &mut out)?;
        }
    }
    out.flush()?;
    Ok(Status::when(fine))
}

/// Why the instructions of a cubin without launches, or of all cubins of a fat binary, are not
/// read: the first note of the file.
pub(crate) fn undecoded(file: &OpenedFile) -> Option<&str> {
    let is_undecoded = match file.kind {
        FileKind::Cubin { .. } => true,
        FileKind::FatBinary { .. } => file.functions.is_empty(),
        _ => false,
    };
    file.notes
        .first()
        .map(String::as_str)
        .filter(|_| is_undecoded)
}

/// The problems of a launch, at the lines of its source.
fn entry(
    file: compiler::ProgramFile,
    kernel: &str,
    program: &Program,
    result: &RunResult,
) -> FileReport {
    let name = format!("{}: {kernel}", file.name);
    let (source, mut diagnostics) = match file.compiled {
        Some(compiled) => (compiled.source, compiled.warnings),
        None => (Source::named(file.name), Vec::new()),
    };
    let warnings = result
        .warnings
        .iter()
        .map(|(instruction, warning)| reports::warning(program, *instruction, warning, &source));
    diagnostics.extend(warnings);
    let fault = result.fault.iter();
    diagnostics.extend(fault.map(|fault| reports::fault(program, fault, &source)));
    FileReport::new(name, source, diagnostics)
}

/// Runs the first steps of a launch, one work-group after the other. Returns the state after
/// them, and the work-group that has not ended, if any.
fn run_steps(
    program: &Program,
    limit: usize,
    trace: bool,
    out: &mut impl Write,
) -> io::Result<(RunResult, Option<Session>)> {
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
            return Ok((result, Some(session)));
        }
        // A fault ends the launch.
        if result.fault.is_some() {
            break;
        }
    }
    Ok((result, None))
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
    let thread = issue.threads.first();
    let place = place_of(program, issue.instruction);
    let instruction = &program.instruction(issue).instruction;
    let text = instruction.text(&program.symbols, Style::Assembler);
    writeln!(
        out,
        "{:>6}  {} {group}, {} {thread}, {place}: {text}  // {}",
        done + session.position(),
        program.words().group,
        program.words().thread,
        session.summary_at(session.position())
    )
}

/// The line of an instruction and, if known, that of its source: `line 12 (saxpy.cl:3)`.
fn place_of(program: &Program, instruction: u32) -> String {
    let line = program.instructions[to_usize(instruction)].line + 1;
    match program.source_line(instruction) {
        Some((file, source)) => format!("line {line} ({file}:{source})"),
        None => format!("line {line}"),
    }
}

/// Most elements of a buffer that are printed.
const MAX_PRINTED: u64 = 1024;

/// Prints the buffers of a launch: structures as a table of their fields, other elements in
/// rows.
pub(crate) fn print_buffers(
    program: &Program,
    result: &RunResult,
    out: &mut impl Write,
) -> io::Result<()> {
    /// Elements of a row.
    const ROW: usize = 8;
    let more = |out: &mut dyn Write, count: u64| match count {
        0 => Ok(()),
        _ => writeln!(out, "        … {count} more; use --dump or --json"),
    };
    let launch = program.launch.as_ref();
    for buffer in launch.map_or(&[][..], |launch| &launch.buffers) {
        let (name, ty) = (&buffer.name, buffer.ty);
        if buffer.is_null {
            writeln!(out, "\n{name} : NULL")?;
            continue;
        }
        write!(out, "\n{name} : {} bytes, as ", buffer.bytes())?;
        if let Some(layout) = buffer.structure.clone() {
            let view = BufferView {
                layout,
                error: None,
            };
            let all = view.elements(buffer.bytes());
            let rows = all.min(MAX_PRINTED / view.layout.fields.len().max(1) as u64);
            let bytes = buffer.bytes().min(rows * u64::from(view.layout.size));
            let mut bytes = vec![0; usize::try_from(bytes).expect("few elements are printed")];
            let memory = result.machine.space(SpaceId::VIRTUAL);
            memory.read(buffer.address, &mut bytes);
            writeln!(out, "{}", view.title(buffer.bytes()))?;
            write!(out, "{}", aligned(&view.table(&bytes)))?;
            more(out, all - rows)?;
            continue;
        }
        writeln!(out, "{}", ty.name())?;
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
        more(out, buffer.elements.saturating_sub(MAX_PRINTED))?;
    }
    Ok(())
}

/// A kernel of a program, or of a vISA listing or object.
pub(crate) fn kernel_of(
    file: &compiler::ProgramFile,
    name: Option<&str>,
    target: Option<Target>,
) -> Result<Kernel, Failure> {
    if file.bytes.len() as u64 > crate::input::MAX_FILE {
        return Err(Failure::Unusable(format!(
            "{} has more than 64 MB",
            file.name
        )));
    }
    Ok(read(&file.bytes, &file.name, name, target)?)
}

/// Reads a kernel of a program, or of a vISA listing or object, which are read for `target`
/// if they do not name theirs. The only kernel, if it is not named.
pub(crate) fn read(
    bytes: &[u8],
    file: &str,
    name: Option<&str>,
    target: Option<Target>,
) -> Result<Kernel, String> {
    if zebin::recognises(bytes) {
        let program = zebin::open(bytes).map_err(|error| format!("{file}: {error}"))?;
        let names: Vec<&str> = program.kernels.iter().map(|k| k.name.as_str()).collect();
        refuse_target(file, program.platform.into(), target).map_err(|error| error.to_string())?;
        let position = position(&names, name, file)?;
        let mut kernels = program.kernels;
        return Ok(kernels.swap_remove(position));
    }
    let opened = lanewise_files::open_for(file, bytes, target);
    let opened = opened.map_err(|error| format!("{file}: {error}"))?;
    if let Some(why) = undecoded(&opened) {
        return Err(format!("{file}: {why}"));
    }
    let names: Vec<&str> = opened.functions.iter().map(|f| f.name.as_str()).collect();
    kernel_of_function(&opened.functions[position(&names, name, file)?], target)
        .map_err(|error| format!("{file}: {error}"))
}

/// The kernel of a function of a listing or object, which must be for `target`, if given.
pub(crate) fn kernel_of_function(
    function: &Function,
    target: Option<Target>,
) -> Result<Kernel, LaunchError> {
    refuse_target(&function.name, function.target, target)?;
    Kernel::of_function(function)
}

/// Refuses another target than that of a function or program.
pub(crate) fn refuse_target(
    name: &str,
    own: Target,
    target: Option<Target>,
) -> Result<(), LaunchError> {
    match target.filter(|target| *target != own) {
        Some(target) => Err(LaunchError(format!(
            "`{name}` is not for {}, but for {}",
            target.name(),
            own.name()
        ))),
        None => Ok(()),
    }
}
