//! Arrow-key navigation between cells.

use crate::features::state::inputs::StateInputs;
use crate::features::state::place::Place;
use lanewise_core::isa::Family;

impl StateInputs<'_> {
    /// First cell in view in the open tab.
    pub(crate) fn first_in_view(&self) -> Option<Place> {
        let mut rows = match (self.state_view.tab.memory(), self.family()) {
            (Some(memory), _) => self.state_view.memories[memory].rows_in_view(),
            (None, Family::Visa) => {
                let rows = self.state_view.registers.in_view.range();
                rows.start as u64..rows.end as u64
            }
            // All lanes are present; the grid scrolls sideways.
            (None, Family::Sass) => 0..1,
        };
        rows.find_map(|row| self.row_places(row).first().copied())
    }

    /// Cells of a row of the open tab.
    fn row_places(&self, row: u64) -> Vec<Place> {
        if let Some(kind) = self.state_view.tab.memory() {
            return self.memory_row_places(kind, row);
        }
        match (self.family(), usize::try_from(row)) {
            (_, Err(_)) => Vec::new(),
            (Family::Visa, Ok(row)) => self.register_row_places(row),
            (Family::Sass, Ok(row)) => self.warp_row_places(row),
        }
    }

    /// Row of the open tab that shows a cell.
    fn row_of(&self, place: Place) -> Option<u64> {
        if let Some(kind) = self.state_view.tab.memory() {
            return self.memory_row_of(kind, place);
        }
        let row = match self.family() {
            Family::Visa => self.register_row_of(place),
            Family::Sass => self.warp_row_of(place),
        };
        row.map(|row| row as u64)
    }

    /// The cell at an offset of columns and rows, clamped to the grid.
    pub(crate) fn neighbour(&self, place: Place, right: i32, down: i32) -> Option<Place> {
        let row = self.row_of(place)?;
        let here = self.row_places(row);
        let column = here.iter().position(|p| *p == place)?;
        if down != 0 {
            let rows = self.rows_beyond(row, down.into());
            let last = rows.take(down.unsigned_abs() as usize).last()?;
            return last.get(column).or(last.last()).copied();
        }
        let to = column.checked_add_signed(right as isize);
        if let Some(next) = to.and_then(|to| here.get(to)) {
            return Some(*next);
        }
        let next = self.rows_beyond(row, right.into()).next()?;
        if right > 0 { next.first() } else { next.last() }.copied()
    }

    /// Cells of the rows below a row, or above if `direction` is negative.
    /// Skips single empty rows (headings); two in a row mark the end.
    fn rows_beyond(&self, row: u64, direction: i64) -> impl Iterator<Item = Vec<Place>> {
        let next = move |row: &u64| row.checked_add_signed(direction.signum());
        let rows = std::iter::successors(next(&row), next);
        let mut empty = 0;
        let rows = rows
            .map(|row| self.row_places(row))
            .take_while(move |cells| {
                empty = if cells.is_empty() { empty + 1 } else { 0 };
                empty < 2
            });
        rows.filter(|cells| !cells.is_empty())
    }
}
