use super::state::MachineState;
use crate::store::State;
use lanewise_core::isa::Family;
use lanewise_core::session::Session;

/// Inputs of the models of the State pane. State outside these inputs cannot
/// affect what the pane shows.
#[derive(Clone, Copy)]
pub(crate) struct MachineInputs<'s> {
    pub(crate) session: &'s Session,
    pub(crate) machine: &'s MachineState,
    /// Whether the text has no errors, so that the state belongs to it.
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
    /// Instruction family of the program.
    pub(crate) fn family(&self) -> Family {
        self.session.program().symbols.target.family()
    }
}
