use super::RegisterRows;
use crate::features::state::place::Place;
use crate::store::State;
use lanewise_core::isa::Family;

impl State {
    /// Changes the row layout, keeping the same registers at the top.
    pub(crate) fn set_register_rows(&mut self, rows: RegisterRows) {
        let before = self.state_view.registers;
        if before.rows == rows {
            return;
        }
        let mut in_view = before.in_view.range();
        let top = in_view.find_map(|row| {
            self.state_inputs()
                .register_row_places(row)
                .first()
                .copied()
        });
        self.state_view.registers.rows = rows;
        let row = top
            .filter(|_| before.in_view.first > 0)
            .and_then(|place| self.state_inputs().register_row_of(place));
        if let Some(row) = row {
            self.state_view.registers.in_view.scroll_to(row);
        }
    }

    /// Scrolls to a register unless it is in view.
    pub(crate) fn show_register(&mut self, place: Place) {
        match self.family() {
            Family::Visa => {
                if let Some(row) = self.state_inputs().register_row_of(place) {
                    self.state_view.registers.in_view.show(row);
                }
            }
            Family::Sass => {
                if let Some(column) = self.state_inputs().warp_column(place) {
                    self.state_view.warp.in_view.show(column);
                }
            }
        }
    }
}
