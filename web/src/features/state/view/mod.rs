mod cell;
mod cell_listeners;
mod grid;
mod inspect;
mod memory;
mod memory_tools;
mod registers;
mod warp;

use super::area::{StateArea as View, StateContents};
use super::{StateAction, Tab};
use crate::components::tabs::{TabFace, Tabs};
use crate::store::{Action, StoreProps};
use inspect::Inspect;
use memory::Memory;
use registers::{FormatMenu, RegisterFiles};
use std::rc::Rc;
use warp::WarpRegisters;
use yew::prelude::*;

const PANEL: &str = "state-panel";

#[derive(Properties, PartialEq)]
pub(crate) struct StateAreaProps {
    pub(crate) view: Rc<View>,
    pub(crate) dispatch: Callback<Action>,
}

/// The state of the machine, in tabs: registers and memories.
#[component]
pub(crate) fn StateArea(props: &StateAreaProps) -> Html {
    let StateAreaProps { view, dispatch } = props;
    let (tabs, focus) = (view.tabs, view.focus);
    let contents = match view.contents.clone() {
        StateContents::Memory(pane) => html! {
            <Memory key={view.open.name()} {pane} {focus} dispatch={dispatch.clone()} />
        },
        StateContents::Files(pane) => html! {
            <>
                <FormatMenu format={view.register_format} dispatch={dispatch.clone()} />
                <RegisterFiles {pane} {focus} dispatch={dispatch.clone()} />
            </>
        },
        StateContents::Warp(warp) => html! {
            <>
                <FormatMenu format={view.register_format} declared="bits" dispatch={dispatch.clone()} />
                <WarpRegisters {warp} {focus} dispatch={dispatch.clone()} />
            </>
        },
    };
    let faces = tabs.iter().map(|tab| TabFace {
        id: tab_id(*tab),
        name: tab.name(),
        short: tab.short_name(),
        count: None,
        is_changed: *tab != view.open && view.changed.contains(tab),
        panel: PANEL,
    });
    let open = tabs.iter().position(|tab| *tab == view.open);
    let onpick = dispatch.reform(move |index: usize| {
        Action::State(StateAction::Tab(
            *tabs.get(index).expect("one of these tabs was picked"),
        ))
    });
    html! {
        <section class="pane state" data-is={view.stale.then_some("stale")} aria-label="State">
            <h2 class="unseen">{ "State" }</h2>
            <Tabs
                label="State"
                tabs={faces.collect::<Vec<_>>()}
                open={open.expect("the open tab is one of the program's")}
                {onpick}
            />
            <div id={PANEL} class="panel" role="tabpanel" aria-labelledby={tab_id(view.open)}>
                { contents }
                if let Some((cell, watches)) = view.inspect.clone() {
                    <Inspect {cell} {watches} dispatch={dispatch.clone()} />
                }
            </div>
        </section>
    }
}

/// The state area of the page.
#[component]
pub(crate) fn StatePane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let slices = (state.session.clone(), state.panes.clone(), state.can_run());
    let view = use_memo(slices, |_| state.state_area());
    html! { <StateArea {view} dispatch={dispatch.clone()} /> }
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
