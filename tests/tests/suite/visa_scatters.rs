//! Compares scatters with `exec/scatter4.jsonl`. Each case is run as a scenario.

use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_explore::Search;
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::place::{self, snapshot};
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{self, Bytes, Scatter4};
use std::fmt::Write as _;
use std::rc::Rc;

/// Scenario of a case, with the address in a register, as a constant or through an address
/// variable, and with `order` for lanes and channels.
fn scenario(case: &Scatter4, form: usize, order: &str) -> String {
    let target = if case.grf_size == 64 { "PVC" } else { "XEHP" };
    let count = case.exec_size;
    let src = unhex(&case.src);
    let dwords: Vec<String> = src
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| format!("{:#x}", u32::from_le_bytes(*b)))
        .collect();
    let mask = case.chen.iter().rev();
    let mask = mask.fold(0_u32, |m, bit| m * 2 + u32::from(*bit));
    // Use a small SLM for small snapshots.
    let mut text = format!(
        ".target visa {target}\n.slm 64\n\
         .decl base v_type=G type=uq num_elts=16 align=GRF\n.init base = 0, 0, {address}\n\
         .decl offs v_type=G type=uq num_elts={count} align=GRF\n.init offs = {offsets}\n\
         .decl src v_type=G type=ud num_elts={} align=GRF\n.init src = {}\n\
         .decl A0 v_type=A num_elts=2\n.init A0 = &offs, &base + 48\n.init em = {mask:#x}\n",
        dwords.len(),
        dwords.join(", "),
        address = case.address,
        offsets = case.element_offset.join(", "),
    );
    for (start, bytes) in &case.memory_before {
        let values: Vec<String> = unhex(bytes).iter().map(u8::to_string).collect();
        writeln!(
            text,
            ".region svm {start} {}\n.init svm[{start}] : ub = {}",
            values.len(),
            values.join(", ")
        )
        .unwrap();
    }
    let letters = "RGBA".chars().zip(0..);
    let letters: String = letters
        .filter(|(_, c)| case.channels >> c & 1 == 1)
        .map(|(letter, _)| letter)
        .collect();
    let address = match form {
        0 => "base(0,2)<0;1,0>".to_owned(),
        1 => format!("{}:uq", case.address),
        _ => "r[A0(1),-32]<0;1,0>:uq".to_owned(),
    };
    writeln!(
        text,
        "{order}\nsvm_scatter4scaled.{letters} (M1, {count}) {address} offs.0 src.0"
    )
    .unwrap();
    text
}

/// Final memory after a run and after stepping, which must agree.
fn final_memory(case: &Scatter4, form: usize, order: &str) -> Result<Bytes, String> {
    let text = scenario(case, form, order);
    let program = Program::parse(&text);
    if let Some(d) = program.diagnostics.first() {
        return Err(format!("{} {}\n{text}", d.rule.code, d.what));
    }
    let program = Rc::new(program);
    let outcome = run(&program);
    if let Some(fault) = outcome.fault {
        return Err(fault.message);
    }
    let lanes: usize = case.chen.iter().map(|bit| usize::from(*bit)).sum();
    let effects = lanes * case.channels.count_ones() as usize;
    let mut session = Session::new(Rc::clone(&program));
    while session.step() {}
    if session.position() != effects.max(1) {
        return Err(format!("{} steps, expected {effects}", session.position()));
    }
    if snapshot(session.machine()) != snapshot(&outcome.machine) {
        return Err("a session and a run end in different states".into());
    }
    let mut memory = Bytes::new();
    for (start, bytes) in &case.memory_before {
        let from = format!("svm[{start}] : ub");
        let (values, _) = place::load(&program, &outcome.machine, &from, bytes.len() / 2)?;
        let bytes: Vec<u8> = values.iter().map(|v| u8::try_from(*v).unwrap()).collect();
        memory.insert(start.clone(), hex(&bytes));
    }
    Ok(memory)
}

fn number(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

fn cell(memory: &Bytes, address: u64) -> Option<u32> {
    memory.iter().find_map(|(start, bytes)| {
        let at = usize::try_from(address.checked_sub(number(start))?).ok()?;
        let digits = bytes.get(at * 2..at * 2 + 8)?;
        let bytes: [u8; 4] = unhex(digits).try_into().ok()?;
        Some(u32::from_le_bytes(bytes))
    })
}

/// Orders that mix lanes and channels.
fn orders(case: &Scatter4) -> Vec<String> {
    let symbols = |step: usize, letters: &str| {
        let count = case.exec_size;
        let lanes = (0..count).map(move |i| (i * step + step / 2) % count);
        let mut text = String::from(".order");
        for (turn, lane) in lanes.enumerate() {
            match letters.as_bytes().get(turn % (letters.len() + 1)) {
                Some(letter) => write!(text, " {lane}.{}", char::from(*letter)).unwrap(),
                None => write!(text, " {lane}").unwrap(),
            }
        }
        text
    };
    let enabled: String = "ABGR"
        .chars()
        .filter(|l| "RGBA".find(*l).is_some_and(|c| case.channels >> c & 1 == 1))
        .collect();
    let reversed: Vec<String> = (0..case.exec_size).rev().map(|l| l.to_string()).collect();
    vec![
        format!(".order {}", reversed.join(" ")),
        symbols(1, &enabled),
        symbols(5, &enabled),
        symbols(7, &enabled[..1]),
    ]
}

/// Number of orders with a result different from that of the loop.
fn check(case: &Scatter4) -> Result<usize, String> {
    // The document's loop, with each form of the address.
    for form in 0..3 {
        let left = final_memory(case, form, "")?;
        if left != case.memory_after {
            return Err(format!("address form {form}: {left:?}"));
        }
    }
    let none = Default::default();
    let ambiguous = case.ambiguous.as_ref().unwrap_or(&none);
    let mut differ = 0;
    for order in orders(case) {
        let mut left = final_memory(case, 0, &order)?;
        differ += usize::from(left != case.memory_after);
        for (address, values) in ambiguous {
            let address = number(address);
            let value = cell(&left, address).ok_or("a cell out of bounds")?;
            if !values.iter().any(|v| number(v) == u64::from(value)) {
                return Err(format!("{order}: {address:#x} holds {value:#x}"));
            }
            settle(&mut left, &case.memory_after, address);
        }
        if left != case.memory_after {
            return Err(format!("{order}: a cell without conflict differs"));
        }
    }
    Ok(differ)
}

/// Copies a cell from other memory.
fn settle(memory: &mut Bytes, from: &Bytes, address: u64) {
    for (start, bytes) in memory {
        let Some(at) = address.checked_sub(number(start)) else {
            continue;
        };
        let at = usize::try_from(at).unwrap() * 2;
        if at + 8 <= bytes.len() {
            bytes.replace_range(at..at + 8, &from[start][at..at + 8]);
        }
    }
}

#[test]
fn scatters() {
    let mut report = Report::new(&report::EMULATION, "SVM_SCATTER4_SCALED: execution");
    let (mut emulated, mut differ) = (0, 0);
    for case in vectors::read::<Scatter4>("exec/scatter4.jsonl") {
        let what = match (case.kind.as_str(), &case.ambiguous) {
            ("overlap", Some(_)) => "cells overlap: the loop, and possible final values",
            ("negative_offset", None) => "offsets wrap",
            ("masked", None) => "lanes disabled",
            ("random", None) => "every cell once",
            _ => "",
        };
        let class = format!(
            "{} lanes, {}-byte registers: {what}",
            case.exec_size, case.grf_size
        );
        let padded = case.flags.iter().any(|f| f == "padded_channel_stride");
        let as_flagged = padded == (case.exec_size == 8 && case.grf_size == 64);
        emulated += usize::from(case.observed.as_deref() == Some("match"));
        let result = match (what, as_flagged && case.scale == 0) {
            ("", _) => Err("unknown kind of case".to_owned()),
            (_, false) => Err("invalid flags".to_owned()),
            _ => check(&case).map(|orders| differ += orders),
        };
        report.count(&class, result.map_err(|e| format!("{}: {e}", case.id)));
    }
    println!("  {emulated} of these match Intel's CPU emulation");
    assert_eq!(emulated, 24, "cases that match the emulation");
    println!("  {differ} other orders have different values in overlapping cells");
    assert!(
        differ > 24,
        "half of the orders of 12 cases have a different result"
    );
    report.finish(101, &SCATTERS);
}

const SCATTERS: [(&str, usize); 15] = [
    (
        "16 lanes, 32-byte registers: cells overlap: the loop, and possible final values",
        4,
    ),
    ("16 lanes, 32-byte registers: every cell once", 12),
    ("16 lanes, 32-byte registers: lanes disabled", 9),
    ("16 lanes, 32-byte registers: offsets wrap", 1),
    (
        "16 lanes, 64-byte registers: cells overlap: the loop, and possible final values",
        2,
    ),
    ("16 lanes, 64-byte registers: every cell once", 7),
    ("16 lanes, 64-byte registers: lanes disabled", 9),
    ("16 lanes, 64-byte registers: offsets wrap", 1),
    (
        "8 lanes, 32-byte registers: cells overlap: the loop, and possible final values",
        3,
    ),
    ("8 lanes, 32-byte registers: every cell once", 12),
    ("8 lanes, 32-byte registers: lanes disabled", 11),
    (
        "8 lanes, 64-byte registers: cells overlap: the loop, and possible final values",
        3,
    ),
    ("8 lanes, 64-byte registers: every cell once", 14),
    ("8 lanes, 64-byte registers: lanes disabled", 12),
    ("8 lanes, 64-byte registers: offsets wrap", 1),
];

/// A search finds exactly the possible final values of conflicting cells.
#[test]
fn outcomes() {
    let (mut cases, mut cells) = (0, 0);
    for case in vectors::read::<Scatter4>("exec/scatter4.jsonl") {
        let program = Rc::new(Program::parse(&scenario(&case, 0, "")));
        let mut search = Search::new(Rc::clone(&program), 1);
        search.finish();
        let answer = search.result();
        assert!(answer.complete, "{}", case.id);
        let mut expected = 1_u128;
        let ambiguous = case.ambiguous.clone().unwrap_or_default();
        for (address, values) in &ambiguous {
            let mut conflicts = answer.conflicts.iter();
            let conflict = conflicts.find(|c| c.address == number(address));
            let mut found = conflict.unwrap().contents.clone().unwrap();
            let mut wanted: Vec<u64> = values.iter().map(|v| number(v)).collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{} {address}", case.id);
            expected *= wanted.len() as u128;
            cells += 1;
        }
        assert_eq!(
            answer.count.to_string(),
            expected.to_string(),
            "{}",
            case.id
        );
        cases += usize::from(!ambiguous.is_empty());
    }
    println!("  {cells} ambiguous cells in {cases} cases");
    assert_eq!((cases, cells), (12, CELLS));
}

const CELLS: usize = 86;
