use super::memory::Memory;
use super::tabs::{self, TabFace};
use super::{inspect, registers};
use crate::dom::{El, el, part};
use crate::state::workbench::Pane;
use crate::state::{Action, State, Tab};
use yew::prelude::*;

/// The state of the machine, in tabs. Only the open one is worked out.
pub(crate) fn draw(state: &State, stale: bool, act: &Callback<Action>) -> El {
    let open = state.tab();
    let all = state.tabs();
    let panel = match state.memory(open) {
        Some(pane) => {
            let act = act.clone();
            let focus = state.cell_focus();
            let hidden = state.workbench().hides(Pane::State);
            let memory = Memory {
                pane,
                hidden,
                focus,
                act,
            };
            part(memory, Some(open.name().into()))
        }
        None => registers::draw(state, act),
    };
    let faces = all.iter().map(|tab| TabFace {
        id: id(*tab),
        name: tab.name(),
        panel: "state-panel",
    });
    let at = all.iter().position(|tab| *tab == open).unwrap_or(0);
    let pick = act
        .reform(move |index: usize| Action::Tab(all.get(index).copied().unwrap_or(Tab::Registers)));
    let list = tabs::draw("State", faces.collect(), at, &pick);
    let panel = el!(
        "div",
        "id" = "state-panel",
        "class" = "panel",
        "role" = "tabpanel",
        "aria-labelledby" = id(open)
    )
    .put(panel)
    .put(state.is_inspecting().then(|| inspect::draw(state, act)));
    el!(
        "section",
        "class" = "pane state",
        "data-is" = stale.then_some("stale"),
        "aria-label" = "State"
    )
    .put(el!("h2", "class" = "unseen").put("State"))
    .put(list)
    .put(panel)
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
