//! Very large searches stop at their work limit, within their memory limit, with valid
//! outcomes.

use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_explore::{DEFAULT_WORK, Search, SearchResult};
use lanewise_tests::allocated::{self, Counting};
use lanewise_tests::orders;
use lanewise_tests::outcomes::parse;
use std::fmt::Write as _;
use std::rc::Rc;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Memory limit of a search.
const MAX_BYTES: i64 = 256_000_000;

/// `lanes` lanes that exchange and then add on one cell.
fn exchange_then_add(lanes: u32) -> String {
    format!(
        ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl V34 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl V35 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl V36 v_type=G type=ud num_elts=8 align=GRF\n\
         .init V33 = iota(10, 10)\n.init V35 = iota(1, 1)\n.init em = {:#x}\n\
         dword_atomic.xchg (M1, 8) %slm V32.0 V33.0 %null.0 V34.0\n\
         dword_atomic.add (M1, 8) %slm V32.0 V35.0 %null.0 V36.0\n",
        (1 << lanes) - 1
    )
}

fn copies(head: &str, line: &str, count: usize) -> String {
    let mut text = String::from(head);
    for _ in 0..count {
        writeln!(text, "{line}").unwrap();
    }
    text
}

/// Searches with the default budget and checks the listed outcomes.
fn search(name: &str, text: &str) -> SearchResult {
    let program = parse(text);
    let before = allocated::start();
    let started = std::time::Instant::now();
    let mut search = Search::new(Rc::clone(&program), 20);
    search.finish();
    let spent = search.spent();
    let result = search.result();
    let bytes = allocated::peak() - before;
    println!(
        "  {:5.2} s {:10} units {:6.1} MB  {name}: {}{} results",
        started.elapsed().as_secs_f64(),
        spent,
        bytes as f64 / 1e6,
        if result.complete { "" } else { "at least " },
        result.count,
    );
    // The last unit of work may be charged after it is done.
    assert!(spent <= DEFAULT_WORK + DEFAULT_WORK / 10, "{name}: {spent}");
    assert!(bytes <= MAX_BYTES, "{name}: {bytes} bytes");
    assert!(!result.outcomes.is_empty(), "{name}");
    let mut seen = Vec::new();
    for outcome in &result.outcomes {
        let mut replayed = Program::clone(&program);
        for schedule in &outcome.schedules {
            let index = usize::try_from(schedule.instruction).unwrap();
            replayed.instructions[index].order = orders::order(&schedule.units);
        }
        let key = orders::key(&outcome.machine(&program));
        assert_eq!(orders::key(&run(&replayed).machine), key, "{name}");
        assert!(!seen.contains(&key), "{name}: listed twice");
        seen.push(key);
    }
    result
}

#[test]
fn exchange_then_add_is_bounded() {
    for lanes in 4..=8 {
        let result = search(&format!("{lanes} lanes"), &exchange_then_add(lanes));
        // 4 and 5 lanes are exact: the returned values reveal the order of exchanges.
        let exact = match lanes {
            4 => Some(576),
            5 => Some(14_400),
            _ => None,
        };
        assert_eq!(result.complete, exact.is_some(), "{lanes}");
        if exact.is_some() {
            assert_eq!(result.count.to_usize(), exact, "{lanes}");
        }
    }
}

#[test]
fn repeated_lines_are_bounded() {
    let head = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
                .decl V34 v_type=G type=ud num_elts=8 align=GRF\n\
                .init V33 = iota(1, 1)\n";
    let line = "dword_atomic.xchg (M1, 8) %slm V32.0 V33.0 %null.0 V34.0";
    let result = search("300 exchanges", &copies(head, line, 300));
    assert_eq!(result.outcomes[0].schedules.len(), 300);
    let line = "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0";
    search("300 additions", &copies(head, line, 300));
    let line = "dword_atomic.xor (M1, 8) %slm V32.0 V33.0 %null.0 V34.0";
    search("300 exclusive ors", &copies(head, line, 300));
    let head = ".target sass SM60\n.region global 0x10000 64\n.init R2 = splat(0x10000)\n\
                .init R4 = random(7)\n";
    let line = "ATOM.ADD.F32.FTZ.RN R0, [R2], R4;";
    assert!(!search("50 float additions", &copies(head, line, 50)).complete);
}

/// The result does not depend on the slices.
#[test]
fn exhausted_budget_is_deterministic() {
    let program = parse(&exchange_then_add(6));
    let end = |slice: u64| {
        let mut search = Search::new(Rc::clone(&program), 20).with_work(200_000);
        while !search.work(slice).done {}
        let result = search.result();
        assert!(!result.complete);
        result.count
    };
    assert_eq!(end(200_000), end(200_000));
    // A stopped search returns its partial result.
    let mut search = Search::new(Rc::clone(&program), 20);
    search.work(1000);
    search.stop();
    let result = search.result();
    assert!(!result.complete && !result.outcomes.is_empty());
}
