//! Stage of the current instruction, on the page and in a player.

use super::Stage;
use super::kind::StageKind;
use super::matrix::{MatrixModel, MatrixPane};
use super::vector::VectorStage;
use crate::features::highlight::use_encoding_highlight;
use crate::features::outcomes::{OutcomesAction, StageResult};
use crate::features::player::Pane;
use crate::features::transport::Speed;
use crate::store::{Action, State, StoreProps};
use lanewise_core::isa::{Family, Instruction, Style};
use lanewise_core::program::Program;
use std::rc::Rc;
use yew::prelude::*;

impl State {
    /// Full text of the current instruction, which the program may abbreviate:
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`. Empty
    /// without an instruction.
    pub(crate) fn instruction_text(&self) -> String {
        let session = self.stage_session();
        let program = session.program();
        let index = session.current_instruction();
        let placed = index.and_then(|index| program.instructions.get(index));
        placed.map_or_else(String::new, |placed| {
            as_tools_write(&placed.instruction, program)
        })
    }
}

/// Instruction as printed by vendor tools: SASS with its `;`.
pub(crate) fn as_tools_write(instruction: &Instruction, program: &Program) -> String {
    let style = match program.symbols.target.family() {
        Family::Visa => Style::Assembler,
        Family::Sass => Style::Document,
    };
    let mut text = String::new();
    instruction.print(&program.symbols, style, &mut text);
    text
}

#[derive(Properties, PartialEq)]
pub(crate) struct StagePaneProps {
    pub(crate) state: UseReducerHandle<State>,
    /// Model of the current matrix instruction, if any.
    pub(crate) matrix: Option<Rc<MatrixModel>>,
    /// Whether to show the products of a selected element of D below the
    /// picture, where the drawer is not visible.
    pub(crate) products: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Stage.
#[component]
pub(crate) fn StagePane(props: &StagePaneProps) -> Html {
    let StagePaneProps {
        state,
        matrix,
        products,
        dispatch,
    } = props;
    let stale = !state.can_run();
    match matrix.clone() {
        Some(model) => html! {
            <MatrixPane
                {model}
                {stale}
                in_player={state.is_player()}
                products={*products}
                dispatch={dispatch.clone()}
            />
        },
        None => html! { <LanesStage state={state.clone()} dispatch={dispatch.clone()} /> },
    }
}

fn shows_outcomes(state: &State) -> bool {
    match &state.player {
        Some(player) => player.panes.contains(&Pane::Outcomes),
        None => state.screen.shows_outcomes(),
    }
}

/// Stage of lanes and cells.
#[component]
fn LanesStage(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let on_move = use_callback(dispatch.clone(), |moved, dispatch| {
        dispatch.emit(Action::Outcomes(OutcomesAction::Move(moved)));
    });
    let kind = use_memo(state.stage_session().clone(), |session| {
        StageKind::of(session)
    });
    let pointed = use_encoding_highlight().pointed;
    let stale = !state.can_run();
    let model = match &*kind {
        StageKind::Lanes(model) => model,
        StageKind::Vector(model) => {
            return html! {
                <VectorStage
                    model={Rc::clone(model)}
                    {stale}
                    editable={!state.is_read_only()}
                    pointed={state.pointed_part(pointed)}
                    dispatch={dispatch.clone()}
                />
            };
        }
        StageKind::Sentence { text, is_fault } => {
            let class = classes!("stage-sentence", is_fault.then_some("fault"));
            return html! { <p {class} data-stale={stale.then_some("")}>{ text }</p> };
        }
        StageKind::Empty => {
            return html! {
                <p class="empty">{ "Write an instruction to see what its lanes do." }</p>
            };
        }
    };
    // The Outcomes tab announces it too.
    let announcement = if shows_outcomes(state) {
        AttrValue::default()
    } else {
        AttrValue::from(state.outcomes.announcement().to_owned())
    };
    let still = state.stepping.running && state.stepping.speed != Speed::Slow;
    html! {
        <>
            <Stage model={Rc::clone(model)} {stale} {still} {on_move} {announcement} />
            <StageResult outcomes={state.outcomes.clone()} />
        </>
    }
}
