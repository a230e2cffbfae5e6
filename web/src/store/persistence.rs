//! When state is saved.

use super::storage::{
    TEXT, save_address, save_drafts, save_position, save_program, save_settings, save_theme,
    settings,
};
use super::{Action, State};
use crate::features::program::{Draft, ProgramAction};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use lanewise_saved::Address;
use std::cell::Cell;
use std::rc::Rc;
use web_sys::StorageEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// Debounce interval before a value is saved, in milliseconds.
const SAVE_AFTER: u32 = 300;

/// Saves persistent state, each part when it changes.
#[hook]
pub(crate) fn use_saved(state: &State, dispatch: &Callback<Action>) {
    use_effect_with(state.theme, |theme| save_theme(*theme));
    use_debounced_save(settings(state), save_settings);
    let address = state.address().map(|fragment| Address {
        fragment,
        text: state.text(),
    });
    use_effect_with(address, |address| save_address(address.as_ref()));
    use_saved_program((state.text(), state.source.origin.id()), dispatch);
    // A position is stored with its text, so the program's effect must run first.
    use_debounced_save((state.text(), state.position()), |(text, position)| {
        save_position(text, position);
    });
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

/// Saves a value when it has changed, debounced, and when the page is hidden or left.
#[hook]
fn use_debounced_save<T: Clone + PartialEq + 'static>(value: T, save: fn(&T)) {
    use_effect_with(value, move |value| {
        let value = value.clone();
        let pending = PendingSave::new(move || save(&value));
        move || drop(pending)
    });
}

/// Saves replaced drafts when they change, merged with those of other windows.
#[hook]
fn use_saved_drafts(drafts: Rc<[Draft]>, dispatch: &Callback<Action>) {
    // Drafts that this window last saved or found.
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

/// Saves the program at the start of a visit, after edits (debounced), and when
/// the page is hidden or left.
#[hook]
fn use_saved_program(program: (Rc<str>, &'static str), dispatch: &Callback<Action>) {
    // Last program saved by this window.
    let saved = use_mut_ref(|| None::<(Rc<str>, &'static str)>);
    let dispatch = dispatch.clone();
    use_effect_with(program, move |program| {
        let is_first = saved.borrow().is_none();
        let program = program.clone();
        let save = move || {
            let last = saved.borrow().clone();
            // Don't overwrite what another window has saved since.
            if last.as_ref() == Some(&program) {
                return;
            }
            let (text, scenario) = &program;
            let last = last.as_ref().map(|(text, _)| &**text);
            // If storage is full, the previously saved program remains the
            // last.
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

/// One-shot save: after the debounce interval, or earlier if the page is hidden
/// or left; cancelled on drop, as another window may have saved since.
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
                // A hidden page may be discarded without `pagehide`.
                EventListener::new(&gloo_utils::document(), "visibilitychange", move |_| {
                    on_hide();
                }),
                EventListener::new(&gloo_utils::window(), "pagehide", move |_| on_leave()),
            ],
        }
    }
}
