//! `lanewise outcomes`, and the `outcomes` request of `batch`: lists the outcomes
//! of all lane orders.

use crate::changes::{Touched, tables};
use crate::input::Source;
use crate::{CliError, Status, compiler, render};
use lanewise_answer::results::{Results, Summary};
use lanewise_answer::{self as answer, TooLong};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span, to_usize};
use lanewise_core::machine::Change;
use lanewise_core::program::Program;
use lanewise_core::rules;
use lanewise_core::session::{Session, after_earlier_groups};
use lanewise_explore::{
    Count, LaneSchedule, Outcome, Search, SearchResult, WORK_PER_SECOND, order_name,
};
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;
use std::time::Duration;

/// Default number of outcomes in JSON output.
pub(crate) const LIMIT: usize = 1000;

/// Default number of outcomes in text output.
const SHOWN: usize = 20;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise outcomes one-of-eight.lanewise
  lanewise outcomes --json --limit 50 one-of-eight.lanewise")]
pub(crate) struct Args {
    /// Scenario; - for standard input
    file: PathBuf,
    /// Print the answer of `batch` to {"do":"outcomes","compact":true}
    #[arg(long)]
    json: bool,
    /// List at most N outcomes [default: 20, or 1000 with --json]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// With --json: repeat all registers and memory in each outcome
    #[arg(long, requires = "json")]
    full: bool,
    /// Approximate search limit; measured in units of work, so that the result
    /// does not depend on the speed of the machine
    #[arg(long, value_name = "SECONDS")]
    budget: Option<Seconds>,
}

/// Search budget, given in seconds, stored in units of work.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(u64);

impl FromStr for Seconds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds")?;
        if !(0.0..=86_400.0).contains(&seconds) {
            return Err("expected 0 to 86400 seconds");
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

/// Options of a JSON answer.
#[derive(Clone, Copy)]
pub(crate) struct AnswerOptions {
    pub(crate) limit: usize,
    /// Whether to list state that is equal in all outcomes only once.
    pub(crate) compact: bool,
    pub(crate) budget: Option<Seconds>,
}

/// Searches for outcomes and writes the JSON answer.
pub(crate) fn answer(
    scenario: &str,
    options: AnswerOptions,
    out: &mut impl Write,
) -> Result<io::Result<()>, TooLong> {
    let program = Program::parse(scenario);
    if !program.can_run() {
        let refusal = answer::checked(false, &program.diagnostics);
        return Ok(serde_json::to_writer(out, &refusal).map_err(io::Error::from));
    }
    let program = match after_earlier_groups(&program) {
        Ok(program) => Rc::new(program),
        Err(faulted) => {
            let fault = faulted.fault.expect("a work-group faulted");
            let group = program.words().work_group;
            let what = format!("an earlier {group} faults: {}", fault.message);
            let refusal = [Diagnostic::new(&rules::LAUNCH, Span::default(), what)
                .help(format!("select an earlier {group} with group="))];
            let refusal = answer::checked(false, &refusal);
            return Ok(serde_json::to_writer(out, &refusal).map_err(io::Error::from));
        }
    };
    let result = search(&program, options.limit, options.budget);
    let answer = answer::outcomes(&program, &result, options.compact)?;
    Ok(serde_json::to_writer(out, &answer).map_err(io::Error::from))
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    compiler::refuse_source(&args.file)?;
    let source = Source::read_scenario(&args.file)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let program = Rc::new(Program::parse(&source.text));
    if args.json {
        if program.can_run() {
            render::caveats(&source, true, &mut out)?;
        }
        let options = AnswerOptions {
            limit: args.limit.unwrap_or(LIMIT),
            compact: !args.full,
            budget: args.budget,
        };
        let answered = answer(&source.text, options, &mut out);
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
        render::say(&format!("{}: {count}; not searched", source.name));
        return Ok(Status::Bad);
    }
    if let Some(title) = &program.title {
        writeln!(out, "{}\n", render::plain(title))?;
    }
    render::caveats(&source, false, &mut out)?;
    let program = match after_earlier_groups(&program) {
        Ok(program) => Rc::new(program),
        Err(faulted) => {
            let fault = faulted.fault.expect("a work-group faulted");
            let group = program.words().work_group;
            writeln!(out, "Fault in an earlier {group}: {}", fault.message)?;
            out.flush()?;
            return Ok(Status::Bad);
        }
    };
    let found = search(&program, args.limit.unwrap_or(SHOWN), args.budget);
    let results = Results::new(found, &Session::new(Rc::clone(&program)));
    write_summary(&results, &mut out)?;
    let answer = &results.found;
    for (number, outcome) in answer.outcomes.iter().enumerate() {
        write_outcome(&program, number + 1, outcome, &mut out)?;
    }
    let shown = answer.outcomes.len();
    if shown > 0 && Count::from(shown) != answer.count {
        let plural = if shown == 1 { "" } else { "s" };
        writeln!(
            out,
            "\nShowing {shown} outcome{plural}; use --limit to show more."
        )?;
    }
    out.flush()?;
    let fault = answer.outcomes.iter().any(|o| o.fault.is_some());
    Ok(Status::when(!fault))
}

/// Prints what the Outcomes tab of the page says above its table.
fn write_summary(results: &Results, out: &mut impl Write) -> io::Result<()> {
    let Summary {
        count,
        completeness,
        invariant,
        sentences,
        ..
    } = Summary::new(results);
    let lines = [count, completeness, invariant]
        .into_iter()
        .chain(sentences);
    for line in lines.filter(|line| !line.is_empty()) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Maximum number of issues listed for an outcome that `.order` cannot replay.
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
        None => String::from("unknown number of orders"),
    };
    writeln!(out, "\n{number}. {orders}")?;
    let line = |schedule: &LaneSchedule| {
        let placed = program.instructions.get(to_usize(schedule.instruction));
        placed.map_or(0, |placed| placed.line + 1)
    };
    if let Some(replay) = outcome.replay(program) {
        for schedule in &replay {
            let order = symbols(schedule).join(" ");
            writeln!(out, "   line {}: .order {order}", line(schedule))?;
        }
    } else {
        writeln!(out, "   not replayable by `.order`; lane order by issue:")?;
        for schedule in outcome.schedules.iter().take(ISSUES_SHOWN) {
            let order = symbols(schedule).join(" ");
            let issue = schedule.issue.0 + 1;
            writeln!(out, "   issue {issue}, line {}: {order}", line(schedule))?;
        }
        let more = outcome.schedules.len().saturating_sub(ISSUES_SHOWN);
        if more > 0 {
            writeln!(out, "   {more} more; use --json to list all")?;
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
