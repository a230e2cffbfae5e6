//! An element of a plane: of a register, or a channel of a record.

use crate::features::stage::svg::{Face, Rect, Text, fit, px, shrink};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct PlaneElementProps {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) size: f64,
    pub(super) text: AttrValue,
    pub(super) state: AttrValue,
    /// Whether several elements access its bytes.
    #[prop_or_default]
    pub(super) shared: bool,
    /// The step at hand, if it wrote it.
    #[prop_or_default]
    pub(super) step: Option<usize>,
}

/// An element of a register or of a record.
#[component]
pub(super) fn PlaneElement(props: &PlaneElementProps) -> Html {
    let PlaneElementProps {
        width,
        height,
        size,
        ..
    } = *props;
    let room = width - if props.shared { 8.0 } else { 4.0 };
    let text_size = shrink(&props.text, room, size, Face::Mono);
    let text = fit(&props.text, room, text_size, Face::Mono);
    let key = props.step.map_or_else(String::new, |step| step.to_string());
    html! {
        <g class="chip element" data-state={props.state.clone()}>
            <rect class="box" width={px(width)} height={px(height)} rx="4" />
            if props.shared {
                { inner_frame(Rect::new(0.0, 0.0, width, height)) }
            }
            <g {key} class="value" data-flips={props.step.map(|_| "")}>
                <Text {text} x={width / 2.0} y={height / 2.0} size={text_size} anchor="middle" />
            </g>
        </g>
    }
}

/// The second frame of a cell that several elements access.
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
