use super::memories::MemoryKind;
use super::regions::{Region, regions_of};
use super::state_view::StateView;
use crate::store::{Slice, State};
use lanewise_core::isa::Family;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Inputs of the models of the State pane. State outside these inputs cannot
/// affect what the pane shows.
#[derive(Clone, Copy)]
pub(crate) struct StateInputs<'s> {
    pub(crate) session: &'s Session,
    pub(crate) state_view: &'s StateView,
    /// Whether the text has no errors, so that the state belongs to it.
    pub(crate) can_run: bool,
}

/// [`StateInputs`] as a property of components.
#[derive(Clone, PartialEq)]
pub(crate) struct StateSource {
    session: Slice<Session>,
    state_view: Slice<StateView>,
    can_run: bool,
}

impl StateSource {
    pub(crate) fn inputs(&self) -> StateInputs<'_> {
        StateInputs {
            session: &self.session,
            state_view: &self.state_view,
            can_run: self.can_run,
        }
    }
}

impl State {
    pub(crate) fn state_inputs(&self) -> StateInputs<'_> {
        StateInputs {
            session: &self.session,
            state_view: &self.state_view,
            can_run: self.can_run(),
        }
    }

    pub(crate) fn state_source(&self) -> StateSource {
        StateSource {
            session: self.session.clone(),
            state_view: self.state_view.clone(),
            can_run: self.can_run(),
        }
    }
}

impl StateInputs<'_> {
    /// Instruction family of the program.
    pub(crate) fn family(&self) -> Family {
        self.session.program().symbols.target.family()
    }
}

impl<'s> StateInputs<'s> {
    /// Regions of a memory. All memories are computed on first use.
    pub(crate) fn regions(&self, kind: MemoryKind) -> &'s Rc<[Region]> {
        let regions = &self.state_view.regions;
        &regions.get_or_init(|| regions_of(self.session))[kind]
    }

    /// The region of a memory that its tab shows.
    pub(super) fn shown_region(&self, kind: MemoryKind) -> Option<&'s Region> {
        self.regions(kind)
            .get(self.state_view.memories[kind].region)
    }
}
