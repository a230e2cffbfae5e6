//! What the browser keeps between visits, all of it. A browser that keeps
//! nothing, refuses, is full, or holds what this version does not understand,
//! is no reason to stop: what cannot be read is as if it were not there.
//!
//! Two windows of the page write to the same place: what was saved last is
//! what the next visit finds. A window never reads what another wrote while
//! it is open.

use crate::state::workbench::Sizes;
use crate::state::{Aside, Saved, Speed, State, Tab, Theme};
use std::fmt::Write;
use std::rc::Rc;
use web_sys::Storage;
use yew::AttrValue;

const TEXT: &str = "lanewise.text";
const SCENARIO: &str = "lanewise.scenario";
/// `boot.js` writes it too.
const ASIDES: &str = "lanewise.asides";
/// `boot.js` reads it too, before the page is drawn.
const THEME: &str = "lanewise.theme";
/// Everything small: `name=value`, a line each, below the version.
const SETTINGS: &str = "lanewise.settings";
/// `boot.js` says by it that it put the text aside.
const GAVE_UP: &str = "lanewise.gave-up";

/// Of the settings. Those of another version are not read.
const VERSION: &str = "lanewise 1";

/// Between texts put aside, and between the parts of one. In no program.
const RECORD: char = '\u{1e}';
const PART: char = '\u{1f}';

/// How many things are kept.
pub(crate) const KEPT: usize = 5;

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

/// What is worth keeping between visits, by key.
pub(crate) fn kept(state: &State) -> [(&'static str, Option<AttrValue>); KEPT] {
    let theme = match state.theme() {
        Theme::System => None,
        theme => Some(AttrValue::from(theme.name())),
    };
    [
        (TEXT, Some(state.text().into())),
        (SCENARIO, Some(state.scenario().id.into())),
        (ASIDES, asides(&state.asides())),
        (THEME, theme),
        (SETTINGS, Some(settings(state).into())),
    ]
}

/// What earlier visits left.
pub(crate) fn load() -> Saved {
    let gave_up = get(GAVE_UP).is_some();
    if gave_up {
        put(GAVE_UP, None);
    }
    let mut saved = Saved {
        text: get(TEXT),
        scenario: get(SCENARIO),
        asides: get(ASIDES).map_or_else(Vec::new, |kept| read_asides(&kept)),
        gave_up,
        theme: get(THEME).map_or(Theme::System, |name| Theme::named(&name)),
        single_keys: true,
        ..Saved::default()
    };
    read_settings(&get(SETTINGS).unwrap_or_default(), &mut saved);
    saved
}

fn settings(state: &State) -> String {
    let bench = state.workbench();
    let mut all = String::from(VERSION);
    let mut line = |name: &str, value: &str| {
        for part in ["\n", name, "=", value] {
            all.push_str(part);
        }
    };
    line("pane", bench.shown.name());
    line("tab", state.tab().name());
    line("speed", state.speed().name());
    line("letters", if state.single_keys() { "on" } else { "off" });
    line("sizes", &bench.sizes.text());
    line(
        "plain",
        if state.editing().keeps_plain() {
            "on"
        } else {
            "off"
        },
    );
    if let Some(breakpoints) = state.saved_breakpoints() {
        line("breakpoints", &breakpoints);
    }
    if let Some(formats) = state.formats() {
        line("formats", &formats);
    }
    all
}

fn read_settings(kept: &str, saved: &mut Saved) {
    let Some((VERSION, lines)) = kept.split_once('\n') else {
        return;
    };
    for (name, value) in lines.lines().filter_map(|line| line.split_once('=')) {
        match name {
            "pane" => saved.workbench.show(value),
            "tab" => saved.tab = Tab::named(value),
            "speed" => saved.speed = Speed::named(value),
            "letters" => saved.single_keys = value != "off",
            "plain" => saved.plain = value == "on",
            "breakpoints" => saved.breakpoints = Some(String::from(value)),
            "formats" => saved.formats = Some(String::from(value)),
            "sizes" => saved.workbench.sizes = Sizes::read(value),
            _ => {}
        }
    }
}

fn asides(asides: &[Aside]) -> Option<AttrValue> {
    let mut all = String::new();
    for aside in asides {
        let text = aside.text.replace([RECORD, PART], " ");
        // Writing to a String does not fail.
        let _ = write!(
            all,
            "{}{PART}{}{PART}{text}{RECORD}",
            aside.time as u64, aside.scenario
        );
    }
    (!all.is_empty()).then(|| all.into())
}

fn read_asides(kept: &str) -> Vec<Aside> {
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
    kept.split(RECORD).filter_map(read).take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::workbench::Workbench;

    #[test]
    fn what_is_kept_is_read_again() {
        let aside = |text: &str| Aside {
            scenario: Rc::from("lock"),
            text: Rc::from(text),
            time: 12.0,
        };
        let all = [aside("a\nb"), aside("c")];
        assert_eq!(read_asides(&asides(&all).unwrap()), all);
        assert_eq!(asides(&[]), None);
    }

    #[test]
    fn settings_are_read_again() {
        let mut saved = Saved::default();
        let kept =
            format!("{VERSION}\npane=State\ntab=Surfaces\nspeed=Fast\nletters=off\nsizes=40");
        read_settings(&kept, &mut saved);
        let state = State::new(saved);
        assert_eq!(state.tab(), Tab::Surfaces);
        assert_eq!(state.speed(), Speed::Fast);
        assert_eq!(settings(&state).lines().nth(1), Some("pane=State"));
        assert!(settings(&state).starts_with(&kept));
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
            let mut saved = Saved::default();
            read_settings(kept, &mut saved);
            assert_eq!(State::new(saved).speed(), Speed::Normal, "{kept}");
        }
        let mut saved = Saved::default();
        let kept = format!("{VERSION}\nspeed=\ntab=Kitchen\npane=\nsizes=x,-1,999,\nnew=1\n===\n");
        read_settings(&kept, &mut saved);
        assert_eq!(saved.workbench, Workbench::default());
        assert_eq!((saved.tab, saved.speed), (None, None));
        for kept in ["", "x", "\u{1f}\u{1f}\u{1f}", "\u{1e}\u{1e}", "1\u{1f}lock"] {
            assert_eq!(read_asides(kept), [], "{kept:?}");
        }
    }
}
