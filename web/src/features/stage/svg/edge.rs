//! A line from what acts to what it acts on.

use super::{Point, Tone, curve, px};
use yew::prelude::*;

/// How far what it stands for has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EdgeState {
    #[default]
    Waiting,
    Current,
    Done,
    /// The value that comes back in the step at hand.
    Return,
}

impl EdgeState {
    const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Current => "current",
            Self::Done => "done",
            Self::Return => "return",
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct EdgeProps {
    pub(crate) from: Point,
    pub(crate) to: Point,
    #[prop_or_default]
    pub(crate) state: EdgeState,
    #[prop_or_default]
    pub(crate) tone: Tone,
    /// Whether the pointer or the focus is on one of its ends.
    #[prop_or_default]
    pub(crate) lit: bool,
    /// Whether it ends in an arrow: data flows that way.
    #[prop_or_default]
    pub(crate) arrow: bool,
}

/// A curve; dashed while it waits, thick in the step at hand.
#[component]
pub(crate) fn Edge(props: &EdgeProps) -> Html {
    let Point { x, y } = props.to;
    // Pointing the way the curve arrives.
    let back = if props.from.x <= x { -7.0 } else { 7.0 };
    let head = format!(
        "M{} {}L{} {}L{} {}Z",
        px(x),
        px(y),
        px(x + back),
        px(y - 4.0),
        px(x + back),
        px(y + 4.0)
    );
    html! {
        <g
            class="edge"
            data-state={props.state.name()}
            data-tone={props.tone.name()}
            data-lit={props.lit.then_some("")}
        >
            <path class="line" d={curve(props.from, props.to)} pathLength="1" />
            if props.arrow {
                <path class="head" d={head} />
            }
        </g>
    }
}
