use crate::state::Action;
use gloo_events::{EventListener, EventListenerOptions};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

/// Where keys have a meaning of their own.
const TAKEN: &str = "input, textarea, select, dialog, [role=tab]";

/// Hears of keys pressed anywhere but where they have a meaning of their own,
/// without modifiers. The listener says whether it took the key.
#[hook]
pub(crate) fn use_keydown(listener: Callback<KeyboardEvent, bool>) {
    use_effect_with(listener, |listener| {
        let listener = listener.clone();
        let options = EventListenerOptions::enable_prevent_default();
        let on_key = move |event: &Event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
                return;
            };
            let modified = event.ctrl_key() || event.alt_key() || event.meta_key();
            if !modified && !is_taken(event) && listener.emit(event.clone()) {
                event.prevent_default();
            }
        };
        let window = web_sys::window();
        let listener = window
            .map(|window| EventListener::new_with_options(&window, "keydown", options, on_key));
        move || drop(listener)
    });
}

/// Keys that step.
#[hook]
pub(crate) fn use_shortcuts(single_keys: bool, act: &Callback<Action>) {
    let listener = use_callback(
        (single_keys, act.clone()),
        |event: KeyboardEvent, (single_keys, act)| {
            let action = match event.key().as_str() {
                "ArrowRight" => Action::Step,
                "ArrowLeft" => Action::StepBack,
                "Home" => Action::ToStart,
                "End" => Action::ToEnd,
                "n" if *single_keys => Action::Step,
                "p" if *single_keys => Action::StepBack,
                "r" if *single_keys => Action::ToggleRun,
                _ => return false,
            };
            act.emit(action);
            true
        },
    );
    use_keydown(listener);
}

/// Whether a key means something where it was pressed.
fn is_taken(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let Some(target) = target else { return false };
    let within = |selector| target.closest(selector).ok().flatten();
    if event.default_prevented() || within(TAKEN).is_some() {
        return true;
    }
    // A box that scrolls is scrolled with these keys.
    within(".scroller").is_some_and(|scroller| match event.key().as_str() {
        "ArrowRight" | "ArrowLeft" => scroller.scroll_width() > scroller.client_width(),
        "Home" | "End" => scroller.scroll_height() > scroller.client_height(),
        _ => false,
    })
}
