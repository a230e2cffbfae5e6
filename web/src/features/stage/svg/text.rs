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
pub(crate) const LEAST_SIZE: f64 = 8.5;

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

/// Below this font size, a shorter form is preferred.
const LEAST_OF_FORMS: f64 = 10.0;

/// First form of a text that fits, and its font size. Forms are ordered from
/// longest to shortest; if none fits, the last one is truncated. Empty without
/// forms.
pub(crate) fn fit_forms(forms: &[&str], width: f64, size: f64, face: Face) -> (String, f64) {
    let least = LEAST_OF_FORMS.min(size);
    for form in forms {
        let needed = match face {
            Face::Mono => text_width(form, 1.0, face),
            // Digits and arrows are wider than letters, particularly in bold.
            Face::Sans => form
                .chars()
                .map(|c| {
                    if c.is_ascii_digit() || c == '→' {
                        0.7
                    } else {
                        0.58
                    }
                })
                .sum(),
        };
        // Slightly less, so that rounding does not truncate the text.
        let fitting = (width / needed.max(f64::EPSILON) * 0.999).min(size);
        if fitting >= least {
            return ((*form).to_owned(), fitting);
        }
    }
    match forms.last() {
        Some(last) => (fit(last, width, least, face), least),
        None => (String::new(), size),
    }
}

/// Truncates a text at its start, after `…`.
pub(crate) fn fit_end(text: &str, width: f64, size: f64, face: Face) -> String {
    if text_width(text, size, face) <= width {
        return text.to_owned();
    }
    let starts = text.char_indices().skip(1).map(|(at, _)| at);
    starts
        .map(|start| format!("…{}", &text[start..]))
        .find(|short| short.len() > "…".len() && text_width(short, size, face) <= width)
        .unwrap_or_default()
}

/// Fits the name of a cell, such as `global[0x10008]`; returns it with its font
/// size. Always keeps the last digits, which distinguish addresses.
pub(crate) fn fit_cell_name(name: &str, width: f64, size: f64) -> (String, f64) {
    const LEAST: f64 = 9.5;
    let small = shrink(name, width, size, Face::Mono);
    if small >= LEAST.min(size) {
        return (name.to_owned(), small);
    }
    let Some((_, address)) = name.split_once('[') else {
        return (fit_end(name, width, size, Face::Mono), size);
    };
    let bare = format!("[{address}");
    let small = shrink(&bare, width, size, Face::Mono);
    if small >= LEAST.min(size) {
        return (bare, small);
    }
    let least = LEAST.min(size);
    let room = width - text_width("[", least, Face::Mono);
    let digits = address.strip_prefix("0x").unwrap_or(address);
    (
        format!("[{}", fit_end(digits, room, least, Face::Mono)),
        least,
    )
}

/// Between the values of a trail, and where there is little room.
const ARROWS: [&str; 2] = [" → ", "→"];

/// Fits the values of a trail, oldest first; returns it with its font size: `0
/// → 1 → 2`. Omits values in the middle: `0 → … → 7 → 8`. Always includes the
/// first and last value; `None` if these do not fit.
pub(crate) fn fit_trail(
    values: &[String],
    width: f64,
    size: f64,
    face: Face,
) -> Option<(String, f64)> {
    let (first, last) = (values.first()?.as_str(), values.last()?.as_str());
    let whole = values.join(ARROWS[0]);
    if text_width(&whole, size, face) <= width {
        return Some((whole, size));
    }
    let elided = |kept: &[String]| {
        let mut parts = vec![first, "…"];
        parts.extend(kept.iter().map(String::as_str));
        parts.join(ARROWS[0])
    };
    for from in 2..values.len() {
        let text = elided(&values[from..]);
        if text_width(&text, size, face) <= width {
            return Some((text, size));
        }
    }
    let ends = match values.len() {
        1 => vec![first],
        2 => vec![first, last],
        _ => vec![first, "…", last],
    };
    ARROWS.into_iter().find_map(|arrow| {
        let text = ends.join(arrow);
        let small = shrink(&text, width, size, face);
        (text_width(&text, small, face) <= width && small >= LEAST_SIZE.min(size))
            .then_some((text, small))
    })
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

    #[test]
    fn long_trails_are_elided_in_the_middle() {
        let values: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        let trail = |width| fit_trail(&values, width, 10.0, Face::Mono);
        let whole = fit_trail(&values[..3], 200.0, 10.0, Face::Mono);
        assert_eq!(whole, Some((String::from("0 → 1 → 2"), 10.0)));
        assert_eq!(trail(120.0), Some((String::from("0 → … → 18 → 19"), 10.0)));
        assert_eq!(trail(50.0).map(|(text, _)| text).as_deref(), Some("0→…→19"));
        assert_eq!(trail(20.0), None);
        for width in 32..400 {
            let (text, size) = trail(f64::from(width)).expect("both ends have the room");
            assert!(
                text_width(&text, size, Face::Mono) <= f64::from(width),
                "{text}"
            );
            assert!(text.starts_with('0') && text.ends_with("19"), "{text}");
        }
        // Two values are both ends: nothing is left out.
        let long = [String::from("4294967295"), String::from("4294967296")];
        let (text, _) = fit_trail(&long, 110.0, 10.0, Face::Mono).expect("they have the room");
        assert_eq!(text, "4294967295→4294967296");
        assert_eq!(fit_trail(&[], 100.0, 10.0, Face::Mono), None);
    }

    #[test]
    fn truncated_addresses_keep_their_last_digits() {
        let name = |width| fit_cell_name("global[0x10008]", width, 12.0);
        assert_eq!(name(120.0), (String::from("global[0x10008]"), 12.0));
        let (text, size) = name(88.0);
        assert_eq!(text, "global[0x10008]");
        assert!(size < 12.0);
        assert_eq!(name(70.0), (String::from("[0x10008]"), 12.0));
        assert_eq!(name(40.0).0, "[…008]");
        for width in 30..200 {
            let (text, size) = name(f64::from(width));
            assert!(text.ends_with("8]"), "{text}");
            assert!(
                text_width(&text, size, Face::Mono) <= f64::from(width) + 0.01,
                "{text}"
            );
        }
        assert_eq!(fit_end("0x10008", 24.0, 10.0, Face::Mono), "…08");
    }

    #[test]
    fn shorter_form_is_preferred_to_truncation() {
        let forms = ["lane 15: found 105; unchanged!", "not equal: 105"];
        let fitted = |width| fit_forms(&forms, width, 12.0, Face::Sans);
        assert_eq!(fitted(240.0), (forms[0].to_owned(), 12.0));
        let (text, size) = fitted(196.0);
        assert_eq!(text, forms[0]);
        assert!((LEAST_OF_FORMS..12.0).contains(&size));
        assert_eq!(fitted(100.0).0, forms[1]);
        assert_eq!(fitted(60.0).0, "not equal…");
    }
}
