//! `lanewise run`: runs scenarios.

use crate::changes::{Touched, tables};
use crate::input::Source;
use crate::lanes::write_lanes;
use crate::launch_options::Fuel;
use crate::reports::{self, FileReport, Reports};
use crate::steps::first_steps;
use crate::{CliError, Status, compiler, devices, launch, launch_options, render, scenario_checks};
use lanewise_answer::{self as answer, RunAnswer, RunStatus};
use lanewise_api::{Checked, FaultPlace, FindingJson, Findings, text_of};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::program::Program;
use lanewise_core::session::{Fault, RunOrder, RunResult, Session, after_earlier_groups};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise run histogram.lanewise
  lanewise run --trace --steps 5 histogram.lanewise
  lanewise run --json a.lanewise b.lanewise | jq .memory
  lanewise run saxpy.cl --device bmg --global 64 --arg 'y=float[64]' …
  lanewise run saxpy.cl --device all --global 64 --arg 'y=float[64]' …
  lanewise run saxpy.bin --kernel saxpy --global 64 --local 32 \\
      --arg 0='float[64]=iota(1, 0.5)' --arg 1='float[64]=splat(2)' --arg 2=2.5
  lanewise run saxpy.sass --cubin saxpy.cubin --grid 2 --block 32 \\
      --arg 0='float[64]=iota(1, 0.5)' --arg 1='float[64]=splat(2)' --arg 2=2.5")]
pub(crate) struct Args {
    /// Scenarios; - for standard input. With --global or --grid: a compiled program, a listing, or a source (.cl, .cu, .ptx)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the answer of `batch` to {"do":"run"}, one line per FILE
    #[arg(long, conflicts_with = "trace")]
    json: bool,
    /// With --json: omit memory that is zero
    #[arg(long, requires = "json")]
    compact: bool,
    /// Print a summary of each step; with --steps, also the lanes of the last instruction
    #[arg(long)]
    trace: bool,
    /// Stop after N steps; a faulting instruction does not count as a step
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    #[command(flatten)]
    launch: launch_options::Options,
    #[command(flatten)]
    reports: Reports,
}

/// Runs the command. Continues after a file that has errors or faults.
pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    if args.launch.is_launch() || args.launch.of_whole_launch().is_some() {
        let [file] = args.files.as_slice() else {
            return Err(CliError("a launch takes one FILE".to_owned()));
        };
        let (options, types) = args.launch.clone().for_file(file)?;
        if options.compiler.device.as_deref() == Some(compiler::ALL_DEVICES) {
            return devices::run(file, &options, &types, args.json, &args.reports);
        }
        let mut entries = Vec::new();
        let status = launch::run(
            file,
            &options,
            &types,
            args.json,
            args.trace,
            args.steps,
            &mut entries,
        )?;
        args.reports.write("run", &entries)?;
        return Ok(status);
    }
    let checked = args.launch.checked().map_err(CliError)?;
    if checked.is_some() && args.steps.is_some() {
        return Err(CliError(String::from(
            "--check runs the whole scenario, without --steps",
        )));
    }
    let (mut fine, mut entries) = (true, Vec::new());
    for (index, file) in args.files.iter().enumerate() {
        if args.files.len() > 1 && !args.json {
            let gap = if index > 0 { "\n" } else { "" };
            writeln!(io::stdout(), "{gap}== {}", file.display())?;
        }
        compiler::refuse_source(file)?;
        let source = Source::read_scenario(file)?;
        let mut found = Vec::new();
        let checks = match checked {
            Some(checked) => check(args, checked, file, &source)?,
            None => None,
        };
        fine &= run(args, file, &source, checks.as_ref(), &mut found)?;
        let mut entry = FileReport::new(source.name.clone(), source, found);
        if let Some(Checks { findings, .. }) = checks {
            entry.fails_at = args.launch.check_fail.severity();
            fine &= !findings.reach(entry.fails_at);
            entry.findings = findings.found;
        }
        entries.push(entry);
    }
    args.reports.write("run", &entries)?;
    Ok(Status::when(fine))
}

/// Runs one file, and adds its problems to `found`. Prints the findings of `checks`. Returns
/// false if it has errors or faults.
fn run(
    args: &Args,
    path: &Path,
    source: &Source,
    checks: Option<&Checks>,
    found: &mut Vec<Diagnostic>,
) -> Result<bool, CliError> {
    let mut program = Program::parse_to_run(&source.text);
    args.launch.fuel.set(&mut program);
    let program = Rc::new(program);
    found.extend_from_slice(&program.diagnostics);
    let mut out = io::BufWriter::new(io::stdout().lock());
    if !args.json {
        render::print(source, &program.diagnostics);
    }
    if !program.can_run() {
        if args.json {
            let refusal = answer::checked(false, &program.diagnostics);
            write_json(&refusal, &mut out)?;
        } else {
            let errors = render::of(Severity::Error, &program.diagnostics);
            let count = render::count(errors, 0);
            render::say(&format!("{}: {count}; not run", source.name));
        }
        return Ok(false);
    }
    if let Some(title) = program.title.as_ref().filter(|_| !args.json) {
        writeln!(out, "{}\n", render::plain(title))?;
    }
    render::caveats(source, args.json, &mut out)?;
    let launch = program.launch.as_ref();
    if let Some(launch) = launch.filter(|l| l.group_count() > 1 && args.launch.check.is_none()) {
        let noun = launch.words().work_group;
        let (group, last) = (launch.group, launch.group_count() - 1);
        render::say(&format!(
            "{}: note: only {noun} {group} of 0–{last} is shown; `group=` of `.launch` selects \
             another, and --check runs all",
            source.name
        ));
    }
    let program = match after_earlier_groups(&program) {
        Ok(program) => Rc::new(program),
        Err(faulted) => {
            let fault = faulted.fault.iter();
            found.extend(fault.map(|fault| reports::fault(&program, fault, source)));
            return write_earlier_fault(args, path, &program, *faulted, checks, &mut out);
        }
    };
    let mut session = Session::new(Rc::clone(&program));
    let mut touched = Touched::default();
    first_steps(&mut session, args.steps.unwrap_or(usize::MAX), |session| {
        touched.note(session.last_changes());
        if args.trace {
            writeln!(
                out,
                "{:>6}  {}",
                session.position(),
                session.summary_at(session.position())
            )?;
        }
        Ok(())
    })?;
    let mut status = RunStatus::of(&session);
    if let Some(Checks { findings, .. }) = checks {
        let warnings = session.warnings();
        let new = warnings.filter(|(instruction, _)| !findings.replaces_warning(*instruction));
        status.warnings = new.map(|(_, warning)| warning.clone()).collect();
    }
    found.extend_from_slice(&status.warnings);
    // The work-group that is shown has ended before.
    let later = checks.and_then(|checks| checks.fault.as_ref());
    let later = later.filter(|_| status.fault.is_none());
    if let Some(fault) = later {
        let group = program.words().work_group;
        let report = FaultPlace::of(&program, fault, path).report(&fault.message);
        render::say(&format!(
            "Fault in a later {group}: {report}{}",
            Fuel::help(fault)
        ));
    }
    let fault = status.fault.into_iter().chain(later);
    found.extend(fault.map(|fault| reports::fault(&program, fault, source)));
    if args.json {
        if !write_status(args, &program, &status, checks, &mut out)? {
            return Ok(false);
        }
    } else {
        render::print(source, &status.warnings);
        write_account(&session, &status, path, args.trace, &mut out)?;
        out.write_all(tables(&program, session.machine(), &touched).as_bytes())?;
        if args.trace && !session.at_end() {
            write_lanes(&session, &mut out)?;
        }
        let is_checked =
            program.launch.is_none() && args.steps.is_none() && args.launch.check.is_none();
        if let Some(findings) = is_checked
            .then(|| scenario_checks::findings(&program, &[]))
            .flatten()
        {
            out.write_all(text_of(&findings.found).as_bytes())?;
        }
        write_findings(checks, &mut out)?;
    }
    out.flush()?;
    Ok(status.fault.is_none() && later.is_none())
}

/// The checked launch of a scenario.
struct Checks {
    program: Program,
    findings: Findings,
    /// A fault in any of its work-groups.
    fault: Option<Fault>,
}

/// Checks the launch of a scenario, if it can run.
fn check(
    args: &Args,
    checked: Checked,
    path: &Path,
    source: &Source,
) -> Result<Option<Checks>, CliError> {
    let mut program = Program::parse_to_run(&source.text);
    args.launch.fuel.set(&mut program);
    if !program.can_run() {
        return Ok(None);
    }
    if program.launch.is_none() {
        let name = &source.name;
        return Err(CliError(format!(
            "--check: {name} has no .launch; `lanewise check {name}` looks for races of its threads"
        )));
    }
    let (result, report) = checked.run(&program, RunOrder::of(&program));
    let findings = args.launch.findings(&program, report, path);
    Ok(Some(Checks {
        program,
        findings,
        fault: result.fault,
    }))
}

fn write_findings(checks: Option<&Checks>, out: &mut impl Write) -> io::Result<()> {
    match checks {
        Some(checks) => write!(out, "{}", checks.findings.text(&checks.program)),
        None => Ok(()),
    }
}

/// Reports a fault in a work-group before the one of the timeline.
fn write_earlier_fault(
    args: &Args,
    path: &Path,
    program: &Program,
    faulted: RunResult,
    checks: Option<&Checks>,
    out: &mut impl Write,
) -> Result<bool, CliError> {
    let status = RunStatus {
        machine: &faulted.machine,
        instructions: faulted.instructions,
        steps: faulted.steps,
        fault: faulted.fault.as_ref(),
        warnings: faulted.warnings.into_values().collect(),
    };
    if args.json {
        write_status(args, program, &status, checks, out)?;
    } else if let Some(fault) = status.fault {
        let group = program.words().work_group;
        let help = Fuel::help(fault);
        let report = FaultPlace::of(program, fault, path).report(&fault.message);
        writeln!(out, "Fault in an earlier {group}: {report}{help}")?;
        write_findings(checks, out)?;
    }
    out.flush()?;
    Ok(false)
}

/// A run, with its checks if they were asked for.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    run: RunAnswer<'a>,
    #[serde(flatten)]
    checks: Option<ChecksAnswer<'a>>,
}

#[derive(Serialize)]
struct ChecksAnswer<'a> {
    findings: &'a [FindingJson],
    /// Notes on findings beyond the limit, and on parts of the launch that were not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchecked: Vec<String>,
}

/// Writes a run as JSON. Returns false if the answer is too long.
fn write_status(
    args: &Args,
    program: &Program,
    status: &RunStatus<'_>,
    checks: Option<&Checks>,
    out: &mut impl Write,
) -> io::Result<bool> {
    let answer = if args.compact {
        answer::ran_compact(program, status)
    } else {
        answer::ran(program, status)
    };
    match answer {
        Ok(run) => {
            let checks = checks.map(|Checks { findings, .. }| ChecksAnswer {
                findings: &findings.found,
                unchecked: findings.unchecked(),
            });
            write_json(&Answer { run, checks }, out)?;
        }
        Err(refusal) => {
            let refusal = [refusal.diagnostic(Span::default())];
            write_json(&answer::checked(false, &refusal), out)?;
            return Ok(false);
        }
    }
    Ok(true)
}

fn write_json(answer: &impl serde::Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, answer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes the number of steps, and the reason if the run stopped early.
fn write_account(
    session: &Session,
    status: &RunStatus<'_>,
    path: &Path,
    traced: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if traced && session.position() > 0 {
        writeln!(out)?;
    }
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let (instructions, steps) = (u64::from(status.instructions), status.steps);
    write!(
        out,
        "{steps} step{}, {instructions} instruction{} executed.",
        plural(steps),
        plural(instructions),
    )?;
    // The trace already shows the fault.
    if let Some(fault) = status.fault.filter(|_| !traced) {
        let report = FaultPlace::of(session.program(), fault, path).report(&fault.message);
        let help = Fuel::help(fault);
        write!(out, "\nFault: {report}{help}")?;
    }
    if !session.at_end() {
        write!(out, " The program has not finished.")?;
    }
    writeln!(out)
}
