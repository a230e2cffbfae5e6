//! Lane, or another operand of a step, in one line.

use super::{Face, GroupMark, Text, fit, px, shrink};
use yew::prelude::*;

/// Progress of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChipState {
    #[default]
    Waiting,
    /// Executed by the last step.
    Current,
    Done,
    Fault,
}

impl ChipState {
    /// Value of `data-state`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Current => "current",
            Self::Done => "done",
            Self::Fault => "fault",
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct ChipProps {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) size: f64,
    /// Lane name: `5`, `EU1.3`.
    pub(crate) label: AttrValue,
    /// Width reserved for the labels of a column.
    pub(crate) label_width: f64,
    /// Operation: `add 5`.
    #[prop_or_default]
    pub(crate) text: AttrValue,
    /// Result, once known.
    #[prop_or_default]
    pub(crate) result: Option<AttrValue>,
    /// Width reserved for the results of a column; `None` without results.
    #[prop_or_default]
    pub(crate) result_width: f64,
    /// Unchanged Dst value of a lane that will not get a result.
    #[prop_or_default]
    pub(crate) kept: Option<AttrValue>,
    /// Whether the result is a failure.
    #[prop_or_default]
    pub(crate) failed: bool,
    #[prop_or_default]
    pub(crate) group: Option<u32>,
    #[prop_or_default]
    pub(crate) state: ChipState,
}

/// Start of the label, after the group mark.
fn label_at(size: f64) -> f64 {
    8.0 + size + 2.0 + 6.0
}

impl Chip {
    /// Padding around a result.
    pub(crate) const AROUND_RESULT: f64 = 12.0;

    /// Start of the text, after the label.
    pub(crate) fn text_at(size: f64, label_width: f64) -> f64 {
        label_at(size) + label_width + size * 0.8
    }
}

/// `Ⓑ 5  add 3      → 2`
#[component]
pub(crate) fn Chip(props: &ChipProps) -> Html {
    let ChipProps {
        width,
        height,
        size,
        label_width,
        result_width,
        ..
    } = *props;
    let middle = height / 2.0;
    let mark = size + 2.0;
    let labelled = label_at(size);
    let text_at = Chip::text_at(size, label_width);
    let result_at = width - result_width;
    let room = if result_width > 0.0 {
        result_at - 4.0 - text_at
    } else {
        width - 8.0 - text_at
    };
    let text_size = shrink(&props.text, room, size, Face::Mono);
    let text = fit(&props.text, room, text_size, Face::Mono);
    let result = match (&props.result, &props.kept) {
        (Some(result), _) => result.clone(),
        (None, Some(kept)) => format!("keeps {kept}").into(),
        (None, None) => AttrValue::Static("–"),
    };
    let result_room = result_width - Chip::AROUND_RESULT;
    let result_size = shrink(&result, result_room, size, Face::Mono);
    let result = fit(&result, result_room, result_size, Face::Mono);
    let quiet = props.result.is_none().then_some("dim");
    let failed = props.failed.then_some("failed");
    html! {
        <g class="chip" data-state={props.state.name()}>
            <rect class="box" width={px(width)} height={px(height)} rx={px((height / 4.0).min(6.0))} />
            if let Some(group) = props.group {
                <GroupMark {group} x={8.0 + mark / 2.0} y={middle} size={mark} />
            }
            <Text text={props.label.clone()} x={labelled} y={middle} {size} class="strong" />
            <Text {text} x={text_at} y={middle} size={text_size} class="operation" />
            if result_width > 0.0 {
                <path class="rule" d={format!("M{} 0V{}", px(result_at), px(height))} />
                <Text
                    text={result}
                    x={width - 7.0}
                    y={middle}
                    size={result_size}
                    anchor="end"
                    class={classes!("result", quiet, failed)}
                />
            }
        </g>
    }
}
