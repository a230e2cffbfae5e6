//! What the browser keeps between visits. A browser that keeps nothing, or
//! refuses, is no reason to stop.

use crate::state::workbench::Workbench;
use crate::state::{Aside, Saved, Theme};
use std::rc::Rc;
use web_sys::Storage;

pub(crate) const TEXT: &str = "lanewise.text";
pub(crate) const SCENARIO: &str = "lanewise.scenario";
pub(crate) const ASIDE_TEXT: &str = "lanewise.aside.text";
pub(crate) const ASIDE_SCENARIO: &str = "lanewise.aside.scenario";
/// `index.html` reads it too, before the page is drawn.
pub(crate) const THEME: &str = "lanewise.theme";
pub(crate) const SINGLE_KEYS: &str = "lanewise.single-keys";
pub(crate) const PLAIN: &str = "lanewise.plain";
pub(crate) const BREAKPOINTS: &str = "lanewise.breakpoints";

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Keeps a value, or forgets it.
pub(crate) fn put(key: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    // A full or forbidden storage loses the next visit's start, nothing else.
    let _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

/// What earlier visits left.
pub(crate) fn load() -> Saved {
    let aside = get(ASIDE_SCENARIO).zip(get(ASIDE_TEXT));
    Saved {
        text: get(TEXT),
        scenario: get(SCENARIO),
        aside: aside.map(|(scenario, text)| Aside {
            scenario: Rc::from(scenario),
            text: Rc::from(text),
        }),
        theme: get(THEME).map_or(Theme::System, |name| Theme::named(&name)),
        workbench: Workbench::default(),
        plain: get(PLAIN).is_some_and(|value| value == "on"),
        breakpoints: get(BREAKPOINTS),
        single_keys: get(SINGLE_KEYS).is_none_or(|value| value != "off"),
    }
}
