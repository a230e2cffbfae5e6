//! Counts of outcomes without listing, and partial results of large searches.

use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_explore::{Count, Search};
use lanewise_tests::one_cell::{factorial, one_cell};
use lanewise_tests::orders::{self, key};
use lanewise_tests::outcomes::{parse, search};
use std::rc::Rc;

const BELL_16: &str = "10480142147";
const BELL_32: &str = "128064670049908713818925644";

/// Counts without listing.
#[test]
fn outcomes_of_many_lanes_are_counted() {
    let iota = "iota(FROM, 1)";
    let zero = "splat(0)";
    let no = "V0";
    let cases = [
        // Sums of positive numbers increase, so each order returns different values.
        ("add", 16, "0", iota, no, zero, factorial(16), "1"),
        ("add", 16, "7", iota, no, no, "1".into(), &factorial(16)),
        ("sub", 16, "5", iota, no, zero, factorial(16), "1"),
        ("sub", 64, "5", iota, no, zero, factorial(64), "1"),
        ("xchg", 16, "99", iota, no, zero, factorial(16), "1"),
        // The first lane writes the current value; its position does not matter.
        ("xchg", 16, "1", iota, no, zero, factorial(16), "1"),
        ("xchg", 32, "99", iota, no, zero, factorial(32), "1"),
        ("xchg", 64, "5", iota, no, zero, factorial(64), "1"),
        ("xchg", 16, "99", iota, no, no, "16".into(), &factorial(15)),
        ("xchg", 32, "99", iota, no, no, "32".into(), &factorial(31)),
        // One lane wins; the others find its value.
        (
            "cmpxchg",
            16,
            "0",
            iota,
            zero,
            zero,
            "16".into(),
            &factorial(15),
        ),
        (
            "cmpxchg",
            32,
            "0",
            iota,
            zero,
            zero,
            "32".into(),
            &factorial(31),
        ),
        (
            "cmpxchg",
            64,
            "0",
            iota,
            zero,
            zero,
            "64".into(),
            &factorial(63),
        ),
        (
            "cmpxchg",
            32,
            "0",
            iota,
            zero,
            no,
            "32".into(),
            &factorial(31),
        ),
        // Outcomes correspond to set partitions: a lane is in the block of the lane whose
        // value it finds.
        ("fmin", 16, "99", iota, no, zero, BELL_16.into(), ""),
        ("min", 16, "99", iota, no, zero, BELL_16.into(), ""),
        ("fmax", 16, "0", iota, no, zero, BELL_16.into(), ""),
        ("fmin", 32, "99", iota, no, zero, BELL_32.into(), ""),
        ("fmin", 32, "99", iota, no, no, "1".into(), &factorial(32)),
        // Equal lanes.
        ("inc", 32, "0", no, no, zero, factorial(32), "1"),
        ("predec", 32, "0", no, no, zero, factorial(32), "1"),
        ("inc", 64, "0", no, no, zero, factorial(64), "1"),
        ("inc", 64, "0", no, no, no, "1".into(), &factorial(64)),
        ("add", 32, "0", "splat(3)", no, zero, factorial(32), "1"),
        (
            "xchg",
            32,
            "3",
            "splat(4)",
            no,
            zero,
            "32".into(),
            &factorial(31),
        ),
        (
            "or",
            16,
            "0",
            "1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768",
            no,
            zero,
            factorial(16),
            "1",
        ),
    ];
    for (operation, lanes, start, src0, src1, dst, count, each) in cases {
        let operation = if operation == "predec" {
            "predec"
        } else {
            operation
        };
        let text = one_cell(operation, lanes, start, src0, src1, dst);
        let text = if operation == "predec" {
            text.replace(
                "type=ud num_elts=32 align=GRF\n.init EU0.dst",
                "type=d num_elts=32 align=GRF\n.init EU0.dst",
            )
        } else {
            text
        };
        let program = parse(&text);
        let answer = search(&program, 100, 100_000);
        let what = format!("{operation} of {lanes} lanes");
        assert!(answer.complete, "{what}");
        assert_eq!(answer.count.to_string(), count, "{what}");
        assert_eq!(
            answer.orders.unwrap().to_string(),
            factorial(lanes),
            "{what}"
        );
        assert_eq!(answer.outcomes.len(), count.parse().unwrap_or(100).min(100));
        for outcome in &answer.outcomes {
            let orders = outcome.orders.as_ref().unwrap().to_string();
            assert!(each.is_empty() || orders == *each, "{what}: {orders}");
            let mut replayed = Program::clone(&program);
            replayed.instructions[0].order = orders::order(&outcome.schedules[0].units);
            let end = outcome.machine(&program);
            assert_eq!(key(&run(&replayed).machine), key(&end), "{what}");
        }
    }
}

/// Large searches are incomplete, and their partial results are exact.
#[test]
fn incomplete_results_are_marked() {
    let text = one_cell("xor", 32, "0", "iota(FROM, 1)", "V0", "splat(0)");
    let program = parse(&text);
    let answer = search(&program, 10, 100_000);
    assert!(!answer.complete);
    assert_eq!(answer.outcomes.len(), 10);
    // Listed outcomes are distinct; their numbers of orders are unknown.
    let mut ends = Vec::new();
    for outcome in &answer.outcomes {
        assert!(outcome.orders.is_none());
        ends.push(key(&outcome.machine(&program)));
    }
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 10);
    assert_eq!(answer.orders.unwrap().to_string(), factorial(32));
    // The last lane adds bit 5; the others can produce any lower value before it.
    let returns = &answer.conflicts[0].returns;
    assert_eq!(returns.len(), 32);
    assert_eq!(returns[31], Some((0..32).collect::<Vec<u64>>()));
    assert_eq!(returns[0], Some((0..64).collect::<Vec<u64>>()));
    // A chain of compare-and-swap: lane i changes i to i + 1.
    let text = one_cell(
        "cmpxchg",
        32,
        "0",
        "iota(FROM, 1)",
        "iota(0, 1)",
        "splat(0)",
    );
    let answer = search(&parse(&text), 10, 100_000);
    assert!(!answer.complete);
    let conflict = &answer.conflicts[0];
    let contents = conflict.contents.as_ref().unwrap();
    assert_eq!(*contents, (1..=32).collect::<Vec<u64>>());
    // Without lane 7 the value cannot exceed 7.
    assert_eq!(conflict.returns[7], Some((0..=7).collect::<Vec<u64>>()));
}

/// Any number of lanes that only add is counted, unless the sum wraps.
#[test]
fn sums_are_counted_without_a_search() {
    let sum = |lanes, start: &str, src0: &str, dst: &str| {
        let program = parse(&one_cell("add", lanes, start, src0, "V0", dst));
        let mut search = Search::new(Rc::clone(&program), 10);
        search.finish();
        search.result()
    };
    for lanes in [2, 16, 32, 64] {
        let answer = sum(lanes, "7", "iota(FROM, 1)", "splat(0)");
        assert!(answer.complete, "{lanes}");
        assert_eq!(answer.count.to_string(), factorial(lanes));
        assert_eq!(answer.orders.unwrap().to_string(), factorial(lanes));
        let conflict = &answer.conflicts[0];
        let all = u64::from(lanes * (lanes + 1) / 2);
        assert_eq!(conflict.contents, Some(vec![7 + all]));
        // Lane 0 adds 1; it may find any sum of the others: 2, 3, …
        let first = conflict.returns[0].as_ref();
        match lanes {
            2 => assert_eq!(*first.unwrap(), [7, 9]),
            64 => assert!(first.is_none(), "too many values"),
            _ => {
                let missing = [7 + 1, 7 + all - 2];
                let sums = (7..7 + all).filter(|sum| !missing.contains(sum));
                assert_eq!(*first.unwrap(), sums.collect::<Vec<_>>());
            }
        }
    }
    // The position of lanes that add 0 does not matter.
    let answer = sum(4, "0", "0, 5, 0, 9", "splat(0)");
    assert_eq!(answer.count.to_string(), "18");
    let orders = answer.outcomes.iter().filter_map(|o| o.orders.as_ref());
    let orders: usize = orders.filter_map(|orders| orders.to_usize()).sum();
    assert_eq!((answer.outcomes.len(), orders <= 24), (10, true));
    // Sums that wrap are searched.
    let answer = sum(4, "0", "0x80000000, 0x80000000, 1, 2", "splat(0)");
    assert!(answer.complete);
    assert!(sum(32, "1", "iota(FROM, 1)", "V0").complete);
}

/// A search can be left at any time.
#[test]
fn search_can_stop_anywhere() {
    let program = parse(&one_cell("xor", 12, "0", "iota(FROM, 1)", "V0", "splat(0)"));
    for slices in [0, 1, 2, 10] {
        let mut search = Search::new(Rc::clone(&program), 5);
        let mut before = 0;
        for _ in 0..slices {
            let progress = search.work(100);
            assert!(!progress.done && progress.permille >= before);
            before = progress.permille;
        }
        let answer = search.result();
        // The default order gives at least one outcome.
        assert!(!answer.complete && answer.outcomes.len() == 1);
    }
}

/// An instruction that does not depend on the previous state is counted once; the
/// counts are multiplied.
#[test]
fn independent_instructions_multiply_the_count() {
    // Including adjacent cells.
    for (first, second) in [(0, 32), (4, 0), (0, 4)] {
        check_other_cells(first, second);
    }
}

fn check_other_cells(first: u64, second: u64) {
    let text = format!(
        "\
.slm 64
.decl P0 v_type=P num_elts=32
.init P0 = 7
.decl first v_type=G type=ud num_elts=32 align=GRF
.decl second v_type=G type=ud num_elts=32 align=GRF
.decl with v_type=G type=ud num_elts=32 align=GRF
.decl found v_type=G type=ud num_elts=32 align=GRF
.decl other v_type=G type=ud num_elts=32 align=GRF
.init first = splat({first})
.init second = splat({second})
.init with = iota(1, 1)
.init em = 0xffff
(P0) dword_atomic.xchg (M1, 16) %slm first.0 with.0 V0 found.0
dword_atomic.add (M1, 16) %slm second.0 with.0 V0 other.0
"
    );
    let program = parse(&text);
    let mut search = Search::new(Rc::clone(&program), 20).with_distributions();
    search.finish();
    let answer = search.result();
    assert!(answer.complete);
    // Six outcomes of three lanes, times 16!.
    let mut count = Count::factorial(16);
    count.multiply(&Count::from(6_usize));
    assert_eq!(
        (&answer.count, answer.orders.as_ref()),
        (&count, Some(&count))
    );
    assert_eq!(answer.outcomes.len(), 20);
    let mut ends = Vec::new();
    for outcome in &answer.outcomes {
        assert_eq!(outcome.orders.as_ref().and_then(Count::to_usize), Some(1));
        let mut replayed = Program::clone(&program);
        for schedule in &outcome.schedules {
            replayed.instructions[schedule.instruction as usize].order =
                orders::order(&schedule.units);
        }
        let end = key(&outcome.machine(&program));
        assert_eq!(key(&run(&replayed).machine), end);
        ends.push(end);
    }
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 20);
    let [first, second] = answer.conflicts.as_slice() else {
        panic!("{:?}", answer.conflicts);
    };
    assert_eq!(first.count, Some(Count::from(6_usize)));
    assert_eq!(second.count, Some(Count::factorial(16)));
    assert_eq!(second.contents, Some(vec![136]));
    let shares = second.distribution().expect("values are few").contents;
    let [(content, share)] = shares.as_slice() else {
        panic!("{shares:?}");
    };
    assert!(*content == 136 && (share - 1.0).abs() < 1e-9, "{shares:?}");
}

/// Counted even if a single lane restores the initial value.
#[test]
fn lane_that_restores_the_initial_value_is_counted() {
    // 15 lanes change 0 to 1, 2, …; the last one changes 1 to 0.
    let values: Vec<String> = (1..16).chain([0]).map(|value| value.to_string()).collect();
    let mut compared = vec!["0"; 15];
    compared.push("1");
    let (values, compared) = (values.join(", "), compared.join(", "));
    let text = one_cell("cmpxchg", 16, "0", &values, &compared, "splat(0)");
    let answer = search(&parse(&text), 5, 100_000);
    assert!(answer.complete);
    // If a lane with 2, 3, … is first, the last lane finds 0 or that value. If the lane
    // with 1 is first, the last lane finds 0, or 1 after some of the other 14; then the
    // first remaining lane determines what the others find.
    let wanted = 14 * 2 + 1 + (14 << 13) + 1;
    assert_eq!(answer.count.to_usize(), Some(wanted));
}

/// Sampled outcomes are distinct, although lanes that do not exchange may have several
/// equivalent positions.
#[test]
fn sampled_outcomes_are_distinct() {
    let mut values = vec!["5"; 30];
    values.extend(["0", "0"]);
    let values = values.join(", ");
    let text = one_cell("xor", 64, "0", &values, "V0", "splat(0)");
    let program = parse(&text);
    let answer = search(&program, 200, 100_000);
    assert!(!answer.complete);
    let mut ends: Vec<_> = answer
        .outcomes
        .iter()
        .map(|outcome| key(&outcome.machine(&program)))
        .collect();
    assert!(ends.len() > 1);
    let all = ends.len();
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), all);
}
