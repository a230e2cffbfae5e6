use super::state::MachineState;
use crate::store::State;
use lanewise_core::isa::Family;
use lanewise_core::session::Session;

/// What the models of the State pane are made of. What is no part of it does
/// not change what the pane shows.
#[derive(Clone, Copy)]
pub(crate) struct MachineInputs<'s> {
    pub(crate) session: &'s Session,
    pub(crate) machine: &'s MachineState,
    /// Whether the text has no errors, so that this is its state.
    pub(crate) can_run: bool,
}

impl State {
    pub(crate) fn machine_inputs(&self) -> MachineInputs<'_> {
        MachineInputs {
            session: &self.session,
            machine: &self.machine,
            can_run: self.can_run(),
        }
    }
}

impl MachineInputs<'_> {
    /// The family of the program's instructions.
    pub(crate) fn family(&self) -> Family {
        self.session.program().symbols.target.family()
    }
}
