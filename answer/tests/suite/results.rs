//! Results of a search, as the page and the command line present them.

use lanewise_answer::results::{
    LaneMove, LaneOrder, OwnResult, ReplyState, Results, ResultsTable, ReturnForm, Summary,
    WantedReturn, move_lane, write_orders,
};
use lanewise_core::library::{BUNDLED, KERNELS};
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, Session};
use lanewise_explore::Search;
use std::rc::Rc;

/// Three lanes exchange values with one cell; a fourth has its own cell.
const CHAIN: &str = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.init V32 = 0, 0, 0, 4
.init V33 = iota(5, 1)
.init em = 0xf
  dword_atomic.xchg (M1, 8) %slm V32.0 V33.0 %null.0 V34.0
";

fn session(text: &str) -> Session {
    let program = Program::parse(text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    Session::new(Rc::new(program))
}

fn results(text: &str) -> Results {
    let session = session(text);
    let mut search = Search::new(session.shared_program(), 500).with_distributions();
    search.finish();
    Results::new(search.result(), &session)
}

/// Table of all results.
fn table(results: &Results) -> Option<ResultsTable> {
    let own = OwnResult::of(results);
    ResultsTable::new(results, own.as_ref(), None, usize::MAX)
}

#[test]
fn table_lists_differences_only() {
    let results = results(CHAIN);
    let summary = Summary::new(&results);
    assert_eq!(summary.count, "6 results of 6 orders");
    let table = table(&results).unwrap();
    let names: Vec<_> = table.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["slm[0x0]", "Lane 0", "Lane 1", "Lane 2"]);
    assert_eq!(table.rows.len(), 6);
    let own: Vec<_> = table.rows.iter().filter(|row| row.is_own).collect();
    let values: Vec<_> = own[0].values.iter().map(|v| v.text.as_str()).collect();
    assert_eq!((own.len(), &values[..]), (1, &["7", "0", "5", "6"][..]));
    // Each of the three lanes returns 0 in a third of the orders.
    let fields = &summary.grids[0].rows[0].fields;
    let percent = fields.iter().flatten().map(|field| &*field.percent);
    assert_eq!(percent.collect::<Vec<_>>(), ["33.33%"; 3]);
}

#[test]
fn floats_are_listed_by_number() {
    let scenario = BUNDLED.iter().find(|own| own.id == "atom-float-order");
    let summary = Summary::new(&results(scenario.unwrap().text));
    let rows = summary.grids[0].rows.iter();
    let values: Vec<f32> = rows.map(|row| row.value.parse().unwrap()).collect();
    assert!(values.is_sorted() && values[0] < 0.0, "{values:?}");
}

#[test]
fn last_results_of_bundled_scenarios_replay() {
    for bundled in BUNDLED {
        let found = results(bundled.text);
        let columns = table(&found).is_some_and(|table| !table.columns.is_empty());
        let Some(last) = found.found.outcomes.last().filter(|_| columns) else {
            continue;
        };
        let Some(replay) = last.replay(&found.program) else {
            // Iterations of a loop have different orders.
            assert_eq!(bundled.id, "spin-lock");
            continue;
        };
        let orders = replay
            .iter()
            .map(|own| (own.instruction as usize, &*own.units));
        let orders: Vec<_> = orders.collect();
        let edit = write_orders(bundled.text, &found.program, &orders).unwrap();
        let replayed = results(&edit.text);
        let own = OwnResult::of(&replayed).unwrap();
        assert!(own.outcome.is_same_result(last), "{}", bundled.id);
    }
}

#[test]
fn moved_lane_rewrites_one_order_line() {
    let order = |text: &str| LaneOrder::of(&session(text)).unwrap().in_order();
    let moved = |text: &str, from: usize, to: usize| {
        let lane = order(text)[from];
        let edit = move_lane(text, &session(text), LaneMove { lane, to });
        edit.map(|(edit, _)| edit.text)
    };
    let commented = CHAIN.replace("  dword", ".order 2 // mine\n/* .order 1 */\n  dword");
    let wanted = ".order 0 1 3 2 // mine\n/* .order 1 */\n  dword";
    assert!(moved(&commented, 0, 3).unwrap().contains(wanted));
    // A missing or unchanged place.
    assert_eq!(moved(CHAIN, 0, 4), None);
    assert_eq!(moved(CHAIN, 2, 2), None);
    // An order before the first instruction would apply to the second.
    let last = CHAIN.lines().last().unwrap();
    let text = moved(&format!("{CHAIN}{last}\n"), 0, 1).unwrap();
    let lines: Vec<_> = text.lines().skip(6).collect();
    assert_eq!(
        (lines[0], lines[2]),
        ("  .order 1 0 2 3", "  .order 0 1 2 3")
    );
}

/// In one order both lanes add to one cell, in the other each adds to its own.
#[test]
fn uncertain_conflicts_have_unknown_contents() {
    let text = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 256
.init V32 = splat(64)
.init V33 = 0, 4
.init em = 3
dword_atomic.xchg (M1, 8) %slm V32.0 V33.0 %null.0 V34.0
dword_atomic.inc (M1, 8) %slm V34.0 %null.0 %null.0 %null.0
";
    let results = results(text);
    let second = &results.found.conflicts[1];
    assert_eq!(second.contents, Some(vec![2]));
    let cell = results.cells.iter().find(|cell| cell.name == "slm[0x0]");
    assert_eq!(cell.unwrap().possible, None);
    // Nor does the headline claim that the second always leaves 2.
    let headline =
        "The contents of both cells depend on the order; what lane 0 returns depends on the order.";
    assert_eq!(Summary::new(&results).invariant, headline);
}

#[test]
fn faulting_lane_returns_nothing() {
    let text = "\
.decl V32 v_type=G type=uq num_elts=8 align=GRF
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=uq num_elts=8 align=GRF
.decl V35 v_type=G type=uq num_elts=8 align=GRF
.region svm 0x1000 64
.init svm[0x1000] : uq = 0x1000
.init V32 = splat(0x1000)
.init V33 = 0x1000, 0x9000
.init V35 = splat(0)
.init em = 3
svm_atomic.xchg.64 (M1, 8) V32.0 V34.0 V33.0 V0
svm_atomic.inc.64 (M1, 8) V34.0 V35.0 V0 V0
";
    let results = results(text);
    let mut returns = results.returns.iter();
    let lane = returns.position(|own| own.returned_by.unwrap().0 == IssueIndex(1));
    assert!(results.lists_all() && results.found.outcomes.iter().any(|o| o.fault.is_some()));
    let wanted = WantedReturn {
        lane: lane.unwrap(),
        value: String::from("0"),
    };
    let form = ReturnForm::new(&results, &wanted, ReplyState::NotAsked).unwrap();
    assert!(form.answer.starts_with("No"), "{}", form.answer);
}

/// Headline of each bundled scenario with conflicts, checked by hand.
const INVARIANTS: &[(&str, &str)] = &[
    (
        "histogram",
        "All 4 cells end the same in every order; what lanes 0–15 return depends on the order.",
    ),
    (
        "lock",
        "What lanes 0–7 return in lines 17 and 18 depends on the order.",
    ),
    ("predicated", "All 3 cells end the same in every order."),
    (
        "unpacked16",
        "All 4 cells end the same in every order; what lanes 0–7 return depends on the order.",
    ),
    (
        "two-eus",
        "slm[0x0] is always 116; what lanes EU0.0–7 and EU1.0–7 return depends on the order.",
    ),
    (
        "predec",
        "What lanes 0–3 return in lines 15 and 16 depends on the order.",
    ),
    (
        "order",
        "slm[0x0] ends as 10, 11, 12 or 13; what lanes 0–3 return depends on the order.",
    ),
    ("surface", "Both cells end the same in every order."),
    (
        "one-of-eight",
        "Exactly one of 8 lanes wins, any of them can; what lanes 0–7 return depends on the order.",
    ),
    (
        "exchange-chain",
        "slm[0x0] ends as one of 5 values; what lanes 0–4 return depends on the order.",
    ),
    (
        "compare-may-fail",
        "slm[0x0] ends as 1, 2, 3 or 4; what lanes 1–3 return depends on the order.",
    ),
    (
        "mixed-orders",
        "slm[0x0] ends as 16, 26 or 36; what lanes 0–2 return in lines 16 and 17 depends on the order.",
    ),
    (
        "svm-counter",
        "svm[0x10040] is always 4294967305; what lanes 0–3 return depends on the order.",
    ),
    (
        "scatter-overlap",
        "The contents of at least 9 of 14 cells depend on the order.",
    ),
    (
        "atom-inc",
        "global[0x10000] is always 2; what lanes 0–7 return depends on the order.",
    ),
    (
        "atom-cas",
        "Exactly one of 32 lanes wins, any of them can; what lanes 0–31 return depends on the order.",
    ),
    (
        "atom-safeadd",
        "global[0x10000] is always 2; what lanes 0–5 return depends on the order.",
    ),
    (
        "atom-float-order",
        "global[0x10000] ends as 0, 1 or 2; what lanes 0–3 return depends on the order.",
    ),
    ("red-histogram", "All 4 cells end the same in every order."),
    ("red-max", "Both cells end the same in every order."),
    (
        "red-float-sum",
        "Only global[0x10000] of 2 cells depends on the order.",
    ),
    (
        "spin-lock",
        "slm[0x40] is always 0; what lanes 0–3 return in line 18 depends on the order.",
    ),
    (
        "histogram-bins",
        "All 4 cells end the same in every order; what lanes 0–15 return depends on the order.",
    ),
];

#[test]
fn headlines_of_bundled_scenarios_are_as_reviewed() {
    let scenarios = BUNDLED.iter().filter(|s| s.topic != KERNELS);
    let headlines = scenarios.map(|s| (s.id, Summary::new(&results(s.text)).invariant));
    let found: Vec<_> = headlines.filter(|(_, text)| !text.is_empty()).collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(id, text)| (*id, &**text)).collect();
    assert_eq!(found, INVARIANTS, "{found:#?}");
}
