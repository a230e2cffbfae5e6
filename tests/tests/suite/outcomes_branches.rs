//! Outcomes of programs with branches: loops, locks, and small random programs
//! against every order of the lanes in conflict, one run each.

use lanewise_core::isa::FaultKind;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_explore::{Count, DEFAULT_WORK, Outcome, Search, SearchResult, issues_once};
use lanewise_tests::orders::{self, End};
use lanewise_tests::outcomes::{parse, search};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::Config;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::rc::Rc;

/// Variables of eight lanes, of which `lanes` run.
fn head(lanes: u32) -> String {
    let mut text = format!(
        ".slm 64\n.init em = {:#x}\n.decl P1 v_type=P num_elts=8\n",
        (1 << lanes) - 1
    );
    for (name, values) in [
        ("zero", "splat(0)"),
        ("one", "splat(1)"),
        ("four", "splat(4)"),
        ("src", "iota(1, 1)"),
        ("old", "splat(0)"),
        ("ticket", "splat(0)"),
        ("count", "splat(0)"),
    ] {
        writeln!(
            text,
            ".decl {name} v_type=G type=ud num_elts=8 align=GRF\n.init {name} = {values}"
        )
        .unwrap();
    }
    text
}

/// Lanes retry until they get a lock; `unlock` lets the next one have it.
fn spin_lock(lanes: u32, unlock: &str) -> String {
    head(lanes)
        + "LOOP:\n\
           dword_atomic.cmpxchg (M1, 8) %slm zero.0 one.0 zero.0 old.0\n\
           cmp.ne (M1, 8) P1 old(0,0)<1;1,0> 0:ud\n\
           (P1) goto (M1, 8) RETRY\n\
           dword_atomic.inc (M1, 8) %slm four.0 V0 V0 ticket.0\n"
        + unlock
        + "RETRY:\n\
           (P1) goto (M1, 8) LOOP\n\
           ret (M1, 1)\n"
}

const UNLOCK: &str = "dword_atomic.xchg (M1, 8) %slm zero.0 zero.0 V0 V0\n";

fn end(program: &Program, outcome: &Outcome) -> End {
    let key = orders::key(&outcome.machine(program));
    (key, outcome.fault.is_some())
}

/// Results that are listed are ends of runs, and differ; `.order` lines replay
/// them.
fn check_listed(
    program: &Program,
    result: &SearchResult,
    brute: &HashMap<End, u64>,
    text: &str,
) -> Result<(), TestCaseError> {
    let mut seen = BTreeSet::new();
    for outcome in &result.outcomes {
        let end = end(program, outcome);
        prop_assert!(brute.contains_key(&end), "not a result\n{text}");
        prop_assert!(seen.insert(end), "listed twice\n{text}");
        prop_assert!(outcome.bytes.iter().all(|b| !b.space.is_control()));
        if let Some(orders) = &outcome.orders {
            prop_assert_eq!(orders, &count(brute[&end]), "{}", text);
        }
        let Some(replay) = outcome.replay(program) else {
            continue;
        };
        let mut replayed = Program::clone(program);
        for schedule in &replay {
            let index = schedule.instruction as usize;
            replayed.instructions[index].order = orders::order(&schedule.units);
        }
        let replayed = Outcome::of_run(&replayed);
        prop_assert!(replayed.is_same_result(outcome), "{replay:?}\n{text}");
    }
    Ok(())
}

fn count(number: u64) -> Count {
    Count::from(number)
}

/// Everything that an answer says must be so.
fn compare(text: &str, slice: u64) -> Result<usize, TestCaseError> {
    let program = parse(text);
    let brute = orders::runs(&program);
    let all: u64 = brute.values().sum();
    let result = search(&program, 100_000, slice);
    prop_assert!(result.complete && !result.has_cycle, "{text}");
    prop_assert_eq!(&result.count, &Count::from(brute.len()), "{}", text);
    prop_assert_eq!(&result.orders, &Some(count(all)), "{}", text);
    prop_assert_eq!(result.outcomes.len(), brute.len(), "{}", text);
    check_listed(&program, &result, &brute, text)?;
    let own = Outcome::of_run(&program);
    prop_assert_eq!(
        result
            .outcomes
            .iter()
            .filter(|o| o.is_same_result(&own))
            .count(),
        1
    );
    let few = search(&program, 2, slice);
    prop_assert_eq!(
        (few.complete, &few.count),
        (true, &result.count),
        "{}",
        text
    );
    prop_assert_eq!(few.outcomes.len(), brute.len().min(2));
    check_listed(&program, &few, &brute, text)?;
    for units in [0, 70, 300, 1000, 3000] {
        let mut search = Search::new(Rc::clone(&program), 100).with_work(units);
        search.finish();
        let stopped = search.result();
        check_listed(&program, &stopped, &brute, text)?;
        let found = stopped.count.to_usize().unwrap();
        prop_assert!((1..=brute.len()).contains(&found), "{found}\n{text}");
        prop_assert!(!stopped.complete || found == brute.len(), "{text}");
    }
    Ok(brute.len())
}

#[test]
fn lanes_of_a_warp_end_apart() {
    let program = parse(
        ".target sass SM80\n.launch grid=1 block=64\n.slm 1024\nS2R R0, SR_TID.X;\n\
         ISETP.LT.AND P0, PT, R0, 0x3d, PT;\n@P0 EXIT;\nATOMS.ADD R1, [RZ], R0;\n\
         STS [0x4], R1;\nEXIT;\n",
    );
    let result = search(&program, 100, 10_000);
    assert!(result.outcomes.len() > 1, "the last of the lanes differs");
}

#[test]
fn lanes_that_retry_a_lock_get_it_in_every_order() {
    for (lanes, results, all) in [(1, 1, 1), (2, 2, 2), (3, 6, 12), (4, 24, 288)] {
        let text = spin_lock(lanes, UNLOCK);
        assert_eq!(compare(&text, 50).unwrap(), results, "{lanes} lanes");
        let result = search(&parse(&text), 100, 1000);
        assert_eq!(result.orders, Some(count(all)));
        for outcome in &result.outcomes {
            // The lanes that are left keep their order where it makes no
            // difference.
            assert_eq!(outcome.orders, Some(count(all / results as u64)));
            assert!(outcome.replay(&parse(&text)).is_some());
        }
    }
    let six = search(&parse(&spin_lock(6, UNLOCK)), 100, 100_000);
    assert!(six.complete);
    assert_eq!(six.count.to_usize(), Some(720));
    // More states than are kept between two issues.
    let eight = search(&parse(&spin_lock(8, UNLOCK)), 100, 100_000);
    assert!(!eight.complete && !eight.has_cycle);
    assert_eq!(eight.outcomes.len(), 100);
}

/// Equal states after different numbers of issues: their runs go on apart, and
/// their results are one.
#[test]
fn ways_of_different_length_are_no_cycle() {
    let text = head(2)
        + "dword_atomic.inc (M1, 8) %slm zero.0 V0 V0 old.0\n\
           cmp.eq (M1, 8) P1 old(0,0)<1;1,0> 0:ud\n\
           mov (M1, 8) old(0,0)<1> 0:ud\n\
           (P1) goto (M1, 1) SHORT\n\
           mov (M1, 8) old(0,0)<1> 1:ud\n\
           mov (M1, 8) old(0,0)<1> 0:ud\n\
           SHORT:\n\
           cmp.eq (M1, 8) P1 old(0,0)<1;1,0> 0:ud\n\
           dword_atomic.xchg (M1, 8) %slm zero.0 src.0 V0 V0\n\
           mov (M1, 8) zero(0,0)<1> 4:ud\n\
           dword_atomic.xchg (M1, 8) %slm zero.0 src.0 V0 ticket.0\n\
           ret (M1, 1)\n";
    assert_eq!(compare(&text, 100).unwrap(), 4);
    let result = search(&parse(&text), 100, 100);
    assert_eq!(result.orders, Some(count(8)));
    // The last exchange has other issue numbers on the two ways.
    let issues: BTreeSet<u32> = result.conflicts.iter().map(|c| c.issue.0).collect();
    let issues: Vec<u32> = issues.into_iter().collect();
    assert_eq!(issues, [0, 5, 7, 9]);
}

/// Searches with the default work, which must be enough.
fn search_quickly(text: &str) -> SearchResult {
    let mut search = Search::new(parse(text), 20);
    search.finish();
    let spent = search.spent();
    let result = search.result();
    println!("{spent} units");
    assert!(spent < DEFAULT_WORK, "{spent}");
    result
}

#[test]
fn a_lock_that_is_never_released_has_no_result() {
    for lanes in [2, 3, 8] {
        let result = search_quickly(&spin_lock(lanes, ""));
        assert!(result.has_cycle && !result.complete);
        assert_eq!((result.count, result.outcomes.len()), (count(0), 0));
        assert_eq!(result.orders, None);
    }
    // One lane takes it and ends.
    assert!(search_quickly(&spin_lock(1, "")).complete);
    let forever = head(1) + "LOOP:\ngoto (M1, 1) LOOP\n";
    assert!(search_quickly(&forever).has_cycle);
}

#[test]
fn orders_that_end_are_results_beside_those_that_do_not() {
    // Lane 0 releases the lock, the others do not.
    let text = spin_lock(2, &format!("(P2) {UNLOCK}")).replace(
        ".decl P1",
        ".decl P2 v_type=P num_elts=8\n.init P2 = 1\n.decl P1",
    );
    // P2 is the first predicate now: the names stay.
    let result = search_quickly(&text);
    assert!(result.has_cycle && !result.complete);
    assert_eq!((result.count, result.outcomes.len()), (count(1), 1));
    assert_eq!(result.orders, None);
    assert_eq!(result.outcomes[0].orders, None);
    let replay = result.outcomes[0].replay(&parse(&text)).unwrap();
    assert_eq!(replay[0].units[0].lane, 0);
}

/// A loop that counts to `most`, with `body` in it.
fn counted(lanes: u32, body: &str, most: u32) -> String {
    head(lanes)
        + "LOOP:\n"
        + body
        + &format!(
            "add (M1, 8) count(0,0)<1> count(0,0)<1;1,0> 1:ud\n\
             cmp.lt (M1, 8) P1 count(0,0)<1;1,0> {most}:ud\n\
             (P1) goto (M1, 8) LOOP\n"
        )
}

const HISTOGRAM: &str = "dword_atomic.inc (M1, 8) %slm zero.0 V0 V0 V0\n";

#[test]
fn a_histogram_loop_has_one_result() {
    assert_eq!(compare(&counted(3, HISTOGRAM, 3), 100).unwrap(), 1);
    let result = search_quickly(&counted(8, HISTOGRAM, 1000));
    assert!(result.complete);
    assert_eq!(result.count, count(1));
    let outcome = &result.outcomes[0];
    assert_eq!(outcome.schedules.len(), 1000);
    assert_eq!(
        outcome
            .replay(&parse(&counted(8, HISTOGRAM, 1000)))
            .unwrap()
            .len(),
        1
    );
    assert_eq!(outcome.orders, result.orders);
    assert!(result.orders.is_some());
}

#[test]
fn a_loop_that_returns_tickets_is_exact() {
    let body = "dword_atomic.add (M1, 8) %slm zero.0 src.0 V0 ticket.0\n";
    assert_eq!(compare(&counted(3, body, 2), 100).unwrap(), 6);
    // The first iteration in another order than the second.
    let sum = "add (M1, 8) old(0,0)<1> old(0,0)<1;1,0> ticket(0,0)<1;1,0>\n";
    let text = counted(2, &(String::from(body) + sum), 2);
    let program = parse(&text);
    let result = search(&program, 100, 100);
    assert!(result.complete);
    let replayed = result
        .outcomes
        .iter()
        .filter(|o| o.replay(&program).is_some());
    assert_eq!((result.outcomes.len(), replayed.count()), (4, 2));
}

#[test]
fn a_hundred_thousand_iterations_are_exact() {
    let ends = format!("{HISTOGRAM}ret (M1, 1)\n");
    let result = search_quickly(&(counted(8, "", 100_000) + &ends));
    assert!(result.complete);
    assert_eq!((result.count, result.outcomes.len()), (count(1), 1));
    assert_eq!(result.orders, Some(Count::factorial(8)));
    // Lanes conflict in every iteration: more orders than are counted.
    let result = search_quickly(&counted(8, HISTOGRAM, 100_000));
    assert!(result.complete);
    assert_eq!((result.count, result.orders), (count(1), None));
    assert_eq!(result.outcomes[0].schedules.len(), 100_000);
}

#[test]
fn both_sides_of_a_branch_conflict_on_one_cell() {
    let text = head(4)
        + "cmp.lt (M1, 8) P1 src(0,0)<1;1,0> 3:ud\n\
           (P1) goto (M1, 8) LOW\n\
           dword_atomic.xchg (M1, 8) %slm zero.0 src.0 V0 old.0\n\
           goto (M1, 1) END\n\
           LOW:\n\
           dword_atomic.add (M1, 8) %slm zero.0 src.0 V0 old.0\n\
           END:\n\
           ret (M1, 1)\n";
    assert_eq!(compare(&text, 100).unwrap(), 4);
}

#[test]
fn what_is_not_executed_is_not_a_result() {
    let line = "dword_atomic.xchg (M1, 8) %slm zero.0 src.0 V0 old.0\n";
    let fueled = format!(".fuel 1\n{}", head(2));
    for (text, kind) in [
        (
            format!(
                "{}.decl sum v_type=G type=f num_elts=8 align=GRF\n{line}\
                 dp4 (M1, 8) sum(0,0)<1> sum(0,0)<1;1,0> sum(0,0)<1;1,0>\n",
                head(2)
            ),
            FaultKind::NotModelled,
        ),
        (format!("{fueled}{line}{line}"), FaultKind::OutOfFuel),
        (
            format!("{fueled}{line}goto (M1, 1) L\nL:\nret (M1, 1)\n"),
            FaultKind::OutOfFuel,
        ),
        (format!("{fueled}{line}ret (M1, 1)\n"), FaultKind::OutOfFuel),
    ] {
        let program = parse(&text);
        let result = search(&program, 100, 100);
        assert!(result.is_unfinished && !result.complete, "{text}");
        assert_eq!(result.outcomes.len(), 2, "{text}");
        for outcome in &result.outcomes {
            assert!(outcome.is_unfinished());
            assert_eq!(outcome.fault.as_ref().unwrap().kind, kind);
            assert!(outcome.bytes.iter().all(|b| !b.space.is_control()));
        }
        assert_eq!(run(&program).fault, Outcome::of_run(&program).fault);
    }
}

/// A `ret` at the end changes nothing: results are still counted.
#[test]
fn a_return_at_the_end_is_no_branch() {
    let line = "dword_atomic.xchg (M1, 8) %slm zero.0 src.0 V0 old.0\n";
    let text = head(8) + line;
    let plain = Search::new(parse(&text), 5);
    let with_ret = Search::new(parse(&(text + "ret (M1, 1)\n")), 5);
    let [plain, with_ret] = [plain, with_ret].map(|mut search| {
        search.finish();
        (search.spent(), search.result())
    });
    assert_eq!(plain, with_ret);
    assert_eq!(plain.1.count.to_usize(), Some(40_320));
}

#[test]
fn slices_make_no_difference() {
    for text in [spin_lock(5, UNLOCK), counted(8, HISTOGRAM, 500)] {
        let program = parse(&text);
        for work in [500, 5000, 50_000] {
            let end = |slice| {
                let mut search = Search::new(Rc::clone(&program), 20).with_work(work);
                while !search.work(slice).done {}
                search.result()
            };
            assert_eq!(end(1), end(work), "{work}");
        }
    }
}

/// One line of a random program.
#[derive(Clone, Debug)]
enum Line {
    Atomic(&'static str, bool),
    Compare(&'static str, u32),
    /// Leaves out that many of the lines that follow.
    Skip {
        inverse: bool,
        scalar: bool,
        lines: usize,
    },
    Return,
    Other(&'static str),
}

fn lines() -> impl Strategy<Value = Line> {
    let operations = vec!["xchg", "add", "xor", "max", "cmpxchg", "inc"];
    prop_oneof![
        3 => (select(operations), any::<bool>()).prop_map(|(op, returns)| Line::Atomic(op, returns)),
        2 => (select(vec!["lt", "eq", "gt"]), 0..4_u32).prop_map(|(rel, k)| Line::Compare(rel, k)),
        3 => (any::<bool>(), any::<bool>(), 0..4_usize)
            .prop_map(|(inverse, scalar, lines)| Line::Skip { inverse, scalar, lines }),
        1 => Just(Line::Return),
        1 => select(vec![
            "mov (M1, 8) old(0,0)<1> 0:ud",
            "add (M1, 8) src(0,0)<1> src(0,0)<1;1,0> old(0,0)<1;1,0>",
            "and (M1, 8) zero(0,0)<1> old(0,0)<1;1,0> 4:ud",
            "call (M1, 8) SUB",
        ])
        .prop_map(Line::Other),
    ]
}

fn text(lines: &[Line], lanes: u32) -> String {
    let mut text = head(lanes);
    let mut atomics = 0;
    for (at, line) in lines.iter().enumerate() {
        writeln!(text, "L{at}:").unwrap();
        match line {
            // More take too long to enumerate.
            Line::Atomic(..) if atomics == 3 => {}
            Line::Atomic(operation, returns) => {
                atomics += 1;
                let dst = if *returns { "old.0" } else { "V0" };
                let src0 = if *operation == "inc" { "V0" } else { "src.0" };
                let src1 = if *operation == "cmpxchg" {
                    "old.0"
                } else {
                    "V0"
                };
                writeln!(
                    text,
                    "dword_atomic.{operation} (M1, 8) %slm zero.0 {src0} {src1} {dst}"
                )
                .unwrap();
            }
            Line::Compare(relation, value) => {
                writeln!(text, "cmp.{relation} (M1, 8) P1 old(0,0)<1;1,0> {value}:ud").unwrap()
            }
            Line::Skip {
                inverse,
                scalar,
                lines: count,
            } => {
                let not = if *inverse { "!" } else { "" };
                // One of execution size 1 moves all lanes, as lane 0 decides.
                let size = if *scalar { 1 } else { 8 };
                let target = (at + 1 + count).min(lines.len());
                writeln!(text, "({not}P1) goto (M1, {size}) L{target}").unwrap();
            }
            Line::Return => writeln!(text, "(P1) ret (M1, 8)").unwrap(),
            Line::Other(line) => writeln!(text, "{line}").unwrap(),
        }
    }
    write!(
        text,
        "L{}:\nret (M1, 1)\n.function \"SUB\"\nSUB:\n\
         dword_atomic.max (M1, 8) %slm four.0 old.0 V0 V0\nret (M1, 8)\n",
        lines.len()
    )
    .unwrap();
    text
}

proptest! {
    #![proptest_config(Config { cases: 300, failure_persistence: None, ..Config::default() })]

    #[test]
    fn programs_with_branches_have_the_outcomes_of_all_their_orders(
        lines in proptest::collection::vec(lines(), 2..9),
        lanes in 2..4_u32,
        slice in 1..2000_u64,
    ) {
        compare(&text(&lines, lanes), slice)?;
    }
}

/// Only lane orders are searched: threads of a work-group could run in another
/// order.
#[test]
fn other_orders_of_threads_are_left_open() {
    let text = head(2).replace(".init em = 0x3\n", ".launch global=16 local=16\n.simd 8\n")
        + ".init P1 = 3\n(P1) dword_atomic.add (M1, 8) %slm zero.0 src.0 V0 old.0\n";
    for end in ["", "ret (M1, 1)\n", "goto (M1, 1) L\nL:\nret (M1, 1)\n"] {
        let program = parse(&(text.clone() + end));
        assert_eq!((program.threads, program.lockstep_width()), (2, 1));
        let brute = orders::runs(&program);
        let result = search(&program, 10, 100);
        assert!(result.has_other_schedules && !result.complete);
        assert_eq!(result.count, Count::from(brute.len()));
        assert_eq!(result.outcomes.len(), 4);
        assert_eq!(result.orders, Some(count(4)));
        check_listed(&program, &result, &brute, &text).unwrap();
    }
    let program = parse(&text);
    assert!(!issues_once(&program));
}
