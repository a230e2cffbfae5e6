use super::lane_order::LaneOrder;
use super::results::grids::{GridRow, GridValue};
use super::results::own::{OwnResult, stage_text};
use super::results::summary::Summary;
use super::results::table::ResultsTable;
use super::returned_value::ReturnForm;
use super::state::Status;
use super::*;
use crate::components::reorder::{LaneMove, OrderedUnit};
use crate::features::lanes::units::unit_name;
use crate::features::program::{Document, ProgramAction};
use crate::features::transport::TransportAction;
use crate::store::{Action, Saved, State};
use lanewise_core::isa::Unit;
use lanewise_core::library::{BUNDLED, KERNELS};
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, LaneRow};
use lanewise_explore::{QueryAnswer, can_leave, can_return};
use lanewise_web::search_worker::{self, Query, SearchRequest, SearchResponse};
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

/// Model of the Outcomes tab.
struct View {
    status: Status,
    is_stale: bool,
    summary: Option<Summary>,
    table: Option<ResultsTable>,
    form: Option<ReturnForm>,
    order: Option<LaneOrder>,
    announcement: String,
}

impl View {
    fn of(state: &State) -> Self {
        let outcomes = &state.outcomes;
        let results = outcomes.results.as_deref();
        let table = |results| {
            let wanted = outcomes.wanted.in_column(results);
            let wanted = wanted.filter(|_| !outcomes.is_stale);
            ResultsTable::new(
                results,
                OwnResult::of(results).as_ref(),
                wanted,
                outcomes.shown,
            )
        };
        let form = |results| ReturnForm::new(results, &outcomes.wanted, outcomes.reply_state());
        Self {
            status: outcomes.status.clone(),
            is_stale: outcomes.is_stale || !state.can_run(),
            summary: results.map(Summary::new),
            table: results.and_then(table),
            form: results.and_then(form),
            order: LaneOrder::of(&state.session).filter(|_| state.can_run()),
            announcement: outcomes.announcement.text.clone(),
        }
    }
}

/// Description of the result in the stage.
fn stage_result(state: &State) -> String {
    let outcomes = &state.outcomes;
    let results = outcomes.current_results();
    results.map_or_else(String::new, |results| {
        let own = OwnResult::of(results);
        stage_text(results, own.as_ref(), outcomes.previewed_index())
    })
}

/// A text without its `.order` lines.
fn without_orders(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.contains(".order")).collect()
}

/// State with a text and its outcomes.
fn page(text: &str) -> State {
    let saved = Saved {
        text: Some(String::from(text)),
        ..Saved::default()
    };
    let mut state = State::new(saved);
    work(&mut state);
    state
}

/// Simulates the worker until it is idle.
fn work(state: &mut State) {
    while let Some(response) = response(state) {
        outcomes(state, OutcomesAction::Worker(Rc::new(response)));
    }
}

/// Next response of the simulated worker, if any.
fn response(state: &State) -> Option<SearchResponse> {
    let outcomes = &state.outcomes;
    let search = outcomes.search_request();
    if let Some(order) = search.filter(|_| matches!(outcomes.status, Status::Working(_))) {
        let SearchRequest::Search { id, text, work } = &*order.request else {
            panic!("{order:?}");
        };
        let mut search = search_worker::search(text, *work);
        search.finish();
        return Some(SearchResponse::Found {
            id: *id,
            is_work_spent: search.spent() >= *work,
            result: search.result(),
        });
    }
    let order = outcomes.query_request().filter(|_| outcomes.is_pending())?;
    let SearchRequest::Query { id, text, query } = &*order.request else {
        panic!("{order:?}");
    };
    let program = Program::parse(text);
    let answer = match *query {
        Query::Returns { issue, unit, value } => can_return(&program, issue, unit, value),
        Query::Leaves {
            issue,
            space,
            address,
            content,
        } => can_leave(&program, issue, space, address, content),
    };
    Some(SearchResponse::Answer { id: *id, answer })
}

/// Applies an action and simulates the worker.
fn outcomes(state: &mut State, action: OutcomesAction) {
    let is_worker = matches!(action, OutcomesAction::Worker(_));
    state.act(Action::Outcomes(action));
    if !is_worker && state.outcomes.is_pending() {
        work(state);
    }
}

/// Indices of the results of the program's own orders.
fn own(state: &State) -> Vec<usize> {
    let table = View::of(state).table.unwrap();
    let own = table.rows.iter().filter(|row| row.is_own);
    own.map(|row| row.index).collect()
}

fn summary(state: &State) -> Summary {
    View::of(state).summary.unwrap()
}

#[test]
fn table_lists_differences_only() {
    let state = page(CHAIN);
    let view = View::of(&state);
    assert_eq!(view.status, Status::Done);
    assert_eq!(
        view.summary.as_ref().unwrap().count,
        "6 results of 6 orders"
    );
    assert_eq!(
        view.summary.as_ref().unwrap().completeness,
        "Complete: all orders are counted and all results are listed."
    );
    let sentences = &view.summary.as_ref().unwrap().sentences;
    assert_eq!(
        sentences.last().unwrap(),
        "Each result comes from 1 of 6 orders."
    );
    let table = view.table.unwrap();
    let names: Vec<_> = table
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(names, ["slm[0x0]", "Lane 0", "Lane 1", "Lane 2"]);
    assert_eq!(table.rows.len(), 6);
    for row in &table.rows {
        assert_eq!((row.orders.as_str(), row.share.as_str()), ("1", "16.66%"));
    }
    assert_eq!(own(&state).len(), 1);
    let row = table.rows.iter().find(|row| row.is_own).unwrap();
    let values: Vec<_> = row.values.iter().map(|value| value.text.as_str()).collect();
    assert_eq!(values, ["7", "0", "5", "6"]);
    assert!(row.values.iter().all(|value| !value.differs));
}

#[test]
fn replay_reproduces_each_result() {
    let mut state = page(CHAIN);
    for index in 0..6 {
        outcomes(&mut state, OutcomesAction::Replay(index));
        assert!(
            response(&state).is_none(),
            "lane order does not affect the set of results"
        );
        assert_eq!(own(&state), [index]);
        assert!(state.transport().at_end);
        let text = state.text();
        let line = text.lines().find(|line| line.contains(".order")).unwrap();
        assert!(line.starts_with("  .order "), "{line}");
        assert_eq!(text.matches(".order").count(), 1);
        assert_eq!(
            without_orders(&text).replace("  dword", "dword"),
            CHAIN.replace("  dword", "dword")
        );
    }
}

/// Moves the lane at a place in the order to another place.
fn move_lane(state: &mut State, from: usize, to: usize) {
    let lane = View::of(state).order.unwrap().in_order()[from];
    outcomes(state, OutcomesAction::Move(LaneMove { lane, to }));
}

#[test]
fn moves_change_one_lane() {
    let mut state = page(CHAIN);
    move_lane(&mut state, 0, 2);
    assert!(state.text().contains("  .order 1 2 0 3\n  dword_atomic"));
    let view = View::of(&state);
    assert_eq!(view.announcement, "Lane 0 is now number 3 of 4.");
    let order = view.order.unwrap();
    let names: Vec<_> = order.lanes.iter().map(|lane| lane.name.as_str()).collect();
    assert_eq!(names, ["1", "2", "0", "3"]);
    assert_eq!(order.lanes[3].group, None);
    assert_eq!(order.lanes[0].group, Some(0));
    move_lane(&mut state, 3, 0);
    assert!(state.text().contains("  .order 3 1 2 0\n"));
    move_lane(&mut state, 0, 1);
    assert!(state.text().contains("  .order 1 3 2 0\n"));
    move_lane(&mut state, 1, 3);
    assert!(state.text().contains("  .order 1 2 0 3\n"));
    // A missing place or an unchanged one is a no-op.
    let before = state.text();
    for (from, to) in [(0, 4), (2, 2), (0, usize::MAX)] {
        move_lane(&mut state, from, to);
    }
    // So is a lane of another instruction, or one that does not exist.
    let lane = View::of(&state).order.unwrap().in_order()[0];
    let elsewhere = OrderedUnit {
        instruction: 1,
        ..lane
    };
    let missing = OrderedUnit {
        unit: Unit { eu: 1, ..lane.unit },
        ..lane
    };
    for lane in [elsewhere, missing] {
        outcomes(&mut state, OutcomesAction::Move(LaneMove { lane, to: 2 }));
    }
    assert_eq!(state.text(), before);
    move_lane(&mut state, 2, 0);
    assert!(state.text().contains("  .order 0 1 2 3\n  dword_atomic"));
}

#[test]
fn replaced_order_line_keeps_its_comment() {
    let text = CHAIN.replace("  dword", ".order 2 // mine\n/* .order 1 */\n  dword");
    let mut state = page(&text);
    move_lane(&mut state, 0, 3);
    let wanted = ".order 0 1 3 2 // mine\n/* .order 1 */\n  dword";
    assert!(state.text().contains(wanted), "{}", state.text());
}

#[test]
fn order_of_the_first_instruction_keeps_the_others() {
    let last = CHAIN.lines().last().unwrap();
    let text = format!("{CHAIN}{last}\n");
    let mut state = page(&text);
    move_lane(&mut state, 0, 1);
    let lines: Vec<_> = state.text().lines().skip(6).map(String::from).collect();
    assert_eq!(lines[0], "  .order 1 0 2 3");
    assert_eq!(lines[2], "  .order 0 1 2 3");
    assert_eq!(lines.len(), 4);
    // Replaying a result of two instructions writes two lines.
    outcomes(&mut state, OutcomesAction::Replay(0));
    work(&mut state);
    assert_eq!(own(&state), [0]);
    assert_eq!(state.text().matches(".order").count(), 2);
}

#[test]
fn returned_value_query_is_answered() {
    let mut state = page(CHAIN);
    let answer = |state: &State| View::of(state).form.unwrap().answer.clone();
    assert_eq!(answer(&state), "");
    outcomes(&mut state, OutcomesAction::Lane(2));
    outcomes(&mut state, OutcomesAction::Value(String::from("5")));
    assert_eq!(
        answer(&state),
        "Yes: lane 2 returns 5 in 2 of 6 orders: 2 of 6 results."
    );
    assert_eq!(View::of(&state).table.unwrap().rows.len(), 2);
    outcomes(&mut state, OutcomesAction::Value(String::from("7")));
    assert_eq!(answer(&state), "No: lane 2 returns 7 in no order.");
    assert_eq!(View::of(&state).table.unwrap().rows.len(), 0);
    outcomes(&mut state, OutcomesAction::Value(String::from("seven")));
    assert_eq!(answer(&state), "Enter a value of type ud.");
    assert!(View::of(&state).form.unwrap().is_invalid);
    assert_eq!(View::of(&state).form.unwrap().offered, ["0", "5", "6"]);
}

#[test]
fn query_is_repeated_with_new_results() {
    let answer = |state: &State| View::of(state).form.unwrap().answer.clone();
    let lanes = CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff");
    let mut state = page(&lanes);
    // The order changes before the worker has answered.
    state.act(Action::Outcomes(OutcomesAction::Lane(1)));
    let value = OutcomesAction::Value(String::from("12"));
    state.act(Action::Outcomes(value));
    assert_eq!(answer(&state), "Searching …");
    move_lane(&mut state, 0, 1);
    work(&mut state);
    assert!(answer(&state).starts_with("Yes"), "{}", answer(&state));
    // Lane 1 now stores another value, which the earlier results lack.
    let other = state.text().replace("iota(5, 1)", "iota(20, 1)");
    state.act(Action::Program(ProgramAction::Edit(other)));
    let value = OutcomesAction::Value(String::from("27"));
    state.act(Action::Outcomes(value));
    work(&mut state);
    assert_eq!(state.outcomes.wanted.value, "27");
    assert!(answer(&state).starts_with("Yes"), "{}", answer(&state));
}

#[test]
fn unlisted_value_is_found_by_a_query() {
    let lanes = CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff");
    let mut state = page(&lanes);
    let view = View::of(&state);
    assert_eq!(
        view.summary.as_ref().unwrap().count,
        "40,320 results of 40,320 orders"
    );
    assert_eq!(
        view.summary.as_ref().unwrap().sentences[0],
        "Results differ in slm[0x0] and in what lanes 0–7 return."
    );
    assert_eq!(
        view.summary.as_ref().unwrap().sentences[1],
        "Lane 0 returns one of 0, 6, 7, 8, 9, 10, 11, 12."
    );
    // The first 500 results start with lane 0, then lane 1.
    for (lane, value, first) in [(0, 12, "Yes"), (0, 5, "No"), (1, 12, "Yes"), (7, 99, "No")] {
        outcomes(&mut state, OutcomesAction::Lane(lane));
        outcomes(&mut state, OutcomesAction::Value(value.to_string()));
        let view = View::of(&state);
        let answer = view.form.unwrap().answer.clone();
        let name = format!("lane {lane} returns {value}");
        assert!(
            answer.starts_with(first) && answer.contains(&name),
            "{answer}"
        );
        // Any of the other seven, or none, may come directly before.
        let share = answer.contains(" in 1 of 8 orders");
        assert_eq!(share, first == "Yes", "{answer}");
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
fn edit_cancels_the_search_and_stop_pauses_it() {
    let lanes = CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff");
    let status = |state: &State| View::of(state).status;
    let request =
        |state: &State| SearchRequest::clone(&state.outcomes.search_request().unwrap().request);
    let worker = |state: &mut State, response: SearchResponse| {
        outcomes(state, OutcomesAction::Worker(Rc::new(response)));
    };
    let mut state = State::new(Saved {
        text: Some(lanes.clone()),
        ..Saved::default()
    });
    let first = response(&state).unwrap();
    let SearchRequest::Search { id, work: most, .. } = request(&state) else {
        panic!("a search starts automatically");
    };
    worker(&mut state, SearchResponse::Progress { id, permille: 250 });
    assert_eq!(status(&state), Status::Working(250));
    outcomes(&mut state, OutcomesAction::Stop);
    assert_eq!(status(&state), Status::Paused(250));
    assert_eq!(request(&state), SearchRequest::Stop);
    // A report of the worker was in transit.
    worker(&mut state, SearchResponse::Progress { id, permille: 260 });
    assert_eq!(status(&state), Status::Paused(250));
    // The same search resumes with the same limit.
    outcomes(&mut state, OutcomesAction::Compute);
    assert!(
        matches!(request(&state), SearchRequest::Search { id: same, work, .. } if (same, work) == (id, most))
    );
    state.act(Action::Program(ProgramAction::Edit(String::from(CHAIN))));
    // Results for the previous text are ignored.
    worker(&mut state, first);
    assert_eq!(status(&state), Status::Working(0));
    work(&mut state);
    assert_eq!(summary(&state).count, "6 results of 6 orders");
    assert_eq!(state.outcomes.count_text().unwrap(), "6");
    // With errors, the previous results remain, and actions have no effect.
    state.act(Action::Program(ProgramAction::Edit(format!(
        "{CHAIN}nonsense\n"
    ))));
    assert!(response(&state).is_none() && View::of(&state).is_stale);
    outcomes(&mut state, OutcomesAction::Replay(0));
    assert!(!state.text().contains(".order"));
    // Until the new search ends, the previous results are view-only.
    state.act(Action::Program(ProgramAction::Edit(lanes)));
    assert!(View::of(&state).is_stale && state.outcomes.count_text().is_none());
    assert_eq!(View::of(&state).table.unwrap().rows.len(), 6);
    outcomes(&mut state, OutcomesAction::Replay(0));
    assert!(!state.text().contains(".order"));
    work(&mut state);
    assert_eq!(summary(&state).count, "40,320 results of 40,320 orders");
    assert_eq!(state.outcomes.count_text().unwrap(), "9,999+");
    let table = View::of(&state).table.unwrap();
    assert_eq!((table.rows.len(), table.more_rows), (20, 480));
    outcomes(&mut state, OutcomesAction::More);
    assert_eq!(View::of(&state).table.unwrap().rows.len(), 40);
}

#[test]
fn spent_search_continues_with_a_higher_limit() {
    let lanes = CHAIN.replace("0, 0, 0, 4", "splat(0)");
    let mut state = State::new(Saved {
        text: Some(lanes.clone()),
        ..Saved::default()
    });
    let spent = |state: &State| {
        let order = state.outcomes.search_request().unwrap();
        let SearchRequest::Search { id, work, .. } = *order.request else {
            panic!("{order:?}");
        };
        let result = search_worker::search(&lanes, 1).result();
        let response = SearchResponse::Found {
            id,
            result,
            is_work_spent: true,
        };
        (work, response)
    };
    let (work, response) = spent(&state);
    outcomes(&mut state, OutcomesAction::Worker(Rc::new(response)));
    let view = View::of(&state);
    assert_eq!(view.status, Status::WorkSpent);
    assert!(
        view.summary
            .unwrap()
            .completeness
            .starts_with("Search limit reached")
    );
    outcomes(&mut state, OutcomesAction::Compute);
    assert_eq!(View::of(&state).status, Status::Working(0));
    assert_eq!(spent(&state).0, 4 * work);
}

#[test]
fn results_found_during_errors_are_kept() {
    let mut state = page(CHAIN);
    let more = CHAIN.replace("iota(5, 1)", "iota(7, 1)");
    let edit = |state: &mut State, text: &str| {
        state.act(Action::Program(ProgramAction::Edit(text.into())));
    };
    edit(&mut state, &more);
    let found = response(&state).expect("the search is running");
    edit(&mut state, &format!("{more}dword_atomic.what\n"));
    assert!(!state.can_run());
    outcomes(&mut state, OutcomesAction::Worker(Rc::new(found)));
    edit(&mut state, &more);
    assert_eq!(View::of(&state).status, Status::Done);
    assert!(!View::of(&state).is_stale);
    assert_eq!(summary(&state).count, "6 results of 6 orders");
    // The preview ends too.
    outcomes(&mut state, OutcomesAction::Preview(Some(0)));
    assert!(state.outcomes.preview().is_some());
    state.source.document = Document::parse("dword_atomic.what\n");
    outcomes(&mut state, OutcomesAction::Preview(None));
    assert!(state.outcomes.preview().is_none());
}

#[test]
fn failed_worker_is_replaced() {
    let mut state = State::new(Saved {
        text: Some(String::from(CHAIN)),
        ..Saved::default()
    });
    let worker = |state: &State| state.outcomes.search_request().unwrap().worker;
    let before = worker(&state);
    outcomes(&mut state, OutcomesAction::Failed(Rc::from("404")));
    assert_eq!(View::of(&state).status, Status::Failed(Rc::from("404")));
    assert_eq!(worker(&state), before);
    outcomes(&mut state, OutcomesAction::Retry);
    assert_ne!(worker(&state), before);
    work(&mut state);
    assert_eq!(summary(&state).count, "6 results of 6 orders");
}

#[test]
fn preview_shows_and_names_the_result() {
    let mut state = page(CHAIN);
    let order = |state: &State| {
        let session = state.stage_session();
        let issue = session.current_issue().unwrap();
        let mut rows: Vec<_> = session.lanes(issue);
        rows.retain(|row| row.order.is_some());
        rows.sort_by_key(|row| row.order);
        let lanes: Vec<String> = rows.iter().map(|row| row.unit.lane.to_string()).collect();
        lanes.join(" ")
    };
    assert_eq!(order(&state), "0 1 2 3");
    let run = stage_result(&state);
    assert!(
        run.starts_with("Result ") && run.ends_with(" of 6, 1 of 6 orders"),
        "{run}"
    );
    let text = state.text();
    for row in View::of(&state).table.unwrap().rows {
        outcomes(&mut state, OutcomesAction::Preview(Some(row.index)));
        assert_eq!(order(&state), row.order);
        let wanted = format!("Preview: result {} of 6, 1 of 6 orders", row.index + 1);
        assert_eq!(stage_result(&state), wanted);
        // At the end of the instruction, the cell has its final value.
        assert_eq!(state.stage_session().position(), 4);
    }
    outcomes(&mut state, OutcomesAction::Preview(None));
    assert_eq!(order(&state), "0 1 2 3");
    assert_eq!((state.text(), stage_result(&state)), (text, run));
    let grids = summary(&state).grids.clone();
    let field = grids[0].rows[0].fields[2].clone().unwrap();
    assert_eq!(
        field.label,
        "Lane 2 returns 0: in 1 of 3 orders, replay one"
    );
    outcomes(&mut state, OutcomesAction::PreviewValue(field.value));
    assert!(order(&state).starts_with('2'), "{}", order(&state));
    // An edit ends the preview.
    state.act(Action::Program(ProgramAction::Edit(
        CHAIN.replace("iota(5", "iota(6"),
    )));
    assert_eq!(order(&state), "0 1 2 3");
}

#[test]
fn no_conflicts_give_a_single_sentence() {
    let state = page(&CHAIN.replace("0, 0, 0, 4", "iota(0, 4)"));
    let view = View::of(&state);
    assert_eq!(
        view.summary.as_ref().unwrap().count,
        "Lanes do not access the same bytes, so lane order does not affect the result."
    );
    assert!(view.table.is_none());
    assert!(view.form.is_none() && view.order.is_none());
}

#[test]
fn last_results_of_bundled_scenarios_replay() {
    for bundled in lanewise_core::library::BUNDLED {
        let mut state = page(bundled.text);
        let view = View::of(&state);
        assert_eq!(view.status, Status::Done, "{}", bundled.id);
        let Some(table) = view.table.filter(|table| !table.columns.is_empty()) else {
            continue;
        };
        let last = table.rows.last().unwrap().index;
        outcomes(&mut state, OutcomesAction::Replay(last));
        assert!(state.can_run(), "{}", bundled.id);
        if state.outcomes.announcement().starts_with("Not replayed") {
            // Passes of a loop have different orders.
            assert_eq!(bundled.id, "spin-lock");
            continue;
        }
        assert_eq!(own(&state), [last], "{}", bundled.id);
    }
}

#[test]
fn lanes_of_several_instructions_include_the_line() {
    let lock = lanewise_core::library::BUNDLED
        .iter()
        .find(|bundled| bundled.id == "lock")
        .unwrap();
    let sentences = View::of(&page(lock.text))
        .summary
        .unwrap()
        .sentences
        .join(" ");
    let differ = "Results differ in what lanes 0–7 return in line 17 and in what lanes \
                  0–7 return in line 18.";
    assert!(sentences.contains(differ), "{sentences}");
    assert!(
        sentences.contains("Lane 0 returns one of 0, 102"),
        "{sentences}"
    );
    assert!(sentences.contains(" in line 17."), "{sentences}");
}

/// The second instruction overwrites the returned values of the first.
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
fn overwritten_return_is_found() {
    for lanes in ["0xff", "0x7"] {
        let mut state = page(&OVER.replace(".slm", &format!(".init em = {lanes}\n.slm")));
        let all = state.outcomes.results.as_ref().unwrap().lists_all();
        assert_eq!(all, lanes == "0x7");
        for (value, wanted) in [
            (
                12,
                "Yes: lane 0 returns 12 in some order. A later instruction",
            ),
            (99, "No: lane 0 returns 99 in no order."),
        ] {
            outcomes(&mut state, OutcomesAction::Lane(0));
            outcomes(&mut state, OutcomesAction::Value(value.to_string()));
            let view = View::of(&state);
            let answer = view.form.unwrap().answer.clone();
            assert!(answer.starts_with(wanted), "{answer}");
            let sentences = view.summary.as_ref().unwrap().sentences.join(" ");
            assert!(!sentences.contains("differ in what"), "{sentences}");
            // The second instruction returns the same value in all results.
            assert!(!sentences.contains("Lane 0 = "), "{sentences}");
        }
    }
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
    let state = page(text);
    let results = state.outcomes.results.as_ref().unwrap();
    let second = &results.found.conflicts[1];
    assert_eq!(second.contents, Some(vec![2]));
    let cell = results.cells.iter().find(|cell| cell.name == "slm[0x0]");
    assert_eq!(cell.unwrap().possible, None);
    // Nor does the headline claim that the second always leaves 2.
    let view = View::of(&state);
    let headline =
        "The contents of both cells depend on the order; what lane 0 returns depends on the order.";
    assert_eq!(view.summary.as_ref().unwrap().invariant, headline);
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
    let mut state = page(text);
    let results = state.outcomes.results.as_ref().unwrap();
    let lane = results
        .returns
        .iter()
        .position(|own| own.returned_by.unwrap().0 == IssueIndex(1));
    assert!(results.lists_all() && results.found.outcomes.iter().any(|o| o.fault.is_some()));
    outcomes(&mut state, OutcomesAction::Lane(lane.unwrap()));
    outcomes(&mut state, OutcomesAction::Value(String::from("0")));
    let answer = View::of(&state).form.unwrap().answer.clone();
    assert!(answer.starts_with("No"), "{answer}");
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
    let mut found = Vec::new();
    for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
        let state = page(scenario.text);
        let invariant = View::of(&state).summary.unwrap().invariant.clone();
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
fn grid_field_replays_an_order_with_its_value() {
    let mut state = page(CHAIN);
    let grids = View::of(&state).summary.unwrap().grids.clone();
    let titles: Vec<&str> = grids.iter().map(|grid| grid.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Returned values by lane, line 7",
            "Memory by cell, after line 7"
        ]
    );
    // Each of the three returns 0 in a third of the orders.
    let GridRow { value, fields } = &grids[0].rows[0];
    assert_eq!(value, "0");
    for field in fields {
        assert_eq!(field.as_ref().unwrap().percent, "33%");
    }
    // Lane 2 returns 0 if it is first.
    let field = fields[2].clone().unwrap();
    assert_eq!(
        field.label,
        "Lane 2 returns 0: in 1 of 3 orders, replay one"
    );
    outcomes(&mut state, OutcomesAction::ReplayValue(field.value));
    assert!(state.text().contains(".order 2 "), "{}", state.text());
    // The cell is 6 if lane 1 is last.
    let GridRow { value, fields } = &grids[1].rows[1];
    assert_eq!(value, "6");
    let value = fields[0].as_ref().unwrap().value;
    outcomes(&mut state, OutcomesAction::ReplayValue(value));
    let text = state.text();
    let order = text.lines().find(|line| line.contains(".order")).unwrap();
    let names: Vec<&str> = order.split_whitespace().collect();
    let place = |lane| names.iter().position(|name| *name == lane);
    assert!(
        place("1") > place("0") && place("1") > place("2"),
        "{order}"
    );
}

/// A program with more results than are listed, and a value that only unlisted
/// ones have: lane 0 returns 12.
fn unlisted() -> (State, GridValue) {
    let lanes = CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff");
    (page(&lanes), lane_0_returns(12))
}

fn lane_0_returns(value: u64) -> GridValue {
    GridValue::Returned {
        issue: IssueIndex(0),
        unit: Unit::lane(0, 0),
        value,
    }
}

/// Applies an action without the worker's answer.
fn act(state: &mut State, action: OutcomesAction) {
    state.act(Action::Outcomes(action));
}

fn edit(state: &mut State, text: &str) {
    state.act(Action::Program(ProgramAction::Edit(text.into())));
}

#[test]
fn comment_edit_keeps_the_search_and_moves_lines() {
    let last = CHAIN.lines().last().unwrap();
    let two = format!("{CHAIN}{last}\n");
    let mut state = page(&two);
    let request = state.outcomes.search_request();
    let count = summary(&state).count;
    let descriptions = |state: &State| -> Vec<String> {
        let columns = View::of(state).table.unwrap().columns.into_iter();
        columns.map(|column| column.description).collect()
    };
    assert!(descriptions(&state).contains(&String::from("returned in V34, line 8")));
    edit(&mut state, &format!("// slm[0x0] ends as 3\n{two}"));
    assert_eq!(state.outcomes.search_request(), request);
    let view = View::of(&state);
    assert_eq!((view.status, view.is_stale), (Status::Done, false));
    let summary = summary(&state);
    assert_eq!(summary.count, count);
    assert!(summary.grids[0].title.ends_with(", line 8"));
    assert!(descriptions(&state).contains(&String::from("returned in V34, line 9")));
    // Initial state is part of the program.
    edit(&mut state, &two.replace("iota(5, 1)", "iota(6, 1)"));
    assert_ne!(state.outcomes.search_request(), request);
    assert!(View::of(&state).is_stale);
}

#[test]
fn comment_edit_sends_no_query() {
    let (mut state, _) = unlisted();
    outcomes(&mut state, OutcomesAction::Value(String::from("12")));
    let request = state.outcomes.query_request();
    assert!(request.is_some());
    let answer = |state: &State| View::of(state).form.unwrap().answer;
    let before = answer(&state);
    assert!(before.starts_with("Yes"), "{before}");
    let text = format!("// twelve\n{}", state.text());
    edit(&mut state, &text);
    assert_eq!(state.outcomes.query_request(), request);
    assert_eq!(answer(&state), before);
}

#[test]
fn failed_replay_is_announced() {
    let (mut state, value) = unlisted();
    act(&mut state, OutcomesAction::ReplayValue(value));
    assert_eq!(state.outcomes.replaying(), Some(value));
    assert!(state.outcomes.announcement.is_visible);
    let Some(SearchResponse::Answer { id, .. }) = response(&state) else {
        panic!("the worker looks for an order");
    };
    let answer = QueryAnswer {
        outcome: None,
        is_certain: false,
    };
    let none = SearchResponse::Answer { id, answer };
    outcomes(&mut state, OutcomesAction::Worker(Rc::new(none)));
    let announcement = &state.outcomes.announcement;
    assert_eq!(announcement.text, "No such order was found.");
    assert!(announcement.is_visible);
    assert_eq!(state.outcomes.replaying(), None);
    // A result that is found appears in the text.
    outcomes(&mut state, OutcomesAction::ReplayValue(value));
    assert!(state.text().contains(".order "));
    assert!(!state.outcomes.announcement.is_visible);
}

#[test]
fn query_waits_for_a_pending_replay() {
    let (mut state, value) = unlisted();
    act(&mut state, OutcomesAction::ReplayValue(value));
    act(&mut state, OutcomesAction::Lane(1));
    act(&mut state, OutcomesAction::Value(String::from("12")));
    let answer = |state: &State| View::of(state).form.unwrap().answer;
    assert_eq!(state.outcomes.replaying(), Some(value));
    assert_eq!(answer(&state), "Searching …");
    work(&mut state);
    assert!(state.text().contains(".order "));
    assert!(answer(&state).starts_with("Yes: lane 1 returns 12"));
    // Another program cancels the replay, with an announcement.
    act(&mut state, OutcomesAction::ReplayValue(lane_0_returns(11)));
    let text = state.text().replace("iota(5, 1)", "iota(6, 1)");
    edit(&mut state, &text);
    assert_eq!(state.outcomes.replaying(), None);
    let announcement = &state.outcomes.announcement;
    assert!(announcement.is_visible && announcement.text.contains("the program has changed"));
}

#[test]
fn results_are_view_only_while_the_text_has_errors() {
    let (mut state, _) = unlisted();
    let text = format!("{}nonsense\n", state.text());
    edit(&mut state, &text);
    assert!(!state.can_run());
    act(&mut state, OutcomesAction::More);
    assert_eq!(View::of(&state).table.unwrap().rows.len(), 40);
    act(&mut state, OutcomesAction::Lane(7));
    act(&mut state, OutcomesAction::Value(String::from("99")));
    let view = View::of(&state);
    assert_eq!(
        view.form.unwrap().answer,
        "No: lane 7 returns 99 in no order."
    );
    assert!(view.table.unwrap().rows.is_empty());
    // The worker is not queried about a text with errors.
    act(&mut state, OutcomesAction::Lane(0));
    act(&mut state, OutcomesAction::Value(String::from("12")));
    assert!(!state.outcomes.is_pending());
    let answer = View::of(&state).form.unwrap().answer;
    assert!(
        answer.contains("none of the 500 listed results"),
        "{answer}"
    );
    // It is queried once they are fixed.
    let text = state.text().replace("nonsense\n", "");
    edit(&mut state, &text);
    work(&mut state);
    let answer = View::of(&state).form.unwrap().answer;
    assert!(answer.starts_with("Yes"), "{answer}");
}

#[test]
fn last_user_action_wins() {
    let (mut state, value) = unlisted();
    act(&mut state, OutcomesAction::ReplayValue(value));
    let late = response(&state).unwrap();
    act(&mut state, OutcomesAction::Replay(3));
    assert_eq!(state.outcomes.replaying(), None);
    let text = state.text();
    act(&mut state, OutcomesAction::Worker(Rc::new(late)));
    work(&mut state);
    assert_eq!(state.text(), text);
    act(&mut state, OutcomesAction::ReplayValue(lane_0_returns(11)));
    let lane = View::of(&state).order.unwrap().in_order()[0];
    act(&mut state, OutcomesAction::Move(LaneMove { lane, to: 1 }));
    let text = state.text();
    work(&mut state);
    assert_eq!(state.text(), text);
}

#[test]
fn stale_results_answer_no_query() {
    let mut state = page(CHAIN);
    edit(&mut state, &CHAIN.replace("iota(5, 1)", "iota(6, 1)"));
    act(&mut state, OutcomesAction::Value(String::from("0")));
    let answer = |state: &State| View::of(state).form.unwrap().answer;
    assert_eq!(answer(&state), "Searching …");
    for action in [
        OutcomesAction::Stop,
        OutcomesAction::Failed(Rc::from("404")),
    ] {
        act(&mut state, action);
        assert_eq!(answer(&state), "Unknown: the search is incomplete.");
    }
}

#[test]
fn step_ends_the_preview() {
    let mut state = page(CHAIN);
    act(&mut state, OutcomesAction::Preview(Some(2)));
    assert!(state.outcomes.preview().is_some());
    state.act(Action::Transport(TransportAction::Step));
    assert!(state.outcomes.preview().is_none());
    assert_eq!(state.stage_session().position(), 1);
}

/// After the computer sleeps, a healthy worker may appear hung.
#[test]
fn late_worker_is_kept() {
    let mut state = State::new(Saved {
        text: Some(String::from(CHAIN)),
        ..Saved::default()
    });
    let worker = |state: &State| state.outcomes.search_request().unwrap().worker;
    let before = worker(&state);
    act(&mut state, OutcomesAction::Failed(Rc::from("late")));
    let SearchRequest::Search { id, .. } = *state.outcomes.search_request().unwrap().request else {
        panic!("a search starts automatically");
    };
    let progress = SearchResponse::Progress { id, permille: 500 };
    act(&mut state, OutcomesAction::Worker(Rc::new(progress)));
    assert_eq!(View::of(&state).status, Status::Working(500));
    act(&mut state, OutcomesAction::Stop);
    assert_eq!(worker(&state), before);
    // An edit after a failure starts a new worker.
    act(&mut state, OutcomesAction::Failed(Rc::from("404")));
    edit(&mut state, &CHAIN.replace("iota(5, 1)", "iota(6, 1)"));
    assert_ne!(worker(&state), before);
}

/// Grid columns have the hues of their lane groups, as in the stage and the
/// lane table.
#[test]
fn grid_columns_have_lane_group_hues() {
    let mut seen = 0;
    for scenario in BUNDLED {
        let state = page(scenario.text);
        let program = state.session.program();
        if program.instructions.len() != 1 {
            continue;
        }
        let rows = state.session.lanes(IssueIndex(0));
        let grids = summary(&state).grids;
        let grids = grids.iter().filter(|grid| grid.corner == "returns");
        for column in grids.flat_map(|grid| &grid.columns) {
            let is_own = |row: &&LaneRow| unit_name(row.unit, program.threads) == column.name;
            let row = rows.iter().find(is_own).unwrap();
            assert_eq!(Some(column.group), row.conflict, "{}", scenario.id);
            seen += column.group;
        }
    }
    assert!(seen > 0, "a column of a second group");
}

#[test]
fn stage_reports_incomplete_results() {
    let (mut state, _) = unlisted();
    let text = state.text().replace("iota(5, 1)", "iota(6, 1)");
    edit(&mut state, &text);
    let Some(SearchResponse::Found { id, mut result, .. }) = response(&state) else {
        panic!("an edit starts a search");
    };
    result.complete = false;
    let found = SearchResponse::Found {
        id,
        result,
        is_work_spent: true,
    };
    act(&mut state, OutcomesAction::Worker(Rc::new(found)));
    assert_eq!(
        summary(&state).count,
        "At least 40,320 results of 40,320 orders"
    );
    act(&mut state, OutcomesAction::Preview(Some(0)));
    assert_eq!(
        stage_result(&state),
        "Preview: one of at least 40,320 results"
    );
}
