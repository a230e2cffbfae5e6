//! Distinguishes related parts by hue, letter and shape, so that colour is
//! never the only cue.

use yew::AttrValue;

/// Role of a part. `web/style/stage.css` defines its colour in both themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    /// EU, 0 or 1.
    Eu(u8),
}

impl Tone {
    /// Value of `data-tone`.
    pub(crate) fn name(self) -> AttrValue {
        match self {
            Self::Plain => AttrValue::Static("plain"),
            Self::Eu(0) => AttrValue::Static("eu-0"),
            Self::Eu(_) => AttrValue::Static("eu-1"),
        }
    }
}
