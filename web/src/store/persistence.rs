//! When the page is saved.

use super::storage::{
    TEXT, save_address, save_drafts, save_position, save_program, save_settings, save_theme,
    settings,
};
use super::{Action, State};
use crate::features::program::{Draft, ProgramAction};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use lanewise_saved::{Address, Position, Settings};
use std::cell::Cell;
use std::rc::Rc;
use web_sys::StorageEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// How long a value rests before it is saved, in milliseconds.
const SAVE_AFTER: u32 = 300;

/// Keeps what is worth keeping between visits, each thing when it has changed.
#[hook]
pub(crate) fn use_saved(state: &State, dispatch: &Callback<Action>) {
    use_saved_value(state.theme, |theme| save_theme(*theme));
    use_saved_settings(settings(state));
    let address = state.address().map(|fragment| Address {
        fragment,
        text: state.text(),
    });
    use_saved_value(address, |address| save_address(address.as_ref()));
    use_saved_program((state.text(), state.source.origin.id()), dispatch);
    use_saved_position((state.text(), state.position()));
    use_saved_drafts(state.source.drafts.clone(), dispatch);
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let report = move |event: &Event| {
            let event: &StorageEvent = event.unchecked_ref();
            let is_text = event.key().as_deref() == Some(TEXT);
            if let Some(text) = event.new_value().filter(|_| is_text) {
                dispatch.emit(Action::Program(ProgramAction::OtherWindow(text)));
            }
        };
        let listener = EventListener::new(&gloo_utils::window(), "storage", report);
        move || drop(listener)
    });
}

/// Saves the settings when they have not changed for a while, and when the page
/// is left or hidden: a divider that is dragged changes them many times.
#[hook]
fn use_saved_settings(settings: Settings) {
    use_effect_with(settings, |settings| {
        let settings = settings.clone();
        let pending = PendingSave::new(move || save_settings(&settings));
        move || drop(pending)
    });
}

/// Saves a value when it has changed.
#[hook]
fn use_saved_value<T: PartialEq + 'static>(value: T, save: fn(&T)) {
    use_effect_with(value, save);
}

/// Saves the replaced drafts when they have changed, with those of other windows.
#[hook]
fn use_saved_drafts(drafts: Rc<[Draft]>, dispatch: &Callback<Action>) {
    // What this window saved last, and what it found of others.
    let known = use_mut_ref(Vec::new);
    let dispatch = dispatch.clone();
    use_effect_with(drafts, move |drafts| {
        let foreign = save_drafts(drafts, &known.borrow());
        known.replace([&foreign[..], &drafts[..]].concat());
        if !foreign.is_empty() {
            dispatch.emit(Action::Program(ProgramAction::AddDrafts(foreign)));
        }
    });
}

/// Saves the program at the start of a visit, when it has not changed for a
/// while, and when the page is left or hidden.
#[hook]
fn use_saved_program(program: (Rc<str>, &'static str), dispatch: &Callback<Action>) {
    // What this window saved last.
    let saved = use_mut_ref(|| None::<(Rc<str>, &'static str)>);
    let dispatch = dispatch.clone();
    use_effect_with(program, move |program| {
        let is_first = saved.borrow().is_none();
        let program = program.clone();
        let save = move || {
            let last = saved.borrow().clone();
            // What another window has saved since stays.
            if last.as_ref() == Some(&program) {
                return;
            }
            let (text, scenario) = &program;
            let last = last.as_ref().map(|(text, _)| &**text);
            // Without room the one that is kept is still the last.
            if let Ok(foreign) = save_program(text, scenario, last) {
                saved.replace(Some(program.clone()));
                if let Some(foreign) = foreign {
                    dispatch.emit(Action::Program(ProgramAction::KeepForeign(foreign)));
                }
            }
        };
        if is_first {
            save();
        }
        let pending = PendingSave::new(save);
        move || drop(pending)
    });
}

/// Saves where in the run the reader is, as [`use_saved_program`] does the
/// program. A position is only kept with its text ([`save_position`]), so that
/// the program's effect comes before this one.
#[hook]
fn use_saved_position(position: (Rc<str>, Position)) {
    use_effect_with(position, |position| {
        let (text, position) = position.clone();
        let pending = PendingSave::new(move || save_position(&text, &position));
        move || drop(pending)
    });
}

/// Saves once: when it has existed for a while, or when the page is left or
/// hidden before; not any more when it is dropped. Another window may have saved
/// since.
struct PendingSave {
    _timeout: Timeout,
    _listeners: [EventListener; 2],
}

impl PendingSave {
    fn new(save: impl Fn() + Clone + 'static) -> Self {
        let is_saved = Rc::new(Cell::new(false));
        let save = move || {
            if !is_saved.replace(true) {
                save();
            }
        };
        let (on_hide, on_leave) = (save.clone(), save.clone());
        Self {
            _timeout: Timeout::new(SAVE_AFTER, save),
            _listeners: [
                // A page that is hidden may be discarded without `pagehide`.
                EventListener::new(&gloo_utils::document(), "visibilitychange", move |_| {
                    on_hide();
                }),
                EventListener::new(&gloo_utils::window(), "pagehide", move |_| on_leave()),
            ],
        }
    }
}
