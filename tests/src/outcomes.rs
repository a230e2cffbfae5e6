//! Compares search results with every lane order.

use crate::orders::{self, Key, Meeting, key};
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, Session, run};
use lanewise_explore::{
    Outcome, QueryAnswer, ReachabilityQuery, Search, SearchResult as Answer, Shares, can_leave,
    can_return, differing_bytes, written_after,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Parses a runnable program.
///
/// # Panics
/// If the program cannot run.
#[must_use]
pub fn parse(text: &str) -> Rc<Program> {
    let program = Program::parse(text);
    assert!(program.can_run(), "{:?}\n{text}", program.diagnostics);
    Rc::new(program)
}

/// Searches in slices of `slice` units of work.
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

/// Checks everything in a search result. Returns the number of outcomes.
///
/// # Errors
/// Describes a difference.
pub fn compare(text: &str, slice: u64) -> Result<usize, String> {
    let program = parse(text);
    let brute = orders::all(&program);
    let answer = search(&program, 100_000, slice);
    equal(&answer.complete, &true, text)?;
    let ends = brute.len();
    equal(&answer.count.to_usize(), &Some(ends), text)?;
    equal(&answer.outcomes.len(), &ends, text)?;
    // The position of lanes without conflicts does not matter.
    let all: u64 = brute.values().sum();
    let orders = answer.orders.as_ref().ok_or("no orders")?;
    let counted: u64 = orders.to_string().parse().map_err(|_| "many orders")?;
    equal(&(all % counted), &0, text)?;
    let times = all / counted;
    check_listed(&program, &answer.outcomes, &brute, times, text)?;
    // Outcomes can be counted without being listed.
    for limit in [1, 3] {
        let few = search(&program, limit, slice);
        equal(&few.complete, &true, text)?;
        equal(&few.count, &answer.count, text)?;
        equal(&few.orders, &answer.orders, text)?;
        equal(&few.outcomes.len(), &ends.min(limit), text)?;
        check_listed(&program, &few.outcomes, &brute, times, text)?;
    }
    // Limit the number of searches.
    let is_one = program.instructions.len() == 1;
    if all <= if is_one { 24 } else { 216 } {
        compare_parts(&program, &brute, counted, times, slice, text)?;
    }
    compare_results(&program, &answer, text)?;
    compare_contents_shares(&program, slice, text)?;
    // Histories of lanes take longer than final values.
    if program.instructions.len() == 1 && all <= 720 {
        compare_known(&program, &answer, text)?;
        compare_returned_shares(&program, slice, text)?;
    }
    Ok(ends)
}

/// Checks conflicts, incomplete searches and queries.
fn compare_parts(
    program: &Rc<Program>,
    brute: &HashMap<Key, u64>,
    counted: u64,
    times: u64,
    slice: u64,
    text: &str,
) -> Result<(), String> {
    let meetings = orders::meetings(program);
    compare_conflicts(&search_shares(program, slice), &meetings, text)?;
    for units in [0, 70, 150, 400, 1000] {
        let mut search = Search::new(Rc::clone(program), 100_000)
            .with_distributions()
            .with_work(units);
        search.finish();
        if search.spent() < units {
            // The search completed earlier.
            let stopped = search.result();
            equal(&stopped.complete, &true, text)?;
            continue;
        }
        let stopped = search.result();
        compare_stopped(program, &stopped, brute, counted, times, text)?;
        compare_conflicts(&stopped, &meetings, text)?;
    }
    compare_queries(program, &meetings, text)
}

/// Checks that listed outcomes are distinct, with correct numbers of orders and a valid
/// order. `times` is the number of equivalent orders.
fn check_listed(
    program: &Program,
    outcomes: &[Outcome],
    brute: &HashMap<Key, u64>,
    times: u64,
    text: &str,
) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for outcome in outcomes {
        let key = key(&outcome.machine(program));
        let wanted = brute.get(&key).copied();
        equal(&wanted.is_some(), &true, text)?;
        if let Some(orders) = &outcome.orders {
            let orders = orders.to_usize().map(|orders| orders as u64 * times);
            equal(&orders, &wanted, text)?;
        }
        equal(&seen.insert(key), &true, text)?;
        let replayed = run(&replayed(program, outcome));
        equal(&orders::key(&replayed.machine), &key, text)?;
        equal(&replayed.fault.is_some(), &outcome.fault.is_some(), text)?;
    }
    Ok(())
}

/// Returns the program with the orders of an outcome.
fn replayed(program: &Program, outcome: &Outcome) -> Program {
    let mut replayed = program.clone();
    for schedule in &outcome.schedules {
        replayed.instructions[schedule.instruction as usize].order = orders::order(&schedule.units);
    }
    replayed
}

/// Checks the result of an incomplete search.
fn compare_stopped(
    program: &Program,
    stopped: &Answer,
    brute: &HashMap<Key, u64>,
    counted: u64,
    times: u64,
    text: &str,
) -> Result<(), String> {
    check_listed(program, &stopped.outcomes, brute, times, text)?;
    let count = stopped.count.to_usize().ok_or("a large count")?;
    let listed = stopped.outcomes.len();
    if stopped.complete {
        equal(&(count, listed), &(brute.len(), brute.len()), text)?;
    }
    equal(&(1..=brute.len()).contains(&count), &true, text)?;
    equal(&(1..=count).contains(&listed), &true, text)?;
    match stopped
        .orders
        .as_ref()
        .map(lanewise_explore::Count::to_usize)
    {
        Some(orders) => equal(&orders.map(|orders| orders as u64), &Some(counted), text),
        None => equal(&stopped.complete, &false, text),
    }
}

/// Checks conflicts against all orders; after a complete search they must be complete.
fn compare_conflicts(answer: &Answer, meetings: &[Meeting], text: &str) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for conflict in &answer.conflicts {
        let units: BTreeSet<Unit> = conflict.units.iter().copied().collect();
        equal(&units.len(), &conflict.units.len(), text)?;
        let place = (
            conflict.instruction as usize,
            conflict.space,
            conflict.address,
            conflict.bytes,
            units,
        );
        let at = meetings.iter().position(|met| met.place == place);
        let at = at.ok_or_else(|| format!("{place:?} do not conflict\n{text}"))?;
        equal(&seen.insert(at), &true, text)?;
        let met = &meetings[at];
        let what = format!("{place:?} {text}");
        // The number is the same in every state, or unknown.
        let mut counts = met.results.values().map(BTreeSet::len);
        let count = counts
            .next()
            .filter(|count| counts.all(|other| other == *count));
        let known = conflict
            .count
            .as_ref()
            .map(lanewise_explore::Count::to_usize);
        let contents: Vec<u64> = met.contents.keys().copied().collect();
        let returns: Vec<Option<Vec<u64>>> = if met.returns.is_empty() {
            Vec::new()
        } else {
            let values = conflict.units.iter().map(|unit| met.returns.get(unit));
            let values = values
                .map(|values| values.map_or_else(|| vec![0], |v| v.keys().copied().collect()));
            values.map(Some).collect()
        };
        if answer.complete {
            equal(&known.flatten(), &count, &what)?;
            equal(&conflict.contents.as_ref(), &Some(&contents), &what)?;
            equal(&conflict.returns, &returns, &what)?;
        } else {
            if known.is_some() {
                equal(&known.flatten(), &count, &what)?;
            }
            if conflict.contents.is_some() {
                equal(&conflict.contents.as_ref(), &Some(&contents), &what)?;
            }
            for (known, wanted) in conflict.returns.iter().zip(&returns) {
                if known.is_some() {
                    equal(known, wanted, &what)?;
                }
            }
        }
        let Some(known) = conflict.distribution() else {
            equal(&answer.complete, &false, &what)?;
            continue;
        };
        check_shares(&known.contents, &met.contents, &what)?;
        equal(&known.returns.len(), &conflict.units.len(), &what)?;
        for (shares, unit) in known.returns.iter().zip(&conflict.units) {
            match met.returns.get(unit) {
                Some(wanted) => check_shares(shares, wanted, &what)?,
                None => equal(&shares.len(), &0, &what)?,
            }
        }
    }
    if answer.complete {
        equal(&seen.len(), &meetings.len(), text)?;
    }
    Ok(())
}

/// Checks queries: a positive answer has a valid order; a proven negative answer means
/// that no order exists.
fn compare_queries(program: &Program, meetings: &[Meeting], text: &str) -> Result<(), String> {
    for met in meetings {
        let (instruction, space, address, bytes, _) = &met.place;
        let index = u32::try_from(*instruction).expect("few instructions");
        let is_first = meetings.iter().all(|other| other.place.0 >= *instruction);
        let after = |answer: &QueryAnswer| {
            let mut session = Session::new(Rc::new(replayed(program, answer.outcome.as_ref()?)));
            while session
                .last_instruction()
                .is_none_or(|at| at <= *instruction)
                && session.step()
            {}
            Some(session)
        };
        let check = |answer: &QueryAnswer, is_possible: bool, what: &str| {
            if answer.outcome.is_some() {
                equal(&is_possible, &true, what)?;
            } else if answer.is_certain {
                equal(&is_possible, &false, what)?;
            }
            // Orders of earlier instructions may make it possible.
            equal(&(answer.is_certain || !is_first), &true, what)
        };
        for content in met
            .contents
            .keys()
            .flat_map(|content| [*content, content ^ 1])
        {
            let what = format!("content {content} of {:?}\n{text}", met.place);
            let answer = can_leave(program, IssueIndex(index), *space, *address, content);
            check(&answer, met.contents.contains_key(&content), &what)?;
            if let Some(outcome) = &answer.outcome
                && *instruction + 1 == program.instructions.len()
            {
                let found = outcome.machine(program).load(*space, *address, *bytes);
                equal(&found, &Some(content), &what)?;
                let end = after(&answer).map(|session| key(session.machine()));
                equal(&end, &Some(key(&outcome.machine(program))), &what)?;
            }
        }
        for (unit, values) in &met.returns {
            let mut query = ReachabilityQuery::new(program, IssueIndex(index), *unit);
            equal(&query.is_for(IssueIndex(index), *unit), &true, text)?;
            equal(&query.is_for(IssueIndex(index + 1), *unit), &false, text)?;
            for value in values.keys().flat_map(|value| [*value, value ^ 1]) {
                let what = format!("{value} of {unit:?} of {:?}\n{text}", met.place);
                let answer = query.answer(program, value);
                check(&answer, values.contains_key(&value), &what)?;
                equal(
                    &answer,
                    &can_return(program, IssueIndex(index), *unit, value),
                    &what,
                )?;
                if let Some(session) = after(&answer) {
                    let rows = session.lanes(IssueIndex(index));
                    let row = rows.iter().find(|row| row.unit == *unit);
                    equal(&row.and_then(|row| row.returned), &Some(value), &what)?;
                }
            }
        }
    }
    Ok(())
}

/// Checks that the bytes of each outcome match its machine state.
fn compare_results(program: &Program, answer: &Answer, text: &str) -> Result<(), String> {
    let own = Outcome::of_run(program);
    let run = run(program);
    equal(&key(&own.machine(program)), &key(&run.machine), text)?;
    equal(&own.fault, &run.fault, text)?;
    let is_own = |outcome: &&Outcome| outcome.is_same_result(&own);
    equal(&answer.outcomes.iter().filter(is_own).count(), &1, text)?;
    // Bytes that differ between outcomes.
    let mut values: BTreeMap<(u16, u64), Vec<u8>> = BTreeMap::new();
    for byte in answer.outcomes.iter().flat_map(|outcome| &outcome.bytes) {
        let place = values.entry((byte.space.0, byte.address)).or_default();
        place.push(byte.value);
    }
    values.retain(|_, values| {
        values.len() < answer.outcomes.len() || values.iter().any(|v| *v != values[0])
    });
    let differing: Vec<(u16, u64)> = values.into_keys().collect();
    equal(&differing_bytes(&answer.outcomes), &differing, text)?;
    for outcome in answer.outcomes.iter().take(20) {
        let machine = outcome.machine(program);
        let is_own = key(&machine) == key(&run.machine);
        equal(&outcome.is_same_result(&own), &is_own, text)?;
        equal(&own.is_same_result(outcome), &is_own, text)?;
        // Cells with, adjacent to, and without a changed byte.
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
    // Writes of a recorded run, per instruction.
    let mut session = Session::new(Rc::new(program.clone()));
    let mut written = vec![Vec::new(); program.instructions.len()];
    while session.step() {
        if let Some(instruction) = session.last_instruction() {
            let changes = session.last_changes().iter();
            let changes = changes.filter(|c| !c.space.is_control());
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
        let found = written_after(program, IssueIndex(index)).into_iter();
        let found = found.map(|(space, address, bytes)| (space.0, address, bytes));
        equal(&found.collect(), &later, text)?;
    }
    Ok(())
}

/// Checks shares against counted orders.
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

/// Checks the shares of cell contents after the last instruction.
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
            let content = content.ok_or("a conflict of unmapped cells")?;
            let orders = outcome.orders.as_ref().and_then(|o| o.to_usize());
            *wanted.entry(content).or_default() += orders.ok_or("no orders")? as u64;
        }
        match conflict.distribution() {
            Some(known) => check_shares(&known.contents, &wanted, text)?,
            // A lane has too many values.
            None => equal(&(conflict.units.len() > 6), &true, text)?,
        }
    }
    Ok(())
}

/// Checks the shares of returned values of one instruction.
fn compare_returned_shares(program: &Rc<Program>, slice: u64, text: &str) -> Result<(), String> {
    let brute = orders::returned(program);
    for conflict in search_shares(program, slice).conflicts {
        // Too many values, as in `compare_contents_shares`.
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

/// Checks that the order of an answer leads to its outcome and returned value.
fn check_asked(
    program: &Program,
    outcome: &Outcome,
    unit: Unit,
    value: u64,
    text: &str,
) -> Result<(), String> {
    let mut session = Session::new(Rc::new(replayed(program, outcome)));
    session.run_to_end();
    let rows = session.lanes(IssueIndex(0));
    let returned = rows.iter().find(|row| row.unit == unit);
    equal(&returned.and_then(|row| row.returned), &Some(value), text)?;
    let end = orders::key(&outcome.machine(program));
    equal(&orders::key(session.machine()), &end, text)
}

/// Checks that conflicts are exact.
fn compare_known(program: &Program, answer: &Answer, text: &str) -> Result<(), String> {
    let brute = orders::returned(program);
    for conflict in &answer.conflicts {
        for (at, unit) in conflict.units.iter().enumerate() {
            // Lanes without a dst do not return a value.
            let Some(wanted) = brute.get(unit) else {
                continue;
            };
            let what = format!("returns of {unit:?}\n{text}");
            let wanted: Vec<u64> = wanted.keys().copied().collect();
            let known = conflict.returns.get(at).cloned().flatten();
            equal(&known, &Some(wanted.clone()), &what)?;
            // Query each value and its successor.
            let mut question = ReachabilityQuery::new(program, IssueIndex(0), *unit);
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
