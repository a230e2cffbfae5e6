//! How wide a text is, and how it is cut to fit.

use super::{Tone, px};
use yew::prelude::*;

/// The two typefaces of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Face {
    /// For numbers, names and code.
    #[default]
    Mono,
    /// For words.
    Sans,
}

/// The most that a text takes, in units, at a font size in units. That of
/// words is an estimate that holds for texts of some length.
pub(crate) fn text_width(text: &str, size: f64, face: Face) -> f64 {
    let em = match face {
        // DejaVu Sans Mono, the widest of the usual ones, has 0.602.
        Face::Mono => 0.605,
        Face::Sans => 0.58,
    };
    text.chars().count() as f64 * em * size
}

/// A text, or as much of its beginning as there is room for, with `…`.
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
    String::new()
}

/// The font size at which a text has the room, no smaller than can be read.
pub(crate) fn shrink(text: &str, width: f64, size: f64, face: Face) -> f64 {
    const LEAST: f64 = 8.5;
    let whole = text_width(text, size, face);
    match whole <= width {
        true => size,
        // Just below, so that rounding does not cut it.
        false => (size * width / whole * 0.999).max(LEAST.min(size)),
    }
}

/// Between the values of a trail.
const ARROW: &str = " → ";

/// The values that a cell has had, oldest first: `0 → 1 → 2`. What there is no
/// room for is left out in the middle: `0 → … → 7 → 8`. At least the newest
/// value stands there.
pub(crate) fn fit_trail(values: &[String], width: f64, size: f64, face: Face) -> String {
    let whole = values.join(ARROW);
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return whole;
    };
    if text_width(&whole, size, face) <= width {
        return whole;
    }
    let elided = |kept: &[String]| {
        let mut parts = vec![first.as_str(), "…"];
        parts.extend(kept.iter().map(String::as_str));
        parts.join(ARROW)
    };
    for from in 2..values.len() {
        let text = elided(&values[from..]);
        if text_width(&text, size, face) <= width {
            return text;
        }
    }
    let short = format!("…{ARROW}{last}");
    match text_width(&short, size, face) <= width {
        true => short,
        false => fit(last, width, size, face),
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct TextProps {
    pub(crate) text: AttrValue,
    pub(crate) x: f64,
    /// The middle of the line.
    pub(crate) y: f64,
    pub(crate) size: f64,
    #[prop_or_default]
    pub(crate) face: Face,
    /// `start`, `middle` or `end`.
    #[prop_or(AttrValue::Static("start"))]
    pub(crate) anchor: AttrValue,
    /// Further classes: `dim`, `strong`.
    #[prop_or_default]
    pub(crate) class: Classes,
    /// For the class `toned`.
    #[prop_or_default]
    pub(crate) tone: Tone,
}

/// One line of text.
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
    fn what_does_not_fit_is_cut() {
        assert_eq!(fit("cmpxchg", 100.0, 13.0, Face::Mono), "cmpxchg");
        let cut = fit("cmpxchg", 40.0, 13.0, Face::Mono);
        assert_eq!(cut, "cmpx…");
        assert!(text_width(&cut, 13.0, Face::Mono) <= 40.0);
        assert_eq!(fit("cmpxchg", 3.0, 13.0, Face::Mono), "");
    }

    #[test]
    fn long_trails_are_elided_in_the_middle() {
        let values: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        let trail = |width| fit_trail(&values, width, 10.0, Face::Mono);
        assert_eq!(
            fit_trail(&values[..3], 200.0, 10.0, Face::Mono),
            "0 → 1 → 2"
        );
        assert_eq!(trail(120.0), "0 → … → 18 → 19");
        assert_eq!(trail(40.0), "… → 19");
        for width in 13..400 {
            let width = f64::from(width);
            let text = trail(width);
            assert!(text_width(&text, 10.0, Face::Mono) <= width, "{text}");
            assert!(text.ends_with("19"));
        }
        assert_eq!(fit_trail(&[], 100.0, 10.0, Face::Mono), "");
    }
}
