//! Contents and returned values of conflicting lanes, and reachability queries for one
//! lane, beyond the listed outcomes.

use lanewise_core::isa::Unit;
use lanewise_core::session::IssueIndex;
use lanewise_explore::{Outcome, Search, can_leave, can_return};
use lanewise_tests::one_cell::one_cell;
use lanewise_tests::outcomes::{parse, search};

fn lane(lane: u8) -> Unit {
    Unit {
        thread: 0,
        lane,
        channel: None,
    }
}

#[test]
fn last_exchange_determines_the_value() {
    for (values, wanted) in [
        ("iota(FROM, 1)", (1..=16).collect::<Vec<u64>>()),
        ("9, 3, 9, 3, 9, 3, 9, 3, 9, 3, 9, 3, 9, 3, 9, 3", vec![3, 9]),
    ] {
        for dst in ["splat(0)", "V0"] {
            let program = parse(&one_cell("xchg", 16, "0", values, "V0", dst));
            let answer = search(&program, 10, 10_000);
            assert_eq!(
                answer.conflicts[0].contents.as_ref(),
                Some(&wanted),
                "{values}"
            );
        }
    }
}

#[test]
fn lane_without_dst_returns_no_value() {
    let program = parse(&one_cell("xchg", 4, "0", "iota(FROM, 1)", "V0", "V0"));
    for value in [0, 1, 2] {
        let answer = can_return(&program, IssueIndex(0), lane(0), value);
        assert!(answer.outcome.is_none() && answer.is_certain, "{value}");
    }
}

#[test]
fn impossible_contents_are_proven() {
    let program = parse(&one_cell("xchg", 4, "0", "iota(FROM, 1)", "V0", "V0"));
    let cell = search(&program, 10, 10_000).conflicts[0].clone();
    let leaves = |content| can_leave(&program, IssueIndex(0), cell.space, cell.address, content);
    for content in 1..=4 {
        assert!(leaves(content).outcome.is_some(), "{content}");
    }
    for content in [0, 5] {
        let answer = leaves(content);
        assert!(answer.outcome.is_none() && answer.is_certain, "{content}");
    }
}

const TWO: &str = "\
.slm 64
.region svm 0x1000 16
.decl V43 v_type=G type=ud num_elts=8 align=GRF
.decl V42 v_type=G type=uq num_elts=8 align=GRF
.decl V40 v_type=G type=ud num_elts=8 align=GRF
.decl V44 v_type=G type=ud num_elts=8 align=GRF
.decl V41 v_type=G type=ud num_elts=8 align=GRF
.decl V45 v_type=G type=ud num_elts=8 align=GRF
.init V44 = 1, 2
.init V41 = splat(1)
.init V40 = 5, 6
.init em = 3
";

#[test]
fn faulting_lane_returns_no_value() {
    let fault = "svm_atomic.xchg (M1, 8) V42.0 V45.0 V44.0 V0\n";
    let answer = can_return(&parse(&format!("{TWO}{fault}")), IssueIndex(0), lane(0), 0);
    assert!(answer.outcome.is_none() && answer.is_certain);
    let fine = "dword_atomic.xchg (M1, 8) %slm V43.0 V44.0 V0 V45.0\n";
    let answer = can_return(
        &parse(&format!("{TWO}{fault}{fine}")),
        IssueIndex(1),
        lane(0),
        0,
    );
    assert!(answer.outcome.is_none() && answer.is_certain);
    // Other orders of earlier instructions may give other addresses.
    let answer = can_return(
        &parse(&format!("{TWO}{fine}{fault}")),
        IssueIndex(1),
        lane(0),
        0,
    );
    assert!(answer.outcome.is_none() && !answer.is_certain);
}

#[test]
fn counts_of_states_are_independent() {
    let text = format!(
        "{TWO}dword_atomic.xchg (M1, 8) %slm V43.0 V44.0 V0 V0\n\
         dword_atomic.cmpxchg (M1, 8) %slm V43.0 V40.0 V41.0 V0\n"
    );
    let answer = search(&parse(&text), 10, 10_000);
    let [first, second] = answer.conflicts.as_slice() else {
        panic!("{:?}", answer.conflicts);
    };
    assert_eq!(first.count.as_ref().and_then(|c| c.to_usize()), Some(2));
    // After 1, one of the lanes writes; after 2, neither does.
    assert_eq!(second.contents, Some(vec![2, 5, 6]));
    assert_eq!(second.count, None);
}

/// Shares refer to the orders in which the accesses conflict.
#[test]
fn shares_cover_only_conflicting_orders() {
    // The second lane gets the other lane's value as its address.
    let text = format!(
        "{}dword_atomic.xchg (M1, 8) %slm V43.0 V44.0 V0 V45.0\n\
         dword_atomic.xchg (M1, 8) %slm V45.0 V40.0 V0 V41.0\n",
        TWO.replace("V44 = 1, 2", "V44 = 0, 4")
    );
    let mut search = Search::new(parse(&text), 100).with_distributions();
    search.finish();
    let answer = search.result();
    let [first, second] = answer.conflicts.as_slice() else {
        panic!("{:?}", answer.conflicts);
    };
    let half = |values: [u64; 2]| values.map(|value| (value, 0.5)).to_vec();
    let first = first.distribution().unwrap();
    assert_eq!(first.contents, half([0, 4]));
    assert_eq!(first.returns, [half([0, 4]), vec![(0, 1.0)]]);
    // They conflict if lane 0 is first and writes 0, and then lane 1 writes 4.
    let second = second.distribution().unwrap();
    assert_eq!(second.contents, half([5, 6]));
    assert_eq!(second.returns, [half([4, 6]), half([4, 5])]);
}

/// Shares are unknown if a lane has more than 256 values.
#[test]
fn shares_of_too_many_values_are_unknown() {
    for (lanes, is_known) in [(8, true), (10, false)] {
        // A lane may find any sum of the other lanes' powers of two.
        let powers = "1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024";
        let program = parse(&one_cell("add", lanes, "0", powers, "V0", "splat(0)"));
        let mut search = Search::new(program, 10).with_distributions();
        search.finish();
        let known = search.result().conflicts[0].distribution();
        assert_eq!(known.is_some(), is_known, "{lanes}");
    }
}

#[test]
fn progress_increases_in_many_steps() {
    let program = parse(&one_cell("xor", 10, "0", "iota(FROM, 1)", "V0", "splat(0)"));
    let mut search = Search::new(program, 100);
    let mut seen = vec![0];
    loop {
        let progress = search.work(300);
        if progress.done {
            break;
        }
        assert!(progress.permille <= 1000);
        assert!(progress.permille >= seen[seen.len() - 1], "{seen:?}");
        if progress.permille > seen[seen.len() - 1] {
            seen.push(progress.permille);
        }
    }
    assert!(seen.len() > 10, "{seen:?}");
}

/// For any search and any slices: progress is in thousandths, never decreases and ends
/// once; the result equals that of a search in one slice.
#[test]
fn progress_never_decreases() {
    for (operation, src0, src1) in [
        ("xor", "iota(FROM, 3)", "V0"),
        ("xor", "splat(5)", "V0"),
        ("add", "iota(FROM, 1)", "V0"),
        ("max", "iota(FROM, 1)", "V0"),
        ("xchg", "iota(FROM, 1)", "V0"),
        ("xchg", "1, 2, 1, 2, 1, 2, 1, 2", "V0"),
        ("cmpxchg", "iota(FROM, 1)", "0, 1, 2, 3, 4, 5, 6, 7"),
        ("inc", "V0", "V0"),
    ] {
        for (lanes, dst) in [(1, "V0"), (3, "splat(0)"), (5, "V0"), (6, "splat(0)")] {
            let text = one_cell(operation, lanes, "0", src0, src1, dst);
            let program = parse(&text);
            for piece in [1, 7, 100] {
                let mut search = Search::new(program.clone(), 100);
                let mut last = 0;
                loop {
                    let progress = search.work(piece);
                    assert!(
                        (last..=1000).contains(&progress.permille),
                        "{last} {}\n{text}",
                        progress.permille
                    );
                    last = progress.permille;
                    if progress.done {
                        break;
                    }
                }
                let mut whole = Search::new(program.clone(), 100);
                whole.finish();
                let [parts, whole] = [search, whole].map(|search| search.result().outcomes.len());
                assert_eq!(parts, whole, "{text}");
            }
        }
    }
}

/// Orders that fault end at the fault; the others continue.
#[test]
fn faulting_orders_end_at_the_fault() {
    // The second lane gets the other lane's value as its address; the value of lane 0 is
    // unmapped.
    let text = "\
.region svm 0x1000 32
.init svm[0x1000] : uq = 0x1008
.decl cell v_type=G type=uq num_elts=8 align=GRF
.decl next v_type=G type=uq num_elts=8 align=GRF
.decl found v_type=G type=uq num_elts=8 align=GRF
.init cell = splat(0x1000)
.init next = 0x5000, 0x1010
.init em = 3
svm_atomic.xchg.64 (M1, 8) cell.0 found.0 next.0 V0
svm_atomic.inc (M1, 8) found.0 V0 V0 V0
svm_atomic.inc (M1, 8) cell.0 V0 V0 V0
";
    let program = parse(text);
    for slice in [1, 100_000] {
        let answer = search(&program, 10, slice);
        assert!(answer.complete);
        assert_eq!(answer.count.to_usize(), Some(2));
        let [fault, end] = answer.outcomes.as_slice() else {
            panic!("{:?}", answer.outcomes);
        };
        let first = |outcome: &Outcome| outcome.schedules[0].units[0].lane;
        assert_eq!((first(fault), first(end)), (0, 1));
        let fault_of = fault.fault.as_ref().expect("lane 1 has no address");
        assert_eq!((fault_of.instruction, fault_of.unit), (1, lane(1)));
        assert!(end.fault.is_none());
        let loads = |outcome: &Outcome, address| {
            let svm = answer.conflicts[0].space;
            outcome.load(&program.start, svm, address, 4)
        };
        assert_eq!(
            (loads(fault, 0x1000), loads(fault, 0x1008)),
            (Some(0x1010), Some(0))
        );
        // Then both add to the cell that was exchanged first.
        assert_eq!(
            (loads(end, 0x1000), loads(end, 0x1008)),
            (Some(0x5002), Some(1))
        );
    }
}

/// States before an instruction are weighted by their number of orders.
#[test]
fn shares_are_weighted_by_orders() {
    // 4 of 6 orders end with 1.
    let text = "\
.slm 64
.decl P0 v_type=P num_elts=8
.init P0 = 3
.decl cell v_type=G type=ud num_elts=8 align=GRF
.decl first v_type=G type=ud num_elts=8 align=GRF
.decl second v_type=G type=ud num_elts=8 align=GRF
.decl found v_type=G type=ud num_elts=8 align=GRF
.init first = 1, 1, 2
.init second = 10, 20
.init em = 7
dword_atomic.xchg (M1, 8) %slm cell.0 first.0 V0 V0
(P0) dword_atomic.add (M1, 8) %slm cell.0 second.0 V0 found.0
";
    let mut search = Search::new(parse(text), 100).with_distributions();
    search.finish();
    let answer = search.result();
    let shares = answer.conflicts[1].distribution().unwrap();
    let near = |found: &[(u64, f64)], wanted: &[(u64, f64)]| {
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        for ((value, share), (other, wanted)) in found.iter().zip(wanted) {
            assert!(value == other && (share - wanted).abs() < 1e-9, "{found:?}");
        }
    };
    let third = 1.0 / 3.0;
    near(&shares.contents, &[(31, 2.0 * third), (32, third)]);
    let of_first = [(1, third), (2, third / 2.0), (21, third), (22, third / 2.0)];
    near(&shares.returns[0], &of_first);
}

/// A stopped search reports results about a conflict only if they hold for all states.
#[test]
fn stopped_search_does_not_generalize_one_state() {
    let text = format!(
        "{TWO}dword_atomic.xchg (M1, 8) %slm V43.0 V44.0 V0 V0\n\
         dword_atomic.cmpxchg (M1, 8) %slm V43.0 V40.0 V41.0 V45.0\n"
    );
    let program = parse(&text);
    let whole = search(&program, 100, 10_000);
    let mut units = 0;
    let mut seen = [false; 2];
    loop {
        let mut search = Search::new(program.clone(), 100).with_work(units);
        search.finish();
        let is_end = search.spent() < units;
        let answer = search.result();
        if is_end {
            break;
        }
        for (conflict, all) in answer.conflicts.iter().zip(&whole.conflicts) {
            let contents = &conflict.contents;
            assert!(contents.is_none() || *contents == all.contents, "{units}");
            assert!(conflict.count.is_none() || conflict.count == all.count);
            for (own, all) in conflict.returns.iter().zip(&all.returns) {
                assert!(own.is_none() || own == all, "{units}: {own:?}");
            }
        }
        let knows = |at: usize| {
            answer
                .conflicts
                .get(at)
                .is_some_and(|c| c.contents.is_some())
        };
        seen[0] |= answer.conflicts.len() == 1 && knows(0);
        // The first conflict is complete before the second one is searched.
        if answer.conflicts.len() == 2 {
            assert!(knows(0), "{units}");
            seen[1] |= !knows(1);
        }
        units += 1;
    }
    assert_eq!(seen, [true; 2]);
}

/// A stopped search does not count an outcome twice if several states reach it.
#[test]
fn stopped_search_counts_each_outcome_once() {
    let text = "\
.slm 64
.decl P0 v_type=P num_elts=8
.init P0 = 1
.decl cell v_type=G type=ud num_elts=8 align=GRF
.decl values v_type=G type=ud num_elts=8 align=GRF
.init values = iota(1, 1)
.init em = 0xff
dword_atomic.xchg (M1, 8) %slm cell.0 values.0 V0 V0
(P0) dword_atomic.xchg (M1, 8) %slm cell.0 values.0 V0 V0
dword_atomic.xchg (M1, 8) %slm cell.0 values.0 V0 V0
";
    let program = parse(text);
    let one = parse(&text[..text.rfind("dword").unwrap()]);
    assert_eq!(search(&one, 100, 1000).count.to_usize(), Some(1));
    for (program, most) in [(&one, 1), (&program, 8)] {
        for limit in [1, 3, 100] {
            let mut units = 0;
            loop {
                let mut search = Search::new(program.clone(), limit).with_work(units);
                search.finish();
                let is_end = search.spent() < units;
                let answer = search.result();
                if is_end {
                    break;
                }
                let count = answer.count.to_usize().unwrap();
                assert!(
                    (answer.outcomes.len()..=most).contains(&count),
                    "{units}: {count}"
                );
                assert!(!answer.outcomes.is_empty());
                // Each outcome has an order of the conflicting lanes.
                for outcome in &answer.outcomes {
                    let own = outcome
                        .schedules
                        .iter()
                        .map(|schedule| schedule.instruction);
                    let wanted: &[u32] = if most == 1 { &[0] } else { &[0, 2] };
                    assert_eq!(own.collect::<Vec<_>>(), wanted, "{units}");
                }
                units += 7;
            }
        }
    }
}
