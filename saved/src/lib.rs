//! What the page keeps in the browser between visits, as records: settings and
//! drafts. Records that this version does not understand are as if they were
//! not there; those of earlier versions, which had formats of their own, are
//! still read. Nothing here needs a browser.
#![forbid(unsafe_code)]

use serde::{Deserialize, Deserializer, Serialize};
use std::rc::Rc;

/// The first line of settings as versions before the JSON format kept them:
/// `name=value`, a line each.
const OLD_SETTINGS: &str = "lanewise 1";

/// Between drafts, and between the parts of one, in the format before JSON.
const RECORD: char = '\u{1e}';
const PART: char = '\u{1f}';

/// What the names of areas, tabs and speeds were before they had keys: what the
/// page showed at that time.
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

/// The most drafts that are read.
pub const MAX_DRAFTS: usize = 8;

/// Everything small that is kept. Keys of things that this version does not
/// have are ignored by those who look them up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The area that a narrow window shows, by its key.
    #[serde(deserialize_with = "read_key")]
    pub area: String,
    /// The open tab of the drawer, by its key.
    #[serde(deserialize_with = "read_key")]
    pub drawer: String,
    /// The open tab of the state, by its key.
    #[serde(deserialize_with = "read_key")]
    pub tab: String,
    /// How fast runs step, by its key.
    #[serde(deserialize_with = "read_key")]
    pub speed: String,
    /// Whether keys without a modifier are shortcuts.
    pub single_keys: bool,
    /// Whether the program is a plain text area.
    pub plain: bool,
    /// Whether long lines of the program are wrapped, where a reader chose.
    pub wrap: Option<bool>,
    /// The sizes of areas.
    pub sizes: Sizes,
    /// The lines that have breakpoints, from 1.
    #[serde(deserialize_with = "read_lines")]
    pub breakpoints: Vec<u32>,
    /// How the panes of the state show their values, where a reader chose.
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

/// The sizes that a reader has chosen, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Width of the program.
    pub program: Option<u8>,
    /// Width of the state.
    pub state: Option<u8>,
    /// Height of the drawer.
    pub drawer: Option<u8>,
}

impl Settings {
    /// Settings as they were kept; the defaults where they cannot be read.
    #[must_use]
    pub fn read(kept: &str) -> Self {
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
                "tab" => settings.tab = key(value),
                "speed" => settings.speed = key(value),
                "letters" => settings.single_keys = value != "off",
                "plain" => settings.plain = value == "on",
                "breakpoints" => settings.breakpoints = old_lines(&value),
                "formats" => settings.formats = Some(Formats::of_old(&value)),
                // Panes and their sizes were others.
                _ => {}
            }
        }
        settings
    }
}

/// How the panes of the state show their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Formats {
    /// The name of the format of registers.
    pub registers: String,
    /// Of shared local memory.
    pub slm: MemoryFormat,
    /// Of virtual memory.
    pub svm: MemoryFormat,
    /// Of surfaces.
    pub surfaces: MemoryFormat,
}

/// How a memory is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryFormat {
    /// The name of a type, or `used`: that of the instructions.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether its bits are shown.
    pub hex: bool,
}

/// The formats of registers in the order in which versions before named formats
/// numbered them.
const OLD_REGISTER_FORMATS: [&str; 9] = [
    "declared", "hex", "unsigned", "signed", "float", "double", "half", "bfloat", "bytes",
];

impl Formats {
    /// As versions before named formats kept them: `2 used ud/x hf`.
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

/// The key that a name of earlier versions stands for.
fn key(name: String) -> String {
    let old = OLD_NAMES.iter().find(|(old, _)| *old == name);
    old.map_or(name, |(_, key)| String::from(*key))
}

/// A key, or a name of earlier versions.
fn read_key<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(key)
}

/// Formats by name, or as earlier versions kept them.
fn read_formats<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Formats>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Old(String),
        Formats(Formats),
    }
    let kept = Option::<Kept>::deserialize(from)?;
    Ok(kept.map(|kept| match kept {
        Kept::Old(text) => Formats::of_old(&text),
        Kept::Formats(formats) => formats,
    }))
}

/// Lines as numbers, or as earlier versions kept them.
fn read_lines<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Old(String),
        Lines(Vec<u32>),
    }
    let kept = Option::<Kept>::deserialize(from)?;
    Ok(match kept {
        None => Vec::new(),
        Some(Kept::Old(text)) => old_lines(&text),
        Some(Kept::Lines(lines)) => lines,
    })
}

/// Lines as versions before JSON lists kept them: `3,5`.
fn old_lines(text: &str) -> Vec<u32> {
    let numbers = text.split(',').filter_map(|number| number.parse().ok());
    numbers.collect()
}

/// Where in the run of the program a reader was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Position {
    /// How many steps lie behind.
    pub step: usize,
    /// How far a step goes, by its name.
    pub stride: String,
}

impl Position {
    /// A position as it was kept; the start where it cannot be read.
    #[must_use]
    pub fn read(kept: &str) -> Self {
        serde_json::from_str(kept).unwrap_or_default()
    }
}

/// What the address of a tab led to when the page was left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// What follows `#`.
    pub fragment: Rc<str>,
    /// The text that was shown with it. A link may have another one: it may ask
    /// for a style that the text is rewritten in.
    pub text: Rc<str>,
}

/// A text that another took the place of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The id of the scenario that it started from.
    pub scenario: Rc<str>,
    /// The text.
    pub text: Rc<str>,
    /// When it was put aside, in whole milliseconds since 1970.
    #[serde(with = "milliseconds")]
    pub time: f64,
}

/// Times as whole numbers: what `serde_json` reads of a fraction may be the number
/// next to the one that was written.
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

/// Drafts as they were kept, in either format, [`MAX_DRAFTS`] at most.
#[must_use]
pub fn read_drafts(kept: &str) -> Vec<Draft> {
    let mut drafts = serde_json::from_str(kept).unwrap_or_else(|_| read_old_drafts(kept));
    drafts.truncate(MAX_DRAFTS);
    drafts
}

fn read_old_drafts(kept: &str) -> Vec<Draft> {
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
    kept.split(RECORD).filter_map(read).collect()
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
    fn times_stay_what_they_are() {
        // The first was found by fuzzing.
        let old = "11111111111767663521\u{1f}1\u{1f}a";
        let new = r#"[{"scenario":"1","text":"a","time":-1.5},{"scenario":"1","text":"a","time":1e300},
            {"scenario":"1","text":"a","time":1700000000000.25}]"#;
        for kept in [old, new] {
            let drafts = read_drafts(kept);
            assert!(!drafts.is_empty());
            assert_eq!(
                read_drafts(&serde_json::to_string(&drafts).unwrap()),
                drafts
            );
        }
        assert_eq!(read_drafts(new)[2].time, 1_700_000_000_000.0);
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
    fn breakpoints_and_formats_are_read_as_earlier_versions_kept_them() {
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
        for kept in [
            r#"{"breakpoints":"5,x,3","formats":"1 used ud/x hf"}"#,
            "lanewise 1\nbreakpoints=5,x,3\nformats=1 used ud/x hf",
            &serde_json::to_string(&expected).unwrap(),
        ] {
            assert_eq!(Settings::read(kept), expected, "{kept}");
        }
        let none = r#"{"breakpoints":null,"formats":null,"speed":"Fast"}"#;
        let none = Settings::read(none);
        assert_eq!((none.breakpoints, none.formats), (vec![], None));
        assert_eq!(none.speed, "fast");
        assert_eq!(Position::read("x"), Position::default());
    }

    #[test]
    fn names_of_earlier_versions_are_keys_now() {
        let old = r#"{"area":"Details","drawer":"Explain","tab":"Global memory","speed":"As fast as possible"}"#;
        let settings = Settings::read(old);
        let keys = [settings.area, settings.drawer, settings.tab, settings.speed];
        assert_eq!(keys, ["drawer", "explain", "svm", "fastest"]);
        let older = Settings::read("lanewise 1\ntab=Shared local memory\nspeed=Slow");
        assert_eq!([older.tab, older.speed], ["slm", "slow"]);
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
    }
}
