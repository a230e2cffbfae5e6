use super::RegisterRows;
use crate::features::machine::place::Place;
use crate::features::machine::rows::ScrollTarget;
use crate::store::State;
use lanewise_core::isa::Family;

impl State {
    /// Shows rows of another form, the same registers at the top.
    pub(crate) fn set_register_rows(&mut self, rows: RegisterRows) {
        let before = self.machine.registers;
        if before.rows == rows {
            return;
        }
        let in_view = before.first..before.first + before.count;
        let top = in_view
            .map(|row| self.machine_inputs().register_row_places(row))
            .find_map(|places| places.first().copied());
        self.machine.registers.rows = rows;
        let row = top
            .filter(|_| before.first > 0)
            .and_then(|place| self.machine_inputs().register_row_of(place));
        if let Some(row) = row {
            self.machine.registers.first = row;
            self.machine.registers.keep_scroll();
        }
    }

    /// Brings a register into view, unless it is there.
    pub(crate) fn show_register(&mut self, place: Place) {
        match self.family() {
            Family::Visa => {
                let row = self.machine_inputs().register_row_of(place);
                let registers = &self.machine.registers;
                let in_view = registers.first..registers.first + registers.count;
                if let Some(row) = row.filter(|row| !in_view.contains(row)) {
                    self.machine.registers.scroll_to(ScrollTarget::InView(row));
                }
            }
            Family::Sass => {
                let column = self.machine_inputs().warp_column(place);
                let warp = &self.machine.warp;
                let in_view = warp.first..warp.first + warp.count;
                if let Some(column) = column.filter(|column| !in_view.contains(column)) {
                    self.machine.warp.scroll_to(ScrollTarget::InView(column));
                }
            }
        }
    }
}
