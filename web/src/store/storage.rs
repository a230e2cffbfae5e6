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
use crate::features::screen::{DrawerTab, Theme};
use lanewise_saved::{Address, Position, Settings, read_drafts};
use serde::Serialize;
use std::rc::Rc;
use web_sys::js_sys::Date;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{NavigationType, PerformanceNavigationTiming, Storage};

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

pub(crate) fn settings(state: &State) -> Settings {
    let screen = state.screen;
    Settings {
        area: String::from(screen.shown.key()),
        drawer: String::from(screen.tab.map_or("", DrawerTab::key)),
        tab: String::from(state.state_view.grid.tab.key()),
        speed: String::from(state.stepping.speed.key()),
        kernel_stride: state.stepping.chosen_step_sizes[1]
            .map_or_else(String::new, |size| String::from(size.key())),
        single_keys: state.single_keys,
        plain: state.source.editor.keeps_plain(),
        wrap: state.source.editor.wrap,
        sizes: screen.sizes,
        breakpoints: state.source.breakpoints.numbered(),
        formats: state.state_view.formats(),
        checks: state.checks.settings(),
    }
}

/// Storage of the browser, unless it is disabled.
fn local() -> Option<Storage> {
    gloo_utils::window().local_storage().ok().flatten()
}

/// Storage of this tab, until it is closed.
fn session() -> Option<Storage> {
    gloo_utils::window().session_storage().ok().flatten()
}

/// Reads a raw value; [`lanewise_saved`] parses records.
fn get(storage: Option<Storage>, key: &str) -> Option<String> {
    storage?.get_item(key).ok().flatten()
}

/// Stores a text verbatim, or removes it; returns whether that succeeded. A
/// failure affects only the next visit, or reloading.
fn put(storage: Option<Storage>, key: &str, value: Option<&str>) -> bool {
    storage.is_some_and(|storage| {
        let done = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
        done.is_ok()
    })
}

/// Stores a record as JSON if there is room.
fn put_record(key: &str, record: &impl Serialize) {
    put(local(), key, Some(&json(record)));
}

fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records can be represented as JSON")
}

/// Loads the data of earlier visits, for a page opened with this link.
pub(crate) fn load(link: Option<&str>) -> Saved {
    let is_other_version =
        get(local(), VERSION).is_some_and(|version| version != lanewise_saved::VERSION);
    if is_other_version {
        for key in [POSITION, SETTINGS] {
            put(local(), key, None);
        }
    }
    put(local(), VERSION, Some(lanewise_saved::VERSION));
    let given_up = give_up();
    let mut drafts = stored_drafts();
    // Storage may be too full for a second copy.
    if let Some(draft) = given_up.as_ref().filter(|draft| !drafts.contains(draft)) {
        drafts.insert(0, draft.clone());
    }
    let is_return = is_return();
    // Another window may have saved its own program since.
    let own = get(session(), TEXT).filter(|_| is_return && given_up.is_none());
    let (scenario, position) = match &own {
        Some(_) => {
            let position = get(session(), POSITION).filter(|_| !is_other_version);
            (get(session(), SCENARIO), position)
        }
        None => (get(local(), SCENARIO), get(local(), POSITION)),
    };
    let text = own.or_else(|| get(local(), TEXT));
    let reloaded_link = stored_address()
        .filter(|stored| Some(&*stored.fragment) == link && Some(&*stored.text) == text.as_deref())
        .filter(|_| is_return)
        .map(|stored| stored.fragment);
    Saved {
        text,
        scenario,
        drafts,
        position: Position::read(&position.unwrap_or_default()),
        set_aside_after_crash: given_up.is_some(),
        is_other_version,
        theme: get(local(), THEME)
            .and_then(|key| Theme::of_key(&key))
            .unwrap_or_default(),
        settings: Settings::read(&get(local(), SETTINGS).unwrap_or_default()),
        reloaded_link,
    }
}

/// Removes the program with which the last starts failed, and other possible
/// causes. Returns the program as a draft.
fn give_up() -> Option<Draft> {
    let failed = get(local(), FAILED).and_then(|count| count.parse::<u32>().ok());
    if failed.is_none_or(|count| count < GIVE_UP_AT) {
        return None;
    }
    let draft = get(local(), TEXT).map(|text| stored_draft(&text));
    // Saved as a draft before removal: this start may fail too.
    let drafts: Vec<Draft> = draft.iter().cloned().chain(stored_drafts()).collect();
    put_drafts(&drafts);
    for key in [TEXT, SCENARIO, POSITION, SETTINGS, FAILED] {
        put(local(), key, None);
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

fn stored_address() -> Option<Address> {
    serde_json::from_str(&get(session(), ADDRESS)?).ok()
}

/// Stores or removes the address of this tab, until the tab is closed.
pub(crate) fn save_address(address: Option<&Address>) {
    // Without it, reloading a link starts at its first step.
    put(session(), ADDRESS, address.map(json).as_deref());
}

fn stored_drafts() -> Vec<Draft> {
    read_drafts(&get(local(), DRAFTS).unwrap_or_default())
}

/// Stores the drafts, or removes the key if the list is empty.
fn put_drafts(drafts: &[Draft]) {
    let record = (!drafts.is_empty()).then(|| json(&drafts));
    put(local(), DRAFTS, record.as_deref());
}

/// The saved program as a draft.
fn stored_draft(text: &str) -> Draft {
    Draft {
        scenario: get(local(), SCENARIO).map_or_else(|| Rc::from(""), Rc::from),
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
    // Without it, reloading shows the program that any window saved last.
    put(session(), TEXT, Some(text));
    put(session(), SCENARIO, Some(scenario));
    let foreign =
        get(local(), TEXT).filter(|kept| kept != text && last.is_some_and(|last| last != kept));
    let foreign = foreign.map(|kept| stored_draft(&kept));
    if !put(local(), TEXT, Some(text)) {
        // The saved program has its own scenario id.
        return Err(NoRoom);
    }
    put(local(), SCENARIO, Some(scenario));
    Ok(foreign)
}

/// Storage is full or disabled.
#[derive(Debug)]
pub(crate) struct NoRoom;

/// Saves the position in the run of a program: for this tab, and for the next visit
/// unless another window has stored a different program.
pub(crate) fn save_position(text: &str, position: &Position) {
    // Without it, reloading shows the position that any window saved last.
    put(session(), POSITION, Some(&json(position)));
    if get(local(), TEXT).is_some_and(|kept| kept == text) {
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
    put(
        local(),
        THEME,
        (theme != Theme::System).then_some(theme.key()),
    );
}

pub(crate) fn save_settings(settings: &Settings) {
    put_record(SETTINGS, settings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::screen::Area;
    use crate::features::transport::Speed;
    use lanewise_answer::grids::Tab;

    #[test]
    fn settings_round_trip() {
        let kept = r#"{"area":"drawer","drawer":"explain","tab":"surfaces","speed":"fastest","single_keys":false}"#;
        let state = State::new(Saved {
            settings: Settings::read(kept),
            ..Saved::default()
        });
        assert_eq!(
            (state.state_view.grid.tab, state.stepping.speed),
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
        let state = State::new(Saved {
            settings: Settings::read(kept),
            ..Saved::default()
        });
        let usual = State::new(Saved::default());
        assert_eq!(state.stepping.speed, usual.stepping.speed);
        assert_eq!(state.state_view.grid.tab, usual.state_view.grid.tab);
    }
}
