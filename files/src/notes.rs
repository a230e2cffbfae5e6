//! Notes on what a function contains that does not run, and on what the results
//! of a scenario rest on.

use crate::{Content, Function, Item, commented, is_proposed};
use lanewise_core::isa::Instruction;
use lanewise_core::isa::visa::op::{self, Behavior};
use lanewise_core::program::Program;
use std::collections::BTreeMap;
use std::fmt;

/// Maximum number of names in a note.
const MAX_NAMES: usize = 12;

/// Number of instructions by name.
#[derive(Default)]
pub(crate) struct Counts<'f>(BTreeMap<&'f str, usize>);

impl<'f> Counts<'f> {
    pub(crate) fn of(names: impl Iterator<Item = &'f str>) -> Self {
        let mut counts = Self::default();
        for name in names {
            *counts.0.entry(name).or_default() += 1;
        }
        counts
    }

    fn total(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Counts<'_> {
    /// Writes the most frequent names first: "12 × `mov`, `ret`".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted: Vec<_> = self.0.iter().collect();
        sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (index, (name, count)) in sorted.iter().take(MAX_NAMES).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            match count {
                1 => write!(f, "{comma}`{name}`")?,
                _ => write!(f, "{comma}{count} × `{name}`")?,
            }
        }
        match sorted.len().saturating_sub(MAX_NAMES) {
            0 => Ok(()),
            more => write!(f, " and {more} more kinds"),
        }
    }
}

/// Adds the notes on lines that are errors, and then on instructions that are not
/// modeled, before the other notes.
pub(crate) fn add(function: &mut Function) {
    let notes = match function.comments_others() {
        false => [unreadable(function, true), not_modelled_in(function)],
        true => [unreadable(function, false), comments(function)],
    };
    function.notes.splice(0..0, notes.into_iter().flatten());
}

pub(crate) fn unreadable(function: &Function, includes_other: bool) -> Option<String> {
    let counts = Counts::of(
        function
            .items
            .iter()
            .filter_map(|item| match &item.content {
                Content::Incomplete { text, .. } => Some(mnemonic(text)),
                Content::Other(text) if includes_other => Some(mnemonic(text)),
                Content::Unreadable(_) => Some("unreadable"),
                _ => None,
            }),
    );
    match counts.total() {
        0 => None,
        1 => Some(format!(
            "1 instruction cannot be read, so the function cannot run: {counts}"
        )),
        total => Some(format!(
            "{total} instructions cannot be read, so the function cannot run: {counts}"
        )),
    }
}

fn not_modelled_in(function: &Function) -> Option<String> {
    let is_not_modelled = |name: &&str| {
        let spec = Instruction::named(function.target.family(), name);
        let op = spec.and_then(op::of_spec);
        op.is_some_and(|op| op.behavior == Behavior::NotModelled)
    };
    let names = function
        .items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Instruction { text, .. } => Some(mnemonic(text)),
            _ => None,
        });
    not_modelled_note(&Counts::of(names.filter(is_not_modelled)))
}

/// Note on the instructions of a vISA program that are not modeled, if any.
#[must_use]
pub fn not_modelled(program: &Program) -> Option<String> {
    let specs = program.instructions.iter();
    let specs = specs.map(|placed| placed.instruction.spec());
    let specs = specs.filter(|spec| {
        let op = op::of_spec(spec);
        op.is_some_and(|op| op.behavior == Behavior::NotModelled)
    });
    let names: Vec<String> = specs.map(|spec| spec.name.to_ascii_lowercase()).collect();
    not_modelled_note(&Counts::of(names.iter().map(String::as_str)))
}

pub(crate) fn not_modelled_note(counts: &Counts<'_>) -> Option<String> {
    match counts.total() {
        0 => None,
        1 => Some(format!(
            "1 instruction is not modeled, and stops a run that reaches it: {counts}"
        )),
        total => Some(format!(
            "{total} instructions are not modeled, and stop a run that reaches them: {counts}"
        )),
    }
}

/// Note on the instructions that are comments in a scenario of atomics.
pub(crate) fn comments(function: &Function) -> Option<String> {
    let other = |item: &&Item| matches!(item.content, Content::Other(_));
    let names = function.items.iter().filter(other);
    let counts = Counts::of(names.map(|item| match &item.content {
        Content::Other(text) if !text.starts_with("0x") => mnemonic(text),
        _ => "unknown",
    }));
    match counts.total() {
        0 => None,
        1 => Some(format!(
            "1 instruction is not modeled, and is a comment: {counts}"
        )),
        total => Some(format!(
            "{total} instructions are not modeled, and are comments: {counts}"
        )),
    }
}

/// Name of the instruction of a line, without predicate and suffixes.
pub(crate) fn mnemonic(line: &str) -> &str {
    let line = line.trim_start();
    let line = match line.strip_prefix('(') {
        Some(predicate) => predicate.split_once(')').map_or(line, |(_, rest)| rest),
        None => line,
    };
    let mut words = line
        .split_whitespace()
        .filter(|word| !word.starts_with('@'));
    let word = words.next().unwrap_or(line);
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &word[..end.filter(|end| *end > 0).unwrap_or(word.len())]
}

/// Caveats of the results of a scenario, one sentence each.
#[must_use]
pub fn caveats(text: &str) -> Vec<String> {
    let mut caveats = Vec::new();
    match commented(text).instructions {
        0 => {}
        1 => caveats.push(String::from("1 instruction is a comment and does not run")),
        count => caveats.push(format!("{count} instructions are comments and do not run")),
    }
    if is_proposed(text) {
        caveats.push(String::from(
            "memory and start values are proposals, not from the file",
        ));
    }
    caveats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_are_found_behind_predicates_and_guards() {
        for (line, name) in [
            ("mov (M1, 8) V32 V33", "mov"),
            ("(!P1.any) goto (M1, 16) L", "goto"),
            ("@!P0 LDG.E R0, [R2]", "LDG"),
            ("lsc_load.ugm (M1, 16)", "lsc_load"),
            ("(P1", "(P1"),
            ("\"a\"", "\"a\""),
            ("", ""),
        ] {
            assert_eq!(mnemonic(line), name);
        }
    }

    #[test]
    fn frequent_names_come_first() {
        let names = ["b", "a", "c", "a"];
        let counts = Counts::of(names.into_iter());
        assert_eq!(counts.to_string(), "2 × `a`, `b`, `c`");
        let many: Vec<String> = (0..20).map(|n| format!("i{n:02}")).collect();
        let counts = Counts::of(many.iter().map(String::as_str));
        assert!(counts.to_string().ends_with("`i11` and 8 more kinds"));
    }
}
