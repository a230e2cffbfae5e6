//! Stage of the current instruction, on the page and in a player.

use super::StageModel;
use super::kind::StageKind;
use super::lanes::LanesPicture;
use crate::features::outcomes::{OutcomesAction, StageResult};
use crate::features::player::Pane;
use crate::features::transport::Speed;
use crate::store::{Action, State};
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
    pub(crate) kind: Rc<StageKind>,
    /// Whether to show the products of a selected element of D below the
    /// picture, where the drawer is not visible.
    pub(crate) products: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Stage.
#[component]
pub(crate) fn StagePane(props: &StagePaneProps) -> Html {
    props.kind.picture(props)
}

fn shows_outcomes(state: &State) -> bool {
    match &state.player {
        Some(player) => player.panes.contains(&Pane::Outcomes),
        None => state.screen.shows_outcomes(),
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct LanesStageProps {
    pub(super) state: UseReducerHandle<State>,
    pub(super) model: Rc<StageModel>,
    pub(super) dispatch: Callback<Action>,
}

/// Stage of lanes and cells.
#[component]
pub(super) fn LanesStage(props: &LanesStageProps) -> Html {
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
