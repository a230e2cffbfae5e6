use super::orders;
use super::*;
use crate::state::{Action, Saved, State};

/// Three lanes exchange values with one cell; a fourth has one of its own.
const CHAIN: &str = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.init V32 = 0, 0, 0, 4
.init V33 = iota(5, 1)
.init em = 0xf
  dword_atomic.xchg (M1, 8) %slm V32.0 V33.0 %null.0 V34.0
";

fn page(text: &str) -> State {
    let saved = Saved {
        text: Some(String::from(text)),
        ..Saved::default()
    };
    let mut state = State::new(saved);
    work(&mut state);
    state
}

fn work(state: &mut State) {
    while state.has_outcomes_to_find() {
        outcomes(state, OutcomesAction::Work(50));
    }
}

fn outcomes(state: &mut State, action: OutcomesAction) {
    state.apply(Action::Outcomes(action));
}

fn own(state: &State) -> Vec<usize> {
    let table = state.outcomes_view().table.unwrap();
    let own = table.rows.iter().filter(|row| row.own);
    own.map(|row| row.index).collect()
}

#[test]
fn results_are_counted_and_only_what_differs_is_listed() {
    let state = page(CHAIN);
    let view = state.outcomes_view();
    assert_eq!(view.stage, Stage::Done);
    assert_eq!(view.count, "6 results of 6 orders");
    assert_eq!(
        view.complete,
        "Complete: every order is counted, every result is below."
    );
    let table = view.table.unwrap();
    let names: Vec<_> = table
        .columns
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["slm[0x0]", "Lane 0", "Lane 1", "Lane 2"]);
    assert_eq!(table.rows.len(), 6);
    for row in &table.rows {
        assert_eq!((row.orders.as_str(), row.share.as_str()), ("1", "16.66 %"));
    }
    assert_eq!(own(&state).len(), 1);
    let row = table.rows.iter().find(|row| row.own).unwrap();
    let values: Vec<_> = row.values.iter().map(|(value, _)| value.as_str()).collect();
    assert_eq!(values, ["7", "0", "5", "6"]);
    assert!(row.values.iter().all(|(_, differs)| !differs));
}

#[test]
fn every_result_is_replayed_by_its_lines() {
    let mut state = page(CHAIN);
    for index in 0..6 {
        outcomes(&mut state, OutcomesAction::Replay(index));
        assert!(!state.has_outcomes_to_find(), "an order changes no results");
        assert_eq!(own(&state), [index]);
        assert!(state.execution().at_end);
        let text = state.text();
        let line = text.lines().find(|line| line.contains(".order")).unwrap();
        assert!(line.starts_with("  .order "), "{line}");
        assert_eq!(text.matches(".order").count(), 1);
        assert_eq!(
            orders::without(&text).replace("  dword", "dword"),
            CHAIN.replace("  dword", "dword")
        );
    }
}

#[test]
fn turns_are_moved_one_at_a_time() {
    let mut state = page(CHAIN);
    outcomes(&mut state, OutcomesAction::Move(0, 2));
    assert!(state.text().contains("  .order 1 2 0 3\n  dword_atomic"));
    let view = state.outcomes_view();
    assert_eq!(view.told, "Lane 0 takes turn 3 of 4.");
    let turns = view.turns.unwrap();
    let names: Vec<_> = turns.turns.iter().map(|turn| turn.name.as_str()).collect();
    assert_eq!(names, ["1", "2", "0", "3"]);
    assert_eq!(turns.turns[3].group, None);
    assert_eq!(turns.turns[0].group, Some((String::from("A"), 0)));
    outcomes(&mut state, OutcomesAction::Move(3, 0));
    assert!(state.text().contains("  .order 3 1 2 0\n"));
    outcomes(&mut state, OutcomesAction::Move(0, 1));
    assert!(state.text().contains("  .order 1 3 2 0\n"));
    outcomes(&mut state, OutcomesAction::Move(1, 3));
    assert!(state.text().contains("  .order 1 2 0 3\n"));
    // Nothing where there is no such turn, or no move.
    let before = state.text();
    for (from, to) in [(0, 4), (4, 0), (2, 2), (usize::MAX, 0)] {
        outcomes(&mut state, OutcomesAction::Move(from, to));
    }
    assert_eq!(state.text(), before);
    outcomes(&mut state, OutcomesAction::Move(2, 0));
    assert!(state.text().contains("  .order 0 1 2 3\n  dword_atomic"));
}

#[test]
fn an_order_that_stands_there_is_replaced_and_its_comment_stays() {
    let text = CHAIN.replace("  dword", ".order 2 // mine\n/* .order 1 */\n  dword");
    let mut state = page(&text);
    outcomes(&mut state, OutcomesAction::Move(0, 3));
    let wanted = ".order 0 1 3 2 // mine\n/* .order 1 */\n  dword";
    assert!(state.text().contains(wanted), "{}", state.text());
}

#[test]
fn an_order_for_the_first_instruction_leaves_the_others_theirs() {
    let last = CHAIN.lines().last().unwrap();
    let text = format!("{CHAIN}{last}\n");
    let mut state = page(&text);
    outcomes(&mut state, OutcomesAction::Move(0, 1));
    let lines: Vec<_> = state.text().lines().skip(6).map(String::from).collect();
    assert_eq!(lines[0], "  .order 1 0 2 3");
    assert_eq!(lines[2], "  .order 0 1 2 3");
    assert_eq!(lines.len(), 4);
    // A result of both is replayed by two lines.
    outcomes(&mut state, OutcomesAction::Replay(0));
    work(&mut state);
    assert_eq!(own(&state), [0]);
    assert_eq!(state.text().matches(".order").count(), 2);
}

#[test]
fn a_returned_value_is_asked_for() {
    let mut state = page(CHAIN);
    let answer = |state: &State| state.outcomes_view().filter.unwrap().answer.clone();
    assert_eq!(answer(&state), "");
    outcomes(&mut state, OutcomesAction::Lane(2));
    outcomes(&mut state, OutcomesAction::Value(String::from("5")));
    assert_eq!(
        answer(&state),
        "Yes: 2 of 6 orders give lane 2 the value 5: 2 of 6 results."
    );
    assert_eq!(state.outcomes_view().table.unwrap().rows.len(), 2);
    outcomes(&mut state, OutcomesAction::Value(String::from("7")));
    assert_eq!(answer(&state), "No: no order gives lane 2 the value 7.");
    assert_eq!(state.outcomes_view().table.unwrap().rows.len(), 0);
    outcomes(&mut state, OutcomesAction::Value(String::from("seven")));
    assert_eq!(answer(&state), "Write a value of type ud.");
    assert!(state.outcomes_view().filter.unwrap().wrong);
    assert_eq!(
        state.outcomes_view().filter.unwrap().offered,
        ["0", "5", "6"]
    );
}

#[test]
fn what_is_not_listed_is_searched_for() {
    let lanes = CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff");
    let mut state = page(&lanes);
    let view = state.outcomes_view();
    assert_eq!(view.count, "40,320 results of 40,320 orders");
    assert_eq!(
        view.known[0],
        "Results differ in slm[0x0] and in what lanes 0 to 7 get back."
    );
    assert_eq!(
        view.known[1],
        "Lane 0 gets back one of 0, 6, 7, 8, 9, 10, 11, 12."
    );
    // The first 500 of the list start with lane 0, then lane 1.
    for (lane, value, first) in [(0, 12, "Yes"), (0, 5, "No"), (1, 12, "Yes"), (7, 99, "No")] {
        outcomes(&mut state, OutcomesAction::Lane(lane));
        outcomes(&mut state, OutcomesAction::Value(value.to_string()));
        let view = state.outcomes_view();
        let answer = view.filter.unwrap().answer.clone();
        let name = format!("lane {lane} the value {value}");
        assert!(
            answer.starts_with(first) && answer.contains(&name),
            "{answer}"
        );
        let table = view.table.unwrap();
        assert_eq!(table.rows.is_empty(), first == "No", "{name}");
        if let Some(row) = table.rows.last() {
            let index = row.index;
            outcomes(&mut state, OutcomesAction::Replay(index));
            assert!(own(&state).contains(&index), "{name}");
        }
    }
}

#[test]
fn an_edit_drops_the_search_and_a_reader_stops_it() {
    let lanes = CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff");
    let mut state = State::new(Saved {
        text: Some(lanes.replace("xchg", "add")),
        ..Saved::default()
    });
    assert!(state.has_outcomes_to_find());
    outcomes(&mut state, OutcomesAction::Work(10));
    assert_eq!(state.outcomes_view().count, "Computing …");
    outcomes(&mut state, OutcomesAction::Stop);
    assert!(!state.has_outcomes_to_find());
    assert!(matches!(state.outcomes_view().stage, Stage::Waits(_)));
    state.apply(Action::Edit(String::from(CHAIN)));
    assert!(state.has_outcomes_to_find());
    work(&mut state);
    assert_eq!(state.outcomes_view().count, "6 results of 6 orders");
    // With errors the results of the last text stay, and nothing is done.
    state.apply(Action::Edit(format!("{CHAIN}nonsense\n")));
    assert!(!state.has_outcomes_to_find());
    outcomes(&mut state, OutcomesAction::Replay(0));
    assert!(!state.text().contains(".order"));
    state.apply(Action::Edit(lanes));
    outcomes(&mut state, OutcomesAction::Work(1));
    outcomes(&mut state, OutcomesAction::Stop);
    outcomes(&mut state, OutcomesAction::Compute);
    work(&mut state);
    assert_eq!(
        state.outcomes_view().count,
        "40,320 results of 40,320 orders"
    );
    let table = state.outcomes_view().table.unwrap();
    assert_eq!((table.rows.len(), table.more_rows), (20, 480));
    outcomes(&mut state, OutcomesAction::More);
    assert_eq!(state.outcomes_view().table.unwrap().rows.len(), 40);
}

#[test]
fn without_conflicts_it_is_said() {
    let state = page(&CHAIN.replace("0, 0, 0, 4", "iota(0, 4)"));
    let view = state.outcomes_view();
    assert_eq!(
        view.count,
        "No two lanes hit the same bytes: the order of the lanes makes no difference."
    );
    assert!(view.table.is_none());
    assert!(view.filter.is_none() && view.turns.is_none());
}

#[test]
fn every_bundled_scenario_is_answered_and_replayed() {
    for bundled in lanewise_core::library::BUNDLED {
        let mut state = page(bundled.text);
        let view = state.outcomes_view();
        assert_eq!(view.stage, Stage::Done, "{}", bundled.id);
        let Some(table) = view.table.filter(|table| !table.columns.is_empty()) else {
            continue;
        };
        let last = table.rows.last().unwrap().index;
        outcomes(&mut state, OutcomesAction::Replay(last));
        assert!(state.can_run(), "{}", bundled.id);
        assert_eq!(own(&state), [last], "{}", bundled.id);
    }
}

#[test]
fn lanes_of_several_instructions_are_told_by_line() {
    let lock = lanewise_core::library::BUNDLED
        .iter()
        .find(|bundled| bundled.id == "lock")
        .unwrap();
    let told = page(lock.text).outcomes_view().known.join(" ");
    let differ = "Results differ in what lanes 0 to 7 get back on line 17 and in what lanes \
                  0 to 7 get back on line 18.";
    assert!(told.contains(differ), "{told}");
    assert!(told.contains("Lane 0 gets back one of 0, 102"), "{told}");
    assert!(told.contains(" on line 17."), "{told}");
}

/// What lanes get back is written over by the second instruction.
const OVER: &str = "\
.target visa XEHP
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.decl V35 v_type=G type=ud num_elts=8 align=GRF
.slm 256
.init V33 = iota(10, 1)
.init V35 = iota(64, 4)
dword_atomic.xchg (M1, 8) %slm V32.0 V33.0 %null.0 V34.0
dword_atomic.inc (M1, 8) %slm V35.0 %null.0 %null.0 V34.0
";

#[test]
fn what_is_written_over_can_be_got_back() {
    for lanes in ["0xff", "0x7"] {
        let mut state = page(&OVER.replace(".slm", &format!(".init em = {lanes}\n.slm")));
        let all = state.outcomes.found.as_ref().unwrap().lists_all();
        assert_eq!(all, lanes == "0x7");
        for (value, wanted) in [
            (
                12,
                "Yes: some order gives lane 0 the value 12. A later instruction",
            ),
            (99, "No: no order gives lane 0 the value 99."),
        ] {
            outcomes(&mut state, OutcomesAction::Lane(0));
            outcomes(&mut state, OutcomesAction::Value(value.to_string()));
            let view = state.outcomes_view();
            let answer = view.filter.unwrap().answer.clone();
            assert!(answer.starts_with(wanted), "{answer}");
            let told = view.known.join(" ");
            assert!(!told.contains("differ in what"), "{told}");
            // What the second instruction returns is the same for all.
            assert!(!told.contains("Lane 0 = "), "{told}");
        }
    }
}

/// In one order both lanes add to one cell, in the other each to its own.
#[test]
fn where_lanes_need_not_meet_contents_are_not_known() {
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
    let state = page(text);
    let found = state.outcomes.found.as_ref().unwrap();
    let second = &found.answer.conflicts[1];
    assert_eq!(second.contents, Some(vec![2]));
    let cell = found.cells.iter().find(|cell| cell.name == "slm[0x0]");
    assert_eq!(cell.unwrap().possible, None);
    // Nor does the headline say that the second always leaves 2.
    let view = state.outcomes_view();
    let headline =
        "What both cells hold depends on the order; what lane 0 returns depends on the order.";
    assert_eq!(view.invariant, headline);
}

#[test]
fn a_lane_that_faulted_got_nothing_back() {
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
    let mut state = page(text);
    let found = state.outcomes.found.as_ref().unwrap();
    let lane = found.slots.iter().position(|slot| slot.of.unwrap().0 == 1);
    assert!(found.lists_all() && found.answer.outcomes.iter().any(|o| o.fault.is_some()));
    outcomes(&mut state, OutcomesAction::Lane(lane.unwrap()));
    outcomes(&mut state, OutcomesAction::Value(String::from("0")));
    let answer = state.outcomes_view().filter.unwrap().answer.clone();
    assert!(answer.starts_with("No"), "{answer}");
}

/// What is said above the grids, for each bundled scenario with conflicts; read
/// through by hand.
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
        "slm[0x0] is always 116; what EU0 lanes 0–7 and EU1 lanes 0–7 return depends on the order.",
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
        "What at least 9 of 14 cells hold depends on the order.",
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
];

#[test]
fn headlines_of_bundled_scenarios_are_as_reviewed() {
    let mut found = Vec::new();
    for scenario in lanewise_core::library::BUNDLED {
        let state = page(scenario.text);
        let invariant = state.outcomes_view().invariant;
        if !invariant.is_empty() {
            found.push((scenario.id, invariant));
        }
    }
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    assert_eq!(found, INVARIANTS, "{found:#?}");
}

#[test]
fn a_press_on_the_grid_replays_an_order_that_gives_it() {
    let mut state = page(CHAIN);
    let grids = state.outcomes_view().grids;
    let titles: Vec<&str> = grids.iter().map(|grid| grid.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Returned values by lane, line 7",
            "Memory by cell, after line 7"
        ]
    );
    // Each of the three returns 0 in a third of the orders.
    let (value, fields) = &grids[0].rows[0];
    assert_eq!(value, "0");
    for field in fields {
        assert!((field.as_ref().unwrap().share - 1.0 / 3.0).abs() < 1e-9);
    }
    // Lane 2 returns 0: then it is the first.
    let field = fields[2].clone().unwrap();
    assert_eq!(field.label, "Lane 2 returns 0: 33% of orders, replay one");
    outcomes(&mut state, field.action);
    assert!(state.text.contains(".order 2 "), "{}", state.text);
    // The cell is 6: then lane 1 is the last.
    let (value, fields) = &grids[1].rows[1];
    assert_eq!(value, "6");
    outcomes(&mut state, fields[0].clone().unwrap().action);
    let order = state
        .text
        .lines()
        .find(|line| line.contains(".order"))
        .unwrap();
    let names: Vec<&str> = order.split_whitespace().collect();
    let place = |lane| names.iter().position(|name| *name == lane);
    assert!(
        place("1") > place("0") && place("1") > place("2"),
        "{order}"
    );
}
