//! `lanewise run`: runs scenarios.

use crate::changes::{Touched, tables};
use crate::input::Source;
use crate::{CliError, Status, launch, render};
use lanewise_answer::{self as answer, RunStatus};
use lanewise_core::diagnostic::{Severity, Span};
use lanewise_core::program::Program;
use lanewise_core::session::{RunResult, Session, after_earlier_groups};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise run histogram.lanewise
  lanewise run --trace --steps 5 histogram.lanewise
  lanewise run --json a.lanewise b.lanewise | jq .memory
  lanewise run saxpy.bin --kernel saxpy --global 64 --local 32 \\
      --arg 0='float[64]=iota(1, 0.5)' --arg 1='float[64]=splat(2)' --arg 2=2.5")]
pub(crate) struct Args {
    /// Scenarios; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the answer of `batch` to {"do":"run"}, one line per FILE
    #[arg(long, conflicts_with = "trace")]
    json: bool,
    /// With --json: omit memory that is zero
    #[arg(long, requires = "json")]
    compact: bool,
    /// Print a summary of each step
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    launch: launch::Options,
    /// Stop after N steps; a faulting instruction does not count as a step
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
}

/// Runs the command. Continues after a file that has errors or faults.
pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    if let Some(kernel) = &args.launch.kernel {
        let [file] = args.files.as_slice() else {
            return Err(CliError("--kernel takes one FILE".to_owned()));
        };
        return launch::run(
            file,
            kernel,
            &args.launch,
            args.json,
            args.trace,
            args.steps,
        );
    }
    let mut fine = true;
    for (index, file) in args.files.iter().enumerate() {
        if args.files.len() > 1 && !args.json {
            let gap = if index > 0 { "\n" } else { "" };
            writeln!(io::stdout(), "{gap}== {}", file.display())?;
        }
        fine &= run(args, file)?;
    }
    Ok(Status::when(fine))
}

/// Runs one file. Returns false if it has errors or faults.
fn run(args: &Args, file: &Path) -> Result<bool, CliError> {
    let source = Source::read(file)?;
    let program = Rc::new(Program::parse(&source.text));
    let mut out = io::BufWriter::new(io::stdout().lock());
    if !args.json {
        render::print(&source, &program.diagnostics);
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
    render::caveats(&source, args.json, &mut out)?;
    let program = match after_earlier_groups(&program) {
        Ok(program) => Rc::new(program),
        Err(faulted) => return write_earlier_fault(args, &program, *faulted, &mut out),
    };
    let mut session = Session::new(Rc::clone(&program));
    let mut touched = Touched::default();
    first_steps(&mut session, args.steps.unwrap_or(usize::MAX), |session| {
        touched.note(session.last_changes());
        if args.trace {
            writeln!(out, "{:>6}  {}", session.position(), session.summary())?;
        }
        Ok(())
    })?;
    let status = RunStatus::of(&session);
    if args.json {
        if !write_status(args, &program, &status, &mut out)? {
            return Ok(false);
        }
    } else {
        render::print(&source, &status.warnings);
        write_account(&session, &status, args.trace, &mut out)?;
        out.write_all(tables(&program, session.machine(), &touched).as_bytes())?;
    }
    out.flush()?;
    Ok(status.fault.is_none())
}

/// Executes at most `limit` steps and calls `each` after each of them. A fault is not a step;
/// one that follows the last step is reached.
pub(crate) fn first_steps(
    session: &mut Session,
    limit: usize,
    mut each: impl FnMut(&Session) -> io::Result<()>,
) -> io::Result<()> {
    while session.step() {
        if session.fault().is_none() && session.position() > limit {
            session.step_back();
            break;
        }
        each(session)?;
    }
    Ok(())
}

/// Reports a fault in a work-group before the one of the timeline.
fn write_earlier_fault(
    args: &Args,
    program: &Program,
    faulted: RunResult,
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
        write_status(args, program, &status, out)?;
    } else if let Some(fault) = status.fault {
        writeln!(out, "Fault in an earlier work-group: {}", fault.message)?;
    }
    out.flush()?;
    Ok(false)
}

/// Writes a run as JSON. Returns false if the answer is too long.
fn write_status(
    args: &Args,
    program: &Program,
    status: &RunStatus<'_>,
    out: &mut impl Write,
) -> io::Result<bool> {
    let answer = if args.compact {
        answer::ran_compact(program, status)
    } else {
        answer::ran(program, status)
    };
    match answer {
        Ok(answer) => write_json(&answer, out)?,
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
        write!(out, "\nFault: {}", fault.message)?;
    }
    if !session.at_end() {
        write!(out, " The program has not finished.")?;
    }
    writeln!(out)
}
