use super::inspect::Inspect;
use super::memory::Memory;
use super::registers::{FormatMenu, RegisterFiles};
use super::tabs::{TabFace, Tabs};
use super::warp::WarpRegisters;
use crate::state::state_area::{StateArea as View, StateContents};
use crate::state::{Action, State, Tab};
use yew::prelude::*;

const PANEL: &str = "state-panel";

#[derive(Properties, PartialEq)]
pub(crate) struct StateAreaProps {
    pub(crate) view: View,
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
        panel: PANEL,
    });
    let open = tabs.iter().position(|tab| *tab == view.open);
    let onpick = dispatch.reform(move |index: usize| {
        Action::Tab(*tabs.get(index).expect("one of these tabs was picked"))
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

/// The state area of the page as it is now.
pub(crate) fn draw(state: &State, dispatch: &Callback<Action>) -> Html {
    html! { <StateArea view={state.state_area()} dispatch={dispatch.clone()} /> }
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
