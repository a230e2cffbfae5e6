//! Cells under the pointer, the keyboard and the finger: what is done to the
//! cells in a box. One listener for all of them.

use crate::dom::{El, On};
use crate::state::Action;
use crate::state::inspect::{InspectAction, Place};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

/// Hears what is done to the cells in a box.
pub(crate) fn listening(scroller: El, act: &Callback<Action>) -> El {
    let inspect = act.reform(Action::Inspect);
    let onclick = {
        let inspect = inspect.clone();
        Callback::from(move |event: Event| {
            if let Some(place) = target(&event).and_then(|e| place_at(&e)) {
                inspect.emit(InspectAction::Open(place));
            }
        })
    };
    let onchange = {
        let inspect = inspect.clone();
        Callback::from(move |event: Event| {
            if let Some(input) = editor(&event) {
                inspect.emit(InspectAction::Commit(input.value()));
            }
        })
    };
    let onkeydown = Callback::from(move |event: Event| pressed(event, &inspect));
    scroller
        .on(On::Click, onclick)
        .on(On::Change, onchange)
        .on(On::KeyDown, onkeydown)
}

/// What a key means on a cell, in its editor, or on the box.
fn pressed(event: Event, inspect: &Callback<InspectAction>) {
    let Some(element) = target(&event) else {
        return;
    };
    let input = editor(&event);
    let event: KeyboardEvent = event.unchecked_into();
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    let key = event.key();
    let action = match (&input, key.as_str()) {
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
    event.target().and_then(|t| t.dyn_into::<Element>().ok())
}

fn place_at(element: &Element) -> Option<Place> {
    let cell = element.closest("[data-at]").ok().flatten()?;
    Place::parse(&cell.get_attribute("data-at")?)
}

fn editor(event: &Event) -> Option<HtmlInputElement> {
    let input = target(event)?.dyn_into::<HtmlInputElement>().ok()?;
    input.has_attribute("data-start").then_some(input)
}
