//! An answer of the search against every order of the lanes.

use crate::orders::{self, key};
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_explore::{Outcome, ReachabilityQuery, Search, SearchResult as Answer};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A program that can run.
///
/// # Panics
/// When it cannot.
#[must_use]
pub fn parse(text: &str) -> Rc<Program> {
    let program = Program::parse(text);
    assert!(program.can_run(), "{:?}\n{text}", program.diagnostics);
    Rc::new(program)
}

/// Searches in slices of that many units.
#[must_use]
pub fn search(program: &Rc<Program>, limit: usize, slice: u64) -> Answer {
    let mut search = Search::new(Rc::clone(program), limit);
    while !search.work(slice).done {}
    search.result()
}

fn equal<T: PartialEq + std::fmt::Debug>(found: &T, wanted: &T, text: &str) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{found:?} is not {wanted:?}\n{text}"))
}

/// Everything that an answer says must be so. Gives how many results there
/// are.
///
/// # Errors
/// What is not so.
pub fn compare(text: &str, slice: u64) -> Result<usize, String> {
    let program = parse(text);
    let brute = orders::all(&program);
    let answer = search(&program, 100_000, slice);
    equal(&answer.complete, &true, text)?;
    let ends = brute.len();
    equal(&answer.count.to_usize(), &Some(ends), text)?;
    equal(&answer.outcomes.len(), &ends, text)?;
    // Lanes that share no bytes with others: their turns make no difference.
    let all: u64 = brute.values().sum();
    let orders = answer.orders.as_ref().ok_or("no orders")?;
    let counted: u64 = orders.to_string().parse().map_err(|_| "many orders")?;
    equal(&(all % counted), &0, text)?;
    // Counted without being listed.
    let few = search(&program, 1, slice);
    equal(&few.complete, &true, text)?;
    equal(&few.count, &answer.count, text)?;
    equal(&few.orders, &answer.orders, text)?;
    equal(&few.outcomes.len(), &1, text)?;
    let mut seen = BTreeSet::new();
    for outcome in &answer.outcomes {
        let key = key(&outcome.machine(&program));
        let wanted = brute.get(&key).copied().unwrap_or(0);
        let orders = outcome.orders.as_ref().and_then(|o| o.to_usize());
        let orders = orders.map(|orders| orders as u64 * (all / counted));
        equal(&orders, &Some(wanted), text)?;
        equal(&seen.insert(key), &true, text)?;
        // Its order gives it.
        let mut replayed = Program::clone(&program);
        for schedule in &outcome.schedules {
            replayed.instructions[schedule.instruction as usize].order =
                orders::order(&schedule.units);
        }
        let replayed = run(&replayed);
        equal(&orders::key(&replayed.machine), &key, text)?;
        equal(&replayed.fault.is_some(), &outcome.fault.is_some(), text)?;
    }
    // The lanes' histories take longer than their ends.
    if program.instructions.len() == 1 && all <= 720 {
        compare_known(&program, &answer, text)?;
    }
    Ok(ends)
}

/// The order of an answer leads to its outcome, and the lane returns the value.
fn check_asked(
    program: &Program,
    outcome: &Outcome,
    unit: Unit,
    value: u64,
    text: &str,
) -> Result<(), String> {
    let mut replayed = Program::clone(program);
    for schedule in &outcome.schedules {
        replayed.instructions[schedule.instruction as usize].order = orders::order(&schedule.units);
    }
    let mut session = Session::new(Rc::new(replayed));
    session.run_to_end();
    let rows = session.lanes(0);
    let returned = rows.iter().find(|row| row.unit == unit);
    equal(&returned.and_then(|row| row.returned), &Some(value), text)?;
    let end = orders::key(&outcome.machine(program));
    equal(&orders::key(session.machine()), &end, text)
}

/// What is known of each conflict must be exact.
fn compare_known(program: &Program, answer: &Answer, text: &str) -> Result<(), String> {
    let brute = orders::returned(program);
    for conflict in &answer.conflicts {
        for (at, unit) in conflict.units.iter().enumerate() {
            // A lane without a dst returns nothing.
            let Some(wanted) = brute.get(unit) else {
                continue;
            };
            let what = format!("returns of {unit:?}\n{text}");
            let wanted: Vec<u64> = wanted.iter().copied().collect();
            let known = conflict.returns.get(at).cloned().flatten();
            equal(&known, &Some(wanted.clone()), &what)?;
            // One query for each value, and for its successor.
            let mut question = ReachabilityQuery::new(program, 0, *unit);
            for value in wanted.iter().flat_map(|value| [*value, value ^ 1]) {
                let answer = question.answer(program, value);
                equal(&answer.is_certain, &true, &what)?;
                equal(&answer.outcome.is_some(), &wanted.contains(&value), &what)?;
                if let Some(outcome) = answer.outcome {
                    check_asked(program, &outcome, *unit, value, &what)?;
                }
            }
        }
        if let Some(contents) = &conflict.contents {
            let contents: BTreeSet<u64> = contents.iter().copied().collect();
            let ends = answer.outcomes.iter().filter_map(|outcome| {
                let end = outcome.machine(program);
                end.load(conflict.space, conflict.address, conflict.bytes)
            });
            equal(&contents, &ends.collect(), text)?;
        }
    }
    Ok(())
}
