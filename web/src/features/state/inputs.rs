use super::memories::MemoryKind;
use super::regions::{Region, regions_of};
use super::state_view::StateView;
use crate::store::{Slice, State};
use lanewise_core::isa::Family;
use lanewise_core::machine::Machine;
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Program that is compared by identity.
#[derive(Clone)]
pub(crate) struct SharedProgram(Rc<Program>);

impl PartialEq for SharedProgram {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl SharedProgram {
    /// Memory before the first work-group.
    pub(super) fn start(&self) -> &Machine {
        &self.0.start
    }
}

/// Inputs of the models of the State pane. State outside these inputs cannot
/// affect what the pane shows.
#[derive(Clone, PartialEq)]
pub(crate) struct StateInputs {
    pub(crate) session: Slice<Session>,
    /// Program of the text, whose launch no work-group has changed yet.
    pub(super) written: SharedProgram,
    pub(crate) state_view: Slice<StateView>,
    /// Whether the text has no errors, so that the state belongs to it.
    pub(crate) can_run: bool,
}

impl State {
    pub(crate) fn state_inputs(&self) -> StateInputs {
        StateInputs {
            session: self.session.clone(),
            written: SharedProgram(Rc::clone(&self.source.document.program)),
            state_view: self.state_view.clone(),
            can_run: self.can_run(),
        }
    }
}

impl StateInputs {
    /// Instruction family of the program.
    pub(crate) fn family(&self) -> Family {
        self.session.program().symbols.target.family()
    }

    /// Regions of a memory. All memories are computed on first use.
    pub(crate) fn regions(&self, kind: MemoryKind) -> &Rc<[Region]> {
        let regions = &self.state_view.regions;
        &regions.get_or_init(|| regions_of(&self.session))[kind]
    }

    /// The region of a memory that its tab shows.
    pub(super) fn shown_region(&self, kind: MemoryKind) -> Option<&Region> {
        self.regions(kind)
            .get(self.state_view.memories[kind].region)
    }
}
