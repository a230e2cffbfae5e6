use super::memory::Memory;
use super::{focus, registers, send};
use crate::dom::{El, On, el, part};
use crate::state::{Action, State, Tab};
use web_sys::KeyboardEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// The state of the machine, in tabs. Only the open one is worked out.
pub(crate) fn draw(state: &State, stale: bool, act: &Callback<Action>) -> El {
    let open = state.tab();
    let tabs = state.tabs();
    let panel = match state.memory(open) {
        Some(pane) => {
            let act = act.clone();
            part(Memory { pane, act }, Some(open.name().into()))
        }
        None => registers::draw(state, act),
    };
    let onkeydown = {
        let act = act.clone();
        Callback::from(move |event: Event| {
            let event: KeyboardEvent = event.unchecked_into();
            if let Some(next) = neighbour(tabs, open, &event.key()) {
                event.prevent_default();
                focus(id(next));
                act.emit(Action::Tab(next));
            }
        })
    };
    let list = el!(
        "div",
        "class" = "tabs",
        "role" = "tablist",
        "aria-label" = "State"
    )
    .on(On::KeyDown, onkeydown)
    .each(tabs.iter().map(|tab| button(*tab, *tab == open, act)));
    let panel = el!(
        "div",
        "id" = "state-panel",
        "class" = "panel",
        "role" = "tabpanel",
        "aria-labelledby" = id(open)
    )
    .put(panel);
    el!(
        "section",
        "class" = "pane state",
        "data-is" = stale.then_some("stale"),
        "aria-label" = "State"
    )
    .put(list)
    .put(panel)
}

fn button(tab: Tab, selected: bool, act: &Callback<Action>) -> El {
    el!(
        "button",
        "id" = id(tab),
        "role" = "tab",
        "aria-selected" = if selected { "true" } else { "false" },
        "aria-controls" = selected.then_some("state-panel"),
        "tabindex" = if selected { "0" } else { "-1" }
    )
    .on(On::Click, send(act, Action::Tab(tab)))
    .put(tab.name())
}

const fn id(tab: Tab) -> &'static str {
    match tab {
        Tab::Registers => "tab-registers",
        Tab::Local => "tab-local",
        Tab::Virtual => "tab-virtual",
        Tab::Global => "tab-global",
        Tab::Surfaces => "tab-surfaces",
    }
}

/// The tab that a key in the list of tabs leads to.
fn neighbour(tabs: &[Tab], tab: Tab, key: &str) -> Option<Tab> {
    let count = tabs.len();
    let here = tabs.iter().position(|t| *t == tab)?;
    let index = match key {
        "ArrowRight" => (here + 1) % count,
        "ArrowLeft" => (here + count - 1) % count,
        "Home" => 0,
        "End" => count - 1,
        _ => return None,
    };
    tabs.get(index).copied()
}
