//! Kinds of pictures. [`StageKind`] is the only place that chooses between
//! them: picture, drawer tab, caption and export.

use super::StageModel;
use super::flow::{FlowModel, FlowStage, decisions_table};
use super::lanes::LanesStage;
use super::matrix::{MatrixModel, MatrixPane, MatrixViewOptions, ProductsPanel};
use super::vector::{VectorModel, VectorStage, vector_table};
use crate::features::screen::DrawerTab;
use crate::store::{Action, State};
use lanewise_core::program::Program;
use lanewise_core::session::{EffectKind, Session};
use std::rc::Rc;
use yew::prelude::*;

/// Picture of the current instruction, chosen by its capabilities.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StageKind {
    /// There is no instruction.
    Empty,
    /// Lanes and the memory cells that they access.
    Lanes(Rc<StageModel>),
    /// Register planes and the records that their channels access.
    Planes(Rc<StageModel>),
    /// Operands of a matrix instruction and the supply of Src2.
    Matrix(Rc<MatrixModel>),
    /// Registers that lanes of a computing instruction read and write.
    Vector(Rc<VectorModel>),
    /// Where the channels of a branch continue.
    Flow(Rc<FlowModel>),
    /// Sentence on an instruction without lanes, or on a fault.
    Sentence { text: String, is_fault: bool },
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

impl StageKind {
    /// Picture of a session. `program` is the one in the editor, which may have
    /// errors.
    fn of(session: &Session, program: &Program, look: MatrixViewOptions) -> Self {
        if let Some(model) = MatrixModel::new(session, program, look) {
            return Self::Matrix(Rc::new(model));
        }
        if let Some(model) = StageModel::of(session) {
            return match model.planes {
                Some(_) => Self::Planes(Rc::new(model)),
                None => Self::Lanes(Rc::new(model)),
            };
        }
        if let Some(model) = VectorModel::of(session) {
            return Self::Vector(Rc::new(model));
        }
        if let Some(model) = flow_model(session) {
            return Self::Flow(Rc::new(model));
        }
        if let (Some(fault), Some(EffectKind::Fault)) = (session.fault(), session.last_effect()) {
            return Self::Sentence {
                text: fault.message.clone(),
                is_fault: true,
            };
        }
        let issue = session
            .current_issue()
            .and_then(|issue| session.issue(issue));
        let Some(issue) = issue else {
            return Self::Empty;
        };
        let spec = session.program().instruction(issue).instruction.spec();
        let name = spec.mnemonics.first().unwrap_or(&spec.name);
        Self::Sentence {
            text: format!("{name}: {}.", spec.summary),
            is_fault: false,
        }
    }

    /// Drawer tab that only this kind has.
    pub(crate) const fn own_tab(&self) -> Option<DrawerTab> {
        match self {
            Self::Matrix(_) => Some(DrawerTab::Products),
            _ => None,
        }
    }

    /// Panel of [`own_tab`](Self::own_tab).
    pub(crate) fn own_panel(&self) -> Html {
        match self {
            Self::Matrix(model) => html! { <ProductsPanel model={Rc::clone(model)} /> },
            _ => Html::default(),
        }
    }

    /// Table of the Lanes tab, for a computing instruction or a branch.
    pub(crate) fn lanes_table(&self) -> Option<Html> {
        match self {
            Self::Vector(model) => Some(vector_table(model)),
            Self::Flow(model) => Some(decisions_table(model)),
            _ => None,
        }
    }

    /// Whether the picture can be exported.
    pub(crate) const fn is_exportable(&self) -> bool {
        !matches!(self, Self::Empty | Self::Sentence { .. })
    }

    /// Text that follows the step's summary in the caption of an exported picture.
    pub(crate) fn caption(&self) -> Option<String> {
        match self {
            Self::Matrix(model) => Some(format!("Src2 supply: {}", model.summary())),
            _ => None,
        }
    }

    /// Draws the picture.
    pub(super) fn picture(&self, props: &StagePaneProps) -> Html {
        let StagePaneProps {
            state,
            products,
            dispatch,
            ..
        } = props;
        let stale = !state.can_run();
        match self {
            Self::Matrix(model) => html! {
                <MatrixPane
                    model={Rc::clone(model)}
                    {stale}
                    in_player={state.is_player()}
                    products={*products}
                    dispatch={dispatch.clone()}
                />
            },
            Self::Lanes(model) | Self::Planes(model) => html! {
                <LanesStage state={state.clone()} model={Rc::clone(model)} dispatch={dispatch.clone()} />
            },
            Self::Vector(model) => html! {
                <VectorStage model={Rc::clone(model)} state={state.clone()} dispatch={dispatch.clone()} />
            },
            Self::Flow(model) => html! {
                <FlowStage model={Rc::clone(model)} {stale} dispatch={dispatch.clone()} />
            },
            Self::Sentence { text, is_fault } => {
                let class = classes!("stage-sentence", is_fault.then_some("fault"));
                html! { <p {class} data-stale={stale.then_some("")}>{ text }</p> }
            }
            Self::Empty => html! {
                <p class="empty">{ "Write an instruction to see what its lanes do." }</p>
            },
        }
    }
}

impl State {
    /// Picture of the current instruction.
    pub(crate) fn stage_kind(&self) -> StageKind {
        let program = &self.source.document.program;
        match self.pictured_session() {
            Some(session) => StageKind::of(&session, program, self.look),
            None => StageKind::Sentence {
                text: String::from("This thread has not executed an instruction yet."),
                is_fault: false,
            },
        }
    }
}

/// Picture of the current instruction, computed once per change.
#[hook]
pub(crate) fn use_stage_kind(state: &State) -> Rc<StageKind> {
    let slices = (
        state.stage_session().clone(),
        state.source.document.clone(),
        state.look,
        state.stepping.thread,
    );
    use_memo(slices, |_| state.stage_kind())
}

/// Picture of a control-flow instruction that does not fault.
fn flow_model(session: &Session) -> Option<FlowModel> {
    let index = session.current_issue()?;
    match session.flow(index).is_empty() {
        true => None,
        false => FlowModel::of(session, None),
    }
}
