//! Picture of lanes and cells with the result of its order.

use super::LanesPicture;
use crate::features::outcomes::{OutcomesAction, StageResult};
use crate::features::player::Pane;
use crate::features::stage::StageModel;
use crate::features::transport::Speed;
use crate::store::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

fn shows_outcomes(state: &State) -> bool {
    match &state.player {
        Some(player) => player.panes.contains(&Pane::Outcomes),
        None => state.screen.shows_outcomes(),
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct LanesStageProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) model: Rc<StageModel>,
    pub(crate) dispatch: Callback<Action>,
}

/// Stage of lanes and cells.
#[component]
pub(crate) fn LanesStage(props: &LanesStageProps) -> Html {
    let LanesStageProps {
        state,
        model,
        dispatch,
    } = props;
    let on_move = use_callback(dispatch.clone(), |moved, dispatch| {
        dispatch.emit(Action::Outcomes(OutcomesAction::Move(moved)));
    });
    // The Outcomes tab announces it too.
    let announcement = if shows_outcomes(state) {
        AttrValue::default()
    } else {
        AttrValue::from(state.outcomes.announcement().to_owned())
    };
    let stale = !state.can_run();
    let still = state.stepping.running && state.stepping.speed != Speed::Slow;
    html! {
        <>
            <LanesPicture model={Rc::clone(model)} {stale} {still} {on_move} {announcement} />
            <StageResult outcomes={state.outcomes.clone()} />
        </>
    }
}
