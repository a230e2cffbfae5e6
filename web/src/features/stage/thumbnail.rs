//! Stage thumbnail for lists: shapes and lines, without text.

use super::kind::StageKind;
use super::lanes::{RecordRow, record_rows};
use super::matrix::matrix_thumbnail;
use crate::components::hue::hue;
use lanewise_answer::access::{AccessModel, PLANES, StageLane};
use lanewise_answer::matrix::MatrixViewOptions;
use lanewise_core::isa::index_of;
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::Session;
use std::rc::Rc;
use yew::prelude::*;

const WIDTH: usize = 420;
const HEIGHT: usize = 300;

/// Maximum number of steps run for a thumbnail.
const MAX_STEPS: usize = 64;

/// The first instruction with a picture of lanes or matrices, half executed.
fn preview(program: Rc<Program>) -> Option<StageKind> {
    let mut session = Session::new(program);
    session.precompute(MAX_STEPS);
    let is_pictured = |issue: Issue| {
        let instruction = &session.program().instruction(issue).instruction;
        instruction.spec().lane_queue || instruction.matrix().is_some()
    };
    let first = session.issues().position(is_pictured)?;
    let mut starts = session.issue_starts().skip(first);
    let (start, end) = (starts.next()?, starts.next().unwrap_or(session.known()));
    drop(starts);
    session.seek(start + (end - start).div_ceil(2));
    let options = MatrixViewOptions::default();
    Some(StageKind::of(&session, session.program(), options))
}

/// Decorative picture of a program, without text.
pub(crate) fn thumbnail(text: &str) -> Html {
    match preview(Rc::new(Program::parse(text))) {
        Some(StageKind::Lanes(model)) => lanes(&model),
        Some(StageKind::Matrix(model)) => matrix_thumbnail(&model),
        _ => Html::default(),
    }
}

/// Lanes on the left, cells on the right, and the edges between them.
fn lanes(model: &AccessModel) -> Html {
    // Rows and columns of small boxes on each side.
    let lane_place = |lane: &StageLane| match &model.planes {
        Some(planes) => {
            let row = usize::from(lane.unit.thread) * planes.stride + usize::from(lane.unit.lane);
            (
                row,
                lane.unit
                    .channel
                    .map_or(0, |channel| index_of(channel).into()),
            )
        }
        None => (lane.place, 0),
    };
    let lane_places: Vec<(usize, usize)> = model.lanes.iter().map(lane_place).collect();
    let cell_places: Vec<(usize, usize)> = match model.planes {
        Some(_) => {
            let records = record_rows(model).into_iter().enumerate();
            let slots = |(row, record): (usize, RecordRow)| {
                record.cells.into_iter().map(move |(slot, _)| (row, slot))
            };
            records.flat_map(slots).collect()
        }
        None => (0..model.cells.len()).map(|row| (row, 0)).collect(),
    };
    let columns = if model.planes.is_some() {
        PLANES.into()
    } else {
        1
    };
    let boxes = |places: &[(usize, usize)], left: usize| -> Vec<[usize; 4]> {
        let rows = 1 + places.iter().map(|(row, _)| *row).max().unwrap_or(0);
        let (width, height) = (WIDTH * 2 / 5 / columns, (HEIGHT / rows).min(60));
        let top = (HEIGHT - rows * height) / 2;
        let at = |(row, column): &(usize, usize)| {
            [left + column * width, top + row * height, width, height]
        };
        places.iter().map(at).collect()
    };
    let (lane_boxes, cell_boxes) = (boxes(&lane_places, 0), boxes(&cell_places, WIDTH * 3 / 5));
    let form = |state: &'static str, group: Option<u32>, [x, y, width, height]: [usize; 4]| {
        html! {
            <rect
                data-state={state}
                data-group={group.map(hue)}
                x={(x + 2).to_string()}
                y={(y + height / 8).to_string()}
                width={(width - 4).to_string()}
                height={(height * 3 / 4).to_string()}
                rx="5"
            />
        }
    };
    let edges = model.lanes.iter().zip(&lane_boxes).map(|(lane, at)| {
        let ([x, y, width, height], [to_x, to_y, _, to_height]) = (*at, cell_boxes[lane.cell]);
        let (from, middle) = (x + width - 2, WIDTH / 2);
        let (y, to_y) = (y + height / 2, to_y + to_height / 2);
        html! {
            <path
                class="edge"
                data-state={lane.state.name()}
                data-group={lane.group.map(hue)}
                d={format!("M{from} {y}C{middle} {y} {middle} {to_y} {} {to_y}", to_x + 2)}
            />
        }
    });
    let lanes = model.lanes.iter().zip(&lane_boxes);
    let lanes = lanes.map(|(lane, at)| form(lane.state.name(), None, *at));
    let cells = model.cells.iter().zip(&cell_boxes);
    let cells = cells.map(|(cell, at)| form(cell.state, cell.group, *at));
    html! {
        <svg class="thumbnail lanes-thumbnail" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-hidden="true">
            { for edges }{ for lanes }{ for cells }
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::library::{BUNDLED, KERNELS};

    #[test]
    fn every_scenario_has_a_preview() {
        // Kernels reach their atomics after many instructions.
        for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
            match preview(Rc::new(Program::parse(scenario.text))) {
                Some(StageKind::Lanes(model)) => {
                    assert!(!model.cells.is_empty(), "{}", scenario.id)
                }
                Some(StageKind::Matrix(model)) => assert!(model.at.is_some(), "{}", scenario.id),
                _ => {
                    let program = Program::parse(scenario.text);
                    let mut specs = program.instructions.iter().map(|p| p.instruction.spec());
                    assert!(specs.all(|spec| !spec.lane_queue), "{}", scenario.id);
                }
            }
        }
    }
}
