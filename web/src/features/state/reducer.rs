use super::StateAction;
use crate::store::State;

impl State {
    /// Applies an action of the State pane.
    pub(crate) fn apply_state_pane(&mut self, action: StateAction) {
        match action {
            StateAction::Tab(tab) => {
                self.state_view.tab = tab;
                self.leave_cell_editor();
                self.state_view.inspect.cancel_focus();
            }
            StateAction::RegisterFormat(format) => self.state_view.register_format = format,
            StateAction::RegistersScrolled { first, count } => {
                self.state_view.registers.in_view.scrolled(first, count);
            }
            StateAction::RegisterRows(rows) => self.set_register_rows(rows),
            StateAction::WarpScrolled { first, count } => {
                self.state_view.warp.in_view.scrolled(first, count);
            }
            StateAction::Inspect(action) => self.apply_inspect(action),
            StateAction::Memory(kind, action) => self.apply_memory(kind, action),
        }
    }

    /// Resets the tab and grids for another program. Chosen formats are kept.
    pub(crate) fn reset_grids(&mut self) {
        self.state_view.registers.in_view.scroll_to(0);
        self.state_view.warp.in_view.scroll_to(0);
        self.reset_memories();
    }
}
