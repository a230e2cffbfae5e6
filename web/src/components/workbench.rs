//! Where the panes are. A wide window has two columns, a narrow one has one,
//! a phone shows one pane at a time, by tabs; the elements are the same.

use super::tabs::{TabFace, Tabs};
use super::{execution, focus};
use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::workbench::{Divider, Pane, Workbench, WorkbenchAction};
use gloo_events::EventListener;
use web_sys::{Element, MediaQueryList};
use yew::prelude::*;

/// As in `layout.css`.
const PHONE: &str = "(max-width: 639.98px)";

/// The tabs of the panes, where there is room for one at a time.
pub(crate) fn tabs(bench: Workbench, act: &Callback<Action>) -> Option<El> {
    let faces = Pane::ALL.iter().map(|pane| TabFace {
        id: pane.tab(),
        name: pane.name(),
        panel: pane.place(),
    });
    let pick = act.reform(|index: usize| {
        let pane = Pane::ALL.get(index).copied().unwrap_or(Pane::Program);
        Action::Workbench(WorkbenchAction::Show(pane))
    });
    let open = Pane::ALL.iter().position(|pane| *pane == bench.shown);
    let tabs = || {
        html! { <Tabs label="Panes" tabs={faces.collect::<Vec<_>>()} open={open.unwrap_or(0)} onpick={pick} /> }
    };
    bench
        .phone
        .then(|| el!("nav", "class" = "pane-tabs").put(tabs()))
}

/// The place of a pane.
pub(crate) fn place(bench: Workbench, pane: Pane) -> El {
    el!(
        "div",
        "id" = pane.place(),
        "class" = "pane-place",
        "hidden" = bench.hides(pane).then_some(""),
        "role" = bench.phone.then_some("tabpanel"),
        "aria-labelledby" = bench.phone.then_some(pane.tab())
    )
}

/// What can be dragged, or moved by keys, between two panes. `divider.js` hears
/// it and says in `data-size` what it is asked for.
pub(crate) fn divider(bench: Workbench, divider: Divider, act: &Callback<Action>) -> El {
    let onchange = act.reform(move |event: Event| {
        let element: Element = event.target_unchecked_into();
        let size = element.get_attribute("data-size");
        let size = size.and_then(|size| size.parse().ok());
        Action::Workbench(WorkbenchAction::Size(divider, size))
    });
    let (least, most) = divider.limits();
    let size = bench.sizes.of(divider).unwrap_or(divider.usual());
    el!(
        "div",
        "class" = "divider",
        "role" = "separator",
        "tabindex" = "0",
        "data-divider" = divider.property(),
        "aria-label" = divider.name(),
        "aria-orientation" = match divider {
            Divider::Columns => "vertical",
            _ => "horizontal",
        },
        "aria-valuemin" = least.to_string(),
        "aria-valuemax" = most.to_string(),
        "aria-valuenow" = size.to_string(),
        "title" = "Drag, or use the arrow keys. Double click: as usual."
    )
    .on(On::Change, onchange)
}

/// The ways past the header, and past the program too; each is seen when it
/// has the focus.
pub(crate) fn skip(act: &Callback<Action>) -> El {
    let onclick = act.reform(|event: Event| {
        event.prevent_default();
        Action::Workbench(WorkbenchAction::ToProgram)
    });
    // The address is the program's: a fragment would be taken for a link.
    let to_step = Callback::from(|event: Event| {
        event.prevent_default();
        focus(execution::STEP);
    });
    let link = |to: &'static str| el!("a", "class" = "skip", "href" = to);
    el!("nav", "aria-label" = "Skip")
        .put(
            link("#program-text")
                .on(On::Click, onclick)
                .put("Skip to program"),
        )
        .put(link("#step").on(On::Click, to_step).put("Skip to Step"))
}

/// Tells whether the window is a phone's, now and whenever that changes, for
/// as long as it is kept.
pub(crate) fn watch(act: Callback<Action>) -> Option<EventListener> {
    let window = web_sys::window()?;
    let query: MediaQueryList = window.match_media(PHONE).ok().flatten()?;
    let tell = {
        let query = query.clone();
        move || act.emit(Action::Workbench(WorkbenchAction::Phone(query.matches())))
    };
    // Elsewhere nothing changes.
    if query.matches() {
        tell();
    }
    Some(EventListener::new(&query, "change", move |_| tell()))
}

/// Brings the chosen tab into sight.
pub(crate) fn show_tab(bench: Workbench) {
    let document = web_sys::window().and_then(|window| window.document());
    let tab = document.and_then(|document| document.get_element_by_id(bench.shown.tab()));
    let Some(tab) = tab else { return };
    let Some(row) = tab.parent_element() else {
        return;
    };
    let (tab, view) = (
        tab.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    // In the middle, as far as there is something on both sides.
    let off = (tab.left() + tab.right() - view.left() - view.right()) / 2.0;
    row.set_scroll_left(row.scroll_left() + off as i32);
}

/// Moves the focus into the program.
pub(crate) fn to_program() {
    focus(super::editor::ID);
}
