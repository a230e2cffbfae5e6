//! Background of lanes and cells: headings, disabled lanes and padding.

use super::plane_element::inner_frame;
use crate::features::stage::layout::{HEAD_SIZE, PaddingKind, StageLayout};
use crate::features::stage::model::{IdleLanes, StageModel};
use crate::features::stage::svg::{Face, Rect, Text, Tone, WholeText, fit_forms, px, text_width};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct BackgroundProps {
    pub(super) layout: Rc<StageLayout>,
    pub(super) model: Rc<StageModel>,
}

/// Headings, disabled lanes, padding, and frames of overlapping cells.
#[component]
pub(super) fn Background(props: &BackgroundProps) -> Html {
    let BackgroundProps { layout, model } = props;
    let heads = layout.heads.iter().map(|head| {
        html! {
            <Text
                text={head.text.clone()}
                x={head.at.x}
                y={head.at.y}
                size={HEAD_SIZE}
                face={Face::Sans}
                anchor={head.anchor}
                class={if head.tone == Tone::Plain { "dim" } else { "toned" }}
                tone={head.tone}
            />
        }
    });
    let idle = model.idle.iter().zip(&layout.idle).map(|(lanes, rect)| {
        html! { <IdleLine lanes={lanes.clone()} rect={*rect} /> }
    });
    let overlaps = layout.overlaps.iter().map(|(group, rect)| {
        html! {
            <rect
                class="overlap"
                data-tone={Tone::Group(*group).name()}
                x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="8"
            />
        }
    });
    let padding = layout.padding.iter().map(|(rect, kind)| {
        // Edges run below the rows, so column notes are beside the first row.
        let (text, y) = match kind {
            PaddingKind::Skipped => ("skipped", rect.y + rect.height / 2.0),
            PaddingKind::Missing(_) => ("disabled", rect.y + 10.0),
        };
        let size = (rect.height - 5.0).clamp(9.0, 11.0);
        let has_room = text_width(text, size, Face::Sans) <= rect.width;
        html! {
            <g class="padding">
                <rect x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="4" />
                if has_room {
                    <Text
                        {text}
                        x={rect.x + rect.width / 2.0}
                        {y}
                        {size}
                        face={Face::Sans}
                        anchor="middle"
                        class="dim"
                    />
                } else {
                    <WholeText at={*rect} {text} />
                }
            </g>
        }
    });
    let rows = layout.rows.iter().map(|(text, at)| {
        html! {
            <Text text={text.clone()} x={at.x} y={at.y} size={layout.row_size} anchor="end" class="dim" />
        }
    });
    let (heads, idle, overlaps, padding, rows): (Html, Html, Html, Html, Html) = (
        heads.collect(),
        idle.collect(),
        overlaps.collect(),
        padding.collect(),
        rows.collect(),
    );
    html! {
        <g aria-hidden="true">
            { heads }{ idle }{ overlaps }{ padding }{ rows }
            if let Some(at) = layout.legend {
                { shared_legend(at) }
            }
            if let Some((at, forms)) = layout.reason.zip(model.fault.as_ref()) {
                { reason(at, forms) }
            }
        </g>
    }
}

/// Reason of a fault.
fn reason(at: Rect, forms: &[String]) -> Html {
    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
    // Bold text is wider than estimated.
    let (text, size) = fit_forms(&forms, at.width * 0.9, 12.0, Face::Sans);
    html! {
        <Text
            {text}
            x={at.right()}
            y={at.y + at.height / 2.0}
            {size}
            face={Face::Sans}
            anchor="end"
            class="fault"
        />
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct FaultWordsProps {
    pub(super) layout: Rc<StageLayout>,
}

/// Fault label beside the elements of a faulting lane, above the edges.
#[component]
pub(super) fn FaultWords(props: &FaultWordsProps) -> Html {
    let words = props.layout.faults.iter().map(|at| {
        let (text, size) = fit_forms(&["Fault", "✗"], at.width * 0.95, 12.0, Face::Sans);
        html! { <Text {text} x={at.x} y={at.y + at.height / 2.0} {size} face={Face::Sans} class="fault" /> }
    });
    let words: Html = words.collect();
    html! { <g aria-hidden="true">{ words }</g> }
}

/// Legend of the double frame.
fn shared_legend(at: Rect) -> Html {
    let sign = Rect::new(at.x, at.y + at.height / 2.0 - 6.0, 18.0, 12.0);
    let x = sign.right() + 6.0;
    let forms = [
        "accessed by several elements",
        "accessed by several",
        "by several",
    ];
    let (text, size) = fit_forms(&forms, at.right() - x, HEAD_SIZE, Face::Sans);
    html! {
        <g class="chip element">
            <rect class="box" x={px(sign.x)} y={px(sign.y)} width={px(sign.width)} height={px(sign.height)} rx="3" />
            { inner_frame(sign) }
            <Text {text} {x} y={at.y + at.height / 2.0} {size} face={Face::Sans} class="dim" />
        </g>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct StickyHeadsProps {
    pub(super) layout: Rc<StageLayout>,
}

/// Sticky copies of the headings, not part of the exported picture.
#[component]
pub(super) fn StickyHeads(props: &StickyHeadsProps) -> Html {
    let layout = &props.layout;
    let heads = layout.heads.iter().map(|head| {
        let shift = match head.anchor {
            "end" => "-100%",
            "middle" => "-50%",
            _ => "0",
        };
        let style = format!(
            "left:{}px;top:{}px;transform:translateX({shift})",
            px(head.at.x),
            px(head.at.y - 8.0)
        );
        let tone = (head.tone != Tone::Plain).then(|| head.tone.name());
        html! { <span ~style={style} data-tone={tone}>{ &head.text }</span> }
    });
    let heads: Html = heads.collect();
    let size = format!(
        "width:{}px;height:{}px;margin-bottom:-{}px",
        px(layout.width),
        px(layout.head_height - BELOW_HEADS),
        px(layout.head_height - BELOW_HEADS)
    );
    html! { <div class="stage-heads" aria-hidden="true" ~style={size}>{ heads }</div> }
}

/// Gap below the headings in CSS pixels, so that a row scrolled to them is
/// entirely visible.
const BELOW_HEADS: f64 = 1.0;

#[derive(Properties, PartialEq)]
struct IdleLineProps {
    lanes: IdleLanes,
    rect: Rect,
}

/// `4–7 disabled: execution mask`
#[component]
fn IdleLine(props: &IdleLineProps) -> Html {
    let IdleLineProps { lanes, rect } = props;
    let whole = format!("{} disabled: {}", lanes.labels, lanes.reason);
    let reason = format!("{}: {}", lanes.labels, lanes.reason);
    let brief = format!("{} disabled", lanes.labels);
    let forms = [&*whole, &*reason, &*brief];
    let (text, size) = fit_forms(&forms, rect.width, 11.5, Face::Sans);
    let is_cut = text != whole;
    html! {
        <g class="idle">
            if is_cut { <WholeText at={*rect} text={whole} /> }
            <Text {text} x={rect.x} y={rect.y + rect.height / 2.0} {size} face={Face::Sans} class="dim" />
        </g>
    }
}
