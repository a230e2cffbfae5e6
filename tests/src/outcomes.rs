//! An answer of the search against every order of the lanes.

use crate::orders::{self, key};
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_explore::{
    Outcome, ReachabilityQuery, Search, SearchResult as Answer, Shares, written_after,
};
use std::collections::{BTreeMap, BTreeSet};
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
    compare_results(&program, &answer, text)?;
    compare_contents_shares(&program, slice, text)?;
    // The lanes' histories take longer than their ends.
    if program.instructions.len() == 1 && all <= 720 {
        compare_known(&program, &answer, text)?;
        compare_returned_shares(&program, slice, text)?;
    }
    Ok(ends)
}

/// Results as lists of bytes say what the machines say that they stand for.
fn compare_results(program: &Program, answer: &Answer, text: &str) -> Result<(), String> {
    let own = Outcome::of_run(program);
    let run = run(program);
    equal(&key(&own.machine(program)), &key(&run.machine), text)?;
    equal(&own.fault, &run.fault, text)?;
    let is_own = |outcome: &&Outcome| outcome.is_same_result(&own);
    equal(&answer.outcomes.iter().filter(is_own).count(), &1, text)?;
    for outcome in answer.outcomes.iter().take(20) {
        let machine = outcome.machine(program);
        let is_own = key(&machine) == key(&run.machine);
        equal(&outcome.is_same_result(&own), &is_own, text)?;
        equal(&own.is_same_result(outcome), &is_own, text)?;
        // Cells with, next to and without a byte that differs from the start.
        for byte in &outcome.bytes {
            for address in byte.address.saturating_sub(9)..=byte.address + 9 {
                for bytes in [1, 2, 4, 8] {
                    let found = outcome.load(&program.start, byte.space, address, bytes);
                    equal(&found, &machine.load(byte.space, address, bytes), text)?;
                }
            }
        }
    }
    if run.fault.is_some() {
        return Ok(());
    }
    // What a recorded run writes, instruction by instruction.
    let mut session = Session::new(Rc::new(program.clone()));
    let mut written = vec![Vec::new(); program.instructions.len()];
    while session.step() {
        if let Some(instruction) = session.last_instruction() {
            let changes = session.last_changes().iter();
            written[instruction].extend(changes.map(|c| (c.space, c.address, c.bytes)));
        }
    }
    for instruction in 0..written.len() {
        let later: BTreeSet<_> = written[instruction + 1..]
            .iter()
            .flatten()
            .map(|(space, address, bytes)| (space.0, *address, *bytes))
            .collect();
        let index = u32::try_from(instruction).expect("few instructions");
        let found = written_after(program, index).into_iter();
        let found = found.map(|(space, address, bytes)| (space.0, address, bytes));
        equal(&found.collect(), &later, text)?;
    }
    Ok(())
}

/// Shares are those of the orders that were counted.
fn check_shares(found: &Shares, wanted: &BTreeMap<u64, u64>, text: &str) -> Result<(), String> {
    let all: u64 = wanted.values().sum();
    let values: Vec<u64> = found.iter().map(|(value, _)| *value).collect();
    let keys: Vec<u64> = wanted.keys().copied().collect();
    equal(&values, &keys, text)?;
    for ((_, share), orders) in found.iter().zip(wanted.values()) {
        if (share - *orders as f64 / all as f64).abs() > 1e-9 {
            return Err(format!("shares {found:?} of the orders {wanted:?}\n{text}"));
        }
    }
    Ok(())
}

fn search_shares(program: &Rc<Program>, slice: u64) -> Answer {
    let mut search = Search::new(Rc::clone(program), 100_000).with_distributions();
    while !search.work(slice).done {}
    search.result()
}

/// How likely the contents of a cell are after the last instruction: as many
/// orders lead to them.
fn compare_contents_shares(program: &Rc<Program>, slice: u64, text: &str) -> Result<(), String> {
    let answer = search_shares(program, slice);
    let last = program.instructions.len() - 1;
    for conflict in &answer.conflicts {
        if conflict.instruction as usize != last {
            continue;
        }
        let mut wanted: BTreeMap<u64, u64> = BTreeMap::new();
        for outcome in &answer.outcomes {
            let end = outcome.machine(program);
            let content = end.load(conflict.space, conflict.address, conflict.bytes);
            let content = content.ok_or("a conflict of cells that are not mapped")?;
            let orders = outcome.orders.as_ref().and_then(|o| o.to_usize());
            *wanted.entry(content).or_default() += orders.ok_or("no orders")? as u64;
        }
        match conflict.distribution() {
            Some(known) => check_shares(&known.contents, &wanted, text)?,
            // The values of some lane are too many.
            None => equal(&(conflict.units.len() > 6), &true, text)?,
        }
    }
    Ok(())
}

/// How likely values are returned by one instruction: as many orders of its
/// lanes return them.
fn compare_returned_shares(program: &Rc<Program>, slice: u64, text: &str) -> Result<(), String> {
    let brute = orders::returned(program);
    for conflict in search_shares(program, slice).conflicts {
        // Too many values; see `compare_contents_shares`.
        let Some(known) = conflict.distribution() else {
            continue;
        };
        equal(&known.returns.len(), &conflict.units.len(), text)?;
        for (shares, unit) in known.returns.iter().zip(&conflict.units) {
            match brute.get(unit) {
                Some(wanted) => check_shares(shares, wanted, text)?,
                None => equal(&shares.len(), &0, text)?,
            }
        }
    }
    Ok(())
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
            let wanted: Vec<u64> = wanted.keys().copied().collect();
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
