//! When the page is saved.

use super::storage::{
    TEXT, save_drafts, save_scenario, save_settings, save_text, save_theme, settings,
};
use super::{Action, State};
use crate::features::program::ProgramAction;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use web_sys::StorageEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// How long the program rests before it is saved, in milliseconds.
const SAVE_AFTER: u32 = 300;

/// Keeps what is worth keeping between visits, each when it has changed. A
/// player keeps nothing.
#[hook]
pub(crate) fn use_saved(state: &State, dispatch: &Callback<Action>) {
    let is_kept = !state.is_embedded();
    use_saved_value(is_kept.then(|| state.scenario().id), |id| save_scenario(id));
    use_saved_value(is_kept.then(|| state.drafts()), |drafts| {
        save_drafts(drafts)
    });
    use_saved_value(is_kept.then(|| state.theme()), |theme| save_theme(*theme));
    use_saved_value(is_kept.then(|| settings(state)), save_settings);
    use_saved_text(is_kept.then(|| state.text()), dispatch);
    let (embedded, dispatch) = (state.is_embedded(), dispatch.clone());
    use_effect_with(embedded, move |embedded| {
        let listener = (!embedded).then(|| {
            let report = move |event: &Event| {
                let event: &StorageEvent = event.unchecked_ref();
                if event.key().as_deref() == Some(TEXT) {
                    dispatch.emit(Action::Program(ProgramAction::OtherWindow));
                }
            };
            EventListener::new(&gloo_utils::window(), "storage", report)
        });
        move || drop(listener)
    });
}

/// Saves a value when it has changed.
#[hook]
fn use_saved_value<T: PartialEq + 'static>(value: Option<T>, save: fn(&T)) {
    use_effect_with(value, move |value| {
        if let Some(value) = value {
            save(value);
        }
    });
}

/// Saves the program at the start of a visit, when it has not changed for a
/// while, and when the page is left or hidden.
#[hook]
fn use_saved_text(text: Option<Rc<str>>, dispatch: &Callback<Action>) {
    // What this window saved last.
    let saved = use_mut_ref(|| None::<Rc<str>>);
    let dispatch = dispatch.clone();
    use_effect_with(text, move |text| {
        let is_first = saved.borrow().is_none();
        let save = text.clone().map(|text| {
            move || {
                let last = saved.borrow_mut().replace(Rc::clone(&text));
                if last.as_ref() == Some(&text) {
                    return;
                }
                if let Some(foreign) = save_text(&text, last.as_deref()) {
                    dispatch.emit(Action::Program(ProgramAction::KeepForeign(foreign)));
                }
            }
        });
        let pending = save.map(|save| {
            if is_first {
                save();
            }
            let (on_hide, on_leave) = (save.clone(), save.clone());
            // A page that is hidden may never be heard of again.
            let hide = EventListener::new(&gloo_utils::document(), "visibilitychange", move |_| {
                on_hide();
            });
            let leave = EventListener::new(&gloo_utils::window(), "pagehide", move |_| on_leave());
            (Timeout::new(SAVE_AFTER, save), hide, leave)
        });
        move || drop(pending)
    });
}
