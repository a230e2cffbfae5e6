//! What results have in common and in what they differ, in sentences.

use super::found::{Column, Found};
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_explore::Count;

/// The most values that are told one by one.
const VALUES: usize = 12;

/// The most sentences about what lanes get back.
const SENTENCES: usize = 6;

/// A number with its digits in groups of three.
pub(super) fn grouped(count: &Count) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// In what results differ, what is left out of the table, and what each lane
/// may get back where not every result can be read.
pub(super) fn sentences(found: &Found, program: &Program) -> Vec<String> {
    let mut told = Vec::new();
    if found.answer.outcomes.len() < 2 {
        return told;
    }
    told.extend(differ(found, program));
    if !found.lists_all() {
        told.extend(possible(&found.slots, program));
    }
    told.extend(same(found, program));
    told
}

/// ` on line 18`, where lanes get something back from several instructions.
fn on_line(slot: &Column, slots: &[Column], program: &Program) -> String {
    let instruction = |slot: &Column| slot.of.map(|(instruction, _)| instruction);
    let own = instruction(slot);
    let several = slots.iter().any(|other| instruction(other) != own);
    let placed = own.and_then(|own| program.instructions.get(own as usize));
    match placed.filter(|_| several) {
        Some(placed) => format!(" on line {}", placed.line + 1),
        None => String::new(),
    }
}

fn differ(found: &Found, program: &Program) -> Option<String> {
    // The lanes by line.
    let mut lanes: Vec<(String, Vec<&str>)> = Vec::new();
    for slot in found.slots.iter().filter(|s| found.differs(s)) {
        let line = on_line(slot, &found.slots, program);
        match lanes.iter_mut().find(|(other, _)| *other == line) {
            Some((_, names)) => names.push(name(slot)),
            None => lanes.push((line, vec![name(slot)])),
        }
    }
    let mut parts: Vec<String> = found
        .columns
        .iter()
        .filter(|column| !column.returned)
        .map(|column| column.name.clone())
        .collect();
    if parts.len() > VALUES {
        let more = parts.len() - VALUES;
        parts.truncate(VALUES);
        parts.push(format!("{more} more cells"));
    }
    for (line, names) in &lanes {
        let verb = if names.len() == 1 { "gets" } else { "get" };
        parts.push(format!("what {} {verb} back{line}", lanes_of(names)));
    }
    let last = parts.pop()?;
    Some(match parts.is_empty() {
        true => format!("Results differ in {last}."),
        false => format!("Results differ in {} and in {last}.", parts.join(", ")),
    })
}

/// Columns that are left out: cells and returned values that are the same in
/// every result.
fn same(found: &Found, program: &Program) -> Option<String> {
    let first = found.answer.outcomes.first()?;
    let same: Vec<&Column> = found
        .kept()
        .filter(|column| found.is_same(column))
        .filter(|column| column.of(first, program).is_some())
        .collect();
    let value = |column: &&Column| {
        let value = column.of(first, program).unwrap_or(0);
        format!("{} = {}", column.name, show(value, column.ty))
    };
    if same.is_empty() {
        return None;
    }
    let mut told: Vec<String> = same.iter().take(VALUES).map(value).collect();
    if same.len() > VALUES {
        told.push(format!("{} more", same.len() - VALUES));
    }
    Some(format!(
        "The same in every result, so not in the table: {}.",
        told.join(", ")
    ))
}

/// What lanes may get back, those with the same values together.
fn possible(slots: &[Column], program: &Program) -> Vec<String> {
    let mut told: Vec<(Vec<&str>, &Column)> = Vec::new();
    let line = |slot| on_line(slot, slots, program);
    for slot in slots
        .iter()
        .filter(|s| s.possible.as_ref().is_some_and(|p| p.len() > 1))
    {
        let like = told
            .iter_mut()
            .find(|(_, other)| other.possible == slot.possible && line(other) == line(slot));
        match like {
            Some((names, _)) => names.push(name(slot)),
            None => told.push((vec![name(slot)], slot)),
        }
    }
    let more = told.len() > SENTENCES;
    let sentences = told.iter().take(SENTENCES).map(|(names, slot)| {
        let values = slot.possible.as_deref().unwrap_or(&[]);
        let shown = |value: &u64| show(*value, slot.ty);
        let values = match values {
            [first, .., last] if values.len() > VALUES => {
                format!(
                    "{} values from {} to {}",
                    values.len(),
                    shown(first),
                    shown(last)
                )
            }
            _ => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        };
        let (lanes, line) = (capital(&lanes_of(names)), line(slot));
        match names.len() {
            1 => format!("{lanes} gets back one of {values}{line}."),
            _ => format!("{lanes} each get back one of {values}{line}."),
        }
    });
    let mut sentences: Vec<String> = sentences.collect();
    if more {
        sentences.push(String::from("For other lanes, ask below."));
    }
    sentences
}

fn name(slot: &Column) -> &str {
    &slot.name
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// `lane 3`, `lanes 0, 2 and 4 to 7`, `EU0 lane 1 and EU1 lane 1`.
fn lanes_of(names: &[&str]) -> String {
    let numbers: Option<Vec<u32>> = names
        .iter()
        .map(|name| name.strip_prefix("Lane ")?.parse().ok())
        .collect();
    let Some(numbers) = numbers else {
        return listed(names.iter().map(|name| String::from(*name)).collect());
    };
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let runs: Vec<String> = runs
        .iter()
        .flat_map(|(first, last)| match last - first {
            0 => vec![first.to_string()],
            1 => vec![first.to_string(), last.to_string()],
            _ => vec![format!("{first} to {last}")],
        })
        .collect();
    let plural = if names.len() == 1 { "lane" } else { "lanes" };
    format!("{plural} {}", listed(runs))
}

/// `a, b and c`.
pub(super) fn listed(mut parts: Vec<String>) -> String {
    let last = parts.pop().unwrap_or_default();
    match parts.is_empty() {
        true => last,
        false => format!("{} and {last}", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_named_in_runs() {
        assert_eq!(lanes_of(&["Lane 3"]), "lane 3");
        let names = ["Lane 0", "Lane 1", "Lane 3", "Lane 5", "Lane 6", "Lane 7"];
        assert_eq!(lanes_of(&names), "lanes 0, 1, 3 and 5 to 7");
        assert_eq!(
            lanes_of(&["EU0 lane 1", "EU1 lane 1"]),
            "EU0 lane 1 and EU1 lane 1"
        );
        assert_eq!(grouped(&Count::from(2_903_040_usize)), "2,903,040");
        assert_eq!(grouped(&Count::from(720_usize)), "720");
    }
}
