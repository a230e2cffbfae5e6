//! Every result that the hardware may give.

mod filter;
mod shares_grid;
mod table;
mod turns;

use crate::dom::{El, On, el, part};
use crate::state::outcomes::{OutcomesAction, OutcomesView, Stage};
use crate::state::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

/// The pane: how many results there are, what lanes may return, the results,
/// and the order of the lanes.
pub(crate) fn draw(state: &State, stale: bool, act: &Callback<Action>) -> El {
    let view = state.outcomes_view();
    let summary = el!(
        "p",
        "role" = "status",
        "aria-label" = "Outcomes summary",
        "class" = "outcomes-summary"
    )
    .put(el!("b").put(view.count.clone()))
    .put((!view.complete.is_empty()).then(|| el!("span").put(view.complete.clone())));
    let known = view
        .known
        .iter()
        .map(|known| el!("p", "class" = "muted").put(known.clone()));
    let title = el!("h2", "id" = "outcomes-title").put("Outcomes");
    let head = el!("div", "class" = "pane-head").put(title).put(summary);
    let told = el!(
        "p",
        "class" = "unseen",
        "role" = "status",
        "aria-label" = "Outcomes action"
    );
    let act = &act.reform(Action::Outcomes);
    let table = view.table.clone().map(|table| {
        let act = act.clone();
        part(table::Results { table, act }, Some("results".into()))
    });
    let filter = view.filter.clone().map(|filter| {
        let act = act.clone();
        part(filter::Filter { filter, act }, Some("filter".into()))
    });
    let grids = view.grids.iter().map(|grid| {
        let on_action = act.clone();
        html! { <shares_grid::SharesGrid grid={Rc::clone(grid)} {on_action} /> }
    });
    let grids =
        (!view.grids.is_empty()).then(|| el!("div", "class" = "outcomes-grids").each(grids));
    let invariant = (!view.invariant.is_empty())
        .then(|| el!("p", "class" = "outcomes-invariant").put(view.invariant.clone()));
    let turns = view.turns.clone().map(|turns| {
        let act = act.clone();
        part(turns::Turns { turns, act }, Some("turns".into()))
    });
    let body = el!("div", "class" = "outcomes-body");
    el!(
        "section",
        "class" = "pane outcomes",
        "data-is" = stale.then_some("stale"),
        "aria-labelledby" = "outcomes-title"
    )
    .put(head)
    .put(progress(&view, act))
    .put(
        body.put(invariant)
            .put(grids)
            .each(known)
            .put(filter)
            .put(table)
            .put(turns)
            .put(told.put(view.told)),
    )
}

/// How far the search is, and what a reader can do about it.
fn progress(view: &OutcomesView, act: &Callback<OutcomesAction>) -> Option<El> {
    let (permille, name, action) = match view.stage {
        Stage::Done => return None,
        Stage::Works(permille) => (permille, "Stop", OutcomesAction::Stop),
        Stage::Waits(permille) => (permille, "Compute", OutcomesAction::Compute),
    };
    let bar = el!(
        "progress",
        "aria-label" = "Search for outcomes",
        "max" = "1000",
        "value" = permille.to_string()
    );
    let button = el!("button", "class" = "button")
        .on(On::Click, pressed(act, action))
        .put(name);
    Some(
        el!("div", "class" = "outcomes-progress")
            .put(bar)
            .put(button),
    )
}

/// What does one thing, whatever the event.
fn pressed(act: &Callback<OutcomesAction>, action: OutcomesAction) -> Callback<Event> {
    act.reform(move |_| action.clone())
}
