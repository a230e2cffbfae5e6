use super::MachineAction;
use crate::store::State;

impl State {
    /// Applies an action of the State pane.
    pub(crate) fn apply_machine(&mut self, action: MachineAction) {
        match action {
            MachineAction::Tab(tab) => {
                self.machine.tab = tab;
                self.leave_cell_editor();
                self.machine.inspect.cancel_focus();
            }
            MachineAction::RegisterFormat(format) => self.machine.register_format = format,
            MachineAction::RegistersScrolled { first, count } => {
                self.machine.registers.in_view.scrolled(first, count);
            }
            MachineAction::RegisterRows(rows) => self.set_register_rows(rows),
            MachineAction::WarpScrolled { first, count } => {
                self.machine.warp.in_view.scrolled(first, count);
            }
            MachineAction::Inspect(action) => self.apply_inspect(action),
            MachineAction::Memory(kind, action) => self.apply_memory(kind, action),
        }
    }

    /// Resets the tab and grids for another program. Chosen formats are kept.
    pub(crate) fn reset_grids(&mut self) {
        self.machine.registers.in_view.scroll_to(0);
        self.machine.warp.in_view.scroll_to(0);
        self.reset_memories();
    }
}
