//! Highlights of cells: the last step, the selection, and the element under the
//! pointer or focus.

use super::cells::{Cell, MatrixCells, Row};
use lanewise_answer::matrix::{DstElement, MatrixModel};
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use std::ops::Range;

/// Element of a matrix; for a shared A, that of EU0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointed {
    pub(super) role: MatrixRole,
    pub(super) eu: u8,
    pub(super) index: Index,
}

/// Set of products `A[i][k] × B[k][n]`; `None` stands for all indices of an
/// axis.
#[derive(Clone, Debug)]
struct Products {
    /// EU that computes them; `None` for both.
    eu: Option<u8>,
    i: Option<u8>,
    k: Option<Range<u8>>,
    n: Option<u8>,
}

impl Products {
    fn of_step(model: &MatrixModel) -> Option<Self> {
        let at = model.at?;
        let ops = model.layout.ops();
        Some(Self {
            eu: at.channel.map(|(eu, _)| eu),
            i: Some(at.row),
            k: Some(at.d * ops..(at.d + 1) * ops),
            n: at.channel.map(|(_, channel)| channel),
        })
    }

    /// Products that an element is a factor of or that are added to it.
    fn of_element(model: &MatrixModel, Pointed { role, eu, index }: Pointed) -> Self {
        let Index { row, column } = index;
        let (i, k, n) = match role {
            MatrixRole::A => (Some(row), Some(column..column + 1), None),
            MatrixRole::B => (None, Some(row..row + 1), Some(column)),
            MatrixRole::C | MatrixRole::D => (Some(row), None, Some(column)),
        };
        let eu = (role != MatrixRole::A || !model.shared()).then_some(eu);
        Self { eu, i, k, n }
    }

    /// Whether an element is a factor of some of the products, or their sum.
    fn involve(&self, model: &MatrixModel, role: MatrixRole, eu: u8, at: Index) -> bool {
        let is = |own: Option<u8>, other: u8| own.is_none_or(|own| own == other);
        let has_k = |k: u8| self.k.as_ref().is_none_or(|own| own.contains(&k));
        let shared = role == MatrixRole::A && model.shared();
        let involved = match role {
            MatrixRole::A => is(self.i, at.row) && has_k(at.column),
            MatrixRole::B => has_k(at.row) && is(self.n, at.column),
            MatrixRole::C | MatrixRole::D => is(self.i, at.row) && is(self.n, at.column),
        };
        involved && (shared || is(self.eu, eu))
    }
}

/// Highlights of a row: bit sets of its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RowMarks {
    /// Read or written by the last step.
    pub(super) current: u32,
    /// Belongs to the selected element of D or register of Src2.
    pub(super) chosen: u32,
    /// Does not belong to the selection.
    pub(super) dimmed: u32,
    /// Is multiplied with the element under the pointer, or summed with it.
    pub(super) related: u32,
    /// Cell under the pointer and the number of the element in it.
    pub(super) pointed: Option<(usize, usize)>,
}

pub(super) fn marks(
    model: &MatrixModel,
    matrix: &MatrixCells,
    pointed: Option<Pointed>,
) -> Vec<RowMarks> {
    let (role, eu) = (matrix.role, matrix.eu);
    // Sums start from C in the first stage.
    let reads_c = role != MatrixRole::C || model.at.is_some_and(|at| at.d == 0);
    let step = Products::of_step(model).filter(|_| reads_c);
    let chosen = model.matrix_view.element.map(|DstElement { eu, index }| {
        let role = MatrixRole::D;
        Products::of_element(model, Pointed { role, eu, index })
    });
    let register = model.register();
    let has_choice = chosen.is_some() || register.is_some();
    let related = pointed
        .filter(|p| p.role == MatrixRole::D || role != MatrixRole::C)
        .map(|p| Products::of_element(model, p));
    let is_involved = |products: &Option<Products>, index: Index| {
        let products = products.as_ref();
        products.is_some_and(|products| products.involve(model, role, eu, index))
    };
    let is_chosen = |index: Index| {
        is_involved(&chosen, index)
            || register.is_some_and(|register| is_fed(model, (role, eu), register, index))
    };
    let bits = |row: &Row, is_meant: &dyn Fn(Index) -> bool| {
        let has = |cell: &Cell| cell.elements.iter().any(|index| is_meant(*index));
        let cells = row.cells.iter().enumerate().filter(|(_, cell)| has(cell));
        cells.fold(0_u32, |bits, (column, _)| bits | 1 << column)
    };
    let row_marks = |row: &Row| {
        let chosen = bits(row, &is_chosen);
        RowMarks {
            current: bits(row, &|index| is_involved(&step, index)),
            chosen,
            dimmed: if has_choice { !chosen } else { 0 },
            related: bits(row, &|index| is_involved(&related, index)),
            pointed: pointed
                .filter(|p| (p.role, p.eu) == (role, eu))
                .and_then(|p| position(row, p.index)),
        }
    };
    matrix.rows.iter().map(|row| row_marks(row)).collect()
}

fn position(row: &Row, index: Index) -> Option<(usize, usize)> {
    row.cells.iter().enumerate().find_map(|(column, cell)| {
        let n = cell.elements.iter().position(|e| *e == index)?;
        Some((column, n))
    })
}

/// Whether an element of A lies in a register of Src2, or an element of D
/// depends on it.
pub(super) fn is_fed(
    model: &MatrixModel,
    (role, eu): (MatrixRole, u8),
    register: (u8, u8),
    index: Index,
) -> bool {
    let mine = model.shared() || eu == register.0;
    match role {
        MatrixRole::A if mine => {
            let parts = model.element_parts(register.0, index);
            parts
                .iter()
                .any(|part| (part.eu, part.register) == register)
        }
        MatrixRole::D if mine => model
            .layout
            .rows_in(register.0, register.1)
            .contains(&index.row),
        _ => false,
    }
}
