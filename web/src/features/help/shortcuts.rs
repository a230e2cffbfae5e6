//! Global keyboard shortcuts.

use crate::components::guard::use_guard;
use crate::dom::{find, has_modifier};
use crate::features::screen::{DialogKind, ScreenAction};
use crate::features::transport::TransportAction;
use crate::store::Action;
use gloo_events::{EventListener, EventListenerOptions};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

/// Elements that handle the shortcut keys themselves.
const TAKEN: &str = "input, textarea, select, [role=tab], [contenteditable], .cm-editor";

/// Elements in which letters are shortcuts despite that.
const NO_LETTERS: &str = "[role=tab], [type=range], [type=checkbox], [type=radio]";

/// Handles the step shortcuts wherever the focused element does not use these
/// keys, and `?`, which opens the list of shortcuts.
#[hook]
pub(crate) fn use_shortcuts(single_keys: bool, is_kernel: bool, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_guard((single_keys, is_kernel), move |(single_keys, is_kernel)| {
        listen(*single_keys, *is_kernel, dispatch)
    });
}

/// The key of a debugger, if it is one.
fn debugger_key(event: &KeyboardEvent, is_kernel: bool) -> Option<TransportAction> {
    Some(match (event.key().as_str(), event.shift_key()) {
        ("F10", false) if !is_kernel => TransportAction::Step,
        _ if !is_kernel => return None,
        ("F5", false) => TransportAction::Continue,
        ("F10", false) => TransportAction::StepOver,
        ("F10", true) => TransportAction::StepBack,
        ("F11", false) => TransportAction::Step,
        ("F11", true) => TransportAction::StepOut,
        _ => return None,
    })
}

fn has_dialog() -> bool {
    find::<Element>(&gloo_utils::document_element(), "dialog[open]").is_some()
}

fn listen(single_keys: bool, is_kernel: bool, dispatch: Callback<Action>) -> EventListener {
    let on_key = move |event: &Event| {
        let event: &KeyboardEvent = event.unchecked_ref();
        if has_modifier(event) {
            return;
        }
        // Also in the editor.
        let debugs = !event.default_prevented() && !has_dialog();
        if let Some(action) = debugger_key(event, is_kernel).filter(|_| debugs) {
            event.prevent_default();
            dispatch.emit(Action::Transport(action));
            return;
        }
        if is_taken(event) {
            return;
        }
        let action = match event.key().as_str() {
            "ArrowRight" => Action::Transport(TransportAction::Step),
            "ArrowLeft" => Action::Transport(TransportAction::StepBack),
            "Home" => Action::Transport(TransportAction::ToStart),
            "End" => Action::Transport(TransportAction::ToEnd),
            "n" if single_keys => Action::Transport(TransportAction::Step),
            "p" if single_keys => Action::Transport(TransportAction::StepBack),
            "r" if single_keys && is_kernel => Action::Transport(TransportAction::Continue),
            "r" if single_keys => Action::Transport(TransportAction::ToggleRun),
            "?" if single_keys => Action::Screen(ScreenAction::OpenDialog(DialogKind::Help)),
            _ => return,
        };
        event.prevent_default();
        dispatch.emit(action);
    };
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&gloo_utils::window(), "keydown", options, on_key)
}

/// Whether the element under focus handles the key itself.
fn is_taken(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target_dyn_into::<Element>() else {
        return false;
    };
    let within = |selector| target.closest(selector).ok().flatten();
    // Inactive behind an open dialog, wherever the focus is.
    if event.default_prevented() || has_dialog() {
        return true;
    }
    if within(TAKEN).is_some() {
        return event.key().len() > 1 || within(NO_LETTERS).is_none();
    }
    // Scrollable boxes and their ancestors scroll with these keys.
    let mut around = within(".scroller");
    while let Some(scroller) = around {
        let scrolls = match event.key().as_str() {
            "ArrowRight" | "ArrowLeft" => scroller.scroll_width() > scroller.client_width(),
            "Home" | "End" => scroller.scroll_height() > scroller.client_height(),
            _ => false,
        };
        if scrolls {
            return true;
        }
        let parent = scroller.parent_element();
        around = parent.and_then(|parent| parent.closest(".scroller").ok().flatten());
    }
    false
}
