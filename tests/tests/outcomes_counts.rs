//! Counts of outcomes that are known without listing results, and what is known
//! where results are too many.

use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_explore::{Count, Search};
use lanewise_tests::one_cell::{factorial, one_cell};
use lanewise_tests::orders::{self, key};
use lanewise_tests::outcomes::{parse, search};
use std::rc::Rc;

const BELL_16: &str = "10480142147";
const BELL_32: &str = "128064670049908713818925644";

/// Counts that are known without listing results.
#[test]
fn many_lanes_are_counted() {
    let iota = "iota(FROM, 1)";
    let zero = "splat(0)";
    let no = "V0";
    let cases = [
        // Sums of positive numbers only rise: each order returns others.
        ("add", 16, "0", iota, no, zero, factorial(16), "1"),
        ("add", 16, "7", iota, no, no, "1".into(), &factorial(16)),
        ("sub", 16, "5", iota, no, zero, factorial(16), "1"),
        ("sub", 64, "5", iota, no, zero, factorial(64), "1"),
        ("xchg", 16, "99", iota, no, zero, factorial(16), "1"),
        // The first lane writes what is there; it may go anywhere.
        ("xchg", 16, "1", iota, no, zero, factorial(16), "1"),
        ("xchg", 32, "99", iota, no, zero, factorial(32), "1"),
        ("xchg", 64, "5", iota, no, zero, factorial(64), "1"),
        ("xchg", 16, "99", iota, no, no, "16".into(), &factorial(15)),
        ("xchg", 32, "99", iota, no, no, "32".into(), &factorial(31)),
        // One wins, the others find what it left.
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
        // Each lane is in the block of the lane that it found: partitions.
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

/// What is too much is never called complete, and what is known is exact.
#[test]
fn what_is_not_complete_says_so() {
    let text = one_cell("xor", 32, "0", "iota(FROM, 1)", "V0", "splat(0)");
    let program = parse(&text);
    let answer = search(&program, 10, 100_000);
    assert!(!answer.complete);
    assert_eq!(answer.outcomes.len(), 10);
    // Those that are listed differ; how many orders lead to each is not known.
    let mut ends = Vec::new();
    for outcome in &answer.outcomes {
        assert!(outcome.orders.is_none());
        ends.push(key(&outcome.machine(&program)));
    }
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 10);
    assert_eq!(answer.orders.unwrap().to_string(), factorial(32));
    // The last lane brings bit 5; before it the others make anything below.
    let returns = &answer.conflicts[0].returns;
    assert_eq!(returns.len(), 32);
    assert_eq!(returns[31], Some((0..32).collect::<Vec<u64>>()));
    assert_eq!(returns[0], Some((0..64).collect::<Vec<u64>>()));
    // A chain of compares: lane i makes i + 1 of i.
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
    // Without lane 7 nobody makes more than 7.
    assert_eq!(conflict.returns[7], Some((0..=7).collect::<Vec<u64>>()));
}

/// Lanes that only add are counted whatever their number, as long as the sum
/// does not come round.
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
        // The first adds 1; any sum of the others may be returned: 2, 3, …
        let first = conflict.returns[0].as_ref();
        match lanes {
            2 => assert_eq!(*first.unwrap(), [7, 9]),
            64 => assert!(first.is_none(), "these are many"),
            _ => {
                let missing = [7 + 1, 7 + all - 2];
                let sums = (7..7 + all).filter(|sum| !missing.contains(sum));
                assert_eq!(*first.unwrap(), sums.collect::<Vec<_>>());
            }
        }
    }
    // Lanes that add nothing may be anywhere.
    let answer = sum(4, "0", "0, 5, 0, 9", "splat(0)");
    assert_eq!(answer.count.to_string(), "18");
    let orders = answer.outcomes.iter().filter_map(|o| o.orders.as_ref());
    let orders: usize = orders.filter_map(|orders| orders.to_usize()).sum();
    assert_eq!((answer.outcomes.len(), orders <= 24), (10, true));
    // Sums that come round are searched.
    let answer = sum(4, "0", "0x80000000, 0x80000000, 1, 2", "splat(0)");
    assert!(answer.complete);
    assert!(sum(32, "1", "iota(FROM, 1)", "V0").complete);
}

/// A search can be left at any time.
#[test]
fn a_search_stops_anywhere() {
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
        // The program's own order gives one, at least.
        assert!(!answer.complete && answer.outcomes.len() == 1);
    }
}

/// What does the same in every state before it is counted once, however many
/// states there are: its results times theirs.
#[test]
fn instructions_on_other_cells_multiply_the_results() {
    // Also where the cells are neighbours.
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
    // Six results of three lanes, then 16!.
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

/// Only the content before the instruction recurs, and one lane alone leads back
/// to it: that is counted too.
#[test]
fn one_lane_that_leads_back_to_the_start_is_counted() {
    // 15 lanes make 1, 2, … of 0, and the last one 0 of 1.
    let values: Vec<String> = (1..16).chain([0]).map(|value| value.to_string()).collect();
    let mut compared = vec!["0"; 15];
    compared.push("1");
    let (values, compared) = (values.join(", "), compared.join(", "));
    let text = one_cell("cmpxchg", 16, "0", &values, &compared, "splat(0)");
    let answer = search(&parse(&text), 5, 100_000);
    assert!(answer.complete);
    // One of 2, 3, … first: the last lane finds 0 or what that one left. 1 first: the
    // last lane finds 0, or 1 after some of the other 14. Then the first of those
    // that are left decides what the others of them find, if there are any.
    let wanted = 14 * 2 + 1 + (14 << 13) + 1;
    assert_eq!(answer.count.to_usize(), Some(wanted));
}

/// Where results are too many, those that are listed differ: lanes that exchange
/// nothing may come at many times and find the same.
#[test]
fn a_sample_of_results_has_none_twice() {
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
