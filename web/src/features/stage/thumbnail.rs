//! Stage thumbnail for lists: shapes and lines, without text.

use super::StageModel;
use super::lanes::record_rows;
use super::matrix::{MatrixModel, MatrixViewOptions, matrix_thumbnail};
use crate::components::hue::hue;
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::Session;
use std::rc::Rc;
use yew::prelude::*;

const WIDTH: usize = 420;
const HEIGHT: usize = 300;

/// Maximum number of steps run for a thumbnail.
const MAX_STEPS: usize = 64;

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

/// Decorative picture of a program, without text.
pub(crate) fn thumbnail(text: &str) -> Html {
    match Preview::of(Rc::new(Program::parse(text))) {
        Some(Preview::Lanes(model)) => lanes(&model),
        Some(Preview::Matrix(model)) => matrix_thumbnail(&model),
        None => Html::default(),
    }
}

/// Lanes on the left, cells on the right, and the edges between them.
fn lanes(model: &StageModel) -> Html {
    let planes = model.planes.as_ref();
    let records = planes.map_or_else(Vec::new, |_| record_rows(model));
    // Rows and columns of small boxes on each side.
    let lane_at = |index: usize| match planes {
        Some(planes) => {
            let unit = model.lanes[index].unit;
            let row = usize::from(unit.eu) * planes.stride + usize::from(unit.lane);
            (row, usize::from(unit.channel.unwrap_or(0)))
        }
        None => (model.lanes[index].place, 0),
    };
    let cell_at = |index: usize| {
        let mut rows = records.iter().enumerate();
        let record = rows.find_map(|(row, record)| {
            let found = record.cells.iter().find(|(_, cell)| *cell == index)?;
            Some((row, found.0))
        });
        record.unwrap_or((index, 0))
    };
    let rows = |at: &dyn Fn(usize) -> (usize, usize), count: usize| {
        1 + (0..count).map(|index| at(index).0).max().unwrap_or(0)
    };
    let (lane_rows, cell_rows) = (
        rows(&lane_at, model.lanes.len()),
        rows(&cell_at, model.cells.len()),
    );
    let columns = if planes.is_some() { 4 } else { 1 };
    let place = |(row, column): (usize, usize), rows: usize, left: usize| {
        let (width, height) = (WIDTH * 2 / 5 / columns, (HEIGHT / rows).min(60));
        let top = (HEIGHT - rows * height) / 2;
        (left + column * width, top + row * height, width, height)
    };
    let lane_box = |index| place(lane_at(index), lane_rows, 0);
    let cell_box = |index| place(cell_at(index), cell_rows, WIDTH * 3 / 5);
    let form = |state: &'static str, group: Option<u32>, at| {
        let (x, y, width, height): (usize, usize, usize, usize) = at;
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
    let edges = model.lanes.iter().enumerate().map(|(index, lane)| {
        let ((x, y, width, height), (to_x, to_y, _, to_height)) =
            (lane_box(index), cell_box(lane.cell));
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
    let lanes = model.lanes.iter().enumerate();
    let lanes = lanes.map(|(index, lane)| form(lane.state.name(), None, lane_box(index)));
    let cells = model.cells.iter().enumerate();
    let cells = cells.map(|(index, cell)| form(cell.state, cell.group, cell_box(index)));
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
