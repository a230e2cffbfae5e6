//! Browser storage. Failures are never fatal: if storage is disabled, full, or
//! contains data this version cannot read, the data is treated as absent.
//!
//! Texts and names are stored verbatim, everything else as records of
//! [`lanewise_saved`]. Settings of another version are reset, and the page says so;
//! texts and drafts are kept.
//!
//! Windows share the storage. A window that is about to overwrite a program
//! written by another window keeps that program among the replaced drafts
//! ([`save_program`]) and merges the other window's drafts ([`save_drafts`]).

use super::{Saved, State};
use crate::features::program::Draft;
use crate::features::screen::DrawerTab;
use crate::features::screen::Theme;
use crate::features::transport::Speed;
use gloo_storage::{LocalStorage, SessionStorage, Storage};
use lanewise_saved::{Address, Position, Settings, read_drafts};
use serde::Serialize;
use std::rc::Rc;
use web_sys::js_sys::Date;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{NavigationType, PerformanceNavigationTiming};

const VERSION: &str = "lanewise.version";
pub(crate) const TEXT: &str = "lanewise.text";
const SCENARIO: &str = "lanewise.scenario";
const DRAFTS: &str = "lanewise.drafts";
/// Also read by `boot.js` before the first paint.
const THEME: &str = "lanewise.theme";
const POSITION: &str = "lanewise.position";
const SETTINGS: &str = "lanewise.settings";
/// In session storage.
const ADDRESS: &str = "lanewise.address";
/// Consecutive starts that failed before any user interaction, counted by
/// `boot.js`.
const FAILED: &str = "lanewise.failed";
/// Number of failed starts after which the text is set aside.
const GIVE_UP_AT: u32 = 2;

/// Settings to save.
pub(crate) fn settings(state: &State) -> Settings {
    let screen = state.screen;
    Settings {
        area: String::from(screen.shown.key()),
        drawer: String::from(screen.tab.map_or("", DrawerTab::key)),
        tab: String::from(state.state_view.tab.key()),
        speed: String::from(state.stepping.speed.key()),
        single_keys: state.single_keys,
        plain: state.source.editor.keeps_plain(),
        wrap: state.source.editor.wrap,
        sizes: screen.sizes,
        breakpoints: state.source.breakpoints.numbered(),
        formats: state.state_view.formats(),
    }
}

fn apply(settings: Settings, saved: &mut Saved) {
    saved.screen.restore(&settings.area, &settings.drawer);
    saved.screen.sizes = settings.sizes;
    saved.tab = settings.tab;
    saved.speed = Speed::of_key(&settings.speed);
    saved.single_keys = settings.single_keys;
    saved.plain = settings.plain;
    saved.wrap = settings.wrap;
    saved.breakpoints = settings.breakpoints;
    saved.formats = settings.formats;
}

/// Whether storage is available; if not, gloo-storage panics.
fn can_store() -> bool {
    let window = gloo_utils::window();
    let storages = [window.local_storage(), window.session_storage()];
    storages
        .iter()
        .all(|storage| matches!(storage, Ok(Some(_))))
}

/// Reads a raw value; [`lanewise_saved`] parses records.
fn get(key: &str) -> Option<String> {
    let kept = can_store().then(|| LocalStorage::raw().get_item(key));
    kept?.ok().flatten()
}

/// Stores a text verbatim, or removes it; returns whether that succeeded. A
/// failure affects only the next visit.
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

/// Stores a record as JSON if there is room.
fn put_record(key: &str, record: &impl Serialize) {
    if can_store()
        && let Err(error) = LocalStorage::set(key, record)
    {
        gloo_console::warn!(error.to_string());
    }
}

/// Loads the data of earlier visits, for a page opened with this link.
pub(crate) fn load(link: Option<&str>) -> Saved {
    let is_other_version = get(VERSION).is_some_and(|version| version != lanewise_saved::VERSION);
    if is_other_version {
        for key in [POSITION, SETTINGS] {
            put(key, None);
        }
    }
    put(VERSION, Some(lanewise_saved::VERSION));
    let given_up = give_up();
    let mut drafts = stored_drafts();
    // Storage may be too full for a second copy.
    if let Some(draft) = given_up.as_ref().filter(|draft| !drafts.contains(draft)) {
        drafts.insert(0, draft.clone());
    }
    let mut saved = Saved {
        text: get(TEXT),
        scenario: get(SCENARIO),
        drafts,
        position: Position::read(&get(POSITION).unwrap_or_default()),
        set_aside_after_crash: given_up.is_some(),
        is_other_version,
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

/// Removes the program with which the last starts failed, and other possible
/// causes. Returns the program as a draft.
fn give_up() -> Option<Draft> {
    let failed = get(FAILED).and_then(|count| count.parse::<u32>().ok());
    if failed.is_none_or(|count| count < GIVE_UP_AT) {
        return None;
    }
    let draft = get(TEXT).map(|text| stored_draft(&text));
    // Saved as a draft before removal: this start may fail too.
    let drafts: Vec<Draft> = draft.iter().cloned().chain(stored_drafts()).collect();
    put_drafts(&drafts);
    for key in [TEXT, SCENARIO, POSITION, SETTINGS, FAILED] {
        put(key, None);
    }
    draft
}

/// Whether the page was reloaded or reached through the history, rather than
/// opened by its address.
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

/// Stored address of this tab.
fn stored_address() -> Option<Address> {
    let kept = can_store().then(|| SessionStorage::get(ADDRESS));
    kept?.ok()
}

/// Stores or removes the address of this tab, until the tab is closed.
pub(crate) fn save_address(address: Option<&Address>) {
    if !can_store() {
        return;
    }
    match address {
        Some(address) => {
            // Without it, reloading a link starts at its first step.
            if let Err(error) = SessionStorage::set(ADDRESS, address) {
                gloo_console::warn!(error.to_string());
            }
        }
        None => SessionStorage::delete(ADDRESS),
    }
}

fn stored_drafts() -> Vec<Draft> {
    read_drafts(&get(DRAFTS).unwrap_or_default())
}

/// Stores the drafts, or removes the key if the list is empty.
fn put_drafts(drafts: &[Draft]) {
    if drafts.is_empty() {
        put(DRAFTS, None);
    } else {
        put_record(DRAFTS, &drafts);
    }
}

/// The saved program as a draft.
fn stored_draft(text: &str) -> Draft {
    Draft {
        scenario: get(SCENARIO).map_or_else(|| Rc::from(""), Rc::from),
        text: text.into(),
        time: Date::now(),
    }
}

/// Saves the program and the id of its scenario. Returns another window's
/// program that this call overwrote; the caller must keep it among the drafts.
/// `last` is the text that this window saved before, if any.
pub(crate) fn save_program(
    text: &str,
    scenario: &str,
    last: Option<&str>,
) -> Result<Option<Draft>, NoRoom> {
    let foreign = get(TEXT).filter(|kept| kept != text && last.is_some_and(|last| last != kept));
    let foreign = foreign.map(|kept| stored_draft(&kept));
    if !put(TEXT, Some(text)) {
        // The saved program has its own scenario id.
        return Err(NoRoom);
    }
    put(SCENARIO, Some(scenario));
    Ok(foreign)
}

/// Storage is full or disabled.
#[derive(Debug)]
pub(crate) struct NoRoom;

/// Saves the position in the run of a program, unless another window has stored
/// a different program.
pub(crate) fn save_position(text: &str, position: &Position) {
    if get(TEXT).is_some_and(|kept| kept == text) {
        put_record(POSITION, position);
    }
}

/// Saves the replaced drafts, followed by unknown drafts of other windows,
/// which are returned. `known` lists those that this window saved or found
/// before.
pub(crate) fn save_drafts(drafts: &[Draft], known: &[Draft]) -> Vec<Draft> {
    let mut foreign = stored_drafts();
    foreign.retain(|draft| !drafts.contains(draft) && !known.contains(draft));
    let all = [drafts, &foreign].concat();
    put_drafts(&all);
    foreign
}

/// Saves the theme; removes the key for the system theme.
pub(crate) fn save_theme(theme: Theme) {
    put(THEME, (theme != Theme::System).then_some(theme.key()));
}

pub(crate) fn save_settings(settings: &Settings) {
    put_record(SETTINGS, settings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::screen::Area;
    use crate::features::state::Tab;

    #[test]
    fn settings_round_trip() {
        let mut saved = Saved::default();
        let kept = r#"{"area":"drawer","drawer":"explain","tab":"surfaces","speed":"fastest","single_keys":false}"#;
        apply(Settings::read(kept), &mut saved);
        let state = State::new(saved);
        assert_eq!(
            (state.state_view.tab, state.stepping.speed),
            (Tab::Surfaces, Speed::Fastest)
        );
        let screen = state.screen;
        assert_eq!(screen.shown, Area::Drawer);
        assert_eq!(screen.tab, Some(DrawerTab::Explain));
        assert!(!state.single_keys);
        let settings = settings(&state);
        let kept = serde_json::to_string(&settings).unwrap();
        assert_eq!(Settings::read(&kept), settings);
    }

    #[test]
    fn unknown_keys_are_ignored() {
        let kept = r#"{"speed":"","tab":"kitchen","new":1}"#;
        let mut saved = Saved::default();
        apply(Settings::read(kept), &mut saved);
        assert_eq!(saved.speed, None);
        assert_eq!(
            State::new(saved).state_view.tab,
            State::new(Saved::default()).state_view.tab
        );
    }
}
