use super::memories::MemoryKind;
use super::regions::{Region, regions_of};
use super::state_view::StateView;
use crate::store::{Slice, State};
use lanewise_answer::buffer_view::{BufferView, declared_types};
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
    /// How the buffers of the launch are shown.
    pub(super) views: Rc<[BufferView]>,
    /// Whether the text has no errors, so that the state belongs to it.
    pub(crate) can_run: bool,
}

impl State {
    pub(crate) fn state_inputs(&self) -> StateInputs {
        StateInputs {
            session: self.session.clone(),
            written: SharedProgram(Rc::clone(&self.source.document.program)),
            views: Rc::clone(self.buffer_views()),
            state_view: self.state_view.clone(),
            can_run: self.can_run(),
        }
    }

    /// Views of the buffers of the launch.
    fn buffer_views(&self) -> &Rc<[BufferView]> {
        let view = &self.state_view;
        view.buffer_views.get_or_init(|| {
            let program = self.session.program();
            let buffers = match &program.launch {
                Some(launch) if !launch.buffers.is_empty() => &launch.buffers,
                _ => return Rc::from([]),
            };
            let declared = declared_types(&self.source.document.text);
            let source = self.kernel_source();
            let source = source.as_ref().map_or("", |source| &source.text);
            let is_cuda = program.symbols.target.family() == Family::Sass;
            let views = buffers.iter().map(|buffer| {
                let mut declared = declared.iter();
                let declared = declared.find(|(name, _)| *name == buffer.name);
                let declared = declared.map(|(_, ty)| &**ty);
                let chosen = view.buffer_types.get(&*buffer.name).map(|ty| &**ty);
                BufferView::of(buffer, declared, chosen, source, is_cuda)
            });
            views.collect()
        })
    }
}

impl StateInputs {
    /// How a buffer of the launch is shown.
    pub(crate) fn view_of(&self, buffer: usize) -> Option<&BufferView> {
        self.views.get(buffer)
    }

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
