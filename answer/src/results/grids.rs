//! Value grids: frequency of each lane's returned values, and of each cell's
//! contents after the instruction.

use super::columns::{cell_name, rank, type_of};
use super::format::{in_orders, percent};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::Program;
use lanewise_core::session::unit_name;
use lanewise_core::session::{IssueIndex, lane_name};
use lanewise_explore::{Conflict, Distribution, SearchResult, issues_once};

/// Maximum number of values in a grid; the rest are counted.
const MAX_VALUES: usize = 32;

/// Maximum number of grids; the rest are counted.
pub(super) const MAX_GRIDS: usize = 16;

/// Value that some order produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridValue {
    /// Value returned by a lane of an instruction.
    Returned {
        issue: IssueIndex,
        unit: Unit,
        value: u64,
    },
    /// Contents of a conflict's bytes, by conflict index, after its
    /// instruction.
    Content { conflict: usize, content: u64 },
}

/// Field of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Share of the orders, as a percentage.
    pub percent: String,
    /// Share as a whole percentage, for shading.
    pub shade: u8,
    /// Accessible label: value, share and action.
    pub label: String,
    pub value: GridValue,
}

/// Column: a lane or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridColumn {
    pub name: String,
    /// Number of the conflict group, for its hue.
    pub group: u32,
}

/// Row: a value, with a field for each column in which it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridRow {
    pub value: String,
    pub fields: Vec<Option<Field>>,
}

/// Values by lane or by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeGrid {
    pub title: String,
    /// Corner heading: `returns`, `after`.
    pub corner: &'static str,
    pub columns: Vec<GridColumn>,
    pub rows: Vec<GridRow>,
    pub more_values: usize,
}

/// Conflict of an instruction with known shares of its values.
struct KnownConflict<'r> {
    /// Index among all conflicts.
    index: usize,
    conflict: &'r Conflict,
    distribution: Distribution,
}

/// Column with the share of each value.
struct ColumnShares<'r> {
    column: GridColumn,
    /// Subject of the label: `Lane 2 returns`, `slm[0x0] is`.
    subject: String,
    conflict: &'r Conflict,
    /// Sorted by value.
    shares: &'r [(u64, f64)],
    /// Value to replay when a field is pressed.
    asks: Box<dyn Fn(u64) -> GridValue + 'r>,
}

/// Grids of each instruction: returned values, then contents.
pub(super) fn grids(found: &SearchResult, program: &Program) -> Vec<OutcomeGrid> {
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
    let issue = |known: &KnownConflict<'_>| known.conflict.issue;
    let mut grids = Vec::new();
    for own in known.chunk_by(|a, b| issue(a) == issue(b)) {
        let placed = program
            .instructions
            .get(own[0].conflict.instruction as usize);
        let line = placed.map_or(0, |placed| placed.line + 1);
        let line = match issues_once(program) {
            true => line.to_string(),
            false => format!("{line}, issue {}", issue(&own[0]).0 + 1),
        };
        let title = format!("Returned values by lane, line {line}");
        grids.extend(grid(program, title, "returns", &returned(program, own)));
        let title = format!("Memory by cell, after line {line}");
        grids.extend(grid(program, title, "after", &contents(program, own)));
    }
    grids
}

/// Columns of the values returned by an instruction.
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
    lanes.sort_by_key(|(unit, ..)| (unit.thread, unit.lane));
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
                issue: conflict.issue,
                unit,
                value,
            }),
        });
    lanes.collect()
}

/// Columns of the cells in which lanes of an instruction conflict. Cells with
/// the same contents in every order appear in the headline only.
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
    let (values, more_values) = distinct(all.map(|(value, _)| *value), ty);
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

/// Field of a value, if it occurs in the column.
fn field(column: &ColumnShares<'_>, value: u64, shown: &str) -> Option<Field> {
    let by_value = |(value, _): &(u64, f64)| *value;
    let at = column.shares.binary_search_by_key(&value, by_value).ok()?;
    let (_, share) = column.shares[at];
    let percent = percent(share);
    Some(Field {
        label: format!(
            "{} {shown}: {}, replay one",
            column.subject,
            in_orders(share)
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
    reason = "the value is between 0 and 100"
)]
fn shade(share: f64) -> u8 {
    (share * 100.0 + 0.5).clamp(0.0, 100.0) as u8
}

/// Distinct values in ascending order up to the limit, and the number omitted.
fn distinct(values: impl Iterator<Item = u64>, ty: ElementType) -> (Vec<u64>, usize) {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable_by_key(|value| rank(*value, ty));
    values.dedup();
    let more = values.len().saturating_sub(MAX_VALUES);
    values.truncate(MAX_VALUES);
    (values, more)
}
