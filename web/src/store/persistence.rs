//! When state is saved.

use super::storage::{
    TEXT, save_address, save_drafts, save_position, save_program, save_settings, save_theme,
    settings,
};
use super::{Action, State};
use crate::components::guard::use_guard;
use crate::features::program::{Draft, ProgramAction};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use lanewise_saved::Address;
use std::cell::RefCell;
use std::collections::BTreeMap;
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
    let saver = &use_saver();
    use_debounced_save(saver, Record::Settings, settings(state), save_settings);
    let address = state.address().map(|fragment| Address {
        fragment,
        text: state.text(),
    });
    use_effect_with(address, |address| save_address(address.as_ref()));
    use_saved_program(saver, (state.text(), state.source.origin.id()), dispatch);
    let position = (state.text(), state.position());
    use_debounced_save(saver, Record::Position, position, |(text, position)| {
        save_position(text, position);
    });
    use_saved_drafts(state.source.drafts.clone(), dispatch);
    let dispatch = dispatch.clone();
    let report = move |event: &Event| {
        let event: &StorageEvent = event.unchecked_ref();
        let is_text = event.key().as_deref() == Some(TEXT);
        if let Some(text) = event.new_value().filter(|_| is_text) {
            dispatch.emit(Action::Program(ProgramAction::OtherWindow(text)));
        }
    };
    use_guard((), move |()| {
        EventListener::new(&gloo_utils::window(), "storage", report)
    });
}

/// Saves a value when it has changed, debounced, and when the page is hidden or left.
#[hook]
fn use_debounced_save<T: Clone + PartialEq + 'static>(
    saver: &Saver,
    record: Record,
    value: T,
    save: fn(&T),
) {
    let saver = saver.clone();
    use_effect_with(value, move |value| {
        let value = value.clone();
        saver.put_off(record, move || save(&value));
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
fn use_saved_program(saver: &Saver, program: (Rc<str>, &'static str), dispatch: &Callback<Action>) {
    // Last program saved by this window.
    let saved = use_mut_ref(|| None::<(Rc<str>, &'static str)>);
    let (saver, dispatch) = (saver.clone(), dispatch.clone());
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
        saver.put_off(Record::Program, save);
    });
}

/// Records that are saved when changes pause, in the order in which they are saved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Record {
    Settings,
    Program,
    /// Stored with its text, so after the program.
    Position,
}

/// Pending saves and their timer, which a change starts only if it is not running.
#[derive(Default)]
struct PendingSaves {
    saves: BTreeMap<Record, PendingSave>,
    timer: Option<Timeout>,
}

struct PendingSave {
    /// As [`now`].
    due: f64,
    save: Box<dyn FnOnce()>,
}

#[derive(Clone)]
struct Saver(Rc<RefCell<PendingSaves>>);

impl Saver {
    /// Saves a record after the debounce interval, in place of its pending save: another
    /// window may have saved since.
    fn put_off(&self, record: Record, save: impl FnOnce() + 'static) {
        let mut pending = self.0.borrow_mut();
        let due = now() + f64::from(SAVE_AFTER);
        let save = Box::new(save);
        pending.saves.insert(record, PendingSave { due, save });
        if pending.timer.is_none() {
            pending.timer = Some(self.timer(SAVE_AFTER));
        }
    }

    /// Executes the saves that are due at a time.
    fn save(&self, time: f64) {
        let is_due = |_: &Record, save: &mut PendingSave| save.due <= time;
        let due: Vec<_> = (self.0.borrow_mut().saves).extract_if(.., is_due).collect();
        for (_, PendingSave { save, .. }) in due {
            save();
        }
    }

    fn timer(&self, wait: u32) -> Timeout {
        let saver = self.clone();
        Timeout::new(wait, move || {
            saver.save(now());
            let mut pending = saver.0.borrow_mut();
            let next = pending.saves.values().map(|save| save.due);
            let next = next.reduce(f64::min);
            let wait = next.map(|due| (due - now()).max(0.0).ceil() as u32);
            pending.timer = wait.map(|wait| saver.timer(wait));
        })
    }
}

/// Milliseconds since the page was opened.
fn now() -> f64 {
    let clock = gloo_utils::window().performance();
    clock.expect("windows have a clock").now()
}

/// The saver of the page. It saves everything when the page is hidden or left.
#[hook]
fn use_saver() -> Saver {
    let saver = Saver(use_mut_ref(PendingSaves::default));
    let save_all = {
        let saver = saver.clone();
        move |_: &Event| saver.save(f64::INFINITY)
    };
    use_guard((), move |()| {
        let (document, window) = (gloo_utils::document(), gloo_utils::window());
        [
            // A hidden page may be discarded without `pagehide`.
            EventListener::new(&document, "visibilitychange", save_all.clone()),
            EventListener::new(&window, "pagehide", save_all),
        ]
    });
    saver
}
