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
    /// A value returned by the last step.
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
    pub(crate) route: Route,
    #[prop_or_default]
    pub(crate) state: EdgeState,
    #[prop_or_default]
    pub(crate) tone: Tone,
    /// Whether the pointer or the focus is on one of its ends.
    #[prop_or_default]
    pub(crate) highlighted: bool,
    /// Whether it ends in an arrow: data flows that way.
    #[prop_or_default]
    pub(crate) arrow: bool,
}

/// A curve; dashed while it waits, thick in the step at hand.
#[component]
pub(crate) fn Edge(props: &EdgeProps) -> Html {
    html! {
        <g
            class="edge"
            data-state={props.state.name()}
            data-tone={props.tone.name()}
            data-lit={props.highlighted.then_some("")}
            data-route={matches!(props.route, Route::Below { .. }).then_some("below")}
        >
            <path class="line" d={props.route.path()} pathLength="1" />
            if props.arrow {
                <path class="head" d={props.route.head()} />
            }
        </g>
    }
}
