//! Inspect bar: the inspected cell and its commands, and watched cells.

use crate::dom::{find, focus_element};
use crate::features::state::inspect::{CellModel, InspectAction};
use crate::features::state::view::PANEL;
use crate::features::state::{StateAction, StateInputs};
use crate::store::{Action, on_click};
use lanewise_answer::grids::WatchRow;
use yew::prelude::*;

/// Returns focus to the inspected cell, or to its container if the editor is
/// about to close.
fn focus_back() {
    let page = gloo_utils::document_element();
    let cell = find(&page, &format!("#{PANEL} .cell[aria-current]"));
    let grid = || find(&page, &format!("#{PANEL} .scroller:has([data-start])"));
    if let Some(element) = cell.or_else(grid) {
        focus_element(&element);
    }
}

/// Inspected cell and watched cells; empty if there are none.
pub(super) fn inspect_bar(
    inputs: &StateInputs,
    read_only: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let (cell, watched) = (inputs.cell_model(), inputs.watched_rows());
    let message = inputs.state_view.inspect.message.as_deref();
    if cell.is_none() && watched.is_empty() && message.is_none() {
        return Html::default();
    }
    let inspect = dispatch.reform(|action| Action::StatePane(StateAction::Inspect(action)));
    html! {
        <div class="inspect">
            <p class="search-result" role="status" aria-label="Cell search">{ message }</p>
            { for cell.iter().map(|cell| cell_bar(cell, inputs.can_run, read_only, &inspect)) }
            if !watched.is_empty() {
                <div class="watches" role="group" aria-label="Watches">
                    <ul>{ for watched.iter().map(|row| watch_row(row, &inspect)) }</ul>
                    { tool_button("Continue to the next write", inputs.can_run, InspectAction::Continue, &inspect) }
                </div>
            }
        </div>
    }
}

fn cell_bar(
    cell: &CellModel,
    can_run: bool,
    read_only: bool,
    inspect: &Callback<InspectAction>,
) -> Html {
    let writer = match &cell.last {
        Some((_, effect)) if cell.is_last => format!("Written by this step. {effect}"),
        Some((step, effect)) => format!("Last written by step {step}. {effect}"),
        None if cell.at_start => String::from("At the start of the run."),
        None => cell.unwritten.clone(),
    };
    let tool = |name, enabled, action| tool_button(name, enabled, action, inspect);
    // Restores focus before the bar is removed.
    let close = {
        let inspect = inspect.clone();
        Callback::from(move |_: MouseEvent| {
            focus_back();
            inspect.emit(InspectAction::Close);
        })
    };
    let watch = if cell.watched {
        "Stop watching"
    } else {
        "Watch"
    };
    // Another work-group is chosen in the text.
    let can_go = cell.last.is_some() || !read_only;
    html! {
        <div class="cell-bar" role="group" aria-label={format!("Cell {}", cell.name)}>
            <p class="wrapping cell-values">
                <strong class="mono">{ &cell.name }</strong>
                <span>{ "Initial value " }<span class="mono">{ &cell.start }</span></span>
                if !cell.at_start {
                    <span>{ "Now " }<span class="mono">{ &cell.now }</span></span>
                }
                if cell.is_edited && !cell.at_start {
                    <span class="muted">{ "You are editing the initial value, not the current value." }</span>
                }
            </p>
            <p class="muted writer">{ writer }</p>
            <p class="error cell-wrong" id="cell-wrong" role="alert">{ cell.wrong.clone() }</p>
            <div class="wrapping cell-tools">
                { tool("Edit initial value", can_run && !read_only, InspectAction::Edit) }
                { tool(watch, true, InspectAction::Watch) }
                { tool("Go to last write", can_run && cell.has_earlier_write && can_go, InspectAction::ToLastWrite) }
                { tool("Go to next write", can_run, InspectAction::ToNextWrite) }
                <button type="button" class="button small" onclick={close}>{ "Close" }</button>
            </div>
        </div>
    }
}

fn tool_button(
    name: &'static str,
    enabled: bool,
    action: InspectAction,
    inspect: &Callback<InspectAction>,
) -> Html {
    let onclick = on_click(inspect, action);
    html! {
        <button
            type="button"
            class="button small"
            aria-disabled={(!enabled).then_some("true")}
            onclick={enabled.then_some(onclick)}
        >
            { name }
        </button>
    }
}

fn watch_row(row: &WatchRow, inspect: &Callback<InspectAction>) -> Html {
    let place = row.place;
    let written = row.was.is_some().then_some("hit");
    html! {
        <li key={place.to_string()}>
            <span class="mono">{ &*row.name }</span>
            <span class={classes!("mono", written)}>
                if let Some(was) = &row.was {
                    <span class="muted">{ was }{ " → " }</span>
                }
                { &row.now }
            </span>
            <button
                type="button"
                class="button quiet small"
                aria-label={format!("Stop watching {}", row.name)}
                onclick={on_click(inspect, InspectAction::Unwatch(place))}
            >
                { "×" }
            </button>
        </li>
    }
}
