//! The cells around a cell, for the arrow keys.

use crate::features::machine::inputs::MachineInputs;
use crate::features::machine::place::Place;
use crate::features::machine::tab::Tab;
use lanewise_core::isa::Family;

impl MachineInputs<'_> {
    /// The first cell in view of the open tab.
    pub(crate) fn first_in_view(&self) -> Option<Place> {
        let (first, count) = match (self.machine.tab.memory(), self.family()) {
            (Some(memory), _) => self.machine.memories[memory].in_view(),
            (None, Family::Visa) => {
                let registers = &self.machine.registers;
                (registers.first, registers.count)
            }
            // All lanes are there; they are scrolled sideways.
            (None, Family::Sass) => (0, 1),
        };
        (first..first + count).find_map(|row| self.row_places(row).first().copied())
    }

    /// The cells of a row of the open tab.
    fn row_places(&self, row: usize) -> Vec<Place> {
        match self.machine.tab {
            Tab::Registers if self.family() == Family::Sass => self.warp_row_places(row),
            Tab::Registers => self.register_row_places(row),
            tab => self.memory_row_places(tab, row),
        }
    }

    /// The row of the open tab that shows a cell.
    fn row_of(&self, place: Place) -> Option<usize> {
        match self.machine.tab {
            Tab::Registers if self.family() == Family::Sass => self.warp_row_of(place),
            Tab::Registers => self.register_row_of(place),
            tab => self.memory_row_of(tab, place),
        }
    }

    /// The cell so many to the right and so many down.
    pub(crate) fn neighbour(&self, place: Place, right: i32, down: i32) -> Option<Place> {
        let row = self.row_of(place)?;
        let here = self.row_places(row);
        let column = here.iter().position(|p| *p == place)?;
        let mut row = row;
        if down != 0 {
            // Rows without cells, a heading, are passed over.
            let step: isize = if down > 0 { 1 } else { -1 };
            let mut left = down.unsigned_abs();
            let mut found = None;
            while left > 0 {
                row = row.checked_add_signed(step)?;
                let cells = self.row_places(row);
                if cells.is_empty() {
                    if self.row_places(row.checked_add_signed(step)?).is_empty() {
                        break;
                    }
                    continue;
                }
                left -= 1;
                found = cells.get(column).or(cells.last()).copied();
            }
            return found;
        }
        let to = column.checked_add_signed(right as isize);
        if let Some(next) = to.and_then(|to| here.get(to)) {
            return Some(*next);
        }
        let step: isize = if right > 0 { 1 } else { -1 };
        for _ in 0..2 {
            row = row.checked_add_signed(step)?;
            let cells = self.row_places(row);
            let next = if right > 0 {
                cells.first()
            } else {
                cells.last()
            };
            if let Some(next) = next {
                return Some(*next);
            }
        }
        None
    }
}
