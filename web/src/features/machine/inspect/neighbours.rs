//! The cells around a cell, for the arrow keys.

use crate::features::machine::inputs::MachineInputs;
use crate::features::machine::place::Place;
use lanewise_core::isa::Family;

impl MachineInputs<'_> {
    /// The first cell in view of the open tab.
    pub(crate) fn first_in_view(&self) -> Option<Place> {
        let mut rows = match (self.machine.tab.memory(), self.family()) {
            (Some(memory), _) => self.machine.memories[memory].rows_in_view(),
            (None, Family::Visa) => {
                let rows = self.machine.registers.in_view.range();
                rows.start as u64..rows.end as u64
            }
            // All lanes are there; they are scrolled sideways.
            (None, Family::Sass) => 0..1,
        };
        rows.find_map(|row| self.row_places(row).first().copied())
    }

    /// The cells of a row of the open tab.
    fn row_places(&self, row: u64) -> Vec<Place> {
        if let Some(kind) = self.machine.tab.memory() {
            return self.memory_row_places(kind, row);
        }
        match (self.family(), usize::try_from(row)) {
            (_, Err(_)) => Vec::new(),
            (Family::Visa, Ok(row)) => self.register_row_places(row),
            (Family::Sass, Ok(row)) => self.warp_row_places(row),
        }
    }

    /// The row of the open tab that shows a cell.
    fn row_of(&self, place: Place) -> Option<u64> {
        if let Some(kind) = self.machine.tab.memory() {
            return self.memory_row_of(kind, place);
        }
        let row = match self.family() {
            Family::Visa => self.register_row_of(place),
            Family::Sass => self.warp_row_of(place),
        };
        row.map(|row| row as u64)
    }

    /// The cell so many to the right and so many down; where there are not so
    /// many, the last one.
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

    /// The cells of the rows below a row, or, where `direction` is negative, of
    /// those above it. A row without cells, a heading, is passed over; two of
    /// them are the end.
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
