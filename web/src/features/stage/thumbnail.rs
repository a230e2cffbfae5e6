//! Stage thumbnail for lists: shapes and lines, without text.

use super::layout::StageLayout;
use super::matrix::{MatrixModel, MatrixThumbnail, MatrixViewOptions};
use super::model::{StageLane, StageModel};
use super::svg::{ChipState, Edge, EdgeState, Rect, Tone, px};
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::Session;
use std::rc::Rc;
use yew::prelude::*;

/// Size for which a thumbnail is laid out before scaling.
const ROOM: (f64, f64) = (420.0, 300.0);

/// Maximum number of steps run for a thumbnail.
const MAX_STEPS: usize = 64;

/// Contents of a thumbnail.
#[derive(Debug, PartialEq)]
enum Preview {
    Lanes(StageModel),
    Matrix(MatrixModel),
}

impl Preview {
    /// The first instruction with a picture, half executed.
    fn of(program: Rc<Program>) -> Option<Self> {
        let mut session = Session::new(program);
        session.explore(MAX_STEPS);
        let is_pictured = |issue: Issue| {
            let instruction = &session.program().instruction(issue).instruction;
            instruction.spec().lane_queue || instruction.matrix().is_some()
        };
        let first = session.issues().position(is_pictured)?;
        let mut starts = session.issue_starts().skip(first);
        let (start, end) = (starts.next()?, starts.next().unwrap_or(session.known()));
        drop(starts);
        session.seek(start + (end - start).div_ceil(2));
        match MatrixModel::new(&session, session.program(), MatrixViewOptions::default()) {
            Some(model) => Some(Self::Matrix(model)),
            None => StageModel::of(&session).map(Self::Lanes),
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct ThumbnailProps {
    /// Program text.
    pub(crate) text: &'static str,
}

/// Decorative picture without text.
#[component]
pub(crate) fn Thumbnail(props: &ThumbnailProps) -> Html {
    let preview = use_memo(props.text, |text| {
        Preview::of(Rc::new(Program::parse(text)))
    });
    match &*preview {
        Some(Preview::Lanes(model)) => lanes(model),
        Some(Preview::Matrix(model)) => html! { <MatrixThumbnail model={model.clone()} /> },
        None => Html::default(),
    }
}

/// Lanes, cells and the edges between them.
fn lanes(model: &StageModel) -> Html {
    let layout = StageLayout::of(model, ROOM.0, ROOM.1);
    let tone = |group: Option<u32>| group.map_or(Tone::Plain, Tone::Group);
    let edge_tone = |lane: &StageLane| match lane.unit.channel {
        Some(channel) => Tone::Channel(channel),
        None => tone(lane.group),
    };
    let edges = model.lanes.iter().zip(&layout.lanes).map(|(lane, place)| {
        let state = match lane.state {
            ChipState::Waiting => EdgeState::Waiting,
            ChipState::Current | ChipState::Fault => EdgeState::Current,
            ChipState::Done => EdgeState::Done,
        };
        html! { <Edge route={place.route} {state} tone={edge_tone(lane)} /> }
    });
    let form = |class: &'static str, state: &'static str, tone: Tone, rect: Rect| {
        html! {
            <g {class} data-state={state} data-tone={tone.name()}>
                <rect
                    class="box"
                    x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="5"
                />
            </g>
        }
    };
    let lanes = model
        .lanes
        .iter()
        .zip(&layout.lanes)
        .map(|(lane, place)| form("chip", lane.state.name(), Tone::Plain, place.rect));
    let cells = model.cells.iter().zip(&layout.cells);
    let cells = cells.map(|(cell, rect)| form("cell", cell.state.name(), tone(cell.group), *rect));
    let (edges, lanes, cells): (Html, Html, Html) =
        (edges.collect(), lanes.collect(), cells.collect());
    html! {
        <svg
            class="stage-svg thumbnail"
            viewBox={format!("0 0 {} {}", px(layout.width), px(layout.height))}
            aria-hidden="true"
            data-still=""
        >
            { edges }{ cells }{ lanes }
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::library::BUNDLED;

    #[test]
    fn every_scenario_has_a_preview() {
        for scenario in BUNDLED {
            match Preview::of(Rc::new(Program::parse(scenario.text))) {
                Some(Preview::Lanes(model)) => assert!(!model.cells.is_empty(), "{}", scenario.id),
                Some(Preview::Matrix(model)) => assert!(model.at.is_some(), "{}", scenario.id),
                None => {
                    let program = Program::parse(scenario.text);
                    let mut specs = program.instructions.iter().map(|p| p.instruction.spec());
                    assert!(specs.all(|spec| !spec.lane_queue), "{}", scenario.id);
                }
            }
        }
    }
}
