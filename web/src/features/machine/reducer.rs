use super::MachineAction;
use crate::store::State;

impl State {
    /// Takes an action of the State pane.
    pub(crate) fn apply_machine(&mut self, action: MachineAction) {
        match action {
            MachineAction::Tab(tab) => {
                self.machine.tab = tab;
                self.leave_editor();
                self.machine.inspect.cancel_focus();
            }
            MachineAction::RegisterFormat(format) => self.machine.register_format = format,
            MachineAction::RegistersScrolled { first, count } => {
                let in_view = &mut self.machine.registers.in_view;
                (in_view.first, in_view.count) = (first, count);
            }
            MachineAction::RegisterRows(rows) => self.set_register_rows(rows),
            MachineAction::WarpScrolled { first, count } => {
                let in_view = &mut self.machine.warp.in_view;
                (in_view.first, in_view.count) = (first, count);
            }
            MachineAction::Inspect(action) => self.apply_inspect(action),
            MachineAction::Memory(kind, action) => self.apply_memory(kind, action),
        }
    }
}
