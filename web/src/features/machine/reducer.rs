use super::{MachineAction, Tab};
use crate::store::State;
use lanewise_core::isa::Family;

impl State {
    /// Takes an action of the State pane.
    pub(crate) fn apply_machine(&mut self, action: MachineAction) {
        match action {
            MachineAction::Tab(tab) => {
                if tab != self.machine.tab {
                    self.keep_scroll();
                }
                self.machine.tab = tab;
                self.leave_editor();
                self.machine.inspect.cancel_focus();
            }
            MachineAction::RegisterFormat(format) => self.machine.register_format = format,
            MachineAction::RegistersScrolled { first, count } => {
                let registers = &mut self.machine.registers;
                (registers.first, registers.count) = (first, count);
            }
            MachineAction::RegisterRows(rows) => self.set_register_rows(rows),
            MachineAction::WarpScrolled { first, count } => {
                let warp = &mut self.machine.warp;
                (warp.first, warp.count) = (first, count);
            }
            MachineAction::Inspect(action) => self.apply_inspect(action),
            MachineAction::Memory(tab, action) => self.apply_memory(tab, action),
        }
    }

    /// Where the open tab is scrolled to is where it opens again.
    fn keep_scroll(&mut self) {
        match (self.machine.tab, self.family()) {
            (Tab::Registers, Family::Visa) => self.machine.registers.keep_scroll(),
            (Tab::Registers, Family::Sass) => self.machine.warp.keep_scroll(),
            (tab, _) => {
                if let Some(memory) = tab.memory() {
                    self.machine.memories[memory].keep_scroll();
                }
            }
        }
    }
}
