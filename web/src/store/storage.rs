//! What the browser keeps between visits, all of it. A browser that keeps
//! nothing, refuses, is full, or holds what this version does not understand,
//! is no reason to stop: what cannot be read is as if it were not there.
//!
//! Texts and names are kept as they are, everything else as the records of
//! [`lanewise_saved`].
//!
//! Two windows write to the same place. A window that finds there a program
//! that it did not write itself keeps it among the replaced drafts when it
//! writes its own: [`save_program`]. So it does with the drafts of the other:
//! [`save_drafts`].

use super::{Saved, State};
use crate::features::program::Draft;
use crate::features::screen::Theme;
use crate::features::screen::{DrawerTab, Sizes};
use crate::features::transport::Speed;
use gloo_storage::{LocalStorage, SessionStorage, Storage};
use lanewise_saved::{Address, Position, Settings, read_drafts};
use serde::Serialize;
use std::rc::Rc;
use web_sys::js_sys::Date;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{NavigationType, PerformanceNavigationTiming};

pub(crate) const TEXT: &str = "lanewise.text";
const SCENARIO: &str = "lanewise.scenario";
const DRAFTS: &str = "lanewise.drafts";
/// Where earlier versions kept them: they are read from there too, and moved.
const OLD_DRAFTS: &str = "lanewise.asides";
/// `boot.js` reads it too, before the page is drawn.
const THEME: &str = "lanewise.theme";
const POSITION: &str = "lanewise.position";
const SETTINGS: &str = "lanewise.settings";
/// Of the tab.
const ADDRESS: &str = "lanewise.address";
/// How many starts in a row failed before the reader did anything, counted by
/// `boot.js`.
const FAILED: &str = "lanewise.failed";
/// At this many of them the text is put aside.
const GIVE_UP_AT: u32 = 2;

/// The settings of a state.
pub(crate) fn settings(state: &State) -> Settings {
    let screen = state.screen;
    Settings {
        area: String::from(screen.shown.key()),
        drawer: String::from(screen.tab.map_or("", DrawerTab::key)),
        tab: String::from(state.machine.tab.key()),
        speed: String::from(state.stepping.speed.key()),
        single_keys: state.single_keys,
        plain: state.source.editor.keeps_plain(),
        wrap: state.source.editor.wrap,
        sizes: screen.sizes.record(),
        breakpoints: state.source.breakpoints.numbers(),
        formats: state.machine.formats(),
    }
}

fn apply(settings: Settings, saved: &mut Saved) {
    saved.screen.restore(&settings.area, &settings.drawer);
    saved.screen.sizes = Sizes::of_record(settings.sizes);
    saved.tab = settings.tab;
    saved.speed = Speed::of_key(&settings.speed);
    saved.single_keys = settings.single_keys;
    saved.plain = settings.plain;
    saved.wrap = settings.wrap;
    saved.breakpoints = settings.breakpoints;
    saved.formats = settings.formats;
}

/// Whether the browser lets the page keep anything; where it does not, the
/// functions of gloo-storage panic.
fn can_store() -> bool {
    let window = gloo_utils::window();
    let storages = [window.local_storage(), window.session_storage()];
    storages
        .iter()
        .all(|storage| matches!(storage, Ok(Some(_))))
}

/// What is kept between visits, as it is: records of earlier versions are not
/// JSON, and `lanewise_saved` reads all of them.
fn get(key: &str) -> Option<String> {
    let kept = can_store().then(|| LocalStorage::raw().get_item(key));
    kept?.ok().flatten()
}

/// Keeps a text as it is, or forgets it; returns whether the browser did so. A
/// full or forbidden storage loses the next visit's start, nothing else.
fn put(key: &str, value: Option<&str>) -> bool {
    can_store() && {
        let storage = LocalStorage::raw();
        let done = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
        done.is_ok()
    }
}

/// Keeps a record, as JSON, as far as there is room.
fn put_record(key: &str, record: &impl Serialize) {
    if can_store()
        && let Err(error) = LocalStorage::set(key, record)
    {
        gloo_console::warn!(error.to_string());
    }
}

/// What earlier visits left, for a page with this link in its address.
pub(crate) fn load(link: Option<&str>) -> Saved {
    let given_up = give_up();
    let mut drafts = stored_drafts();
    // The storage may have no room for a second copy.
    if let Some(draft) = given_up.as_ref().filter(|draft| !drafts.contains(draft)) {
        drafts.insert(0, draft.clone());
    }
    let mut saved = Saved {
        text: get(TEXT),
        scenario: get(SCENARIO),
        drafts,
        position: Position::read(&get(POSITION).unwrap_or_default()),
        gave_up: given_up.is_some(),
        theme: get(THEME).map_or(Theme::System, |key| Theme::of_key(&key)),
        ..Saved::default()
    };
    saved.reloaded_link = stored_address()
        .filter(|stored| {
            Some(&*stored.fragment) == link && Some(&*stored.text) == saved.text.as_deref()
        })
        .filter(|_| is_return())
        .map(|stored| stored.fragment);
    apply(
        Settings::read(&get(SETTINGS).unwrap_or_default()),
        &mut saved,
    );
    saved
}

/// Takes away the program that the last starts failed with, and what else may
/// be why they failed. The program becomes a draft, which is returned.
fn give_up() -> Option<Draft> {
    let failed = get(FAILED).and_then(|count| count.parse::<u32>().ok());
    if failed.is_none_or(|count| count < GIVE_UP_AT) {
        return None;
    }
    let draft = get(TEXT).map(|text| stored_draft(&text));
    // Kept before it goes from where it was: this start may fail too.
    let drafts: Vec<Draft> = draft.iter().cloned().chain(stored_drafts()).collect();
    put_drafts(&drafts);
    for key in [TEXT, SCENARIO, POSITION, SETTINGS, FAILED] {
        put(key, None);
    }
    draft
}

/// Whether the reader comes back to the page, by a reload or the browser's
/// history, rather than by its address.
fn is_return() -> bool {
    let performance = gloo_utils::window().performance();
    let entries = performance.map(|performance| performance.get_entries_by_type("navigation"));
    let entry = entries.map(|entries| {
        entries
            .get(0)
            .unchecked_into::<PerformanceNavigationTiming>()
    });
    let navigation = entry.filter(|entry| !entry.is_undefined());
    navigation.is_some_and(|navigation| {
        matches!(
            navigation.type_(),
            NavigationType::Reload | NavigationType::BackForward
        )
    })
}

/// What the address of this tab led to.
fn stored_address() -> Option<Address> {
    let kept = can_store().then(|| SessionStorage::get(ADDRESS));
    kept?.ok()
}

/// Keeps what the address of this tab leads to, until the tab is closed, or
/// forgets it.
pub(crate) fn save_address(address: Option<&Address>) {
    if !can_store() {
        return;
    }
    match address {
        Some(address) => {
            // Without it a reload of a link starts at its first step.
            if let Err(error) = SessionStorage::set(ADDRESS, address) {
                gloo_console::warn!(error.to_string());
            }
        }
        None => SessionStorage::delete(ADDRESS),
    }
}

/// The drafts that are kept.
fn stored_drafts() -> Vec<Draft> {
    let kept = [DRAFTS, OLD_DRAFTS].into_iter().filter_map(get);
    kept.flat_map(|kept| read_drafts(&kept)).collect()
}

/// Keeps drafts, or that there are none.
fn put_drafts(drafts: &[Draft]) {
    if drafts.is_empty() {
        put(DRAFTS, None);
    } else {
        put_record(DRAFTS, &drafts);
    }
    put(OLD_DRAFTS, None);
}

/// The program that is kept, as a draft.
fn stored_draft(text: &str) -> Draft {
    Draft {
        scenario: get(SCENARIO).map_or_else(|| Rc::from(""), Rc::from),
        text: text.into(),
        time: Date::now(),
    }
}

/// Saves the program and the id of the scenario that it started from. Returns
/// another window's program that was overwritten by this one: it is to be kept
/// among the drafts. `last` is the text that this window saved before, if it did.
pub(crate) fn save_program(
    text: &str,
    scenario: &str,
    last: Option<&str>,
) -> Result<Option<Draft>, NoRoom> {
    let foreign = get(TEXT).filter(|kept| kept != text && last.is_some_and(|last| last != kept));
    let foreign = foreign.map(|kept| stored_draft(&kept));
    if !put(TEXT, Some(text)) {
        // The one that is kept has its own scenario.
        return Err(NoRoom);
    }
    put(SCENARIO, Some(scenario));
    Ok(foreign)
}

/// The browser has no room for it, or keeps nothing.
#[derive(Debug)]
pub(crate) struct NoRoom;

/// Saves where in the run of a program the reader is, unless another window's
/// program is the one that is kept.
pub(crate) fn save_position(text: &str, position: &Position) {
    if get(TEXT).is_some_and(|kept| kept == text) {
        put_record(POSITION, position);
    }
}

/// Saves the texts that others took the place of, and behind them those that
/// another window has saved and this one does not know, which are returned.
/// `known` are those that this window saved or found before.
pub(crate) fn save_drafts(drafts: &[Draft], known: &[Draft]) -> Vec<Draft> {
    let mut foreign = stored_drafts();
    foreign.retain(|draft| !drafts.contains(draft) && !known.contains(draft));
    let all = [drafts, &foreign].concat();
    put_drafts(&all);
    foreign
}

/// Saves the theme, unless it is the system's.
pub(crate) fn save_theme(theme: Theme) {
    put(THEME, (theme != Theme::System).then_some(theme.key()));
}

/// Saves the settings.
pub(crate) fn save_settings(settings: &Settings) {
    put_record(SETTINGS, settings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::machine::Tab;
    use crate::features::screen::Area;

    #[test]
    fn settings_are_read_again() {
        let mut saved = Saved::default();
        let old = "lanewise 1\npane=State\ntab=Surfaces\nspeed=Fast\nletters=off\nsizes=40";
        apply(Settings::read(old), &mut saved);
        let state = State::new(saved);
        assert_eq!(
            (state.machine.tab, state.stepping.speed),
            (Tab::Surfaces, Speed::Fast)
        );
        assert!(!state.single_keys);
        let settings = settings(&state);
        assert_eq!((&*settings.tab, &*settings.speed), ("surfaces", "fast"));
        let kept = serde_json::to_string(&settings).unwrap();
        assert_eq!(Settings::read(&kept), settings);
    }

    #[test]
    fn settings_of_the_version_that_kept_labels_are_read() {
        let old = r#"{"area":"Details","drawer":"Explain","tab":"Shared virtual memory","speed":"As fast as possible"}"#;
        let mut saved = Saved::default();
        apply(Settings::read(old), &mut saved);
        let state = State::new(saved);
        let screen = state.screen;
        assert_eq!(screen.shown, Area::Drawer);
        assert_eq!(screen.tab, Some(DrawerTab::Explain));
        assert_eq!(
            (state.machine.tab, state.stepping.speed),
            (Tab::Virtual, Speed::Fastest)
        );
    }

    #[test]
    fn keys_that_are_not_known_are_ignored() {
        let kept = "lanewise 1\nspeed=\ntab=Kitchen\npane=\nsizes=x,-1\nnew=1\n===\n";
        let mut saved = Saved::default();
        apply(Settings::read(kept), &mut saved);
        assert_eq!(saved.speed, None);
        assert_eq!(
            State::new(saved).machine.tab,
            State::new(Saved::default()).machine.tab
        );
    }
}
