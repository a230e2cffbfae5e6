//! Headline: what all orders have in common.

use super::Results;
use super::columns::Column;
use super::format::{LaneList, listed};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::number::show;
use lanewise_core::text::capitalized;

/// Clause of the headline.
struct Clause {
    text: String,
    /// Whether the clause starts with a cell name, which must not be
    /// capitalised.
    starts_with_name: bool,
}

impl Clause {
    fn words(text: String) -> Self {
        Self {
            text,
            starts_with_name: false,
        }
    }

    fn of_cell(cell: &Column, text: &str) -> Self {
        Self {
            text: format!("{} {text}", cell.name),
            starts_with_name: true,
        }
    }
}

/// Sentence that holds in every order; empty if none is known.
pub(super) fn invariant(results: &Results) -> String {
    let clauses = [memory_invariant(results), returns_invariant(results)];
    let clauses: Vec<Clause> = clauses.into_iter().flatten().collect();
    let Some(first) = clauses.first() else {
        return String::new();
    };
    let starts_with_name = first.starts_with_name;
    let texts: Vec<String> = clauses.into_iter().map(|clause| clause.text).collect();
    let sentence = format!("{}.", texts.join("; "));
    if starts_with_name {
        sentence
    } else {
        capitalized(&sentence)
    }
}

/// Clause about the final contents of the cells.
fn memory_invariant(results: &Results) -> Option<Clause> {
    let cells = results.cells.as_slice();
    let varies: Vec<&Column> = cells.iter().filter(|cell| results.differs(cell)).collect();
    let are_all_known = cells
        .iter()
        .all(|cell| results.differs(cell) || results.is_same(cell));
    let all = cells.len();
    let every = match all {
        2 => String::from("both"),
        _ => format!("all {all}"),
    };
    Some(match (cells, varies.as_slice()) {
        ([], _) => return None,
        (_, []) if !are_all_known => return None,
        ([cell], []) => {
            let values = results.values(cell)?;
            let value = show(*values.first()?, cell.ty);
            Clause::of_cell(cell, &format!("is always {value}"))
        }
        (_, []) => Clause::words(format!("{every} cells end the same in every order")),
        ([cell], [_]) => winners(results)
            .or_else(|| ends_as(results, cell))
            .unwrap_or_else(|| Clause::of_cell(cell, "depends on the order")),
        (_, some) if some.len() == all => {
            Clause::words(format!("the contents of {every} cells depend on the order"))
        }
        (_, some) if !are_all_known => {
            let some = some.len();
            let text =
                format!("the contents of at least {some} of {all} cells depend on the order");
            Clause::words(text)
        }
        (_, [cell]) => {
            let name = &cell.name;
            Clause::words(format!("only {name} of {all} cells depends on the order"))
        }
        (_, some) => {
            let some = some.len();
            Clause::words(format!(
                "the contents of {some} of {all} cells depend on the order"
            ))
        }
    })
}

/// `slm[0x0] ends as 3, 4 or 5`.
fn ends_as(results: &Results, cell: &Column) -> Option<Clause> {
    let values = results.values(cell)?;
    let shown = values.iter().map(|value| show(*value, cell.ty));
    let text = match values.len() {
        2..=4 => {
            let mut shown: Vec<String> = shown.collect();
            let last = shown.pop()?;
            format!("ends as {} or {last}", shown.join(", "))
        }
        many => format!("ends as one of {many} values"),
    };
    Some(Clause::of_cell(cell, &text))
}

/// `exactly one of 8 lanes wins`, if a single lane changes the cell in every
/// result.
fn winners(results: &Results) -> Option<Clause> {
    let [conflict] = results.found.conflicts.as_slice() else {
        return None;
    };
    let lanes = conflict.units.len();
    Some(Clause::words(match results.single_writers? {
        1 => return None,
        all if all == lanes => format!("exactly one of {lanes} lanes wins, any of them can"),
        some => format!("exactly one of {lanes} lanes wins, one of {some} that can"),
    }))
}

/// Clause about returned values: which lanes return different values in
/// different orders, by line if several instructions return values.
fn returns_invariant(results: &Results) -> Option<Clause> {
    let program = &*results.program;
    let returns = results.returns.as_slice();
    // Lanes that differ, with the lines of the instructions.
    let mut varies: Vec<(LaneList, Vec<u32>)> = Vec::new();
    let mut are_all_known = true;
    let of_one =
        |a: &Column, b: &Column| a.returned_by.map(|by| by.0) == b.returned_by.map(|by| by.0);
    for own in returns.chunk_by(of_one) {
        let line = results.issued(own.first()?)?.line + 1;
        let mut lanes = Vec::new();
        for own in own {
            let values = results.values(own);
            if results.differs(own) || values.as_ref().is_some_and(|all| all.len() > 1) {
                lanes.extend(own.returned_by.map(|(_, unit)| unit));
            } else {
                are_all_known &= values.is_some();
            }
        }
        if lanes.is_empty() {
            continue;
        }
        lanes.sort_by_key(|unit| (unit.thread, unit.lane));
        let lanes = LaneList::new(lanes, program.threads);
        match varies.iter_mut().find(|(others, _)| *others == lanes) {
            Some((_, lines)) => lines.push(line),
            None => varies.push((lanes, vec![line])),
        }
    }
    if returns.is_empty() || (varies.is_empty() && !are_all_known) {
        return None;
    }
    let has_several = returns.chunk_by(of_one).count() > 1;
    let parts = varies.iter().map(|(lanes, lines)| {
        let lanes = lanes.with_verb("returns", "return");
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        match (has_several, lines.len()) {
            (false, _) => format!("what {lanes}"),
            (true, 1) => format!("what {lanes} in line {}", numbers[0]),
            (true, _) => format!("what {lanes} in lines {}", listed(numbers)),
        }
    });
    let parts: Vec<String> = parts.collect();
    Some(Clause::words(if parts.is_empty() {
        String::from("every lane returns the same in every order")
    } else {
        format!("{} depends on the order", listed(parts))
    }))
}
