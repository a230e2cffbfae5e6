//! What follows from the state outside of the page's elements: each a hook.

use crate::state::{Action, Speed, State, Theme};
use crate::storage::{Saver, save_text};
use gloo_events::EventListener;
use gloo_timers::callback::{Interval, Timeout};
use std::rc::Rc;
use web_sys::StorageEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// How long the program rests before it is saved, in milliseconds.
const SAVE_AFTER: u32 = 300;

/// Keeps what is worth keeping between visits. A player keeps nothing.
#[hook]
pub(crate) fn use_saved(state: &State, dispatch: &Callback<Action>) {
    let saver = use_mut_ref(Saver::default);
    if !state.is_embedded() {
        saver.borrow_mut().save(state);
    }
    let text = (!state.is_embedded()).then(|| state.text());
    use_saved_text(text, dispatch);
    let (embedded, dispatch) = (state.is_embedded(), dispatch.clone());
    use_effect_with(embedded, move |embedded| {
        let listener = (!embedded).then(|| {
            let report = move |event: &Event| {
                let event: &StorageEvent = event.unchecked_ref();
                if event.key().as_deref() == Some(crate::storage::TEXT) {
                    dispatch.emit(Action::OtherWindow);
                }
            };
            EventListener::new(&gloo_utils::window(), "storage", report)
        });
        move || drop(listener)
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
                    dispatch.emit(Action::KeepForeign(foreign));
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

/// Shows the chosen theme. A player wears its host's: `features::embed`.
#[hook]
pub(crate) fn use_theme(state: &State) {
    let own = (!state.is_embedded()).then(|| state.theme());
    use_effect_with(own, |own| {
        let Some(theme) = own else { return };
        let root = gloo_utils::document_element();
        // An element takes any name and value that are set here.
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            theme => root.set_attribute("data-theme", theme.name()),
        };
    });
}

/// Titles the window after the program.
#[hook]
pub(crate) fn use_window_title(state: &State) {
    use_effect_with(state.heading().name(), |title| {
        let title = match title {
            Some(title) => format!("{title} · Lanewise"),
            None => String::from("Lanewise"),
        };
        gloo_utils::document().set_title(&title);
    });
}

/// Steps by itself while it runs.
#[hook]
pub(crate) fn use_run_timer(running: bool, speed: Speed, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((running, speed), move |(running, speed)| {
        let timer = running
            .then(|| Interval::new(speed.milliseconds(), move || dispatch.emit(Action::Tick)));
        move || drop(timer)
    });
}
