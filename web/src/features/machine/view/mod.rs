mod cell;
mod cell_listeners;
mod grid;
mod inspect;
mod memory;
mod memory_tools;
mod registers;
mod warp;

use super::model::{MachineContents, MachineModel};
use super::{MachineAction, Tab};
use crate::components::tabs::{TabFace, Tabs};
use crate::store::{Action, StoreProps};
use inspect::Inspect;
use memory::{Memory, not_mapped};
use registers::{FormatMenu, RegisterFiles};
use std::rc::Rc;
use warp::WarpRegisters;
use yew::prelude::*;

const PANEL: &str = "state-panel";

#[derive(Properties, PartialEq)]
struct MachineTabsProps {
    model: Rc<MachineModel>,
    dispatch: Callback<Action>,
}

/// Registers and memories, in tabs.
#[component]
fn MachineTabs(props: &MachineTabsProps) -> Html {
    let MachineTabsProps { model, dispatch } = props;
    let (tabs, focus) = (model.tabs, model.focus);
    let contents = match model.contents.clone() {
        MachineContents::Memory(pane) if pane.regions.is_empty() => html! {
            <p class="empty">{ not_mapped(pane.tab) }</p>
        },
        MachineContents::Memory(pane) => html! {
            <Memory key={model.open.label()} {pane} {focus} dispatch={dispatch.clone()} />
        },
        MachineContents::Files(pane) => html! {
            <>
                <FormatMenu format={model.register_format} dispatch={dispatch.clone()} />
                <RegisterFiles {pane} {focus} dispatch={dispatch.clone()} />
            </>
        },
        MachineContents::Warp(warp) => html! {
            <>
                <FormatMenu format={model.register_format} declared="bits" dispatch={dispatch.clone()} />
                if warp.names.is_empty() {
                    <p class="empty">
                        { "The program names no register. Set one with a line like: .init R4 = iota(0, 1)" }
                    </p>
                } else {
                    <WarpRegisters {warp} {focus} dispatch={dispatch.clone()} />
                }
            </>
        },
    };
    let faces = tabs.iter().map(|tab| TabFace {
        id: tab_id(*tab),
        label: tab.label(),
        short: tab.short_label(),
        count: None,
        is_changed: *tab != model.open && model.changed.contains(tab),
        panel: PANEL,
    });
    let open = tabs.iter().position(|tab| *tab == model.open);
    let onpick = dispatch.reform(move |index: usize| {
        Action::Machine(MachineAction::Tab(
            *tabs.get(index).expect("one of these tabs was picked"),
        ))
    });
    html! {
        <section class="pane state" data-stale={model.stale.then_some("")} aria-label="State">
            <h2 class="unseen">{ "State" }</h2>
            <Tabs
                label="State"
                tabs={faces.collect::<Vec<_>>()}
                open={open.expect("the open tab is one of the program's")}
                {onpick}
            />
            <div id={PANEL} class="panel" role="tabpanel" aria-labelledby={tab_id(model.open)}>
                { contents }
                if let Some((cell, watches)) = model.inspect.clone() {
                    <Inspect {cell} {watches} dispatch={dispatch.clone()} />
                }
            </div>
        </section>
    }
}

/// The State pane: the state of the machine.
#[component]
pub(crate) fn MachinePane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let slices = (state.session.clone(), state.panes.clone(), state.can_run());
    let model = use_memo(slices, |_| state.machine_model());
    html! { <MachineTabs {model} dispatch={dispatch.clone()} /> }
}

const fn tab_id(tab: Tab) -> &'static str {
    match tab {
        Tab::Registers => "tab-registers",
        Tab::Local => "tab-local",
        Tab::Virtual => "tab-virtual",
        Tab::Global => "tab-global",
        Tab::Surfaces => "tab-surfaces",
    }
}
