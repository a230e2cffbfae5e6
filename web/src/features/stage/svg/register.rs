//! A register: a name and the elements in it, side by side as they lie.

use super::{Face, Text, Tone, fit, px};
use std::rc::Rc;
use yew::prelude::*;

/// An element of a register, or bytes that are skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Segment {
    /// Its value; empty where none is shown.
    pub(crate) text: AttrValue,
    /// Its bytes, in proportion to those of the others.
    pub(crate) bytes: u32,
    pub(crate) tone: Tone,
    pub(crate) lit: bool,
    /// Whether it is left out, as padding.
    pub(crate) unused: bool,
}

#[derive(Properties, PartialEq)]
pub(crate) struct RegisterProps {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// `EU0.R0`; empty for a register that goes on from the one above.
    pub(crate) name: AttrValue,
    /// The width kept for the name.
    pub(crate) name_width: f64,
    /// Lowest bytes first.
    pub(crate) segments: Rc<[Segment]>,
    #[prop_or(12.0)]
    pub(crate) size: f64,
    #[prop_or_default]
    pub(crate) tone: Tone,
}

/// A name and a row of elements, the lowest bytes to the left.
#[component]
pub(crate) fn Register(props: &RegisterProps) -> Html {
    let RegisterProps {
        width,
        height,
        name_width,
        size,
        ..
    } = *props;
    let bytes: u32 = props.segments.iter().map(|segment| segment.bytes).sum();
    let unit = (width - name_width) / f64::from(bytes.max(1));
    let mut x = name_width;
    let segments = props.segments.iter().map(|segment| {
        let (at, own) = (x, unit * f64::from(segment.bytes));
        x += own;
        let text = fit(&segment.text, own - 4.0, size, Face::Mono);
        html! {
            <g
                class="segment"
                data-tone={segment.tone.name()}
                data-lit={segment.lit.then_some("")}
                data-unused={segment.unused.then_some("")}
            >
                <rect x={px(at + 0.75)} y="0.75" width={px(own - 1.5)} height={px(height - 1.5)} rx="2.5" />
                <Text {text} x={at + own / 2.0} y={height / 2.0} {size} anchor="middle" />
            </g>
        }
    });
    let segments: Html = segments.collect();
    html! {
        <g class="register" data-tone={props.tone.name()}>
            <Text text={props.name.clone()} x={0.0} y={height / 2.0} {size} class="strong name" />
            { segments }
        </g>
    }
}
