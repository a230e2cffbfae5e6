//! The picture of the instruction at hand, whichever it is, on the page and in
//! a player.

use super::matrix::{MatrixModel, matrix_pane};
use super::{Stage, StageModel};
use crate::features::outcomes::{OutcomesAction, StageResult};
use crate::features::transport::Speed;
use crate::store::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

/// The picture. `matrix` is the state's, which the caller has made already;
/// `products` says that those of a chosen element of D are shown below it:
/// where there is no drawer beside the picture.
pub(crate) fn stage_pane(
    state: &State,
    matrix: Option<Rc<MatrixModel>>,
    products: bool,
    dispatch: &Callback<Action>,
) -> Html {
    if let Some(model) = matrix {
        return matrix_pane(model, state, products, dispatch);
    }
    let Some(model) = StageModel::of(state.stage_session()) else {
        return html! { <p class="empty">{ "Write an instruction to see what its lanes do." }</p> };
    };
    let stale = !state.can_run();
    let on_move = dispatch.reform(|(from, to)| Action::Outcomes(OutcomesAction::Reorder(from, to)));
    let still = state.is_running() && state.speed() != Speed::Slow;
    html! {
        <>
            <Stage model={Rc::new(model)} {stale} {still} {on_move} />
            <StageResult text={state.outcomes().stage_text()} />
        </>
    }
}
