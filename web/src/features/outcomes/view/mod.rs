//! Outcomes tab.

mod grid;
mod lane_order;
mod results;
mod returned_value;

use super::OutcomesAction;
use super::state::{Outcomes, Status};
use crate::components::read_only::use_read_only;
use crate::store::{Action, Slice};
use grid::value_grid;
use lane_order::LaneOrderList;
use lanewise_answer::results::{
    LaneOrder, OwnResult, ResultsTable, ReturnForm, Summary, WantedReturn, stage_text,
};
use lanewise_core::session::Session;
use lanewise_core::text::counted;
use results::results_table;
use returned_value::returned_value_form;
use std::rc::Rc;
use yew::prelude::*;

/// Id of the description of controls disabled while the text has errors.
const ERRORS: &str = "outcomes-errors";

/// Id of the description of controls disabled in read-only mode.
const READ_ONLY: &str = "outcomes-read-only";

/// Id of the description of controls disabled until results are available.
const SUMMARY: &str = "outcomes-summary";

#[derive(Properties, PartialEq)]
pub(crate) struct OutcomesPaneProps {
    pub(crate) outcomes: Slice<Outcomes>,
    pub(crate) session: Slice<Session>,
    /// Whether the text has no errors.
    pub(crate) can_run: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Outcomes tab: headline, value grids, results and lane order.
#[component]
pub(crate) fn OutcomesPane(props: &OutcomesPaneProps) -> Html {
    let OutcomesPaneProps {
        outcomes,
        session,
        can_run,
        dispatch,
    } = props;
    let can_run = *can_run;
    let read_only = use_read_only();
    let on_action = use_callback(dispatch.clone(), |action, dispatch| {
        dispatch.emit(Action::Outcomes(action));
    });
    let results = &outcomes.results;
    let summary = use_memo(results.clone(), |results| {
        results.as_deref().map(Summary::new).unwrap_or_default()
    });
    let own = use_memo(results.clone(), |results| {
        results.as_deref().and_then(OwnResult::of)
    });
    // The query applies to results of this program only.
    let wanted = if outcomes.is_stale {
        WantedReturn::default()
    } else {
        outcomes.wanted.clone()
    };
    let table = use_memo(
        (results.clone(), own, wanted, outcomes.shown),
        |(results, own, wanted, shown)| {
            let results = results.as_deref()?;
            let (own, wanted) = ((**own).as_ref(), wanted.in_column(results));
            ResultsTable::new(results, own, wanted, *shown)
        },
    );
    let form = use_memo(
        (
            results.clone(),
            outcomes.wanted.clone(),
            outcomes.reply_state(),
        ),
        |(results, wanted, reply)| ReturnForm::new(results.as_deref()?, wanted, *reply),
    );
    let can_reorder = can_run && !read_only;
    let order = use_memo((session.clone(), can_reorder), |(session, can_reorder)| {
        can_reorder
            .then(|| LaneOrder::of(session))
            .flatten()
            .map(Rc::new)
    });
    let has_results = results.is_some() && !outcomes.is_stale;
    let status = &outcomes.status;
    let replay_refused_by = match (can_run, outcomes.is_stale) {
        _ if read_only => Some(READ_ONLY),
        (false, _) => Some(ERRORS),
        (true, true) => Some(SUMMARY),
        (true, false) => None,
    };
    let grid = |grid| value_grid(grid, replay_refused_by, outcomes.replaying(), &on_action);
    let announcement = &outcomes.announcement;
    html! {
        <section
            class="pane outcomes"
            data-stale={(outcomes.is_stale || !can_run).then_some("")}
            aria-labelledby="outcomes-title"
        >
            <div class="outcomes-top">
                <div class="outcomes-headline">
                    <div class="pane-head">
                        <h2 id="outcomes-title">{ "Outcomes" }</h2>
                        <p
                            id={SUMMARY}
                            role="status"
                            aria-label="Outcomes summary"
                            class="wrapping muted outcomes-summary"
                        >
                            if let Some(text) = status_text(status, has_results) {
                                <b>{ text }</b>
                            }
                            if status.is_done() || has_results {
                                <b>{ &summary.count }</b>
                                if !summary.completeness.is_empty() {
                                    <span>{ &summary.completeness }</span>
                                }
                            }
                        </p>
                        { search_controls(status, (!can_run).then_some(ERRORS), &on_action) }
                    </div>
                    if !can_run {
                        <p id={ERRORS} class="muted outcomes-errors">
                            { "The text has errors; these are the results of your previous program. Fix the errors to replay results or search again." }
                        </p>
                    }
                    if read_only {
                        <p id={READ_ONLY} class="muted">
                            { "Replay is disabled in read-only mode." }
                        </p>
                    }
                    <p
                        class={if announcement.is_visible { "muted outcomes-action" } else { "unseen" }}
                        role="status"
                        aria-label="Outcomes action"
                    >
                        { &announcement.text }
                    </p>
                    if outcomes.is_trial() && can_run {
                        <p class="wrapping outcomes-trial">
                            { "Preview of another lane order." }
                            <button class="button" onclick={on_action.reform(|_| OutcomesAction::Keep)}>
                                { "Keep order" }
                            </button>
                            <button class="button" onclick={on_action.reform(|_| OutcomesAction::Discard)}>
                                { "Discard order" }
                            </button>
                        </p>
                    }
                    if !summary.invariant.is_empty() {
                        <p class="outcomes-invariant">{ &summary.invariant }</p>
                    }
                </div>
                if !summary.grids.is_empty() {
                    <div class="wrapping outcomes-grids">{ for summary.grids.iter().map(grid) }</div>
                    if summary.more_grids > 0 {
                        <p class="muted">{ format!("{}.", counted(summary.more_grids, "more value table")) }</p>
                    }
                }
                <div class="outcomes-details">
                    { for summary.sentences.iter().map(|text| html! { <p class="muted">{ text }</p> }) }
                    if let Some(form) = &*form {
                        { returned_value_form(form, &on_action) }
                    }
                </div>
            </div>
            if let Some(table) = &*table {
                { results_table(table, replay_refused_by, &on_action) }
            }
            if let Some(order) = &*order {
                <LaneOrderList order={Rc::clone(order)} on_action={on_action.clone()} />
            }
        </section>
    }
}

/// Why not all results are known. Results already found remain when the search
/// continues.
fn status_text(status: &Status, has_results: bool) -> Option<String> {
    match status {
        Status::Failed(reason) => Some(reason.to_string()),
        Status::Paused(_) if has_results => Some(String::from("Stopped.")),
        Status::Paused(_) => Some(String::from("Stopped before any results were found.")),
        Status::Working(_) => Some(String::from("Computing …")),
        Status::Done | Status::WorkSpent => None,
    }
}

fn search_controls(
    status: &Status,
    refused_by: Option<&'static str>,
    on_action: &Callback<OutcomesAction>,
) -> Html {
    let (permille, name, action) = match status {
        Status::Done => return Html::default(),
        Status::Working(permille) => (Some(*permille), "Stop", OutcomesAction::Stop),
        Status::Paused(permille) => (Some(*permille), "Compute", OutcomesAction::Compute),
        Status::WorkSpent => (None, "Search longer", OutcomesAction::Compute),
        Status::Failed(_) => (None, "Try again", OutcomesAction::Retry),
    };
    // A search can always be stopped.
    let refused_by = refused_by.filter(|_| action != OutcomesAction::Stop);
    let onclick = on_action.reform(move |_| action.clone());
    html! {
        <div class="outcomes-progress">
            if let Some(permille) = permille {
                <progress
                    aria-label="Search for outcomes"
                    max="1000"
                    value={permille.to_string()}
                />
            }
            <button
                class="button"
                aria-disabled={refused_by.map(|_| "true")}
                aria-describedby={refused_by}
                {onclick}
            >
                { name }
            </button>
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct StageResultProps {
    pub(crate) outcomes: Slice<Outcomes>,
}

/// Describes the result shown in the stage. Always rendered, so that the layout
/// does not shift when the answer arrives.
#[component]
pub(crate) fn StageResult(props: &StageResultProps) -> Html {
    let outcomes = &props.outcomes;
    // Runs the program.
    let own = use_memo(outcomes.current_results().cloned(), |results| {
        results.as_deref().and_then(OwnResult::of)
    });
    let text = outcomes.current_results().map(|results| {
        let (own, preview) = ((*own).as_ref(), outcomes.previewed_index());
        stage_text(results, own, preview, outcomes.is_trial())
    });
    html! { <p class="muted stage-result" role="note" aria-label="Result of this order">{ text }</p> }
}
