use super::{focus, send_to};
use crate::dom::{El, On, el};
use web_sys::KeyboardEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// One of a row of tabs.
pub(crate) struct TabFace {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    /// The id of what it opens.
    pub(crate) panel: &'static str,
}

/// A row of tabs, one of them open. Arrow keys go from one to the next.
pub(crate) fn draw(
    label: &'static str,
    faces: Vec<TabFace>,
    open: usize,
    pick: &Callback<usize>,
) -> El {
    let ids: Vec<&'static str> = faces.iter().map(|face| face.id).collect();
    let onkeydown = {
        let pick = pick.clone();
        Callback::from(move |event: Event| {
            let event: KeyboardEvent = event.unchecked_into();
            if let Some(next) = neighbour(ids.len(), open, &event.key()) {
                event.prevent_default();
                focus(ids.get(next).copied().unwrap_or(""));
                pick.emit(next);
            }
        })
    };
    let button = |(index, face): (usize, TabFace)| {
        let selected = index == open;
        el!(
            "button",
            "id" = face.id,
            "role" = "tab",
            "aria-selected" = if selected { "true" } else { "false" },
            "aria-controls" = selected.then_some(face.panel),
            "tabindex" = if selected { "0" } else { "-1" }
        )
        .on(On::Click, send_to(pick, index))
        .put(face.name)
    };
    el!(
        "div",
        "class" = "tabs",
        "role" = "tablist",
        "aria-label" = label
    )
    .on(On::KeyDown, onkeydown)
    .each(faces.into_iter().enumerate().map(button))
}

/// The tab that a key leads to.
fn neighbour(count: usize, here: usize, key: &str) -> Option<usize> {
    match key {
        "ArrowRight" => Some((here + 1) % count.max(1)),
        "ArrowLeft" => Some((here + count.saturating_sub(1)) % count.max(1)),
        "Home" => Some(0),
        "End" => Some(count.saturating_sub(1)),
        _ => None,
    }
}
