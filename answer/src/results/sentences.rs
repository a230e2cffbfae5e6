//! Sentences about what differs between results and what does not.

use super::Results;
use super::columns::{Column, cell_name, rank, type_of};
use super::format::{LaneList, short_count};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_core::text::capitalized;
use lanewise_explore::Conflict;

/// Maximum number of values in a sentence.
const MAX_VALUES: usize = 12;

/// Maximum number of sentences about returned values.
const MAX_SENTENCES: usize = 6;

/// Maximum number of contents listed for a cell if the results are a sample.
const MAX_CONTENTS: usize = 32;

/// Sentences about what differs, what the table omits, and what is known
/// exactly although not every result is listed.
pub(super) fn sentences(results: &Results) -> Vec<String> {
    let program = &*results.program;
    let found = &results.found;
    let mut sentences = Vec::new();
    if found.outcomes.len() > 1 {
        sentences.extend(differing(results));
        if !results.lists_all() {
            sentences.extend(possible_returns(results));
        }
        sentences.extend(same(results));
        sentences.extend(equal_shares(results));
    }
    if !found.complete {
        let conflicts = found.conflicts.iter();
        sentences.extend(conflicts.filter_map(|conflict| contents(conflict, program)));
        let has_returns = found.conflicts.iter().any(|c| !c.returns.is_empty());
        if has_returns && results.returns.iter().all(|own| own.possible.is_some()) {
            sentences.push(String::from(
                "Exact: values each lane may return. Choose a lane and a value.",
            ));
        }
    }
    sentences
}

/// Number of orders per result, if it is the same for all.
fn equal_shares(results: &Results) -> Option<String> {
    /// With fewer results, the equality is obvious.
    const MIN_RESULTS: usize = 3;
    let found = &results.found;
    let [first, others @ ..] = found.outcomes.as_slice() else {
        return None;
    };
    let orders = first.orders.as_ref()?;
    let every = found.orders.as_ref()?;
    let is_equal = others.iter().all(|it| it.orders.as_ref() == Some(orders));
    let is_enough = found.outcomes.len() >= MIN_RESULTS;
    (results.lists_all() && is_equal && is_enough).then(|| {
        let (orders, every) = (short_count(orders), short_count(every));
        format!("Each result comes from {orders} of {every} orders.")
    })
}

/// ` in line 18`, if several instructions return values.
fn in_line(own: &Column, results: &Results) -> String {
    let issue = |column: &Column| column.returned_by.map(|(issue, _)| issue);
    let mut returns = results.returns.iter();
    let several = returns.any(|other| issue(other) != issue(own));
    match results.issued(own).filter(|_| several) {
        Some(placed) => format!(" in line {}", placed.line + 1),
        None => String::new(),
    }
}

fn differing(results: &Results) -> Option<String> {
    let program = &*results.program;
    // Lanes by line.
    let mut lanes: Vec<(String, LaneList)> = Vec::new();
    for own in results.returns.iter().filter(|own| results.differs(own)) {
        let (_, unit) = own.returned_by?;
        let line = in_line(own, results);
        match lanes.iter_mut().find(|(other, _)| *other == line) {
            Some((_, units)) => units.push(unit),
            None => lanes.push((line, LaneList::new(vec![unit], program.threads))),
        }
    }
    let columns = results.columns.iter();
    let memory = columns.filter(|column| column.returned_by.is_none());
    let mut parts: Vec<String> = memory.map(|column| column.name.clone()).collect();
    if parts.len() > MAX_VALUES {
        let more = parts.len() - MAX_VALUES;
        parts.truncate(MAX_VALUES);
        parts.push(format!("{more} more cells"));
    }
    for (line, lanes) in &lanes {
        let lanes = lanes.with_verb("returns", "return");
        parts.push(format!("what {lanes}{line}"));
    }
    let last = parts.pop()?;
    Some(if parts.is_empty() {
        format!("Results differ in {last}.")
    } else {
        format!("Results differ in {} and in {last}.", parts.join(", "))
    })
}

/// Columns omitted from the table because all results agree.
fn same(results: &Results) -> Option<String> {
    let first = results.found.outcomes.first()?;
    let columns = results.final_columns();
    let same = columns.filter(|column| results.is_same(column));
    let mut values: Vec<String> = same
        .filter_map(|column| {
            let value = column.final_value(first, &results.program)?;
            let line = in_line(column, results);
            Some(format!(
                "{}{line} = {}",
                column.name,
                show(value, column.ty)
            ))
        })
        .collect();
    if values.is_empty() {
        return None;
    }
    let more = values.len().saturating_sub(MAX_VALUES);
    values.truncate(MAX_VALUES);
    if more > 0 {
        values.push(format!("{more} more"));
    }
    Some(format!(
        "The same in every result (not in the table): {}.",
        values.join(", ")
    ))
}

/// Possible returned values, grouping lanes with equal sets.
fn possible_returns(results: &Results) -> Vec<String> {
    let (returns, program) = (&results.returns, &*results.program);
    let mut groups: Vec<(LaneList, &Column, &[u64])> = Vec::new();
    for own in returns {
        let (Some((_, unit)), Some(values @ [_, _, ..])) =
            (own.returned_by, own.possible.as_deref())
        else {
            continue;
        };
        let line = |column| in_line(column, results);
        let like = groups
            .iter_mut()
            .find(|(_, other, of_other)| *of_other == values && line(other) == line(own));
        match like {
            Some((units, ..)) => units.push(unit),
            None => groups.push((LaneList::new(vec![unit], program.threads), own, values)),
        }
    }
    let sentence = |(lanes, own, values): &(LaneList, &Column, &[u64])| {
        let shown = |value: &u64| show(*value, own.ty);
        let text = match values {
            [first, .., last] if values.len() > MAX_VALUES => {
                let (first, last) = (shown(first), shown(last));
                format!("{} values from {first} to {last}", values.len())
            }
            _ => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        };
        let lanes = capitalized(&lanes.with_verb("returns", "each return"));
        let line = in_line(own, results);
        format!("{lanes} one of {text}{line}.")
    };
    let mut sentences: Vec<String> = groups.iter().take(MAX_SENTENCES).map(sentence).collect();
    if groups.len() > MAX_SENTENCES {
        sentences.push(String::from("Choose another lane below to see its values."));
    }
    sentences
}

/// Possible contents of a cell after an instruction.
fn contents(conflict: &Conflict, program: &Program) -> Option<String> {
    let mut contents = conflict.contents.clone()?;
    let placed = program.instructions.get(conflict.instruction as usize)?;
    let ty = type_of(program, conflict);
    contents.sort_unstable_by_key(|content| rank(*content, ty));
    let values = contents.iter().take(MAX_CONTENTS);
    let values: Vec<String> = values.map(|value| show(*value, ty)).collect();
    let more = match contents.len().saturating_sub(MAX_CONTENTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let holds = match contents.len() {
        1 => "always holds",
        _ => "holds one of",
    };
    Some(format!(
        "Exact: {} lanes conflict in line {}; after it, {} {holds} {}{more}.",
        conflict.units.len(),
        placed.line + 1,
        cell_name(program, conflict.space, conflict.address),
        values.join(", ")
    ))
}
