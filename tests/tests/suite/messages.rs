//! Every message and help text, as a table for review.
//!
//! `UPDATE=1 cargo test -p lanewise-tests --test suite messages` rewrites the table
//! `tests/messages.txt`.

use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::rules;
use lanewise_tests::breaks::{BREAKS, Break, MORE};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/messages.txt");

#[test]
fn every_rule_can_be_broken() {
    let listed: BTreeSet<&str> = BREAKS.iter().map(|(code, _)| *code).collect();
    let all: BTreeSet<&str> = rules::ALL.iter().map(|rule| rule.code).collect();
    assert_eq!(listed, all, "one entry per rule");
    let mut wrong = Vec::new();
    for (code, how) in BREAKS {
        let found = how.diagnostics();
        let codes: BTreeSet<&str> = found.iter().map(|d| d.rule.code).collect();
        if !matches!(how, Break::Not(_)) && !codes.contains(code) {
            wrong.push(format!("{code} is not reported, but {codes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_match_the_table() {
    let breaks = BREAKS.iter().map(|(_, how)| how);
    let found: Vec<Diagnostic> = breaks.chain(MORE).flat_map(Break::diagnostics).collect();
    let mut messages: BTreeMap<&str, BTreeSet<(String, String)>> = BTreeMap::new();
    for d in found {
        let texts = (d.what.clone(), d.help.clone());
        messages.entry(d.rule.code).or_default().insert(texts);
    }
    let mut table = String::new();
    for rule in rules::ALL {
        writeln!(table, "{} {}", rule.code, rule.why).unwrap();
        for (what, help) in messages.remove(rule.code).unwrap_or_default() {
            writeln!(table, "    {what}").unwrap();
            if !help.is_empty() {
                writeln!(table, "        help: {help}").unwrap();
            }
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(TABLE, &table).unwrap();
    }
    let expected = std::fs::read_to_string(TABLE).unwrap_or_default();
    let differing = table.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert!(
        table == expected,
        "messages changed, review with UPDATE=1: {differing:?}"
    );
}
