//! Plane element: a register element or a channel of a record.

use crate::features::stage::svg::{Face, Rect, Text, fit, px, shrink, text_width};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct PlaneElementProps {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) size: f64,
    pub(super) text: AttrValue,
    /// Value before the last step, if the step wrote the element.
    #[prop_or_default]
    pub(super) before: Option<AttrValue>,
    pub(super) state: AttrValue,
    /// Whether several elements access its bytes.
    #[prop_or_default]
    pub(super) shared: bool,
    /// The last step, if it wrote the element.
    #[prop_or_default]
    pub(super) step: Option<usize>,
}

/// Register element or channel of a record.
#[component]
pub(super) fn PlaneElement(props: &PlaneElementProps) -> Html {
    let PlaneElementProps {
        width,
        height,
        size,
        ..
    } = *props;
    let room = room(width, props.shared);
    let lines = lines(&props.text, props.before.as_deref(), (room, height), size);
    let pitch = height / (lines.len() + 1) as f64;
    let key = props.step.map_or_else(String::new, |step| step.to_string());
    let count = lines.len();
    let lines = lines.into_iter().enumerate().map(|(n, line)| {
        let text_size = match count {
            // Already shrunk to fit.
            1 if props.before.is_some() => {
                let fitting = room / text_width(&line, 1.0, Face::Mono).max(f64::EPSILON);
                size.min(fitting * 0.999)
            }
            1 => shrink(&line, room, size, Face::Mono),
            _ => LEAST_CHANGE,
        };
        let text = fit(&line, room, text_size, Face::Mono);
        // Two lines are closer to each other than to the frame.
        let y = if count == 2 {
            height / 2.0 + (n as f64 - 0.5) * (pitch * 1.15)
        } else {
            height / 2.0
        };
        let class = classes!((n + 1 < count).then_some("before"));
        html! { <Text {text} x={width / 2.0} {y} size={text_size} anchor="middle" {class} /> }
    });
    let lines: Html = lines.collect();
    html! {
        <g class="chip element" data-state={props.state.clone()}>
            <rect class="box" width={px(width)} height={px(height)} rx="4" />
            if props.shared {
                { inner_frame(Rect::new(0.0, 0.0, width, height)) }
            }
            <g {key} class="value" data-flips={props.step.map(|_| "")}>{ lines }</g>
        </g>
    }
}

/// Text width in an element; a shared element has a second frame.
pub(super) fn room(width: f64, shared: bool) -> f64 {
    width - if shared { 8.0 } else { 4.0 }
}

/// Minimum font size of a change, and minimum height for two lines.
const LEAST_CHANGE: f64 = 8.0;
const TWO_LINES: f64 = 16.5;

/// Displayed text: the value or, if it changed and fits, old and new value in
/// one or two lines.
fn lines(text: &str, before: Option<&str>, (width, height): (f64, f64), size: f64) -> Vec<String> {
    let Some(before) = before else {
        return vec![text.to_owned()];
    };
    let fits = |line: &str, size: f64| text_width(line, size, Face::Mono) <= width;
    let change = format!("{before}→{text}");
    let old = format!("{before}→");
    if fits(&change, LEAST_CHANGE.min(size)) {
        vec![change]
    } else if height >= TWO_LINES && fits(&old, LEAST_CHANGE) && fits(text, LEAST_CHANGE) {
        vec![old, text.to_owned()]
    } else {
        vec![text.to_owned()]
    }
}

/// Second frame of a cell accessed by several elements.
pub(super) fn inner_frame(of: Rect) -> Html {
    const GAP: f64 = 2.5;
    html! {
        <rect
            class="shared"
            x={px(of.x + GAP)}
            y={px(of.y + GAP)}
            width={px(of.width - 2.0 * GAP)}
            height={px(of.height - 2.0 * GAP)}
            rx="2"
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_shows_old_and_new_if_they_fit() {
        let shown = |width, height| lines("104", Some("0"), (width, height), 12.5);
        assert_eq!(shown(40.0, 20.0), ["0→104"]);
        assert_eq!(shown(26.0, 14.0), ["0→104"]);
        assert_eq!(shown(20.0, 26.0), ["0→", "104"]);
        assert_eq!(shown(20.0, 14.0), ["104"]);
        assert_eq!(shown(12.0, 26.0), ["104"]);
        assert_eq!(lines("104", None, (40.0, 20.0), 12.5), ["104"]);
    }
}
