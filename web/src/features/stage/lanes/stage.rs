//! Picture of lanes and cells with the result of its order.

use super::LanesPicture;
use crate::features::outcomes::StageResult;
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

/// Stage of lanes and cells.
pub(crate) fn lanes_stage(
    state: &State,
    model: &Rc<StageModel>,
    dispatch: Callback<Action>,
) -> Html {
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
            <LanesPicture {model} {stale} {still} {announcement} {dispatch} />
            <StageResult outcomes={state.outcomes.clone()} />
        </>
    }
}
