//! Scroll container of a grid, with delegated event listeners for all its
//! cells.

use super::grid::use_focus_on_chosen;
use crate::dom::has_modifier;
use crate::features::highlight::{ByteRange, Highlight, use_highlight};
use crate::features::state::StateAction;
use crate::features::state::inspect::InspectAction;
use crate::features::state::place::Place;
use crate::store::Action;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct CellBoxProps {
    pub(crate) scroller: NodeRef,
    /// Additional class of the grid.
    pub(crate) class: &'static str,
    pub(crate) label: &'static str,
    /// Custom properties for the style sheet.
    pub(crate) style: String,
    /// Whether the register files of two EUs are side by side.
    #[prop_or_default]
    pub(crate) beside: bool,
    pub(crate) onscroll: Callback<Event>,
    /// Whether the inspected cell should receive focus.
    pub(crate) focus: bool,
    pub(crate) dispatch: Callback<Action>,
    pub(crate) children: Html,
}

/// Container of cells for pointer, keyboard and touch input. A grid has
/// hundreds of cells and re-renders on every step, so its listeners are
/// delegated: the event target identifies the cell.
#[component]
pub(crate) fn CellBox(props: &CellBoxProps) -> Html {
    let CellBoxProps {
        scroller,
        class,
        label,
        style,
        beside,
        onscroll,
        focus,
        dispatch,
        children,
    } = props;
    let highlight = use_highlight();
    use_focus_on_chosen(scroller, *focus, dispatch);
    let inspect = dispatch.reform(|action| Action::StatePane(StateAction::Inspect(action)));
    let onclick = {
        let inspect = inspect.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some(place) = target(&event).and_then(|element| place_at(&element)) {
                inspect.emit(InspectAction::Open(place));
            }
        })
    };
    let onchange = {
        let inspect = inspect.clone();
        Callback::from(move |event: Event| {
            if let Some(input) = editor(&event) {
                inspect.emit(InspectAction::Leave(input.value()));
            }
        })
    };
    let onkeydown = Callback::from(move |event| pressed(&event, &inspect));
    let under = |event: &Event| target(event).and_then(|element| highlight_at(&element));
    html! {
        <div class="grid-box">
            <div
                ref={scroller}
                class={classes!("scroller", "grid", *class)}
                role="group"
                aria-label={*label}
                data-beside={beside.then_some("")}
                tabindex="0"
                ~style={style.clone()}
                onscroll={onscroll.clone()}
                {onclick}
                {onchange}
                {onkeydown}
                onmouseover={highlight.set.reform(move |event: MouseEvent| under(&event))}
                onmouseleave={highlight.clear_on_leave()}
                onfocusin={highlight.set.reform(move |event: FocusEvent| under(&event))}
                onfocusout={highlight.clear_on_blur()}
            >
                { children.clone() }
            </div>
        </div>
    }
}

/// Handles a key on a cell, in its editor, or on the container.
fn pressed(event: &KeyboardEvent, inspect: &Callback<InspectAction>) {
    let Some(element) = target(event) else {
        return;
    };
    if has_modifier(event) {
        return;
    }
    let key = event.key();
    let action = match (editor(event), key.as_str()) {
        (Some(input), "Enter") => InspectAction::Commit(input.value()),
        (Some(_), "Escape") => InspectAction::Cancel,
        (Some(_), _) => return,
        (None, "Enter") if element.has_attribute("tabindex") && place_at(&element).is_none() => {
            InspectAction::First
        }
        (None, _) if place_at(&element).is_none() => return,
        (None, "ArrowLeft") => InspectAction::Move(-1, 0),
        (None, "ArrowRight") => InspectAction::Move(1, 0),
        (None, "ArrowUp") => InspectAction::Move(0, -1),
        (None, "ArrowDown") => InspectAction::Move(0, 1),
        (None, "PageUp") => InspectAction::Move(0, -8),
        (None, "PageDown") => InspectAction::Move(0, 8),
        (None, "Escape") => InspectAction::Close,
        _ => return,
    };
    event.prevent_default();
    inspect.emit(action);
}

fn target(event: &Event) -> Option<Element> {
    event.target_dyn_into()
}

fn place_at(element: &Element) -> Option<Place> {
    let cell = element.closest("[data-at]").ok().flatten()?;
    cell.get_attribute("data-at")?.parse().ok()
}

/// Highlight for the cell at an element; its row gives the number of bytes per
/// cell. Masks and pointers have none.
fn highlight_at(element: &Element) -> Option<Highlight> {
    let place = place_at(element)?;
    let row = element.closest("[data-bytes]").ok().flatten()?;
    let bytes = row.get_attribute("data-bytes")?.parse().ok()?;
    let range = ByteRange::new(place.space, place.address, bytes);
    Some(if place.is_register() {
        Highlight::Register(range)
    } else {
        Highlight::Memory(range)
    })
}

fn editor(event: &Event) -> Option<HtmlInputElement> {
    let input: HtmlInputElement = event.target_dyn_into()?;
    input.has_attribute("data-start").then_some(input)
}
