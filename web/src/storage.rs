//! What the browser keeps between visits, all of it. A browser that keeps
//! nothing, refuses, is full, or holds what this version does not understand,
//! is no reason to stop: what cannot be read is as if it were not there.
//!
//! Texts and names are kept as they are, everything else as JSON. Records of
//! earlier versions, which had formats of their own, are still read.
//!
//! Two windows write to the same place. A window that finds there a program
//! that it did not write itself keeps it among the replaced drafts before it
//! writes its own: [`Saver::save`].

use crate::features::screen::{DrawerTab, Sizes};
use crate::state::{Action, Aside, Saved, Speed, State, Tab, Theme};
use gloo_storage::{LocalStorage, Storage};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use yew::prelude::*;

pub(crate) const TEXT: &str = "lanewise.text";
const SCENARIO: &str = "lanewise.scenario";
const ASIDES: &str = "lanewise.asides";
/// `boot.js` reads it too, before the page is drawn.
const THEME: &str = "lanewise.theme";
const SETTINGS: &str = "lanewise.settings";
/// The program that two starts in a row failed with, written by `boot.js`.
const GAVE_UP: &str = "lanewise.gave-up";

/// The first line of settings as versions before 1.0 of the JSON format kept
/// them: `name=value`, a line each.
const OLD_SETTINGS: &str = "lanewise 1";

/// Between drafts, and between the parts of one, in the format before JSON.
const RECORD: char = '\u{1e}';
const PART: char = '\u{1f}';

/// The most drafts that are read.
const MAX_DRAFTS: usize = 8;

/// Everything small that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Settings {
    area: String,
    drawer: String,
    tab: String,
    speed: String,
    single_keys: bool,
    plain: bool,
    sizes: Sizes,
    breakpoints: Option<String>,
    formats: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            area: String::new(),
            drawer: String::new(),
            tab: String::new(),
            speed: String::new(),
            single_keys: true,
            plain: false,
            sizes: Sizes::default(),
            breakpoints: None,
            formats: None,
        }
    }
}

impl Settings {
    fn of(state: &State) -> Self {
        let screen = state.screen();
        Self {
            area: String::from(screen.shown.name()),
            drawer: String::from(screen.tab.map_or("", DrawerTab::name)),
            tab: String::from(state.tab().name()),
            speed: String::from(state.speed().name()),
            single_keys: state.single_keys(),
            plain: state.editor().keeps_plain(),
            sizes: screen.sizes,
            breakpoints: state.breakpoints().saved(),
            formats: state.formats().as_deref().map(String::from),
        }
    }

    /// Settings as they were kept; the defaults where they cannot be read.
    fn read(kept: &str) -> Self {
        match kept.split_once('\n') {
            Some((OLD_SETTINGS, lines)) => Self::read_old(lines),
            _ => serde_json::from_str(kept).unwrap_or_default(),
        }
    }

    fn read_old(lines: &str) -> Self {
        let mut settings = Self::default();
        for (name, value) in lines.lines().filter_map(|line| line.split_once('=')) {
            let value = String::from(value);
            match name {
                "tab" => settings.tab = value,
                "speed" => settings.speed = value,
                "letters" => settings.single_keys = value != "off",
                "plain" => settings.plain = value == "on",
                "breakpoints" => settings.breakpoints = Some(value),
                "formats" => settings.formats = Some(value),
                // Panes and their sizes were others.
                _ => {}
            }
        }
        settings
    }

    fn apply_to(self, saved: &mut Saved) {
        saved.screen.restore(&self.area, &self.drawer);
        saved.screen.sizes = self.sizes;
        saved.tab = Tab::named(&self.tab);
        saved.speed = Speed::named(&self.speed);
        saved.single_keys = self.single_keys;
        saved.plain = self.plain;
        saved.breakpoints = self.breakpoints;
        saved.formats = self.formats;
    }
}

/// Drafts as they were kept, in either format.
fn read_drafts(kept: &str) -> Vec<Aside> {
    let mut drafts = serde_json::from_str(kept).unwrap_or_else(|_| read_old_drafts(kept));
    drafts.truncate(MAX_DRAFTS);
    drafts
}

fn read_old_drafts(kept: &str) -> Vec<Aside> {
    let read = |record: &str| {
        let mut parts = record.split(PART);
        let time: u64 = parts.next()?.parse().ok()?;
        let (scenario, text) = (parts.next()?, parts.next()?);
        Some(Aside {
            scenario: Rc::from(scenario),
            text: Rc::from(text),
            time: time as f64,
        })
    };
    kept.split(RECORD).filter_map(read).collect()
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
    let mut drafts = get(ASIDES).map_or_else(Vec::new, |kept| read_drafts(&kept));
    let gave_up = get(GAVE_UP);
    if let Some(gave_up) = &gave_up {
        put(GAVE_UP, None);
        // It was no text worth keeping if it cannot be read.
        drafts.splice(0..0, serde_json::from_str::<Aside>(gave_up).ok());
    }
    let mut saved = Saved {
        text: get(TEXT),
        scenario: get(SCENARIO),
        asides: drafts,
        gave_up: gave_up.is_some(),
        theme: get(THEME).map_or(Theme::System, |name| Theme::named(&name)),
        ..Saved::default()
    };
    Settings::read(&get(SETTINGS).unwrap_or_default()).apply_to(&mut saved);
    saved
}

/// What was saved last by this window: only what has changed is saved again.
#[derive(Default)]
pub(crate) struct Saver {
    text: Option<Rc<str>>,
    scenario: Option<&'static str>,
    drafts: Option<Rc<[Aside]>>,
    theme: Option<Theme>,
    settings: Option<Settings>,
}

impl Saver {
    /// Saves what has changed. Another window's program that would be
    /// overwritten is given to the reducer first.
    pub(crate) fn save(&mut self, state: &State, dispatch: &Callback<Action>) {
        let text = state.text();
        if self.text.as_ref() != Some(&text) {
            let own = self.text.as_deref();
            let foreign = get(TEXT).filter(|kept| own.is_some_and(|own| own != kept));
            if let Some(foreign) = foreign.filter(|kept| **kept != *text) {
                dispatch.emit(Action::KeepForeign(Rc::from(foreign)));
            }
            put(TEXT, Some(&text));
            self.text = Some(text);
        }
        let scenario = state.scenario().id;
        if self.scenario != Some(scenario) {
            put(SCENARIO, Some(scenario));
            self.scenario = Some(scenario);
        }
        let drafts = state.asides();
        if self.drafts.as_ref() != Some(&drafts) {
            match drafts.is_empty() {
                true => put(ASIDES, None),
                false => put_json(ASIDES, &drafts),
            }
            self.drafts = Some(drafts);
        }
        let theme = state.theme();
        if self.theme != Some(theme) {
            put(THEME, (theme != Theme::System).then_some(theme.name()));
            self.theme = Some(theme);
        }
        let settings = Settings::of(state);
        if self.settings.as_ref() != Some(&settings) {
            put_json(SETTINGS, &settings);
            self.settings = Some(settings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Aside {
        Aside {
            scenario: Rc::from("lock"),
            text: Rc::from(text),
            time: 12.0,
        }
    }

    #[test]
    fn drafts_are_read_again_in_both_formats() {
        let all = [draft("a\nb"), draft("c")];
        assert_eq!(read_drafts(&serde_json::to_string(&all).unwrap()), all);
        let old = "12\u{1f}lock\u{1f}a\nb\u{1e}12\u{1f}lock\u{1f}c\u{1e}";
        assert_eq!(read_drafts(old), all);
        for kept in [
            "",
            "x",
            "\u{1f}\u{1f}\u{1f}",
            "\u{1e}\u{1e}",
            "1\u{1f}lock",
            "{}",
        ] {
            assert_eq!(read_drafts(kept), [], "{kept:?}");
        }
    }

    #[test]
    fn settings_are_read_again() {
        let mut saved = Saved::default();
        let old = "lanewise 1\npane=State\ntab=Surfaces\nspeed=Fast\nletters=off\nsizes=40";
        Settings::read(old).apply_to(&mut saved);
        let state = State::new(saved);
        assert_eq!((state.tab(), state.speed()), (Tab::Surfaces, Speed::Fast));
        assert!(!state.single_keys());
        let settings = Settings::of(&state);
        let kept = serde_json::to_string(&settings).unwrap();
        assert_eq!(Settings::read(&kept), settings);
    }

    #[test]
    fn what_is_foreign_is_as_if_it_were_not_there() {
        for kept in [
            "",
            "\n",
            "lanewise 2\nspeed=Fast",
            "{\"speed\":1}",
            "speed=Fast",
        ] {
            assert_eq!(Settings::read(kept), Settings::default(), "{kept}");
        }
        let kept = "lanewise 1\nspeed=\ntab=Kitchen\npane=\nsizes=x,-1\nnew=1\n===\n";
        let mut saved = Saved::default();
        Settings::read(kept).apply_to(&mut saved);
        assert_eq!((saved.tab, saved.speed), (None, None));
    }
}
