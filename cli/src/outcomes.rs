//! `lanewise outcomes`, and the batch request of that name: every result that
//! the hardware may give.

use crate::changes::{Touched, tables};
use crate::input::Source;
use crate::{CliError, Status, render};
use lanewise_answer as answer;
use lanewise_answer::{DiagnosticJson, Entries, Faulted, Register, spaces};
use lanewise_core::diagnostic::Severity;
use lanewise_core::machine::Change;
use lanewise_core::program::Program;
use lanewise_core::session::lane_name;
use lanewise_explore::{
    Conflict, Count, Outcome, Schedule, Search, SearchResult as Answer, order_name,
};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

/// How many results are listed where no limit is given.
pub(crate) const LIMIT: usize = 1000;

/// How many results are shown to people where no limit is given.
const SHOWN: usize = 20;

/// What `outcomes` is told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise outcomes one-of-eight.lanewise
  lanewise outcomes --json --limit 50 one-of-eight.lanewise")]
pub(crate) struct Args {
    /// A scenario; - is the standard input
    file: PathBuf,
    /// Print the answer that batch gives to {"do":"outcomes"}
    #[arg(long)]
    json: bool,
    /// List N results at most: 20, or 1000 with --json, where N is not given
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The answer to `outcomes`.
#[derive(Serialize)]
struct Found<'d> {
    ok: bool,
    complete: bool,
    count: String,
    orders: Option<String>,
    outcomes: Vec<Listed<'d>>,
    /// What is known of each group of lanes that hit the same bytes, in the
    /// orders in which they do, whether or not its results are listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<Group>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<DiagnosticJson<'d>>,
}

/// One result.
#[derive(Serialize)]
struct Listed<'d> {
    orders: Option<String>,
    /// Of the first instruction where the order matters.
    order: Vec<String>,
    /// Of all of them, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replay: Vec<Replay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Faulted<'d>>,
    registers: Entries<Register>,
    memory: Entries<Entries<String>>,
}

/// Lanes that hit the same bytes.
#[derive(Serialize)]
struct Group {
    instruction: u32,
    memory: String,
    address: String,
    bytes: u8,
    lanes: Vec<String>,
    /// Every content that the bytes may have after the instruction where these
    /// lanes meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<Vec<String>>,
    /// For each of the lanes every value that it may get back; null where
    /// that is not known, or values are many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returns: Vec<Option<Vec<String>>>,
}

/// The order of one instruction.
#[derive(Serialize)]
struct Replay {
    instruction: u32,
    order: Vec<String>,
}

fn symbols(turns: &Schedule) -> Vec<String> {
    schedule
        .units
        .iter()
        .map(|unit| order_name(*unit))
        .collect()
}

fn search(program: &Rc<Program>, limit: usize) -> Answer {
    let mut search = Search::new(Rc::clone(program), limit);
    search.finish();
    search.result()
}

fn text(count: Option<&Count>) -> Option<String> {
    count.map(ToString::to_string)
}

fn listed<'d>(program: &Program, outcome: &'d Outcome) -> Listed<'d> {
    let turns = &outcome.schedules;
    let several = turns.len() > 1;
    let replay = turns.iter().filter(|_| several).map(|turns| Replay {
        instruction: turns.instruction,
        order: symbols(turns),
    });
    let machine = outcome.machine(program);
    Listed {
        orders: text(outcome.orders.as_ref()),
        order: turns.first().map(symbols).unwrap_or_default(),
        replay: replay.collect(),
        fault: outcome.fault.as_ref().map(answer::faulted),
        registers: answer::registers(program, &machine),
        memory: answer::memory(program, &machine),
    }
}

fn group(program: &Program, conflict: &Conflict) -> Group {
    let memory = spaces(program).find(|(_, space)| *space == conflict.space);
    let values = |values: &Vec<u64>| values.iter().map(|v| format!("{v:#x}")).collect();
    let returns = conflict.returns.iter();
    Group {
        instruction: conflict.instruction,
        memory: memory.map_or_else(String::new, |(name, _)| String::from(name)),
        address: format!("{:#x}", conflict.address),
        bytes: conflict.bytes,
        lanes: conflict
            .units
            .iter()
            .map(|unit| order_name(*unit))
            .collect(),
        contents: conflict.contents.as_ref().map(values),
        returns: returns.map(|known| known.as_ref().map(values)).collect(),
    }
}

/// Searches, and writes the answer.
fn write_answer(program: &Rc<Program>, limit: usize, out: &mut impl Write) -> io::Result<()> {
    let answer = search(program, limit);
    let list = |outcome| listed(program, outcome);
    let found = Found {
        ok: true,
        complete: answer.complete,
        count: answer.count.to_string(),
        orders: text(answer.orders.as_ref()),
        outcomes: answer.outcomes.iter().map(list).collect(),
        conflicts: answer.conflicts.iter().map(|c| group(program, c)).collect(),
        warnings: answer::told(program),
    };
    serde_json::to_writer(out, &found).map_err(io::Error::from)
}

/// Answers the request.
pub(crate) fn answer(scenario: &str, limit: usize, out: &mut impl Write) -> io::Result<()> {
    let program = Program::parse(scenario);
    if !program.can_run() {
        let refusal = answer::checked(false, &program.diagnostics);
        return serde_json::to_writer(out, &refusal).map_err(io::Error::from);
    }
    write_answer(&Rc::new(program), limit, out)
}

/// Runs the command.
pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let source = Source::read(&args.file)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let program = Rc::new(Program::parse(&source.text));
    if args.json {
        answer(&source.text, args.limit.unwrap_or(LIMIT), &mut out)?;
        out.write_all(b"\n")?;
        out.flush()?;
        return Ok(Status::when(program.can_run()));
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
    let answer = search(&program, args.limit.unwrap_or(SHOWN));
    write_summary(&program, &answer, &mut out)?;
    for (number, outcome) in answer.outcomes.iter().enumerate() {
        write_outcome(&program, number + 1, outcome, &mut out)?;
    }
    let shown = answer.outcomes.len();
    if Count::from(shown) != answer.count {
        writeln!(out, "\n{shown} results are shown; --limit shows more.")?;
    }
    out.flush()?;
    let fault = answer.outcomes.iter().any(|o| o.fault.is_some());
    Ok(Status::when(!fault))
}

fn write_summary(program: &Program, answer: &Answer, out: &mut impl Write) -> io::Result<()> {
    let count = &answer.count;
    let results = match count.to_usize() {
        Some(1) => String::from("1 result"),
        _ => format!("{count} different results"),
    };
    match (&answer.orders, answer.complete) {
        (Some(orders), true) if *orders == Count::from(1_usize) => {
            return writeln!(out, "1 result: no two lanes hit the same bytes.");
        }
        (Some(orders), true) => writeln!(out, "{results} of {orders} orders of the lanes.")?,
        (Some(orders), false) => writeln!(
            out,
            "Not complete: at least {results} of {orders} orders of the lanes. What is shown is a sample."
        )?,
        (None, _) => writeln!(
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
                    writeln!(out, "  {lane} gets back one of {}.", values.join(", "))?;
                }
            }
        }
    }
    Ok(())
}

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
    let mut lines = program.instructions.iter().enumerate();
    for turns in &outcome.schedules {
        let line = lines.find(|(at, _)| u32::try_from(*at) == Ok(turns.instruction));
        let line = line.map_or(0, |(_, placed)| placed.line + 1);
        let order = symbols(turns).join(" ");
        writeln!(out, "   line {line}: .order {order}")?;
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
