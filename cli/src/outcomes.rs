//! `lanewise outcomes`, and the batch request of that name: every result that
//! the hardware may give.

use crate::changes::{Touched, tables};
use crate::input::Source;
use crate::{CliError, Status, render};
use lanewise_answer::{self as answer, TooLong};
use lanewise_core::diagnostic::{Severity, Span, to_usize};
use lanewise_core::machine::Change;
use lanewise_core::program::Program;
use lanewise_core::session::lane_name;
use lanewise_explore::{
    Count, LaneSchedule, Outcome, Search, SearchResult, WORK_PER_SECOND, order_name,
};
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;
use std::time::Duration;

/// How many results are listed where no limit is given.
pub(crate) const LIMIT: usize = 1000;

/// How many results are shown to people where no limit is given.
const SHOWN: usize = 20;

/// Arguments of `outcomes`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise outcomes one-of-eight.lanewise
  lanewise outcomes --json --limit 50 one-of-eight.lanewise")]
pub(crate) struct Args {
    /// A scenario; - is the standard input
    file: PathBuf,
    /// Print the answer that batch gives to {"do":"outcomes","compact":true}
    #[arg(long)]
    json: bool,
    /// List N results at most: 20, or 1000 with --json, where N is not given
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// With --json: repeat all registers and memory in each outcome
    #[arg(long, requires = "json")]
    full: bool,
    /// Search for about that long before answering what is known; the work is
    /// counted, so that every machine gives the same answer
    #[arg(long, value_name = "SECONDS")]
    budget: Option<Seconds>,
}

/// Work of a search, in units; written in seconds.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(u64);

impl FromStr for Seconds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds: f64 = text.parse().map_err(|_| "not a number of seconds")?;
        if !(0.0..=86_400.0).contains(&seconds) {
            return Err("0 to 86400 seconds");
        }
        let milliseconds = Duration::from_secs_f64(seconds).as_millis();
        let milliseconds = u64::try_from(milliseconds).map_err(|_| "too many seconds")?;
        Ok(Self(milliseconds * (WORK_PER_SECOND / 1000)))
    }
}

fn symbols(schedule: &LaneSchedule) -> Vec<String> {
    schedule
        .units
        .iter()
        .map(|unit| order_name(*unit))
        .collect()
}

fn search(program: &Rc<Program>, limit: usize, budget: Option<Seconds>) -> SearchResult {
    let mut search = Search::new(Rc::clone(program), limit);
    if let Some(Seconds(work)) = budget {
        search = search.with_work(work);
    }
    search.finish();
    search.result()
}

/// How a JSON answer is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) limit: usize,
    /// Registers and memory that are the same in all outcomes once.
    pub(crate) compact: bool,
    pub(crate) budget: Option<Seconds>,
}

/// Answers the request.
pub(crate) fn answer(
    scenario: &str,
    wanted: Wanted,
    out: &mut impl Write,
) -> Result<io::Result<()>, TooLong> {
    let program = Program::parse(scenario);
    if !program.can_run() {
        let refusal = answer::checked(false, &program.diagnostics);
        return Ok(serde_json::to_writer(out, &refusal).map_err(io::Error::from));
    }
    let program = Rc::new(program);
    let result = search(&program, wanted.limit, wanted.budget);
    let answer = answer::outcomes(&program, &result, wanted.compact)?;
    Ok(serde_json::to_writer(out, &answer).map_err(io::Error::from))
}

/// Runs the command.
pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let source = Source::read(&args.file)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let program = Rc::new(Program::parse(&source.text));
    if args.json {
        let wanted = Wanted {
            limit: args.limit.unwrap_or(LIMIT),
            compact: !args.full,
            budget: args.budget,
        };
        let answered = answer(&source.text, wanted, &mut out);
        let is_answered = answered.is_ok();
        answered.unwrap_or_else(|refusal| {
            let refusal = [refusal.diagnostic(Span::default())];
            let refusal = answer::checked(false, &refusal);
            serde_json::to_writer(&mut out, &refusal).map_err(io::Error::from)
        })?;
        out.write_all(b"\n")?;
        out.flush()?;
        return Ok(Status::when(is_answered && program.can_run()));
    }
    render::print(&source, &program.diagnostics);
    if !program.can_run() {
        let errors = render::of(Severity::Error, &program.diagnostics);
        let count = render::count(errors, 0);
        render::say(&format!("{}: {count}, nothing was searched", source.name));
        return Ok(Status::Bad);
    }
    if let Some(title) = &program.title {
        writeln!(out, "{}\n", render::plain(title))?;
    }
    let answer = search(&program, args.limit.unwrap_or(SHOWN), args.budget);
    write_summary(&program, &answer, &mut out)?;
    for (number, outcome) in answer.outcomes.iter().enumerate() {
        write_outcome(&program, number + 1, outcome, &mut out)?;
    }
    let shown = answer.outcomes.len();
    if shown > 0 && Count::from(shown) != answer.count {
        let are = if shown == 1 {
            "result is"
        } else {
            "results are"
        };
        writeln!(out, "\n{shown} {are} shown; --limit shows more.")?;
    }
    out.flush()?;
    let fault = answer.outcomes.iter().any(|o| o.fault.is_some());
    Ok(Status::when(!fault))
}

fn write_summary(program: &Program, answer: &SearchResult, out: &mut impl Write) -> io::Result<()> {
    let count = &answer.count;
    let results = match count.to_usize() {
        Some(1) => String::from("1 result"),
        _ => format!("{count} different results"),
    };
    if answer.has_cycle {
        writeln!(
            out,
            "Some orders of the lanes may never end: they lead back to a state before."
        )?;
    }
    if answer.is_unfinished {
        write_unfinished(answer, out)?;
        return Ok(());
    }
    if answer.count == Count::default() {
        return writeln!(out, "Not complete: no result was found.");
    }
    match (&answer.orders, answer.complete) {
        (Some(orders), true) if *orders == Count::from(1_usize) => {
            return writeln!(out, "1 result: no two lanes hit the same bytes.");
        }
        (None, true) => writeln!(out, "{results} of all orders of the lanes.")?,
        (Some(orders), true) => writeln!(out, "{results} of {orders} orders of the lanes.")?,
        (Some(orders), false) => writeln!(
            out,
            "Not complete: at least {results} of {orders} orders of the lanes. What is shown is a sample."
        )?,
        (None, false) => writeln!(
            out,
            "Not complete: at least {results}. What is shown is a sample."
        )?,
    }
    if !answer.complete {
        for conflict in &answer.conflicts {
            if let Some(contents) = conflict.contents.as_ref().filter(|c| c.len() <= 64) {
                let values: Vec<_> = contents.iter().map(|c| format!("{c:#x}")).collect();
                writeln!(
                    out,
                    "Where {} lanes meet in instruction {}, {:#x} holds one of {} after it.",
                    conflict.units.len(),
                    conflict.instruction + 1,
                    conflict.address,
                    values.join(", ")
                )?;
            }
            for (unit, known) in conflict.units.iter().zip(&conflict.returns) {
                if let Some(known) = known.as_ref().filter(|known| known.len() <= 16) {
                    let values: Vec<_> = known.iter().map(|v| format!("{v:#x}")).collect();
                    let lane = lane_name(*unit, program.threads);
                    writeln!(out, "  {lane} returns one of {}.", values.join(", "))?;
                }
            }
        }
    }
    Ok(())
}

/// Says that runs stopped before their end, and why the first of them did.
fn write_unfinished(answer: &SearchResult, out: &mut impl Write) -> io::Result<()> {
    let count = &answer.count;
    let states = match count.to_usize() {
        Some(1) => String::from("1 state was"),
        _ => format!("{count} different states were"),
    };
    let unfinished = answer.outcomes.iter().filter(|o| o.is_unfinished());
    let fault = unfinished.filter_map(|o| o.fault.as_ref()).next();
    let reason = fault.map_or("the program stops early", |fault| &fault.message);
    writeln!(
        out,
        "The result is not known: {reason}. {states} found where runs stop or end."
    )
}

/// The most issues whose orders are shown where none replays the outcome.
const ISSUES_SHOWN: usize = 16;

fn write_outcome(
    program: &Program,
    number: usize,
    outcome: &Outcome,
    out: &mut impl Write,
) -> io::Result<()> {
    let orders = match &outcome.orders {
        Some(orders) if *orders == Count::from(1_usize) => String::from("1 order"),
        Some(orders) => format!("{orders} orders"),
        None => String::from("some orders"),
    };
    writeln!(out, "\n{number}. {orders}")?;
    let line = |schedule: &LaneSchedule| {
        let placed = program.instructions.get(to_usize(schedule.instruction));
        placed.map_or(0, |placed| placed.line + 1)
    };
    if let Some(replay) = outcome.replay() {
        for schedule in &replay {
            let order = symbols(schedule).join(" ");
            writeln!(out, "   line {}: .order {order}", line(schedule))?;
        }
    } else {
        writeln!(
            out,
            "   no .order lines replay it; the order of each issue:"
        )?;
        for schedule in outcome.schedules.iter().take(ISSUES_SHOWN) {
            let order = symbols(schedule).join(" ");
            let issue = schedule.issue.0 + 1;
            writeln!(out, "   issue {issue}, line {}: {order}", line(schedule))?;
        }
        let more = outcome.schedules.len().saturating_sub(ISSUES_SHOWN);
        if more > 0 {
            writeln!(out, "   and {more} more; --json has all of them")?;
        }
    }
    if let Some(fault) = &outcome.fault {
        writeln!(out, "   Fault: {}", fault.message)?;
    }
    let mut touched = Touched::default();
    for cell in &outcome.bytes {
        touched.note(&[Change {
            space: cell.space,
            bytes: 1,
            address: cell.address,
            old: 0,
            new: cell.value.into(),
        }]);
    }
    let end = outcome.machine(program);
    out.write_all(tables(program, &end, &touched).as_bytes())
}
