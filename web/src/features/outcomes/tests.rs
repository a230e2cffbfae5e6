use super::state::Status;
use super::*;
use crate::components::reorder::LaneMove;
use crate::features::files::FilesAction;
use crate::features::program::ProgramAction;
use crate::features::transport::TransportAction;
use crate::store::State;
use lanewise_answer::results::{GridValue, LaneOrder, ReplyState, Results};
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::IssueIndex;
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

/// State with a text and its outcomes.
fn page(text: &str) -> State {
    let mut state = State::of_text(text);
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
    let search = outcomes.search_request.clone();
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
    let order = outcomes
        .query_request
        .clone()
        .filter(|_| outcomes.is_pending())?;
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
    state.act(action);
    if !is_worker && state.outcomes.is_pending() {
        work(state);
    }
}

#[test]
fn edit_cancels_the_search_and_stop_pauses_it() {
    let request = |state: &State| {
        SearchRequest::clone(&state.outcomes.search_request.as_ref().unwrap().request)
    };
    let worker = |state: &mut State, response: SearchResponse| {
        outcomes(state, OutcomesAction::Worker(Rc::new(response)));
    };
    let mut state = State::of_text(&eight_lanes());
    let first = response(&state).unwrap();
    let SearchRequest::Search { id, work: most, .. } = request(&state) else {
        panic!("a search starts automatically");
    };
    worker(&mut state, SearchResponse::Progress { id, permille: 250 });
    assert_eq!(state.outcomes.status, Status::Working(250));
    outcomes(&mut state, OutcomesAction::Stop);
    assert_eq!(state.outcomes.status, Status::Paused(250));
    assert_eq!(request(&state), SearchRequest::Stop);
    // A report of the worker was in transit.
    worker(&mut state, SearchResponse::Progress { id, permille: 260 });
    assert_eq!(state.outcomes.status, Status::Paused(250));
    // The same search resumes with the same limit.
    outcomes(&mut state, OutcomesAction::Compute);
    assert!(
        matches!(request(&state), SearchRequest::Search { id: same, work, .. } if (same, work) == (id, most))
    );
    edit(&mut state, CHAIN);
    // Results for the previous text are ignored.
    worker(&mut state, first);
    assert_eq!(state.outcomes.status, Status::Working(0));
    work(&mut state);
    assert_eq!(state.outcomes.count_text().unwrap(), "6");
    // With errors, the previous results remain, and actions have no effect.
    edit(&mut state, &format!("{CHAIN}nonsense\n"));
    assert!(response(&state).is_none());
    outcomes(&mut state, OutcomesAction::Replay(0));
    assert!(!state.outcomes.is_trial());
    // Until the new search ends, the previous results are view-only.
    edit(&mut state, &eight_lanes());
    assert!(state.outcomes.is_stale && state.outcomes.count_text().is_none());
    assert_eq!(results(&state).found.outcomes.len(), 6);
    outcomes(&mut state, OutcomesAction::Replay(0));
    assert!(!state.outcomes.is_trial());
    work(&mut state);
    assert_eq!(state.outcomes.count_text().unwrap(), "40,320");
    let shown = state.outcomes.shown;
    outcomes(&mut state, OutcomesAction::More);
    assert_eq!(state.outcomes.shown, 2 * shown);
}

fn results(state: &State) -> &Results {
    state.outcomes.results.as_ref().unwrap()
}

/// All lanes exchange values with one cell.
fn eight_lanes() -> String {
    CHAIN
        .replace("0, 0, 0, 4", "splat(0)")
        .replace("0xf", "0xff")
}

/// A program with more results than are listed, and a value that only unlisted
/// ones have: lane 0 returns 12.
fn unlisted() -> (State, GridValue) {
    (page(&eight_lanes()), lane_0_returns(12))
}

fn lane_0_returns(value: u64) -> GridValue {
    GridValue::Returned {
        issue: IssueIndex(0),
        unit: Unit::lane(0, 0),
        value,
    }
}

/// Whether the query is answered.
fn is_known(state: &State) -> bool {
    matches!(state.outcomes.reply_state(), ReplyState::Known(_))
}

fn edit(state: &mut State, text: &str) {
    state.act(ProgramAction::Edit(text.into()));
}

#[test]
fn comment_edit_keeps_the_search() {
    let mut state = page(CHAIN);
    let request = state.outcomes.search_request.clone();
    edit(&mut state, &format!("// slm[0x0] ends as 3\n{CHAIN}"));
    assert_eq!(state.outcomes.search_request.clone(), request);
    assert_eq!(state.outcomes.status, Status::Done);
    assert!(!state.outcomes.is_stale);
    let line = |program: &Program| program.instructions[0].line;
    assert_eq!(
        line(&results(&state).program),
        line(state.session.program())
    );
    // Initial state is part of the program.
    edit(&mut state, &CHAIN.replace("iota(5, 1)", "iota(6, 1)"));
    assert_ne!(state.outcomes.search_request.clone(), request);
    assert!(state.outcomes.is_stale);
}

#[test]
fn comment_edit_sends_no_query() {
    let (mut state, _) = unlisted();
    outcomes(&mut state, OutcomesAction::Value(String::from("12")));
    let request = state.outcomes.query_request.clone();
    assert!(request.is_some());
    let text = format!("// twelve\n{}", state.text());
    edit(&mut state, &text);
    assert_eq!(state.outcomes.query_request.clone(), request);
    assert!(is_known(&state));
}

#[test]
fn failed_replay_is_announced() {
    let (mut state, value) = unlisted();
    state.act(OutcomesAction::ReplayValue(value));
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
    assert!(state.outcomes.announcement.is_visible);
    assert_eq!(state.outcomes.replaying(), None);
    assert!(!state.outcomes.is_trial());
    // A result that is found appears in the text.
    outcomes(&mut state, OutcomesAction::ReplayValue(value));
    assert!(state.outcomes.is_trial());
    assert!(!state.outcomes.announcement.is_visible);
}

#[test]
fn query_waits_for_a_pending_replay() {
    let (mut state, value) = unlisted();
    state.act(OutcomesAction::ReplayValue(value));
    state.act(OutcomesAction::Lane(1));
    state.act(OutcomesAction::Value(String::from("12")));
    assert_eq!(state.outcomes.replaying(), Some(value));
    assert_eq!(state.outcomes.reply_state(), ReplyState::Expected);
    work(&mut state);
    assert!(state.outcomes.is_trial() && is_known(&state));
    // Another program cancels the replay, with an announcement.
    state.act(OutcomesAction::ReplayValue(lane_0_returns(11)));
    let text = state.text().replace("iota(5, 1)", "iota(6, 1)");
    edit(&mut state, &text);
    assert_eq!(state.outcomes.replaying(), None);
    assert!(state.outcomes.announcement.is_visible);
}

#[test]
fn query_about_a_text_with_errors_waits_until_they_are_fixed() {
    let (mut state, _) = unlisted();
    let text = state.text();
    edit(&mut state, &format!("{text}nonsense\n"));
    assert!(!state.can_run());
    state.act(OutcomesAction::Value(String::from("12")));
    assert!(!state.outcomes.is_pending());
    assert_eq!(state.outcomes.reply_state(), ReplyState::NotAsked);
    edit(&mut state, &text);
    work(&mut state);
    assert!(is_known(&state));
}

#[test]
fn last_user_action_wins() {
    let (mut state, value) = unlisted();
    state.act(OutcomesAction::ReplayValue(value));
    let late = response(&state).unwrap();
    state.act(OutcomesAction::Replay(3));
    assert_eq!(state.outcomes.replaying(), None);
    let text = state.text();
    state.act(OutcomesAction::Worker(Rc::new(late)));
    work(&mut state);
    assert_eq!(state.text(), text);
    state.act(OutcomesAction::ReplayValue(lane_0_returns(11)));
    let lane = LaneOrder::of(&state.session).unwrap().in_order()[0];
    state.act(OutcomesAction::Move(LaneMove { lane, to: 1 }));
    let text = state.text();
    work(&mut state);
    assert_eq!(state.text(), text);
}

#[test]
fn stale_results_answer_no_query() {
    let mut state = page(CHAIN);
    edit(&mut state, &CHAIN.replace("iota(5, 1)", "iota(6, 1)"));
    state.act(OutcomesAction::Value(String::from("0")));
    assert_eq!(state.outcomes.reply_state(), ReplyState::Expected);
    state.act(OutcomesAction::Failed(Rc::from("404")));
    assert_eq!(state.outcomes.reply_state(), ReplyState::NoResults);
}

/// After the computer sleeps, a healthy worker may appear hung.
#[test]
fn late_worker_is_kept() {
    let mut state = State::of_text(CHAIN);
    let worker = |state: &State| state.outcomes.search_request.as_ref().unwrap().worker;
    let before = worker(&state);
    state.act(OutcomesAction::Failed(Rc::from("late")));
    let SearchRequest::Search { id, .. } = *state.outcomes.search_request.as_ref().unwrap().request
    else {
        panic!("a search starts automatically");
    };
    let progress = SearchResponse::Progress { id, permille: 500 };
    state.act(OutcomesAction::Worker(Rc::new(progress)));
    assert_eq!(state.outcomes.status, Status::Working(500));
    state.act(OutcomesAction::Stop);
    assert_eq!(worker(&state), before);
    // An edit after a failure starts a new worker.
    state.act(OutcomesAction::Failed(Rc::from("404")));
    edit(&mut state, &CHAIN.replace("iota(5, 1)", "iota(6, 1)"));
    assert_ne!(worker(&state), before);
}

/// Only a search that awaits the worker fails with it.
#[test]
fn failed_worker_keeps_finished_results_and_is_replaced() {
    let mut state = page(CHAIN);
    let request = |state: &mut State| {
        state.act(FilesAction::Read(Rc::from("a.isa"), Rc::from(&b"x"[..])));
        state.files.request.clone().unwrap().worker
    };
    let before = request(&mut state);
    state.act(OutcomesAction::Failed(Rc::from("late")));
    assert_eq!(state.outcomes.status, Status::Done);
    let replaced = request(&mut state);
    assert_ne!(replaced, before);
    assert_eq!(request(&mut state), replaced);
}

/// The timeline of a later work-group starts with the memory that the earlier ones
/// have left.
#[test]
fn results_of_a_later_group_follow_the_earlier_ones() {
    let text = "\
.target visa DG2
.launch global=16 local=8 group=1
.simd 8
.buffer sum : ud[1]
.decl V32 v_type=G type=uq num_elts=1 align=qword
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
mov (M1, 8) V33(0,0)<1> V32(0,0)<0;1,0>
svm_atomic.inc (M1, 8) V33.0 %null.0 %null.0 V34.0
.bind V32 = &sum
";
    let mut state = State::of_text(text);
    assert!(state.can_run(), "{:?}", state.source.problems);
    work(&mut state);
    state.end_run();
    // The first group has incremented the sum eight times.
    let sum = |program: &Program| {
        let buffer = &program.launch.as_ref().unwrap().buffers[0];
        program.start.load(SpaceId::VIRTUAL, buffer.address, 4)
    };
    assert_eq!(sum(state.session.program()), Some(8));
    assert_eq!(sum(&results(&state).program), Some(8));
    state.act(TransportAction::ToEnd);
    state.act(OutcomesAction::Preview(Some(0)));
    assert_eq!(sum(state.outcomes.preview().unwrap().program()), Some(8));
    edit(&mut state, &format!("// one\n{text}"));
    assert_eq!(sum(&results(&state).program), Some(8));
}
