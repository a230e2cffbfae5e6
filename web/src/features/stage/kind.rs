//! Kinds of pictures. [`StageKind`] is the only place that chooses between
//! them: picture, drawer tab, caption and export.

use super::flow::{Flow, decisions_table};
use super::lanes::lanes_stage;
use super::matrix::{MatrixPane, ProductsPanel};
use super::vector::{VectorStage, vector_table};
use crate::features::screen::DrawerTab;
use crate::store::{Action, Slice, State};
use lanewise_answer::access::AccessModel;
use lanewise_answer::flow::FlowModel;
use lanewise_answer::lanes::LanesTable;
use lanewise_answer::matrix::{MatrixModel, MatrixViewOptions};
use lanewise_answer::vector::VectorModel;
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, Session};
use std::rc::Rc;
use yew::prelude::*;

/// Picture of the current instruction, chosen by its capabilities.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StageKind {
    Empty,
    /// Lanes and the memory cells that they access, or register planes and the records
    /// that their channels access.
    Lanes(Rc<AccessModel>),
    /// Operands of a matrix instruction and the supply of Src2.
    Matrix(Rc<MatrixModel>),
    /// Registers that lanes of a computing instruction read and write.
    Vector(Rc<VectorModel>),
    /// Where the channels of a branch continue.
    Flow(Rc<FlowModel>),
    /// Sentence on an instruction without lanes.
    Sentence(String),
}

impl StageKind {
    /// Picture of a session. `program` is the one in the editor, which may have
    /// errors.
    pub(super) fn of(session: &Session, program: &Program, matrix_view: MatrixViewOptions) -> Self {
        if let Some(model) = MatrixModel::new(session, program, matrix_view) {
            return Self::Matrix(Rc::new(model));
        }
        if let Some(model) = AccessModel::of(session) {
            return Self::Lanes(Rc::new(model));
        }
        if let Some(model) = VectorModel::of(session) {
            return Self::Vector(Rc::new(model));
        }
        let index = session.current_issue();
        let flows = index.is_some_and(|index| !session.flow(index).is_empty());
        if let Some(model) = flows.then(|| FlowModel::of(session, None)).flatten() {
            return Self::Flow(Rc::new(model));
        }
        let Some(issue) = index.and_then(|index| session.issue(index)) else {
            return Self::Empty;
        };
        let instruction = &session.program().instruction(issue).instruction;
        let spec = instruction.spec();
        let name = spec.mnemonics.first().unwrap_or(&spec.name);
        let summary = instruction.summary();
        // Some have several sentences.
        Self::Sentence(format!("{name}: {}.", summary.trim_end_matches('.')))
    }

    /// Drawer tab that only this kind has.
    pub(crate) fn extra_tab(&self) -> Option<DrawerTab> {
        self.matrix().map(|_| DrawerTab::Products)
    }

    pub(crate) fn own_panel(&self) -> Html {
        html! {
            if let Some(model) = self.matrix() {
                <ProductsPanel {model} />
            }
        }
    }

    fn matrix(&self) -> Option<&Rc<MatrixModel>> {
        match self {
            Self::Matrix(model) => Some(model),
            _ => None,
        }
    }

    /// Contents of the Lanes tab, for a computing instruction or a branch.
    pub(crate) fn lanes_table(&self) -> Option<Html> {
        let (caption, table) = match self {
            Self::Vector(model) => (Some(&model.caption), vector_table(model)),
            Self::Flow(model) => (None, decisions_table(model)),
            _ => return None,
        };
        Some(html! {
            <section class="pane" aria-label="Lanes">
                <div class="lanes">
                    if let Some(caption) = caption {
                        <p class="muted lanes-of">{ caption }</p>
                    }
                    <div class="scroller" role="group" aria-label="Lanes table" tabindex="0">
                        { table }
                    </div>
                </div>
            </section>
        })
    }

    pub(crate) fn is_exportable(&self) -> bool {
        match self {
            Self::Empty | Self::Sentence(_) => false,
            Self::Lanes(model) => !model.lanes.is_empty(),
            _ => true,
        }
    }

    /// Text that follows the step's summary in the caption of an exported picture.
    pub(crate) fn caption(&self) -> Option<String> {
        let model = self.matrix()?;
        Some(format!("Src2 supply: {}", model.summary()))
    }

    /// Draws the picture. `products` are those of a selected element of D, shown below
    /// the picture where the drawer is not visible.
    pub(crate) fn picture(
        &self,
        state: &State,
        products: bool,
        dispatch: &Callback<Action>,
    ) -> Html {
        let dispatch = dispatch.clone();
        let stale = !state.can_run();
        match self {
            Self::Matrix(model) => {
                let in_player = state.is_player();
                html! { <MatrixPane {model} {stale} {in_player} {products} {dispatch} /> }
            }
            Self::Lanes(model) => lanes_stage(state, model, dispatch),
            Self::Vector(model) => {
                let (session, document) = (state.session.clone(), state.source.document.clone());
                html! { <VectorStage {model} {session} {document} {dispatch} /> }
            }
            Self::Flow(model) => html! { <Flow {model} is_stage=true {stale} {dispatch} /> },
            Self::Sentence(text) => html! {
                <p class="stage-sentence" data-stale={stale.then_some("")}>{ text }</p>
            },
            Self::Empty if stale => html! {
                <p class="empty">{ "Fix the errors to see what each lane does." }</p>
            },
            Self::Empty => html! {
                <p class="empty">{ "Type an instruction to see what each lane does." }</p>
            },
        }
    }
}

/// Stage of the current instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    /// Line of the instruction, from 0.
    pub(crate) line: Option<u32>,
    /// Full text of the instruction, which the program may abbreviate:
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`. Empty
    /// without an instruction.
    pub(crate) instruction: String,
    pub(crate) kind: StageKind,
    /// Whether this is the last access before an instruction without a picture.
    pub(crate) is_earlier: bool,
    /// Run shown; `None` before the first step of the chosen thread.
    session: Option<Slice<Session>>,
}

impl Stage {
    /// Lanes table of a run, if the picture shows it.
    pub(crate) fn table_of(&self, session: &Slice<Session>) -> Option<Rc<LanesTable>> {
        match &self.kind {
            StageKind::Lanes(model) if self.session.as_ref() == Some(session) => {
                Some(Rc::clone(&model.table))
            }
            _ => None,
        }
    }
}

/// Maximum number of issues among which the last access is looked for.
const LOOKED_BACK: u32 = 1000;

/// A session at the end of the last memory instruction that the thread of the current
/// instruction has executed before it.
fn last_access(session: &Session) -> Option<(Session, Rc<AccessModel>)> {
    let program = session.program();
    let current = session.current_issue()?.0;
    let thread = session.issue(IssueIndex(current))?.threads.first();
    let mut earlier = (current.saturating_sub(LOOKED_BACK)..current).rev();
    let found = earlier.find(|index| {
        let issue = session.issue(IssueIndex(*index));
        issue.is_some_and(|issue| {
            let is_own = issue.threads.iter().any(|own| own == thread);
            is_own && program.instruction(issue).instruction.spec().lane_queue
        })
    })?;
    let end = session.issue_start(IssueIndex(found + 1))?;
    let mut session = session.clone();
    session.seek(end);
    let model = AccessModel::of(&session)?;
    Some((session, Rc::new(model)))
}

impl State {
    pub(crate) fn stage(&self) -> Stage {
        let Some(session) = self.pictured_session() else {
            let thread = self.session.program().words().thread;
            let text = format!("This {thread} has not executed an instruction yet.");
            return Stage {
                line: None,
                instruction: String::new(),
                kind: StageKind::Sentence(text),
                is_earlier: false,
                session: None,
            };
        };
        let kind = StageKind::of(&session, &self.source.document.program, self.matrix_view);
        let has_picture = !matches!(kind, StageKind::Sentence(_));
        let earlier = match has_picture || !self.is_kernel() {
            true => None,
            false => last_access(&session),
        };
        let is_earlier = earlier.is_some();
        let (session, kind) = match earlier {
            Some((session, model)) => (Slice::new(session), StageKind::Lanes(model)),
            None => (session, kind),
        };
        let program = session.program();
        let index = session.current_instruction();
        let placed = index.and_then(|index| program.instructions.get(index));
        let style = program.symbols.target.facts().tool_style;
        Stage {
            line: placed.map(|placed| placed.line),
            instruction: placed.map_or_else(String::new, |placed| {
                placed.instruction.text(&program.symbols, style)
            }),
            kind,
            is_earlier,
            session: Some(session),
        }
    }
}

/// Stage of the current instruction, computed once per change.
#[hook]
pub(crate) fn use_stage(state: &State) -> Rc<Stage> {
    let slices = (
        state.stage_session().clone(),
        state.source.document.clone(),
        state.matrix_view,
        state.stepping.thread,
        state.stopped_thread(),
    );
    use_memo(slices, |_| state.stage())
}
