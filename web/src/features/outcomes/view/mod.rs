//! The Outcomes pane.

mod grid;
mod lane_order;
mod query;
mod results;

use super::{OutcomesAction, OutcomesView, ProgramContext, Status};
use crate::store::{Action, StoreProps};
use grid::ValueGrid;
use lane_order::LaneOrderList;
use query::QueryForm;
use results::ResultsTable;
use std::rc::Rc;
use yew::prelude::*;

/// The pane: what holds in every order, how often each value comes up, the
/// results, and the order of the lanes.
#[component]
pub(crate) fn OutcomesPane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let on_action = use_callback(dispatch.clone(), |action, dispatch| {
        dispatch.emit(Action::Outcomes(action));
    });
    let slices = (
        state.outcomes.clone(),
        state.source.clone(),
        state.session.clone(),
    );
    let view = use_memo(slices, |(outcomes, source, session)| {
        outcomes.view(ProgramContext::new(source, session))
    });
    let summary = view.summary.clone().unwrap_or_default();
    let grid = |grid: &Rc<_>| {
        html! { <ValueGrid grid={Rc::clone(grid)} on_action={on_action.clone()} /> }
    };
    html! {
        <section
            class="pane outcomes"
            data-stale={view.is_stale.then_some("")}
            aria-labelledby="outcomes-title"
        >
            <div class="outcomes-top">
                <div class="outcomes-headline">
                    <div class="pane-head">
                        <h2 id="outcomes-title">{ "Outcomes" }</h2>
                        <p role="status" aria-label="Outcomes summary" class="outcomes-summary">
                            if let Some(text) = status_text(&view) {
                                <b>{ text }</b>
                            }
                            if view.status.is_done() || view.has_results() {
                                <b>{ &summary.count }</b>
                                if !summary.completeness.is_empty() {
                                    <span>{ &summary.completeness }</span>
                                }
                            }
                        </p>
                        <SearchControls status={view.status.clone()} on_action={on_action.clone()} />
                    </div>
                    if !summary.invariant.is_empty() {
                        <p class="outcomes-invariant">{ &summary.invariant }</p>
                    }
                </div>
                if !summary.grids.is_empty() {
                    <div class="outcomes-grids">{ for summary.grids.iter().map(grid) }</div>
                }
                <div class="outcomes-details">
                    { for summary.sentences.iter().map(|text| html! { <p class="muted">{ text }</p> }) }
                    if let Some(query) = &view.query {
                        <QueryForm query={Rc::clone(query)} on_action={on_action.clone()} />
                    }
                </div>
            </div>
            if let Some(table) = &view.table {
                <ResultsTable table={Rc::clone(table)} on_action={on_action.clone()} />
            }
            if let Some(order) = &view.order {
                <LaneOrderList order={Rc::clone(order)} on_action={on_action.clone()} />
            }
            <p class="unseen" role="status" aria-label="Outcomes action">
                { &view.announcement }
            </p>
        </section>
    }
}

/// Why not all results are known. Those that a search has found are still
/// there when it goes on with more work.
fn status_text(view: &OutcomesView) -> Option<String> {
    match &view.status {
        Status::Failed(reason) => Some(reason.to_string()),
        Status::Paused(_) if view.has_results() => Some(String::from("Stopped.")),
        Status::Paused(_) => Some(String::from("Stopped: the results are not known yet.")),
        Status::Working(_) => Some(String::from("Computing …")),
        Status::Done | Status::WorkSpent => None,
    }
}

#[derive(Properties, PartialEq)]
struct SearchControlsProps {
    status: Status,
    on_action: Callback<OutcomesAction>,
}

/// How far the search is, and what can be done about it.
#[component]
fn SearchControls(props: &SearchControlsProps) -> Html {
    let (permille, name, action) = match &props.status {
        Status::Done => return Html::default(),
        Status::Working(permille) => (Some(*permille), "Stop", OutcomesAction::Stop),
        Status::Paused(permille) => (Some(*permille), "Compute", OutcomesAction::Compute),
        Status::WorkSpent => (None, "Search longer", OutcomesAction::Compute),
        Status::Failed(_) => (None, "Try again", OutcomesAction::Retry),
    };
    let onclick = props.on_action.reform(move |_| action.clone());
    html! {
        <div class="outcomes-progress">
            if let Some(permille) = permille {
                <progress
                    aria-label="Search for outcomes"
                    max="1000"
                    value={permille.to_string()}
                />
            }
            <button class="button" {onclick}>{ name }</button>
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct StageResultProps {
    /// `Result 5 of 14, 3 of 24 orders`, or empty.
    pub(crate) text: AttrValue,
}

/// Which result the stage shows. Its line is there before the text is, so that
/// nothing moves when the answer comes.
#[component]
pub(crate) fn StageResult(props: &StageResultProps) -> Html {
    html! { <p class="stage-result" role="note" aria-label="Result of this order">{ &props.text }</p> }
}
