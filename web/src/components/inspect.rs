//! What is told of the chosen cell, what can be done with it, and cells that
//! are watched.

use super::send;
use crate::dom::{El, On, el};
use crate::state::inspect::{CellView, InspectAction, WatchList, WatchRow};
use crate::state::{Action, State};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// Moves the focus to the chosen cell of a box, or to its editor; whether it
/// is there.
pub(crate) fn focus_chosen(scroller: &Element) -> bool {
    let found = scroller.query_selector("[data-start], .chosen").ok();
    let Some(element) = found.flatten() else {
        return false;
    };
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        if let Some(start) = input.get_attribute("data-start") {
            input.set_value(&start);
        }
        // Both work on an input on the page.
        let _ = input.focus();
        input.select();
    } else if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
    true
}

/// What is told of the chosen cell, and what can be done with it.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> El {
    let cell = state.chosen_cell();
    let watches = state.watch_list();
    let empty = watches.rows.is_empty();
    el!("div", "class" = "inspect")
        .put(
            el!(
                "p",
                "class" = "said",
                "role" = "status",
                "aria-label" = "Cell search"
            )
            .put(watches.said),
        )
        .put(cell.map(|cell| chosen(&cell, act)))
        .put((!empty).then(|| list(&watches, act)))
}

/// Gives the focus back to the chosen cell, or to the box that it is in where
/// its editor is about to go.
fn focus_back() {
    let document = web_sys::window().and_then(|window| window.document());
    let find = |what: &str| document.as_ref()?.query_selector(what).ok().flatten();
    let cell = find("#state-panel .chosen").or_else(|| {
        let editor = find("#state-panel [data-start]")?;
        editor.closest(".scroller").ok().flatten()
    });
    if let Some(element) = cell.and_then(|cell| cell.dyn_into::<HtmlElement>().ok()) {
        // It fails for no element on the page.
        let _ = element.focus();
    }
}

fn act_on(act: &Callback<Action>, action: InspectAction) -> Callback<Event> {
    send(act, Action::Inspect(action))
}

fn chosen(cell: &CellView, act: &Callback<Action>) -> El {
    let label = format!("Cell {}", cell.name);
    let mono = |text: String| el!("span", "class" = "mono").put(text);
    let writer = match &cell.last {
        Some((_, told)) if cell.is_last => format!("Written by this step. {told}"),
        Some((step, told)) => format!("Last written by step {step}. {told}"),
        None if cell.at_start => String::from("Nothing has run yet."),
        None => String::from("Not written so far."),
    };
    let wrong = el!(
        "p",
        "class" = "cell-wrong",
        "id" = "cell-wrong",
        "role" = "alert"
    );
    let wrong = wrong.put(cell.wrong.clone());
    let later = (cell.open && !cell.at_start).then(|| {
        const LATER: &str = "You are editing the start value, not the one now.";
        el!("span", "class" = "muted").put(LATER)
    });
    let values = el!("p", "class" = "cell-values")
        .put(el!("strong", "class" = "mono").put(cell.name.clone()))
        .put(
            el!("span")
                .put("Start value ")
                .put(mono(cell.start.clone())),
        )
        .put((!cell.at_start).then(|| el!("span").put("Now ").put(mono(cell.now.clone()))))
        .put(later);
    let tool = |name: &'static str, enabled: bool, action: InspectAction| {
        let quiet = act_on(act, action.clone());
        let onclick = Callback::from(move |event| {
            if action == InspectAction::Close {
                focus_back();
            }
            if enabled {
                quiet.emit(event);
            }
        });
        el!(
            "button",
            "type" = "button",
            "class" = "button small",
            "aria-disabled" = (!enabled).then_some("true")
        )
        .on(On::Click, onclick)
        .put(name)
    };
    let watch = if cell.watched {
        "Stop watching"
    } else {
        "Watch"
    };
    let tools = el!("div", "class" = "cell-tools")
        .put(tool("Edit start value", cell.can_edit, InspectAction::Edit))
        .put(tool(watch, true, InspectAction::Watch))
        .put(tool(
            "Go to last write",
            cell.last.as_ref().is_some_and(|_| !cell.is_last),
            InspectAction::ToLastWrite,
        ))
        .put(tool("Go to next write", true, InspectAction::ToNextWrite))
        .put(tool("Close", true, InspectAction::Close));
    el!(
        "div",
        "class" = "cell-bar",
        "role" = "group",
        "aria-label" = label
    )
    .put(values)
    .put(el!("p", "class" = "muted writer").put(writer))
    .put(wrong)
    .put(tools)
}

fn list(watches: &WatchList, act: &Callback<Action>) -> El {
    let rows = watches.rows.iter().enumerate();
    let rows = rows.map(|(index, row)| watch(row, index, act));
    let go = el!("button", "type" = "button", "class" = "button small")
        .on(On::Click, act_on(act, InspectAction::Continue))
        .put("Continue to the next write");
    el!(
        "div",
        "class" = "watches",
        "role" = "group",
        "aria-label" = "Watches"
    )
    .put(el!("ul").each(rows))
    .put(go)
}

fn watch(row: &WatchRow, index: usize, act: &Callback<Action>) -> El {
    let was = row.was.as_ref().map(|was| match *was == row.now {
        true => el!("span", "class" = "muted").put("unchanged "),
        false => el!("span", "class" = "muted").put(was.clone()).put(" → "),
    });
    let class = if row.was.is_some() {
        "mono hit"
    } else {
        "mono"
    };
    let label = format!("Stop watching {}", row.name);
    el!("li")
        .put(el!("span", "class" = "mono").put(AttrValue::from(row.name.clone())))
        .put(el!("span", "class" = class).put(was).put(row.now.clone()))
        .put(
            el!(
                "button",
                "type" = "button",
                "class" = "button quiet small",
                "aria-label" = label
            )
            .on(On::Click, act_on(act, InspectAction::Unwatch(index)))
            .put("×"),
        )
}
