//! Matrices as rows of cells, by coordinates or by register.

use lanewise_answer::matrix::{DstElement, MatrixModel};
use lanewise_core::isa::visa::matrix::layout::{Index, Layout, MatrixRole, RegisterBits};
use std::ops::Range;
use std::rc::Rc;

/// Inputs of a step; constant throughout a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sources {
    /// A: one matrix if shared, otherwise one per EU.
    pub(super) a: Vec<MatrixCells>,
    pub(super) b: Vec<MatrixCells>,
    /// C of each EU; empty if all elements of an EU are equal.
    pub(super) c: Vec<MatrixCells>,
    /// Longest sum of the run in characters: minimum width of a column.
    pub(super) sum_characters: usize,
    /// The same for a value of B.
    pub(super) factor_characters: usize,
    /// See [`MatrixModel::has_degenerate_operands`].
    pub(super) has_degenerate_operands: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct MatrixCells {
    pub(super) role: MatrixRole,
    pub(super) eu: u8,
    pub(super) rows: Vec<Rc<Row>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// `0`, or `r25`.
    pub(super) label: String,
    /// `Row 0`; for a row of A `Row 0, EU0.r25`, or `Row 0, EU0.r25–r26` if it
    /// ends in the next register.
    pub(super) name: String,
    /// EU that supplies a row of A.
    pub(super) supplier: Option<u8>,
    pub(super) cells: Vec<Cell>,
}

/// Adjacent elements that are multiplied in one stage or, in the register view,
/// share a dword.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) elements: Vec<Index>,
    /// Value of each element, or its bits in the register view.
    pub(super) texts: Vec<String>,
    /// Accessible name: `EU0 B[8–11][3] = 1 2 3 4`.
    pub(super) name: String,
    /// Whether the cell belongs to D and has not been computed yet: its values
    /// are the previous contents of Dst.
    pub(super) waiting: bool,
}

impl Sources {
    pub(super) fn new(model: &MatrixModel) -> Self {
        let of_a = if model.shared() { 1 } else { model.eus };
        let of_c = if model.constant_c() { 0 } else { model.eus };
        let b = MatrixCells::of_eus(model, MatrixRole::B, model.eus);
        let rows = b.iter().flat_map(|matrix| &matrix.rows);
        let texts = rows.flat_map(|row| &row.cells).flat_map(|cell| &cell.texts);
        let (sum_characters, factor_characters) = match model.matrix_view.by_register {
            // Bits wrap after a word.
            true => (4, 4),
            false => (
                model.widest_sum(),
                texts.map(String::len).max().unwrap_or(0),
            ),
        };
        Self {
            has_degenerate_operands: model.has_degenerate_operands(),
            a: MatrixCells::of_eus(model, MatrixRole::A, of_a),
            c: MatrixCells::of_eus(model, MatrixRole::C, of_c),
            sum_characters,
            factor_characters,
            b,
        }
    }
}

impl MatrixCells {
    pub(super) fn of_eus(model: &MatrixModel, role: MatrixRole, eus: u8) -> Vec<Self> {
        (0..eus).map(|eu| Self::new(model, role, eu)).collect()
    }

    fn new(model: &MatrixModel, role: MatrixRole, eu: u8) -> Self {
        let layout = model.layout;
        let by_register = is_by_register(model, role);
        let rows = elements(model, role, eu);
        let rows = (0..).zip(rows).map(|(at, cells): (u8, Vec<Vec<Index>>)| {
            let register = |register| model.register_name(role, register);
            let label = match by_register {
                true => register(at),
                false => at.to_string(),
            };
            let parts = (role == MatrixRole::A).then(|| layout.row_parts(eu, at));
            let parts: Vec<RegisterBits> = parts.into_iter().flatten().collect();
            let place = |part: &RegisterBits| format!("EU{}.{}", part.eu, register(part.register));
            let name = match &parts[..] {
                [] => format!("Row {label}"),
                [part] => format!("Row {label}, {}", place(part)),
                [first, .., last] => {
                    format!("Row {label}, {}–{}", place(first), register(last.register))
                }
            };
            let cells = cells.into_iter();
            Rc::new(Row {
                label,
                name,
                supplier: parts.first().map(|part| part.eu),
                cells: cells
                    .map(|elements| Cell::new(model, (role, eu), elements, by_register))
                    .collect(),
            })
        });
        Self {
            role,
            eu,
            rows: rows.collect(),
        }
    }
}

/// Whether a matrix is drawn register by register. The registers beside A already
/// show its packing.
fn is_by_register(model: &MatrixModel, role: MatrixRole) -> bool {
    model.matrix_view.by_register && role != MatrixRole::A
}

/// Elements of each cell of each row.
pub(super) fn elements(model: &MatrixModel, role: MatrixRole, eu: u8) -> Vec<Vec<Vec<Index>>> {
    let layout = model.layout;
    if is_by_register(model, role) {
        let registers = 0..layout.registers(role, eu);
        let row = |register| by_register_row(layout, role, eu, register);
        return registers.map(row).collect();
    }
    by_coordinates(layout, role)
}

/// Elements of each cell of each row: A by row and stage, B by stage and
/// channel, C and D by row and channel.
fn by_coordinates(layout: Layout, role: MatrixRole) -> Vec<Vec<Vec<Index>>> {
    let (rows, columns) = layout.size(role);
    let (row_step, column_step) = match role {
        MatrixRole::A => (1, layout.ops()),
        MatrixRole::B => (layout.ops(), 1),
        MatrixRole::C | MatrixRole::D => (1, 1),
    };
    let starts = |count: u8, step: u8| (0..count).step_by(usize::from(step));
    let cell = |row: u8, column: u8| -> Vec<Index> {
        let rows = row..row + row_step;
        let index = |row| (column..column + column_step).map(move |column| Index { row, column });
        rows.flat_map(index).collect()
    };
    starts(rows, row_step)
        .map(|row| {
            starts(columns, column_step)
                .map(|column| cell(row, column))
                .collect()
        })
        .collect()
}

/// Elements of each dword of a register, or of each half dword if elements of C
/// or D have 16 bits.
fn by_register_row(layout: Layout, role: MatrixRole, eu: u8, register: u8) -> Vec<Vec<Index>> {
    let step = usize::from(layout.bits(role));
    let cell_bits = match role {
        MatrixRole::C | MatrixRole::D => step,
        MatrixRole::A | MatrixRole::B => 32,
    };
    let bits = usize::from(layout.register_bytes()) * 8;
    let cell = |bits: Range<usize>| -> Vec<Index> {
        let bits = bits.step_by(step).filter_map(|bit| u16::try_from(bit).ok());
        bits.filter_map(|bit| layout.element(role, eu, register, bit))
            .collect()
    };
    let starts = (0..bits).step_by(cell_bits);
    let cells = starts.map(|start| cell(start..start + cell_bits));
    cells.filter(|cell| !cell.is_empty()).collect()
}

impl Cell {
    fn new(
        model: &MatrixModel,
        (role, eu): (MatrixRole, u8),
        elements: Vec<Index>,
        by_register: bool,
    ) -> Self {
        let values = elements.iter().map(|index| model.value(role, eu, *index));
        let values: Vec<String> = values.collect();
        let is_waiting = |index: &Index| model.stages_done(DstElement { eu, index: *index }) == 0;
        let waiting = role == MatrixRole::D && elements.iter().all(is_waiting);
        let name = format!(
            "{} = {}{}",
            name_of(model, role, eu, &elements),
            values.join(" "),
            if waiting { ", not computed yet" } else { "" }
        );
        let texts = match by_register {
            true => elements
                .iter()
                .map(|index| model.digits(role, eu, *index))
                .collect(),
            // The columns of A are narrow.
            false if role == MatrixRole::A => {
                // An ellipsis follows if only the first one of several is seen.
                let room = if values.len() > 1 { ROOM - 1 } else { ROOM };
                values.iter().map(|value| fitted(value, room)).collect()
            }
            false => values,
        };
        Self {
            elements,
            texts,
            name,
            waiting,
        }
    }
}

/// Characters for which a cell of A has room.
const ROOM: usize = 8;

/// A number with the exponent that a cut at its end would hide: `9.4…e-38` for `9.47742e-38`.
fn fitted(number: &str, room: usize) -> String {
    match number.split_once('e') {
        Some((mantissa, exponent)) if number.len() > room => {
            let kept = room.saturating_sub(exponent.len() + 2).max(1);
            let kept: String = mantissa.chars().take(kept).collect();
            format!("{}…e{exponent}", kept.trim_end_matches('.'))
        }
        _ => number.to_owned(),
    }
}

/// `EU0 B[8–11][3]`; a shared A is named without the EU.
fn name_of(model: &MatrixModel, role: MatrixRole, eu: u8, elements: &[Index]) -> String {
    let [first, last] =
        [elements.first(), elements.last()].map(|element| *element.expect("a cell has elements"));
    let span = |from: u8, to: u8| {
        if from == to {
            format!("[{from}]")
        } else {
            format!("[{from}–{to}]")
        }
    };
    let place = format!(
        "{}{}{}",
        role.name(),
        span(first.row, last.row),
        span(first.column, last.column)
    );
    if role == MatrixRole::A && model.shared() {
        place
    } else {
        format!("EU{eu} {place}")
    }
}

/// Describes an element with its value and location: `A[2][5] = 7 (u4): EU1.r8
/// byte 2, bits 7:4`.
pub(super) fn describe(model: &MatrixModel, role: MatrixRole, eu: u8, index: Index) -> String {
    let at = model.layout.location(role, eu, index);
    let at = at.expect("the described element exists");
    let name = name_of(model, role, eu, &[index]);
    let value = model.value(role, eu, index);
    let kind = match role {
        MatrixRole::D => model.sum_type().name(),
        _ => model.type_name(role),
    };
    let (low, high) = at.bits_in_byte();
    let lane = match role {
        MatrixRole::A => match model.element_parts(eu, index)[..] {
            [_, next] => format!(", on into {}", model.register_name(role, next.register)),
            _ => String::new(),
        },
        _ => format!(", lane {}", index.column),
    };
    format!(
        "{name} = {value} ({kind}): {} EU{}.{} byte {}, bits {high}:{low}{lane}",
        role.operand(),
        at.eu,
        model.register_name(role, at.register),
        at.byte()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_keep_their_exponents() {
        for (number, text) in [
            ("9.47742e-38", "9.4…e-38"),
            ("-1.6947e38", "-1.6…e38"),
            ("-1.6947e-38", "-1…e-38"),
            ("1e-38", "1e-38"),
            ("1000.0625", "1000.0625"),
            ("nan", "nan"),
        ] {
            assert_eq!(fitted(number, ROOM), text);
        }
        assert_eq!(fitted("-1.6947e-38", ROOM - 1), "-1…e-38");
        assert_eq!(fitted("9.47742e-38", ROOM - 1), "9…e-38");
    }
}
