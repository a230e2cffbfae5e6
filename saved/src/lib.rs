//! Records that the page stores in the browser: settings and drafts. Unreadable
//! records are treated as absent; the formats of earlier versions are still read.
//! This crate does not depend on a browser.
#![forbid(unsafe_code)]

use serde::{Deserialize, Deserializer, Serialize};
use std::rc::Rc;

/// First line of settings in the format before JSON, with one `name=value` per
/// line.
const OLD_SETTINGS: &str = "lanewise 1";

/// Separators of drafts and of the parts of a draft in the format before JSON.
const RECORD: char = '\u{1e}';
const PART: char = '\u{1f}';

/// Labels that earlier versions stored for areas, tabs and speeds, with their keys.
const OLD_NAMES: [(&str, &str); 19] = [
    ("Stage", "stage"),
    ("Program", "program"),
    ("State", "state"),
    ("Details", "drawer"),
    ("Lanes", "lanes"),
    ("Products", "products"),
    ("Outcomes", "outcomes"),
    ("Encoding", "encoding"),
    ("Explain", "explain"),
    ("Problems", "problems"),
    ("Registers", "registers"),
    ("Shared local memory", "slm"),
    ("Shared virtual memory", "svm"),
    ("Global memory", "svm"),
    ("Surfaces", "surfaces"),
    ("Slow", "slow"),
    ("Normal", "normal"),
    ("Fast", "fast"),
    ("As fast as possible", "fastest"),
];

/// Maximum number of drafts to read.
pub const MAX_DRAFTS: usize = 8;

/// Settings. Users of the settings ignore unknown keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Key of the area shown in a narrow window.
    #[serde(deserialize_with = "read_key")]
    pub area: String,
    /// Key of the open tab of the drawer.
    #[serde(deserialize_with = "read_key")]
    pub drawer: String,
    /// Key of the open state tab.
    #[serde(deserialize_with = "read_key")]
    pub tab: String,
    /// Key of the speed of runs.
    #[serde(deserialize_with = "read_key")]
    pub speed: String,
    /// Whether single-key shortcuts are enabled.
    pub single_keys: bool,
    /// Whether the editor is a plain text area.
    pub plain: bool,
    /// Whether the editor wraps lines, if set by the user.
    pub wrap: Option<bool>,
    pub sizes: Sizes,
    /// 1-based lines with breakpoints.
    #[serde(deserialize_with = "read_lines")]
    pub breakpoints: Vec<u32>,
    /// Formats of the state panes, if set by the user.
    #[serde(deserialize_with = "read_formats")]
    pub formats: Option<Formats>,
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
            wrap: None,
            sizes: Sizes::default(),
            breakpoints: Vec::new(),
            formats: None,
        }
    }
}

/// Sizes set by the user, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    pub program: Option<u8>,
    pub state: Option<u8>,
    pub drawer: Option<u8>,
}

impl Settings {
    /// Reads stored settings; uses defaults for settings that cannot be read.
    #[must_use]
    pub fn read(stored: &str) -> Self {
        match stored.split_once('\n') {
            Some((OLD_SETTINGS, lines)) => Self::read_old(lines),
            _ => serde_json::from_str(stored).unwrap_or_default(),
        }
    }

    fn read_old(lines: &str) -> Self {
        let mut settings = Self::default();
        for (name, value) in lines.lines().filter_map(|line| line.split_once('=')) {
            let value = String::from(value);
            match name {
                "tab" => settings.tab = key(value),
                "speed" => settings.speed = key(value),
                "letters" => settings.single_keys = value != "off",
                "plain" => settings.plain = value == "on",
                "breakpoints" => settings.breakpoints = old_lines(&value),
                "formats" => settings.formats = Some(Formats::of_old(&value)),
                // Sizes of the old panes do not apply.
                _ => {}
            }
        }
        settings
    }
}

/// Formats of the state panes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Formats {
    /// Name of the register format.
    pub registers: String,
    pub slm: MemoryFormat,
    pub svm: MemoryFormat,
    pub surfaces: MemoryFormat,
}

/// Format of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryFormat {
    /// Type name, or `used` for the type of the instructions.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether values are shown in hexadecimal.
    pub hex: bool,
}

/// Register formats by their number in versions before named formats.
const OLD_REGISTER_FORMATS: [&str; 9] = [
    "declared", "hex", "unsigned", "signed", "float", "double", "half", "bfloat", "bytes",
];

impl Formats {
    /// Parses the form used before named formats, such as `2 used ud/x hf`.
    fn of_old(text: &str) -> Self {
        let mut words = text.split(' ');
        let index = words.next().and_then(|word| word.parse::<usize>().ok());
        let registers = index.and_then(|index| OLD_REGISTER_FORMATS.get(index));
        let mut memory = || {
            let word = words.next().unwrap_or_default();
            let (ty, hex) = match word.strip_suffix("/x") {
                Some(ty) => (ty, true),
                None => (word, false),
            };
            MemoryFormat {
                ty: String::from(ty),
                hex,
            }
        };
        Self {
            registers: registers.map_or_else(String::new, |name| String::from(*name)),
            slm: memory(),
            svm: memory(),
            surfaces: memory(),
        }
    }
}

/// Maps a label stored by an earlier version to its key.
fn key(name: String) -> String {
    let old = OLD_NAMES.iter().find(|(old, _)| *old == name);
    old.map_or(name, |(_, key)| String::from(*key))
}

/// Deserializes a key or an old label.
fn read_key<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(key)
}

/// Deserializes named or old formats.
fn read_formats<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Formats>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Old(String),
        Formats(Formats),
    }
    let stored = Option::<Stored>::deserialize(from)?;
    Ok(stored.map(|stored| match stored {
        Stored::Old(text) => Formats::of_old(&text),
        Stored::Formats(formats) => formats,
    }))
}

/// Deserializes line numbers in the current or the old form.
fn read_lines<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Old(String),
        Lines(Vec<u32>),
    }
    let stored = Option::<Stored>::deserialize(from)?;
    Ok(match stored {
        None => Vec::new(),
        Some(Stored::Old(text)) => old_lines(&text),
        Some(Stored::Lines(lines)) => lines,
    })
}

/// Parses the old form of line numbers, such as `3,5`.
fn old_lines(text: &str) -> Vec<u32> {
    let numbers = text.split(',').filter_map(|number| number.parse().ok());
    numbers.collect()
}

/// Position in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Position {
    /// Number of completed steps.
    pub step: usize,
    /// Name of the step size.
    pub stride: String,
}

impl Position {
    /// Reads a stored position; the start if it cannot be read.
    #[must_use]
    pub fn read(stored: &str) -> Self {
        serde_json::from_str(stored).unwrap_or_default()
    }
}

/// Address of a tab when the page was left, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// URL fragment.
    pub fragment: Rc<str>,
    /// Displayed text. May differ from that of the link, which can request a
    /// different syntax.
    pub text: Rc<str>,
}

/// A text that was replaced by another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// ID of the original scenario.
    pub scenario: Rc<str>,
    pub text: Rc<str>,
    /// When it was replaced, in whole milliseconds since 1970.
    #[serde(with = "milliseconds")]
    pub time: f64,
}

/// Serializes times as integers, because `serde_json` may read a fraction as an
/// adjacent floating-point number.
mod milliseconds {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(*time as u64)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let time = f64::deserialize(deserializer)?;
        Ok(time.clamp(0.0, u64::MAX as f64).trunc())
    }
}

/// Reads at most [`MAX_DRAFTS`] stored drafts, in either format.
#[must_use]
pub fn read_drafts(stored: &str) -> Vec<Draft> {
    let mut drafts = serde_json::from_str(stored).unwrap_or_else(|_| read_old_drafts(stored));
    drafts.truncate(MAX_DRAFTS);
    drafts
}

fn read_old_drafts(stored: &str) -> Vec<Draft> {
    let read = |record: &str| {
        let mut parts = record.split(PART);
        let time: u64 = parts.next()?.parse().ok()?;
        let (scenario, text) = (parts.next()?, parts.next()?);
        Some(Draft {
            scenario: Rc::from(scenario),
            text: Rc::from(text),
            time: time as f64,
        })
    };
    stored.split(RECORD).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Draft {
        Draft {
            scenario: Rc::from("lock"),
            text: Rc::from(text),
            time: 12.0,
        }
    }

    #[test]
    fn times_round_trip() {
        // The first time was found by fuzzing.
        let old = "11111111111767663521\u{1f}1\u{1f}a";
        let new = r#"[{"scenario":"1","text":"a","time":-1.5},{"scenario":"1","text":"a","time":1e300},
            {"scenario":"1","text":"a","time":1700000000000.25}]"#;
        for stored in [old, new] {
            let drafts = read_drafts(stored);
            assert!(!drafts.is_empty());
            assert_eq!(
                read_drafts(&serde_json::to_string(&drafts).unwrap()),
                drafts
            );
        }
        assert_eq!(read_drafts(new)[2].time, 1_700_000_000_000.0);
    }

    #[test]
    fn drafts_round_trip_and_old_drafts_are_read() {
        let all = [draft("a\nb"), draft("c")];
        assert_eq!(read_drafts(&serde_json::to_string(&all).unwrap()), all);
        let old = "12\u{1f}lock\u{1f}a\nb\u{1e}12\u{1f}lock\u{1f}c\u{1e}";
        assert_eq!(read_drafts(old), all);
        for stored in [
            "",
            "x",
            "\u{1f}\u{1f}\u{1f}",
            "\u{1e}\u{1e}",
            "1\u{1f}lock",
            "{}",
        ] {
            assert_eq!(read_drafts(stored), [], "{stored:?}");
        }
    }

    #[test]
    fn old_breakpoints_and_formats_are_read() {
        let memory = |ty: &str, hex| MemoryFormat {
            ty: String::from(ty),
            hex,
        };
        let expected = Settings {
            breakpoints: vec![5, 3],
            formats: Some(Formats {
                registers: String::from("hex"),
                slm: memory("used", false),
                svm: memory("ud", true),
                surfaces: memory("hf", false),
            }),
            ..Settings::default()
        };
        for stored in [
            r#"{"breakpoints":"5,x,3","formats":"1 used ud/x hf"}"#,
            "lanewise 1\nbreakpoints=5,x,3\nformats=1 used ud/x hf",
            &serde_json::to_string(&expected).unwrap(),
        ] {
            assert_eq!(Settings::read(stored), expected, "{stored}");
        }
        let none = r#"{"breakpoints":null,"formats":null,"speed":"Fast"}"#;
        let none = Settings::read(none);
        assert_eq!((none.breakpoints, none.formats), (vec![], None));
        assert_eq!(none.speed, "fast");
        assert_eq!(Position::read("x"), Position::default());
    }

    #[test]
    fn old_labels_are_mapped_to_keys() {
        let old = r#"{"area":"Details","drawer":"Explain","tab":"Global memory","speed":"As fast as possible"}"#;
        let settings = Settings::read(old);
        let keys = [settings.area, settings.drawer, settings.tab, settings.speed];
        assert_eq!(keys, ["drawer", "explain", "svm", "fastest"]);
        let older = Settings::read("lanewise 1\ntab=Shared local memory\nspeed=Slow");
        assert_eq!([older.tab, older.speed], ["slm", "slow"]);
    }

    #[test]
    fn unreadable_records_are_treated_as_absent() {
        for stored in [
            "",
            "\n",
            "lanewise 2\nspeed=Fast",
            "{\"speed\":1}",
            "speed=Fast",
        ] {
            assert_eq!(Settings::read(stored), Settings::default(), "{stored}");
        }
    }
}
