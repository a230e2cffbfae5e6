mod element_grid;
mod inspect_bar;
mod scroll;
mod tools;

use super::{StateAction, StateInputs};
use crate::components::read_only::use_read_only;
use crate::components::tabs::{TabItem, tab_list};
use crate::features::program::Document;
use crate::store::Action;
use element_grid::ElementGrid;
use inspect_bar::inspect_bar;
use lanewise_answer::grids::{RegisterFormat, Tab};
use lanewise_answer::launch::{ArgumentRow, arguments};
use lanewise_core::ide::{LaunchForm, ValueKind};
use scroll::GridId;
use tools::{buffer_tools, format_menu, memory_tools};
use yew::prelude::*;

const PANEL: &str = "state-panel";

#[derive(Properties, PartialEq)]
pub(crate) struct StatePaneProps {
    pub(crate) inputs: StateInputs,
    pub(crate) document: Document,
    /// Number of programs opened so far; each has its own scroll positions.
    pub(crate) opened: u32,
    pub(crate) dispatch: Callback<Action>,
}

/// State pane: tabs, the grid of the open tab, and the inspected cell.
#[component]
pub(crate) fn StatePane(props: &StatePaneProps) -> Html {
    let StatePaneProps {
        inputs,
        document,
        opened,
        dispatch,
    } = props;
    let other = use_memo(document.clone(), |document| {
        LaunchForm::read(&document.text).map_or_else(Vec::new, |form| numbers(&form))
    });
    let read_only = use_read_only();
    let open = inputs.state_view.grid.tab;
    let changed = inputs.grids().changed_tabs();
    let tabs = Tab::all(inputs.session.program())
        .iter()
        .map(|tab| TabItem {
            value: *tab,
            id: tab_id(*tab),
            label: tab.label().into(),
            short: tab.short_label(),
            count: None,
            is_changed: *tab != open && changed.contains(tab),
            panel: AttrValue::Static(PANEL),
        });
    let tabs: Vec<_> = tabs.collect();
    let on_pick = dispatch.reform(|tab| Action::StatePane(StateAction::Tab(tab)));
    let memory = open.memory();
    let (box_name, above, below) = match (open, memory) {
        (_, Some(kind)) => ("Memory rows", memory_tools(inputs, kind, dispatch), None),
        (Tab::Registers, _) => (
            "Register files",
            format_menu(
                inputs.state_view.grid.register_format,
                RegisterFormat::Declared.label(),
                dispatch,
            ),
            None,
        ),
        (Tab::Warp, _) => (
            "Warp registers",
            format_menu(inputs.state_view.grid.register_format, "bits", dispatch),
            None,
        ),
        _ => {
            let tools = buffer_tools(inputs, inputs.can_run && !read_only, dispatch);
            ("Buffer rows", tools, Some(argument_list(&other)))
        }
    };
    let id = GridId {
        tab: open,
        region: match memory {
            Some(kind) => inputs.state_view.grid.memories[kind].region,
            None => 0,
        },
        opened: *opened,
    };
    let contents = match empty_text(inputs, open) {
        Some(text) => html! { <p class="empty">{ text }</p> },
        None => html! {
            <>
                { above }
                // Remounted for another grid, which has its own position.
                <ElementGrid
                    key={format!("{id:?}")}
                    {id}
                    name={open.label()}
                    {box_name}
                    inputs={inputs.clone()}
                    dispatch={dispatch.clone()}
                />
                { for below }
            </>
        },
    };
    html! {
        <section class="pane state" data-stale={(!inputs.can_run).then_some("")} aria-label="State">
            <h2 class="unseen">{ "State" }</h2>
            { tab_list("State", &tabs, open, &on_pick) }
            <div id={PANEL} class="panel" role="tabpanel" aria-labelledby={tab_id(open)}>
                { contents }
                { inspect_bar(inputs, read_only, dispatch) }
            </div>
        </section>
    }
}

/// The arguments of a launch that are numbers.
fn numbers(form: &LaunchForm) -> Vec<ArgumentRow> {
    let rows = form.arguments.iter().zip(arguments(form));
    let numbers = rows.filter(|(field, _)| field.value.kind == ValueKind::Number);
    numbers.map(|(_, row)| row).collect()
}

fn argument_list(arguments: &[ArgumentRow]) -> Html {
    let items = arguments.iter().map(|argument| {
        html! { <li class="mono">{ &argument.name }{ " = " }{ &argument.value }</li> }
    });
    html! { <ul class="wrapping scalars" aria-label="Numbers">{ for items }</ul> }
}

/// Text of an empty tab: how to fill it.
fn empty_text(inputs: &StateInputs, tab: Tab) -> Option<&'static str> {
    let is_empty = match (tab, tab.memory()) {
        (_, Some(kind)) => inputs.grids().regions(kind).is_empty(),
        (Tab::Warp, _) => inputs.grids().shape(tab, 0).rows == 0,
        (Tab::Buffers, _) => inputs.grids().buffers().is_empty(),
        _ => false,
    };
    let has_launch = inputs.session.program().launch.is_some();
    is_empty.then_some(match tab {
        Tab::Registers | Tab::Warp => {
            "The program does not use any registers. Add a line such as: .init R4 = iota(0, 1)"
        }
        Tab::Buffers => {
            "The launch has no buffers. Add a line such as: .buffer y : f[64] = iota(1, 0.5)"
        }
        Tab::Virtual => {
            "Virtual memory is not mapped. Add a line such as: .region svm 0x10000 4096"
        }
        Tab::Global => {
            "Global memory is not mapped. Add a line such as: .region global 0x10000 4096"
        }
        Tab::Surfaces if has_launch => "The kernel does not use any surfaces.",
        Tab::Surfaces => {
            "No surface has a buffer. Add lines such as: .decl T6 v_type=T num_elts=1, then .surface T6 4096"
        }
        Tab::Shared => "The kernel does not use shared memory.",
        Tab::Local if has_launch => "The kernel does not use shared local memory.",
        Tab::Local => {
            "The size of shared local memory is 0 (.slm 0). Set a size, such as .slm 1024"
        }
    })
}

fn tab_id(tab: Tab) -> AttrValue {
    AttrValue::from(format!("tab-{}", tab.key()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_names() {
        let state = crate::store::State::of_scenario("kernel-histogram");
        let form = LaunchForm::read(&state.text()).expect("a launch");
        let others = numbers(&form);
        let names: Vec<&str> = others.iter().map(|argument| &*argument.name).collect();
        assert_eq!(names, ["n"]);
    }
}
