//! What the browser keeps between visits, all of it. A browser that keeps
//! nothing, refuses, is full, or holds what this version does not understand,
//! is no reason to stop: what cannot be read is as if it were not there.
//!
//! Texts and names are kept as they are, everything else as the records of
//! [`lanewise_saved`].
//!
//! Two windows write to the same place. A window that finds there a program
//! that it did not write itself keeps it among the replaced drafts when it
//! writes its own: [`save_text`].

use super::{Saved, State};
use crate::features::program::Draft;
use crate::features::screen::Theme;
use crate::features::screen::{DrawerTab, Sizes};
use crate::features::state::Tab;
use crate::features::transport::Speed;
use gloo_storage::{LocalStorage, Storage};
use lanewise_saved::{Settings, read_drafts};
use serde::Serialize;
use std::rc::Rc;
use web_sys::js_sys::Date;

pub(crate) const TEXT: &str = "lanewise.text";
const SCENARIO: &str = "lanewise.scenario";
const ASIDES: &str = "lanewise.asides";
/// `boot.js` reads it too, before the page is drawn.
const THEME: &str = "lanewise.theme";
const SETTINGS: &str = "lanewise.settings";
/// How many starts in a row failed before the reader did anything, counted by
/// `boot.js`.
const FAILED: &str = "lanewise.failed";
/// After this many of them the program is given up.
const MAX_FAILED: u32 = 1;

/// The settings of a state.
pub(crate) fn settings(state: &State) -> Settings {
    let screen = state.screen();
    Settings {
        area: String::from(screen.shown.name()),
        drawer: String::from(screen.tab.map_or("", DrawerTab::name)),
        tab: String::from(state.tab().name()),
        speed: String::from(state.speed().name()),
        single_keys: state.single_keys(),
        plain: state.editor().keeps_plain(),
        sizes: screen.sizes.record(),
        breakpoints: state.breakpoints().saved(),
        formats: state.formats().as_deref().map(String::from),
    }
}

fn apply(settings: Settings, saved: &mut Saved) {
    saved.screen.restore(&settings.area, &settings.drawer);
    saved.screen.sizes = Sizes::of_record(settings.sizes);
    saved.tab = Tab::named(&settings.tab);
    saved.speed = Speed::named(&settings.speed);
    saved.single_keys = settings.single_keys;
    saved.plain = settings.plain;
    saved.breakpoints = settings.breakpoints;
    saved.formats = settings.formats;
}

/// What is kept under a key, as it is.
fn get(key: &str) -> Option<String> {
    // Where the browser forbids storage there is none.
    let storage = gloo_utils::window().local_storage().ok().flatten()?;
    storage.get_item(key).ok().flatten()
}

/// Keeps a text as it is, or forgets it. A full or forbidden storage loses the
/// next visit's start, nothing else.
fn put(key: &str, value: Option<&str>) {
    let storage = gloo_utils::window().local_storage().ok().flatten();
    let _ = storage.map(|storage| match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    });
}

/// Keeps a value as JSON; as with [`put`].
fn put_json(key: &str, value: &impl Serialize) {
    // `LocalStorage` panics where the browser forbids storage.
    if gloo_utils::window()
        .local_storage()
        .is_ok_and(|storage| storage.is_some())
    {
        let _ = LocalStorage::set(key, value);
    }
}

/// What earlier visits left.
pub(crate) fn load() -> Saved {
    let given_up = give_up();
    let gave_up = given_up.is_some();
    let drafts = get(ASIDES).map_or_else(Vec::new, |kept| read_drafts(&kept));
    let mut saved = Saved {
        text: get(TEXT),
        scenario: get(SCENARIO),
        drafts: given_up.into_iter().chain(drafts).collect(),
        gave_up,
        theme: get(THEME).map_or(Theme::System, |name| Theme::named(&name)),
        ..Saved::default()
    };
    apply(
        Settings::read(&get(SETTINGS).unwrap_or_default()),
        &mut saved,
    );
    saved
}

/// Takes away the program that the last starts failed with, and what else may
/// be why they failed. The program becomes a draft.
fn give_up() -> Option<Draft> {
    let failed = get(FAILED).and_then(|count| count.parse().ok());
    failed.filter(|count: &u32| *count > MAX_FAILED)?;
    let draft = get(TEXT).map(|text| Draft {
        scenario: get(SCENARIO).map_or_else(|| Rc::from(""), Rc::from),
        text: text.into(),
        time: Date::now(),
    });
    for key in [TEXT, SCENARIO, SETTINGS, FAILED] {
        put(key, None);
    }
    draft
}

/// Saves the program. Returns another window's program that was overwritten by
/// this one: it is to be kept among the drafts. `last` is what this window
/// saved before, if it did.
pub(crate) fn save_text(text: &str, last: Option<&str>) -> Option<Rc<str>> {
    let foreign = get(TEXT).filter(|kept| last.is_some_and(|last| last != kept));
    put(TEXT, Some(text));
    foreign.filter(|kept| kept != text).map(Rc::from)
}

/// Saves which bundled scenario the program started from.
pub(crate) fn save_scenario(id: &str) {
    put(SCENARIO, Some(id));
}

/// Saves the texts that others took the place of.
pub(crate) fn save_drafts(drafts: &[Draft]) {
    match drafts.is_empty() {
        true => put(ASIDES, None),
        false => put_json(ASIDES, &drafts),
    }
}

/// Saves the theme, unless it is the system's.
pub(crate) fn save_theme(theme: Theme) {
    put(THEME, (theme != Theme::System).then_some(theme.name()));
}

/// Saves the settings.
pub(crate) fn save_settings(settings: &Settings) {
    put_json(SETTINGS, settings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_again() {
        let mut saved = Saved::default();
        let old = "lanewise 1\npane=State\ntab=Surfaces\nspeed=Fast\nletters=off\nsizes=40";
        apply(Settings::read(old), &mut saved);
        let state = State::new(saved);
        assert_eq!((state.tab(), state.speed()), (Tab::Surfaces, Speed::Fast));
        assert!(!state.single_keys());
        let settings = settings(&state);
        let kept = serde_json::to_string(&settings).unwrap();
        assert_eq!(Settings::read(&kept), settings);
    }

    #[test]
    fn names_that_are_not_known_are_ignored() {
        let kept = "lanewise 1\nspeed=\ntab=Kitchen\npane=\nsizes=x,-1\nnew=1\n===\n";
        let mut saved = Saved::default();
        apply(Settings::read(kept), &mut saved);
        assert_eq!((saved.tab, saved.speed), (None, None));
    }
}
