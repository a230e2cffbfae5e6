//! The picture of the instruction at hand, whichever it is, on the page and in
//! a player.

use super::matrix::{MatrixModel, matrix_pane};
use super::{Stage, StageModel};
use crate::features::outcomes::{OutcomesAction, StageResult};
use crate::features::transport::Speed;
use crate::store::{Action, State};
use lanewise_core::isa::{Family, Style};
use std::rc::Rc;
use yew::prelude::*;

impl State {
    /// The whole text of the instruction at hand, which the program may show
    /// only in part: `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0
    /// V33.0`. Empty where there is none.
    pub(crate) fn instruction_text(&self) -> String {
        let mut text = String::new();
        let session = self.stage_session();
        let program = session.program();
        let index = session.current_instruction();
        if let Some(placed) = index.and_then(|index| program.instructions.get(index)) {
            let instruction = &placed.instruction;
            // As its tools write it: with the `;` of SASS.
            let style = match program.symbols.target.family() {
                Family::Visa => Style::Assembler,
                Family::Sass => Style::Document,
            };
            instruction.print(&program.symbols, style, &mut text);
        }
        text
    }
}

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
