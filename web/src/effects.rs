//! What follows from the state outside of the page's elements: each a hook.

use crate::fetched;
use crate::state::share::Handed;
use crate::state::{Action, Speed, State, Theme};
use crate::storage::Saver;
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use std::rc::Rc;
use web_sys::StorageEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// Keeps what is worth keeping between visits. A player keeps nothing.
#[hook]
pub(crate) fn use_saved(state: &State, dispatch: &Callback<Action>) {
    let saver = use_mut_ref(Saver::default);
    let overwritten = match state.is_embedded() {
        true => None,
        false => saver.borrow_mut().save(state),
    };
    {
        let dispatch = dispatch.clone();
        // After the page was drawn: the reducer needs the state for itself.
        use_effect(move || {
            if let Some(text) = overwritten {
                dispatch.emit(Action::KeepForeign(text));
            }
        });
    }
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

/// Shows the chosen theme. A player wears its host's, which `player.js` sets.
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

/// Opens links that come while the page is open.
#[hook]
pub(crate) fn use_links(embedded: bool, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(embedded, move |embedded| {
        if !embedded {
            fetched::listen(dispatch);
        }
    });
}

/// Puts the address of what is shown into the address bar: an entry of the
/// history for each scenario.
#[hook]
pub(crate) fn use_address(state: &State) {
    let address = state.address().filter(|_| !state.is_embedded());
    use_effect_with(address, |address| {
        fetched::address(address.as_deref().unwrap_or(""));
    });
}

/// Hands out what was copied or exported last.
#[hook]
pub(crate) fn use_exports(state: &State) {
    let exported: Option<Rc<Handed>> = state.share().handed.clone();
    use_effect_with(exported, |exported| {
        if let Some(exported) = exported {
            fetched::hand(exported);
        }
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
