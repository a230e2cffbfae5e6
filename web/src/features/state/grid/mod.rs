//! Rows and cells of the grids of the State pane.
//!
//! A grid has rows of equal height. Its [`GridShape`] depends on the program,
//! the formats and the width of the pane; a row is computed when it is in view.

mod buffers;
mod memory;
mod registers;
mod warp;

use super::cells::Cell;
use super::inputs::StateInputs;
use super::place::Place;
use super::regions::Region;
use super::register_map::ROW_BYTES;
use super::tab::Tab;
use buffers::BufferRows;
use std::rc::Rc;
use warp::WarpColumn;

/// Width, in characters, up to which values have room in rows of four dwords;
/// longer ones may scroll.
const USUAL_CHARACTERS: usize = 8;

/// Extent of a grid.
#[derive(Clone, Debug)]
pub(crate) struct GridShape {
    /// Number of rows.
    pub(crate) rows: u64,
    /// Headings of the row headings and the columns; empty for none.
    pub(crate) heads: Vec<String>,
    layout: Layout,
}

#[derive(Clone, Debug)]
enum Layout {
    Registers { row_bytes: usize },
    Warp(Vec<WarpColumn>),
    Memory { region: Region, row_bytes: u64 },
    Buffers(Vec<BufferRows>),
    Empty,
}

/// Row of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GridRow {
    /// Index in the grid.
    pub(crate) index: u64,
    /// Name of the section, such as `EU0`; empty if the grid has none.
    pub(crate) section: Rc<str>,
    /// Name of a variable, in its first row.
    pub(crate) name: Option<Rc<str>>,
    /// Type and register, element range, address, or lane.
    pub(crate) about: String,
    pub(crate) title: Option<Rc<str>>,
    /// Number of columns of a full row.
    pub(crate) slots: usize,
    /// Number of empty columns before the first cell.
    pub(crate) skipped: usize,
    pub(crate) cells: Vec<Cell>,
    pub(crate) kind: RowKind,
    /// Whether cells show their bits beside their values.
    pub(crate) shows_hex: bool,
    /// Headings of the columns, in a row without cells.
    pub(crate) heads: Vec<Rc<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Heading of a section, without cells.
    Heading,
    /// Headings of the columns of a section.
    Columns,
    Values,
    /// Predicate or execution mask.
    Mask,
    /// Row of Dst still being accumulated here: the displayed values are older.
    Pending(u8),
    /// The lane that executed the last step.
    CurrentLane,
    /// A lane that never executes, and why.
    InactiveLane(&'static str),
}

impl GridRow {
    fn new(index: u64, about: String, cells: Vec<Cell>) -> Self {
        Self {
            index,
            section: Rc::from(""),
            name: None,
            about,
            title: None,
            slots: cells.len(),
            skipped: 0,
            cells,
            kind: RowKind::Values,
            shows_hex: false,
            heads: Vec::new(),
        }
    }

    /// Whether a cell contains a place.
    pub(crate) fn holds(&self, place: Place) -> bool {
        self.cells.iter().any(|cell| cell.holds(place))
    }
}

/// Longest row, in bytes, that fits into `room` characters if every `unit`
/// bytes take `characters`.
fn fitting_row_bytes(room: usize, unit: usize, characters: usize) -> usize {
    let fits = |bytes: &usize| {
        let characters = match bytes {
            32 => characters,
            _ => characters.min(USUAL_CHARACTERS),
        };
        bytes / unit * (characters + 1) <= room
    };
    ROW_BYTES.into_iter().find(fits).unwrap_or(ROW_BYTES[2])
}

impl StateInputs {
    /// Extent of a grid in a pane that has room for `characters` characters.
    pub(crate) fn shape(&self, tab: Tab, characters: usize) -> GridShape {
        match (tab, tab.memory()) {
            (_, Some(kind)) => self.memory_shape(kind, characters),
            (Tab::Buffers, _) => self.buffers_shape(characters),
            (Tab::Warp, _) => self.warp_shape(),
            _ => self.registers_shape(characters),
        }
    }

    /// A row of a grid; `None` beyond its end.
    pub(crate) fn row(&self, shape: &GridShape, index: u64) -> Option<GridRow> {
        if index >= shape.rows {
            return None;
        }
        match &shape.layout {
            Layout::Registers { row_bytes } => self.register_row(index, *row_bytes),
            Layout::Warp(columns) => self.warp_row(index, columns),
            Layout::Memory { region, row_bytes } => {
                Some(self.memory_row(region, *row_bytes, index))
            }
            Layout::Buffers(buffers) => self.buffer_row(buffers, index),
            Layout::Empty => None,
        }
    }

    /// Row of a grid that shows a place.
    pub(crate) fn row_of(&self, shape: &GridShape, place: Place) -> Option<u64> {
        match &shape.layout {
            Layout::Registers { row_bytes } => self.register_row_of(place, *row_bytes),
            Layout::Warp(columns) => self.warp_row_of(place, columns),
            Layout::Memory { region, row_bytes } => {
                let is_here = region.space == place.space && region.holds(place.address);
                is_here.then(|| place.address / row_bytes - region.first_row(*row_bytes))
            }
            Layout::Buffers(buffers) => self.buffer_row_of(buffers, place),
            Layout::Empty => None,
        }
    }

    /// The cell at an offset of columns and rows from a cell, clamped to the
    /// grid. At the end of a row, the first cell of the next one follows.
    pub(crate) fn neighbour(
        &self,
        shape: &GridShape,
        place: Place,
        right: i32,
        down: i32,
    ) -> Option<Place> {
        let row = self.row_of(shape, place)?;
        let here = self.row(shape, row)?.cells;
        let column = here.iter().position(|cell| cell.holds(place))?;
        let next = if down != 0 {
            let rows = self.rows_beyond(shape, row, down.into());
            let last = rows.take(down.unsigned_abs() as usize).last()?;
            last.get(column).or(last.last()).cloned()
        } else {
            match column.checked_add_signed(right as isize) {
                Some(to) if to < here.len() => here.get(to).cloned(),
                _ => {
                    let next = self.rows_beyond(shape, row, right.into()).next()?;
                    if right > 0 { next.first() } else { next.last() }.cloned()
                }
            }
        };
        next.map(|cell| cell.place)
    }

    /// Cells of the rows below a row, or above if `direction` is negative,
    /// except headings.
    fn rows_beyond(
        &self,
        shape: &GridShape,
        row: u64,
        direction: i64,
    ) -> impl Iterator<Item = Vec<Cell>> {
        let next = move |row: &u64| row.checked_add_signed(direction.signum());
        let rows = std::iter::successors(next(&row), next);
        let rows = rows.map_while(|row| self.row(shape, row));
        rows.map(|row| row.cells).filter(|cells| !cells.is_empty())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::store::State;

    /// Room for rows of four dwords.
    pub(crate) const WIDTH: usize = 60;

    /// Rows of a grid, at most 64.
    pub(crate) fn rows(state: &State, grid: Tab) -> Vec<GridRow> {
        let inputs = state.state_inputs();
        let shape = inputs.shape(grid, WIDTH);
        let rows = (0..shape.rows.min(64)).map(|row| inputs.row(&shape, row));
        rows.map(|row| row.expect("the row exists")).collect()
    }

    /// Values of the first cells of a grid; `old → new` if they changed.
    pub(crate) fn values(rows: &[GridRow], count: usize) -> Vec<String> {
        let cells = rows.iter().flat_map(|row| &row.cells).take(count);
        let text = |cell: &Cell| match cell.was {
            Some(was) => format!("{} → {}", cell.text_of(was), cell.text_of(cell.bits)),
            None => cell.text_of(cell.bits),
        };
        cells.map(text).collect()
    }

    /// The cell that a key reaches from the inspected cell.
    pub(crate) fn neighbour(state: &State, right: i32, down: i32) -> Place {
        let inputs = state.state_inputs();
        let chosen = inputs.chosen_cell().expect("a cell is inspected").place;
        let shape = inputs.shape(inputs.state_view.tab, WIDTH);
        inputs
            .neighbour(&shape, chosen, right, down)
            .unwrap_or(chosen)
    }
}
