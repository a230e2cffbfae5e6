use super::{RegisterFormat, StateAction, Tab};
use crate::store::State;

impl State {
    /// Takes an action.
    pub(crate) fn apply_state(&mut self, action: StateAction) {
        match action {
            StateAction::Tab(tab) => {
                self.panes.tab = tab;
                self.panes.inspect.leave_focus();
            }
            StateAction::RegisterFormat(format) => {
                self.panes.register_format = format;
                self.fit_registers();
            }
            StateAction::Registers(first, count, width) => {
                self.scrolled_registers(first, count, width);
            }
            StateAction::WarpColumns(first, count) => self.scrolled_warp(first, count),
            StateAction::Inspect(action) => self.apply_inspect(action),
            StateAction::Memory(tab, action) => self.change_memory(tab, action),
        }
    }

    /// The state tab that is open.
    pub(crate) fn tab(&self) -> Tab {
        self.panes.tab
    }

    /// How registers are shown.
    pub(crate) fn register_format(&self) -> RegisterFormat {
        self.panes.register_format
    }
}
