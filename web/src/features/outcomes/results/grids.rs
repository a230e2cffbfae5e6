//! How often each value comes up: lane × returned value, and cell × value after
//! the instruction.

use super::columns::{cell_name, type_of};
use super::format::percent;
use crate::features::lanes::units::unit_name;
use lanewise_core::isa::Unit;
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_core::session::lane_name;
use lanewise_explore::{Conflict, Distribution, SearchResult};
use std::rc::Rc;

/// The most values of a grid; the rest is counted.
const MAX_VALUES: usize = 32;

/// The most grids; the others are counted.
pub(crate) const MAX_GRIDS: usize = 16;

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

/// A lane or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GridColumn {
    pub(crate) name: String,
    /// The number of its group of lanes, for its colour.
    pub(crate) group: u32,
}

/// A value, and a field for each column where it comes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GridRow {
    pub(crate) value: String,
    pub(crate) fields: Vec<Option<Field>>,
}

/// Values by lane, or by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutcomeGrid {
    pub(crate) title: String,
    /// What the rows are: `returns`, `after`.
    pub(crate) corner: &'static str,
    pub(crate) columns: Vec<GridColumn>,
    pub(crate) rows: Vec<GridRow>,
    pub(crate) more_values: usize,
}

/// A conflict of an instruction, where the shares of its values are known.
struct KnownConflict<'r> {
    /// Its index among all conflicts.
    index: usize,
    conflict: &'r Conflict,
    distribution: Distribution,
}

/// A column, and how often each value comes up in it.
struct ColumnShares<'r> {
    column: GridColumn,
    /// What has the value: `Lane 2 returns`, `slm[0x0] is`.
    subject: String,
    conflict: &'r Conflict,
    /// By value, ascending.
    shares: &'r [(u64, f64)],
    /// What a press on the field of a value asks for.
    asks: Box<dyn Fn(u64) -> GridValue + 'r>,
}

/// The grids: for each instruction the returned values, then the contents.
pub(crate) fn grids(found: &SearchResult, program: &Program) -> Vec<Rc<OutcomeGrid>> {
    let conflicts = found.conflicts.iter().enumerate();
    let known: Vec<KnownConflict<'_>> = conflicts
        .filter_map(|(index, conflict)| {
            Some(KnownConflict {
                index,
                conflict,
                distribution: conflict.distribution()?,
            })
        })
        .collect();
    let instruction = |known: &KnownConflict<'_>| known.conflict.instruction;
    let mut grids = Vec::new();
    for own in known.chunk_by(|a, b| instruction(a) == instruction(b)) {
        let placed = program.instructions.get(instruction(&own[0]) as usize);
        let line = placed.map_or(0, |placed| placed.line + 1);
        let title = format!("Returned values by lane, line {line}");
        grids.extend(grid(program, title, "returns", &returned(program, own)));
        let title = format!("Memory by cell, after line {line}");
        grids.extend(grid(program, title, "after", &contents(program, own)));
    }
    grids.into_iter().map(Rc::new).collect()
}

/// What the lanes of an instruction return.
fn returned<'r>(program: &Program, own: &'r [KnownConflict<'r>]) -> Vec<ColumnShares<'r>> {
    let mut lanes = Vec::new();
    for known in own {
        let conflict = known.conflict;
        for (unit, shares) in conflict.units.iter().zip(&known.distribution.returns) {
            if !shares.is_empty() {
                lanes.push((*unit, conflict, shares));
            }
        }
    }
    lanes.sort_by_key(|(unit, ..)| (unit.eu, unit.lane));
    let lanes = lanes
        .into_iter()
        .map(|(unit, conflict, shares)| ColumnShares {
            column: GridColumn {
                name: unit_name(unit, program.threads),
                group: conflict.group,
            },
            subject: format!("{} returns", lane_name(unit, program.threads)),
            conflict,
            shares,
            asks: Box::new(move |value| GridValue::Returned {
                instruction: conflict.instruction,
                unit,
                value,
            }),
        });
    lanes.collect()
}

/// What the cells hold that lanes of an instruction conflict in. Cells that end
/// alike in every order are in the headline.
fn contents<'r>(program: &Program, own: &'r [KnownConflict<'r>]) -> Vec<ColumnShares<'r>> {
    let cells = own
        .iter()
        .filter(|known| known.distribution.contents.len() > 1);
    let cells = cells.map(|known| {
        let conflict = known.conflict;
        let name = cell_name(program, conflict.space, conflict.address);
        ColumnShares {
            subject: format!("{name} is"),
            column: GridColumn {
                name,
                group: conflict.group,
            },
            conflict,
            shares: &known.distribution.contents,
            asks: Box::new(|content| GridValue::Content {
                conflict: known.index,
                content,
            }),
        }
    });
    cells.collect()
}

/// `None` without columns.
fn grid(
    program: &Program,
    title: String,
    corner: &'static str,
    columns: &[ColumnShares<'_>],
) -> Option<OutcomeGrid> {
    let ty = type_of(program, columns.first()?.conflict);
    let all = columns.iter().flat_map(|column| column.shares);
    let (values, more_values) = distinct(all.map(|(value, _)| *value));
    let rows = values.into_iter().map(|value| {
        let shown = show(value, ty);
        let fields = columns.iter().map(|column| field(column, value, &shown));
        GridRow {
            fields: fields.collect(),
            value: shown,
        }
    });
    Some(OutcomeGrid {
        title,
        corner,
        rows: rows.collect(),
        columns: columns.iter().map(|own| own.column.clone()).collect(),
        more_values,
    })
}

/// The field of a value, where it comes up.
fn field(column: &ColumnShares<'_>, value: u64, shown: &str) -> Option<Field> {
    let by_value = |(value, _): &(u64, f64)| *value;
    let at = column.shares.binary_search_by_key(&value, by_value).ok()?;
    let (_, share) = column.shares[at];
    let percent = percent(share);
    Some(Field {
        label: format!(
            "{} {shown}: {percent} of orders, replay one",
            column.subject
        ),
        percent,
        shade: shade(share),
        value: (column.asks)(value),
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
