//! The box that the grids of the state scroll in.

use super::cell_listeners::CellListeners;
use super::grid::use_focus_on_chosen;
use crate::features::highlight::use_highlight;
use crate::store::use_dispatch;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct CellGridProps {
    /// Becomes the box that scrolls.
    pub(super) scroller: NodeRef,
    /// The class that tells one grid from the others.
    pub(super) class: &'static str,
    /// Its accessible name.
    pub(super) label: &'static str,
    /// Whether the values are in small type.
    #[prop_or_default]
    pub(super) is_small: bool,
    /// Whether the register files stand beside each other.
    #[prop_or_default]
    pub(super) is_beside: bool,
    /// Its custom properties.
    pub(super) style: String,
    /// A request to put the focus on the chosen cell.
    pub(super) focus: u32,
    pub(super) onscroll: Callback<Event>,
    pub(super) children: Html,
}

/// A box of cells. It listens for all of them.
#[component]
pub(super) fn CellGrid(props: &CellGridProps) -> Html {
    let dispatch = use_dispatch();
    let highlight = use_highlight();
    use_focus_on_chosen(&props.scroller, props.focus);
    let listeners = CellListeners::new(&dispatch, &highlight);
    html! {
        <div class="grid-box">
            <div
                ref={props.scroller.clone()}
                class={classes!("scroller", "grid", props.class)}
                tabindex="0"
                role="group"
                aria-label={props.label}
                data-is={props.is_beside.then_some("beside")}
                data-small={props.is_small.then_some("")}
                ~style={props.style.clone()}
                onscroll={props.onscroll.clone()}
                onclick={listeners.onclick}
                onchange={listeners.onchange}
                onkeydown={listeners.onkeydown}
                onmouseover={listeners.onmouseover}
                onmouseleave={listeners.onmouseleave}
                onfocusin={listeners.onfocusin}
                onfocusout={listeners.onfocusout}
            >
                { props.children.clone() }
            </div>
        </div>
    }
}
