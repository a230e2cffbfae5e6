use super::memory::Memory;
use super::registers::Registers;
use crate::state::memory::MemoryPane;
use crate::state::registers::Eu;
use crate::state::{Action, RegisterFormat, Tab};
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) tab: Tab,
    pub(crate) format: RegisterFormat,
    pub(crate) registers: Vec<Eu>,
    pub(crate) memory: Option<MemoryPane>,
    pub(crate) stale: bool,
    pub(crate) act: Callback<Action>,
}

/// The state of the machine, in tabs.
#[component]
pub(crate) fn StatePanes(props: &Props) -> Html {
    let act = &props.act;
    let list = use_node_ref();
    let panel = match &props.memory {
        Some(pane) => html! { <Memory key={props.tab.name()} pane={pane.clone()} {act} /> },
        None => html! { <Registers eus={props.registers.clone()} format={props.format} {act} /> },
    };
    let id = |tab: Tab| format!("tab-{}", tab as u8);
    let onkeydown = {
        let (list, act, tab) = (list.clone(), act.clone(), props.tab);
        move |event: KeyboardEvent| {
            if let Some(next) = neighbour(tab, &event.key()) {
                event.prevent_default();
                act.emit(Action::Tab(next));
                focus(&list, next);
            }
        }
    };
    html! {
        <section class={classes!("pane", "state", props.stale.then_some("stale"))} aria-label="State">
            <div ref={list} class="tabs" role="tablist" aria-label="State" {onkeydown}>
                { for Tab::ALL.into_iter().map(|tab| {
                    let selected = tab == props.tab;
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
                }) }
            </div>
            <div id="state-panel" class="panel" role="tabpanel" aria-labelledby={id(props.tab)}>
                { panel }
            </div>
        </section>
    }
}

/// The tab that a key in the list of tabs leads to.
fn neighbour(tab: Tab, key: &str) -> Option<Tab> {
    let count = Tab::ALL.len();
    let here = Tab::ALL.iter().position(|t| *t == tab)?;
    let index = match key {
        "ArrowRight" => (here + 1) % count,
        "ArrowLeft" => (here + count - 1) % count,
        "Home" => 0,
        "End" => count - 1,
        _ => return None,
    };
    Tab::ALL.get(index).copied()
}

fn focus(list: &NodeRef, tab: Tab) {
    let index = Tab::ALL.iter().position(|t| *t == tab);
    let list = list.cast::<web_sys::Element>();
    let button = list.zip(index).and_then(|(list, index)| {
        let nth = u32::try_from(index).ok()?;
        list.children().item(nth)
    });
    if let Some(button) = button {
        let button: HtmlElement = web_sys::wasm_bindgen::JsCast::unchecked_into(button);
        // A button can always be focused.
        let _ = button.focus();
    }
}
