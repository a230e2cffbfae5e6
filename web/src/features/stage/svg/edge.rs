//! Edge between an actor and its target.

use super::{Route, Tone};
use yew::prelude::*;

/// Progress of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EdgeState {
    #[default]
    Waiting,
    Current,
    Done,
}

impl EdgeState {
    const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Current => "current",
            Self::Done => "done",
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct EdgeProps {
    pub(crate) route: Route,
    #[prop_or_default]
    pub(crate) state: EdgeState,
    #[prop_or_default]
    pub(crate) tone: Tone,
    /// Whether either end is under the pointer or focus.
    #[prop_or_default]
    pub(crate) highlighted: bool,
    /// Whether to draw an arrow head, showing the direction of data flow.
    #[prop_or_default]
    pub(crate) arrow: bool,
}

/// Curve of an edge: dashed while waiting, bold in the current step.
#[component]
pub(crate) fn Edge(props: &EdgeProps) -> Html {
    html! {
        <g
            class="edge"
            data-state={props.state.name()}
            data-tone={props.tone.name()}
            data-lit={props.highlighted.then_some("")}
        >
            <path class="line" d={props.route.path()} pathLength="1" />
            if props.arrow {
                <path class="head" d={props.route.head()} />
            }
        </g>
    }
}
