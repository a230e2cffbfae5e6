//! Records that the page stores in the browser: settings and drafts. Unreadable
//! records are treated as absent. This crate does not depend on a browser.
#![forbid(unsafe_code)]

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Version of the records. Settings and positions of other versions are not read.
pub const VERSION: &str = "1";

/// Maximum number of drafts to read.
pub const MAX_DRAFTS: usize = 8;

/// Settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Key of the area shown in a narrow window.
    pub area: String,
    /// Key of the open tab of the drawer.
    pub drawer: String,
    /// Key of the open state tab.
    pub tab: String,
    /// Key of the speed of runs.
    pub speed: String,
    /// Key of the step size of kernels, if set by the user.
    pub kernel_stride: String,
    /// Whether single-key shortcuts are enabled.
    pub single_keys: bool,
    /// Whether the editor is a plain text area.
    pub plain: bool,
    /// Whether the editor wraps lines, if set by the user.
    pub wrap: Option<bool>,
    pub sizes: Sizes,
    /// Conditions of breakpoints by line, from 1; empty for none.
    pub breakpoints: Vec<(u32, String)>,
    /// Formats of the state panes, if set by the user.
    pub formats: Option<Formats>,
    /// Names of the checks of launches, if set by the user.
    pub checks: Option<Vec<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            area: String::new(),
            drawer: String::new(),
            tab: String::new(),
            speed: String::new(),
            kernel_stride: String::new(),
            single_keys: true,
            plain: false,
            wrap: None,
            sizes: Sizes::default(),
            breakpoints: Vec::new(),
            formats: None,
            checks: None,
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
    /// Reads stored settings; defaults if they cannot be read.
    #[must_use]
    pub fn read(stored: &str) -> Self {
        serde_json::from_str(stored).unwrap_or_default()
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

/// Reads at most [`MAX_DRAFTS`] stored drafts.
#[must_use]
pub fn read_drafts(stored: &str) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = serde_json::from_str(stored).unwrap_or_default();
    drafts.truncate(MAX_DRAFTS);
    drafts
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
        let stored = r#"[{"scenario":"1","text":"a","time":-1.5},{"scenario":"1","text":"a","time":1e300},
            {"scenario":"1","text":"a","time":1700000000000.25}]"#;
        let drafts = read_drafts(stored);
        assert_eq!(
            read_drafts(&serde_json::to_string(&drafts).unwrap()),
            drafts
        );
        assert_eq!(drafts[2].time, 1_700_000_000_000.0);
    }

    #[test]
    fn drafts_round_trip() {
        let all = [draft("a\nb"), draft("c")];
        assert_eq!(read_drafts(&serde_json::to_string(&all).unwrap()), all);
    }

    #[test]
    fn unreadable_records_are_treated_as_absent() {
        for stored in ["", "\n", "x", "{\"speed\":1}", "speed=Fast"] {
            assert_eq!(Settings::read(stored), Settings::default(), "{stored}");
            assert_eq!(read_drafts(stored), [], "{stored:?}");
            assert_eq!(Position::read(stored), Position::default());
        }
    }
}
