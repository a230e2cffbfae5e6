mod cell;
mod cell_box;
mod grid;
mod inspect_bar;
mod memory_grid;
mod memory_tools;
mod register_grid;
mod warp_grid;

use super::model::{StateContents, StateModel};
use super::{StateAction, StateInputs, Tab};
use crate::components::tabs::{TabCount, TabItem, Tabs};
use crate::store::{Action, StoreProps};
use inspect_bar::InspectBar;
use memory_grid::{MemoryGrid, not_mapped};
use register_grid::{FormatMenu, RegisterGrid};
use std::rc::Rc;
use warp_grid::WarpGrid;
use yew::prelude::*;

const PANEL: &str = "state-panel";

#[derive(Properties, PartialEq)]
struct StateTabsProps {
    model: Rc<StateModel>,
    /// Number of programs opened so far.
    opened: u32,
    dispatch: Callback<Action>,
}

/// Tabs for registers and memories.
#[component]
fn StateTabs(props: &StateTabsProps) -> Html {
    let StateTabsProps {
        model,
        opened,
        dispatch,
    } = props;
    let (tabs, focus) = (model.tabs, model.focus);
    let contents = match model.contents.clone() {
        StateContents::Memory(memory) if memory.regions.is_empty() => html! {
            <p class="empty">{ not_mapped(memory.tab) }</p>
        },
        StateContents::Memory(memory) => html! {
            // Remounted for each program, so that column widths are reset.
            <MemoryGrid key={format!("{} {opened}", model.open.label())} {memory} {focus} dispatch={dispatch.clone()} />
        },
        StateContents::Registers(registers) => html! {
            <>
                <FormatMenu format={model.register_format} dispatch={dispatch.clone()} />
                <RegisterGrid {registers} {focus} dispatch={dispatch.clone()} />
            </>
        },
        StateContents::Warp(warp) => html! {
            <>
                <FormatMenu format={model.register_format} declared="bits" dispatch={dispatch.clone()} />
                if warp.names.is_empty() {
                    <p class="empty">
                        { "The program does not use any registers. Add a line such as: .init R4 = iota(0, 1)" }
                    </p>
                } else {
                    <WarpGrid {warp} {focus} dispatch={dispatch.clone()} />
                }
            </>
        },
    };
    let items = tabs.iter().map(|tab| TabItem {
        id: tab_id(*tab),
        label: tab.label(),
        short: tab.short_label(),
        count: TabCount::None,
        is_changed: *tab != model.open && model.changed.contains(tab),
        panel: PANEL,
    });
    let open = tabs.iter().position(|tab| *tab == model.open);
    let on_pick = dispatch.reform(move |index: usize| {
        Action::StatePane(StateAction::Tab(
            *tabs.get(index).expect("the picked tab is one of these"),
        ))
    });
    html! {
        <section class="pane state" data-stale={model.stale.then_some("")} aria-label="State">
            <h2 class="unseen">{ "State" }</h2>
            <Tabs
                label="State"
                tabs={items.collect::<Vec<_>>()}
                open={open.expect("the open tab belongs to the program")}
                {on_pick}
            />
            <div id={PANEL} class="panel" role="tabpanel" aria-labelledby={tab_id(model.open)}>
                { contents }
                if model.cell.is_some() || !model.watches.rows.is_empty() {
                    <InspectBar
                        cell={model.cell.clone()}
                        can_run={!model.stale}
                        watches={model.watches.clone()}
                        dispatch={dispatch.clone()}
                    />
                }
            </div>
        </section>
    }
}

/// State pane.
#[component]
pub(crate) fn StatePane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let inputs = (
        state.session.clone(),
        state.state_view.clone(),
        state.can_run(),
    );
    let model = use_memo(inputs, |(session, state_view, can_run)| {
        let inputs = StateInputs {
            session,
            state_view,
            can_run: *can_run,
        };
        inputs.model()
    });
    html! { <StateTabs {model} opened={state.source.opened} dispatch={dispatch.clone()} /> }
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
