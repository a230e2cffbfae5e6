//! How things that belong together are told from others: by a colour, a letter
//! and a form, so that colour is never the only sign.

use crate::components::hue::hue;
use yew::AttrValue;

/// Whose a part is. `web/style/stage.css` gives each a colour in both themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    /// The step at hand.
    Accent,
    /// What went wrong.
    Error,
    /// What belongs to an EU, 0 or 1.
    Eu(u8),
    /// What belongs to a channel of a record, 0 to 3 for R to A.
    Channel(u8),
    /// What belongs to a group, by its number.
    Group(u32),
}

impl Tone {
    /// The value of `data-tone`.
    pub(crate) fn name(self) -> AttrValue {
        match self {
            Self::Plain => AttrValue::Static("plain"),
            Self::Accent => AttrValue::Static("accent"),
            Self::Error => AttrValue::Static("error"),
            Self::Eu(0) => AttrValue::Static("eu-0"),
            Self::Eu(_) => AttrValue::Static("eu-1"),
            Self::Channel(channel) => format!("channel-{}", channel & 3).into(),
            Self::Group(number) => format!("group-{}", hue(number)).into(),
        }
    }
}
