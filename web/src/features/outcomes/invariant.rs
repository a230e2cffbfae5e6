//! What all orders have in common, in a sentence.

use super::format::{lane_list, listed};
use super::results::{Column, Results};
use lanewise_core::number::show;
use lanewise_core::program::Program;

/// What holds in every order, in a sentence; empty where nothing is known.
pub(super) fn invariant(results: &Results, program: &Program) -> String {
    let parts = [
        memory_invariant(results, program),
        returns_invariant(results, program),
    ];
    let sentence = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if sentence.is_empty() {
        return sentence;
    }
    // A sentence may start with a cell: its name is written as everywhere.
    let starts_with_cell = results.cells.iter().any(|c| sentence.starts_with(&c.name));
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) if !starts_with_cell => {
            format!("{}{}.", first.to_uppercase(), letters.as_str())
        }
        _ => format!("{sentence}."),
    }
}

/// What the cells hold at the end.
fn memory_invariant(results: &Results, program: &Program) -> Option<String> {
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
            let values = results.values(cell, program)?;
            format!(
                "{} is always {}",
                cell.name,
                show(*values.first()?, cell.ty)
            )
        }
        (_, []) => format!("{every} cells end the same in every order"),
        ([cell], [_]) => winners(results)
            .or_else(|| ends_as(results, program, cell))
            .unwrap_or_else(|| format!("{} depends on the order", cell.name)),
        (_, some) if some.len() == all => {
            format!("what {every} cells hold depends on the order")
        }
        (_, some) if !are_all_known => {
            let some = some.len();
            format!("what at least {some} of {all} cells hold depends on the order")
        }
        (_, [cell]) => format!("only {} of {all} cells depends on the order", cell.name),
        (_, some) => {
            let some = some.len();
            format!("what {some} of {all} cells hold depends on the order")
        }
    })
}

/// `slm[0x0] ends as 3, 4 or 5`.
fn ends_as(results: &Results, program: &Program, cell: &Column) -> Option<String> {
    let values = results.values(cell, program)?;
    let name = &cell.name;
    let shown = values.iter().map(|value| show(*value, cell.ty));
    Some(match values.len() {
        2..=4 => {
            let mut shown: Vec<String> = shown.collect();
            let last = shown.pop()?;
            format!("{name} ends as {} or {last}", shown.join(", "))
        }
        many => format!("{name} ends as one of {many} values"),
    })
}

/// `exactly one of 8 lanes wins`, where in every result one lane alone
/// changes the cell.
fn winners(results: &Results) -> Option<String> {
    let [conflict] = results.found.conflicts.as_slice() else {
        return None;
    };
    let lanes = conflict.units.len();
    Some(match results.single_writers? {
        1 => return None,
        all if all == lanes => format!("exactly one of {lanes} lanes wins, any of them can"),
        some => format!("exactly one of {lanes} lanes wins, one of {some} that can"),
    })
}

/// What lanes return: which of them return different values in different
/// orders, by line where several instructions return something.
fn returns_invariant(results: &Results, program: &Program) -> Option<String> {
    let returns = results.returns.as_slice();
    // Lanes that differ, with the lines of the instructions where they do.
    let mut varies: Vec<(String, Vec<u32>)> = Vec::new();
    let mut are_all_known = true;
    let of_one =
        |a: &Column, b: &Column| a.returned_by.map(|by| by.0) == b.returned_by.map(|by| by.0);
    for own in returns.chunk_by(of_one) {
        let (instruction, _) = own.first()?.returned_by?;
        let line = program.instructions.get(instruction as usize)?.line + 1;
        let mut lanes = Vec::new();
        for own in own {
            let values = results.values(own, program);
            if results.differs(own) || values.as_ref().is_some_and(|all| all.len() > 1) {
                lanes.extend(own.returned_by.map(|(_, unit)| unit));
            } else {
                are_all_known &= values.is_some();
            }
        }
        if lanes.is_empty() {
            continue;
        }
        lanes.sort_by_key(|unit| (unit.eu, unit.lane));
        let lanes = lane_list(&lanes, program.threads);
        match varies.iter_mut().find(|(names, _)| *names == lanes) {
            Some((_, lines)) => lines.push(line),
            None => varies.push((lanes, vec![line])),
        }
    }
    if returns.is_empty() || (varies.is_empty() && !are_all_known) {
        return None;
    }
    let has_several = returns.chunk_by(of_one).count() > 1;
    let parts = varies.iter().map(|(lanes, lines)| {
        let verb = if lanes.contains("lanes") || lanes.contains(" and ") {
            "return"
        } else {
            "returns"
        };
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        match (has_several, lines.len()) {
            (false, _) => format!("what {lanes} {verb}"),
            (true, 1) => format!("what {lanes} {verb} in line {}", numbers[0]),
            (true, _) => format!("what {lanes} {verb} in lines {}", listed(numbers)),
        }
    });
    let parts: Vec<String> = parts.collect();
    Some(if parts.is_empty() {
        String::from("every lane returns the same in every order")
    } else {
        format!("{} depends on the order", listed(parts))
    })
}
