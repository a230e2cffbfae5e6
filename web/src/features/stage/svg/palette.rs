//! Distinguishes related parts by hue, letter and shape, so that colour is
//! never the only cue.

use crate::components::hue::hue;
use yew::AttrValue;

/// Role of a part. `web/style/stage.css` defines its colour in both themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    /// Last step.
    Accent,
    /// Error.
    Error,
    /// Channel of a record, 0 to 3 for R to A.
    Channel(u8),
    /// Conflict group, by number.
    Group(u32),
}

impl Tone {
    /// Value of `data-tone`.
    pub(crate) fn name(self) -> AttrValue {
        match self {
            Self::Plain => AttrValue::Static("plain"),
            Self::Accent => AttrValue::Static("accent"),
            Self::Error => AttrValue::Static("error"),
            Self::Channel(channel) => format!("channel-{}", channel & 3).into(),
            Self::Group(number) => format!("group-{}", hue(number)).into(),
        }
    }
}
