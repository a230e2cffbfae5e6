use super::memory::Memory;
use super::{focus, registers};
use crate::state::{Action, State, Tab};
use yew::prelude::*;

/// The state of the machine, in tabs. Only the open one is worked out.
pub(crate) fn draw(state: &State, stale: bool, act: &Callback<Action>) -> Html {
    let open = state.tab();
    let tabs = state.tabs();
    let panel = match state.memory(open) {
        Some(pane) => html! { <Memory key={open.name()} {pane} {act} /> },
        None => registers::draw(state, act),
    };
    let onkeydown = {
        let act = act.clone();
        move |event: KeyboardEvent| {
            if let Some(next) = neighbour(tabs, open, &event.key()) {
                event.prevent_default();
                focus(id(next));
                act.emit(Action::Tab(next));
            }
        }
    };
    html! {
        <section class="pane state" data-is={stale.then_some("stale")} aria-label="State">
            <div class="tabs" role="tablist" aria-label="State" {onkeydown}>
                { for tabs.iter().map(|tab| button(*tab, *tab == open, act)) }
            </div>
            <div id="state-panel" class="panel" role="tabpanel" aria-labelledby={id(open)}>
                { panel }
            </div>
        </section>
    }
}

fn button(tab: Tab, selected: bool, act: &Callback<Action>) -> Html {
    html! {
        <button
            id={id(tab)}
            role="tab"
            aria-selected={if selected { "true" } else { "false" }}
            aria-controls={selected.then_some("state-panel")}
            tabindex={if selected { "0" } else { "-1" }}
            onclick={act.reform(move |_| Action::Tab(tab))}
        >
            { tab.name() }
        </button>
    }
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
