use super::format::RegisterFormat;
use super::inspect::InspectState;
use super::memories::Memories;
use super::memory::{MemoryState, Region};
use super::registers::{RegisterMap, RegistersState};
use super::tab::Tab;
use super::warp::WarpState;
use std::cell::OnceCell;
use std::rc::Rc;

/// How the State pane looks at the machine. The machine itself is the session's.
#[derive(Clone, Debug)]
pub(crate) struct MachineState {
    /// The tab that is open.
    pub(crate) tab: Tab,
    pub(crate) register_format: RegisterFormat,
    pub(crate) registers: RegistersState,
    pub(crate) warp: WarpState,
    /// Where the variables of the program lie; computed when it is first asked
    /// for.
    pub(crate) register_map: OnceCell<Rc<RegisterMap>>,
    /// What is mapped; computed when it is first asked for.
    pub(crate) regions: OnceCell<Memories<Rc<[Region]>>>,
    pub(crate) memories: Memories<MemoryState>,
    /// The cell that is looked at, and those that are watched.
    pub(crate) inspect: InspectState,
}

impl MachineState {
    /// Another program declares and maps something else.
    pub(crate) fn forget_program(&mut self) {
        self.register_map = OnceCell::new();
        self.regions = OnceCell::new();
    }
}

impl Default for MachineState {
    fn default() -> Self {
        Self {
            tab: Tab::Registers,
            register_format: RegisterFormat::Declared,
            registers: RegistersState::NEW,
            warp: WarpState::NEW,
            register_map: OnceCell::new(),
            regions: OnceCell::new(),
            memories: Memories::from_fn(|_| MemoryState::NEW),
            inspect: InspectState::default(),
        }
    }
}
