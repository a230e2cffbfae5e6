use super::{MachineAction, RegisterFormat, Tab};
use crate::store::State;

impl State {
    /// Takes an action.
    pub(crate) fn apply_machine(&mut self, action: MachineAction) {
        match action {
            MachineAction::Tab(tab) => {
                if tab != self.panes.tab {
                    self.keep_scroll();
                }
                self.panes.tab = tab;
                self.close_editor();
                self.panes.inspect.leave_focus();
            }
            MachineAction::RegisterFormat(format) => {
                self.panes.register_format = format;
                self.fit_registers();
            }
            MachineAction::RegistersScrolled {
                first,
                count,
                width,
            } => self.scrolled_registers(first, count, width),
            MachineAction::WarpScrolled { first, count } => self.scrolled_warp(first, count),
            MachineAction::Inspect(action) => self.apply_inspect(action),
            MachineAction::Memory(tab, action) => self.apply_memory(tab, action),
        }
    }

    fn keep_scroll(&mut self) {
        match self.panes.tab.memory() {
            Some(memory) => self.panes.memories[memory].keep_scroll(),
            None => self.keep_register_scroll(),
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
