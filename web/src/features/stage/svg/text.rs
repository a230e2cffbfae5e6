//! Estimates text widths and truncates text to fit.

use super::{Rect, Tone, px};
use yew::prelude::*;

/// Typefaces of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Face {
    /// Numbers, names and code.
    #[default]
    Mono,
    /// Prose.
    Sans,
}

/// Upper bound of the rendered width, in the unit of the font size. For
/// proportional text it is an estimate that holds for longer texts.
pub(crate) fn text_width(text: &str, size: f64, face: Face) -> f64 {
    let em = match face {
        // DejaVu Sans Mono, the widest common monospaced font, has 0.602.
        Face::Mono => 0.605,
        Face::Sans => 0.58,
    };
    text.chars().count() as f64 * em * size
}

#[derive(Properties, PartialEq)]
pub(crate) struct WholeTextProps {
    /// Position of the text.
    pub(crate) at: Rect,
    pub(crate) text: AttrValue,
}

/// Invisible overlay of a truncated text, whose title is the full text.
#[component]
pub(crate) fn WholeText(props: &WholeTextProps) -> Html {
    let Rect {
        x,
        y,
        width,
        height,
    } = props.at;
    html! {
        <rect class="whole-text" x={px(x)} y={px(y)} width={px(width)} height={px(height)}>
            <title>{ &props.text }</title>
        </rect>
    }
}

/// Minimum legible font size.
const LEAST_SIZE: f64 = 8.5;

/// Truncates a text to fit, ending with `…`; only `…` if nothing else fits.
pub(crate) fn fit(text: &str, width: f64, size: f64, face: Face) -> String {
    if text_width(text, size, face) <= width {
        return text.to_owned();
    }
    let mut cut: String = text.to_owned();
    while cut.pop().is_some() {
        let trimmed = cut.trim_end();
        let short = format!("{trimmed}…");
        if text_width(&short, size, face) <= width {
            return short;
        }
    }
    String::from("…")
}

/// Font size at which a text fits, but at least the minimum.
pub(crate) fn shrink(text: &str, width: f64, size: f64, face: Face) -> f64 {
    let whole = text_width(text, size, face);
    if whole <= width {
        size
    } else {
        // Slightly less, so that rounding does not truncate the text.
        (size * width / whole * 0.999).max(LEAST_SIZE.min(size))
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct TextProps {
    pub(crate) text: AttrValue,
    pub(crate) x: f64,
    /// Vertical centre of the line.
    pub(crate) y: f64,
    pub(crate) size: f64,
    #[prop_or_default]
    pub(crate) face: Face,
    /// `start`, `middle` or `end`.
    #[prop_or(AttrValue::Static("start"))]
    pub(crate) anchor: AttrValue,
    /// Additional classes: `dim`, `strong`.
    #[prop_or_default]
    pub(crate) class: Classes,
    /// Tone of the class `toned`.
    #[prop_or_default]
    pub(crate) tone: Tone,
}

#[component]
pub(crate) fn Text(props: &TextProps) -> Html {
    let face = match props.face {
        Face::Mono => "face-mono",
        Face::Sans => "face-sans",
    };
    html! {
        <text
            class={classes!(face, props.class.clone())}
            x={px(props.x)}
            y={px(props.y + props.size * 0.35)}
            font-size={px(props.size)}
            text-anchor={props.anchor.clone()}
            data-tone={(props.tone != Tone::Plain).then(|| props.tone.name())}
        >{&props.text}</text>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlong_text_is_truncated() {
        assert_eq!(fit("cmpxchg", 100.0, 13.0, Face::Mono), "cmpxchg");
        let cut = fit("cmpxchg", 40.0, 13.0, Face::Mono);
        assert_eq!(cut, "cmpx…");
        assert!(text_width(&cut, 13.0, Face::Mono) <= 40.0);
        assert_eq!(fit("cmpxchg", 3.0, 13.0, Face::Mono), "…");
    }
}
