//! How often each value comes up: lane × returned value, and cell × value after
//! the instruction.

use super::format::percent;
use crate::features::lanes::model::unit_name;
use lanewise_core::isa::Unit;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::Program;
use lanewise_core::session::lane_name;
use lanewise_explore::{Conflict, Distribution, SearchResult};
use std::rc::Rc;

/// The most values of a grid; the rest is counted.
const MAX_VALUES: usize = 32;

/// The most grids.
const MAX_GRIDS: usize = 16;

/// A value that some order gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GridValue {
    /// What a lane of an instruction returns.
    Returned {
        instruction: u32,
        unit: Unit,
        value: u64,
    },
    /// What the bytes of a conflict, by its index, hold after its instruction.
    Content { conflict: usize, content: u64 },
}

/// One field of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// The share of the orders, as a percentage.
    pub(crate) percent: String,
    /// The same as a whole number, for its shade.
    pub(crate) shade: u8,
    /// The value, its share, and what a press does, in words.
    pub(crate) label: String,
    pub(crate) value: GridValue,
}

/// Values by lane, or by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutcomeGrid {
    pub(crate) title: String,
    /// What the rows are: `returns`, `after`.
    pub(crate) corner: &'static str,
    /// The lanes or cells, with the number of the conflict set for its colour.
    pub(crate) columns: Vec<(String, usize)>,
    /// A value, and a field for each column where the value comes up.
    pub(crate) rows: Vec<(String, Vec<Option<Field>>)>,
    pub(crate) more_values: usize,
}

/// The type in which the values of a conflict are shown.
pub(super) fn type_of(program: &Program, conflict: &Conflict) -> ElementType {
    let placed = program.instructions.get(conflict.instruction as usize);
    let ty = placed.map(|placed| placed.instruction.shown_as(&program.symbols));
    match (ty, conflict.bytes) {
        (Some(ty), bytes) if ty.bytes() == bytes => ty,
        (_, 2) => ElementType::Uw,
        (_, 4) => ElementType::Ud,
        _ => ElementType::Uq,
    }
}

/// `slm[0x40]`.
fn cell_name(program: &Program, conflict: &Conflict) -> String {
    let mut spaces = lanewise_answer::spaces(program);
    let name = spaces.find(|(_, space)| *space == conflict.space);
    format!(
        "{}[{:#x}]",
        name.map_or("memory", |(name, _)| name),
        conflict.address
    )
}

/// The grids: for each instruction the returned values, then the contents.
pub(super) fn grids(found: &SearchResult, program: &Program) -> Vec<Rc<OutcomeGrid>> {
    let known: Vec<(usize, &Conflict, Distribution)> = found
        .conflicts
        .iter()
        .enumerate()
        .filter_map(|(index, conflict)| Some((index, conflict, conflict.distribution()?)))
        .collect();
    let mut grids = Vec::new();
    for own in known.chunk_by(|a, b| a.1.instruction == b.1.instruction) {
        let instruction = own[0].1.instruction;
        let placed = program.instructions.get(instruction as usize);
        let line = placed.map_or(0, |placed| placed.line + 1);
        grids.extend(returns_grid(program, own, line));
        grids.extend(contents_grid(program, own, line));
    }
    grids.truncate(MAX_GRIDS);
    grids.into_iter().map(Rc::new).collect()
}

fn returns_grid(
    program: &Program,
    own: &[(usize, &Conflict, Distribution)],
    line: u32,
) -> Option<OutcomeGrid> {
    let mut lanes = Vec::new();
    for (set, (_, conflict, distribution)) in own.iter().enumerate() {
        for (unit, shares) in conflict.units.iter().zip(&distribution.returns) {
            if !shares.is_empty() {
                lanes.push((*unit, set, *conflict, shares));
            }
        }
    }
    lanes.sort_by_key(|(unit, ..)| (unit.eu, unit.lane));
    let threads = program.threads;
    let columns = lanes
        .iter()
        .map(|(unit, set, ..)| (unit_name(*unit, threads), *set));
    let values = lanes
        .iter()
        .flat_map(|(.., shares)| shares.iter().map(|share| share.0));
    let (values, more_values) = distinct(values);
    let row = |value: u64| {
        let shown = lanes
            .first()
            .map(|(_, _, conflict, _)| type_of(program, conflict));
        let shown = show(value, shown.unwrap_or(ElementType::Uq));
        let fields = lanes.iter().map(|(unit, _, conflict, shares)| {
            let at = shares.binary_search_by_key(&value, |share| share.0).ok()?;
            let share = shares[at].1;
            let lane = lane_name(*unit, threads);
            Some(Field {
                percent: percent(share),
                shade: shade(share),
                label: format!(
                    "{lane} returns {shown}: {} of orders, replay one",
                    percent(share)
                ),
                value: GridValue::Returned {
                    instruction: conflict.instruction,
                    unit: *unit,
                    value,
                },
            })
        });
        (shown.clone(), fields.collect())
    };
    (!lanes.is_empty()).then(|| OutcomeGrid {
        title: format!("Returned values by lane, line {line}"),
        corner: "returns",
        columns: columns.collect(),
        rows: values.iter().map(|value| row(*value)).collect(),
        more_values,
    })
}

fn contents_grid(
    program: &Program,
    own: &[(usize, &Conflict, Distribution)],
    line: u32,
) -> Option<OutcomeGrid> {
    // Cells that end alike in every order are in the headline.
    let varies = |(_, (_, _, distribution)): &(usize, &(usize, &Conflict, Distribution))| {
        distribution.contents.len() > 1
    };
    let cells: Vec<_> = own.iter().enumerate().filter(varies).collect();
    let columns = cells
        .iter()
        .map(|(set, (_, conflict, _))| (cell_name(program, conflict), *set));
    let values = cells
        .iter()
        .flat_map(|(_, (_, _, d))| d.contents.iter().map(|share| share.0));
    let (values, more_values) = distinct(values);
    let row = |value: u64| {
        let shown = cells
            .first()
            .map(|(_, (_, conflict, _))| type_of(program, conflict));
        let shown = show(value, shown.unwrap_or(ElementType::Uq));
        let fields = cells.iter().map(|(_, (index, conflict, distribution))| {
            let shares = &distribution.contents;
            let at = shares.binary_search_by_key(&value, |share| share.0).ok()?;
            let share = shares[at].1;
            let cell = cell_name(program, conflict);
            Some(Field {
                percent: percent(share),
                shade: shade(share),
                label: format!(
                    "{cell} is {shown}: {} of orders, replay one",
                    percent(share)
                ),
                value: GridValue::Content {
                    conflict: *index,
                    content: value,
                },
            })
        });
        (shown.clone(), fields.collect())
    };
    (!cells.is_empty()).then(|| OutcomeGrid {
        title: format!("Memory by cell, after line {line}"),
        corner: "after",
        columns: columns.collect(),
        rows: values.iter().map(|value| row(*value)).collect(),
        more_values,
    })
}

/// A share as a whole percentage.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and 100"
)]
fn shade(share: f64) -> u8 {
    (share * 100.0).clamp(0.0, 100.0).round() as u8
}

/// The values, ascending, each once, and how many are left out.
fn distinct(values: impl Iterator<Item = u64>) -> (Vec<u64>, usize) {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.dedup();
    let more = values.len().saturating_sub(MAX_VALUES);
    values.truncate(MAX_VALUES);
    (values, more)
}
