use super::format::RegisterFormat;
use super::inspect::InspectState;
use super::memories::Memories;
use super::memory::{MemoryState, Region};
use super::registers::{RegisterMap, RegistersState};
use super::tab::Tab;
use super::warp::WarpState;
use std::cell::OnceCell;
use std::rc::Rc;

/// View state of the State pane. The machine itself belongs to the session.
#[derive(Clone, Debug)]
pub(crate) struct StateView {
    pub(crate) tab: Tab,
    pub(crate) register_format: RegisterFormat,
    pub(crate) registers: RegistersState,
    pub(crate) warp: WarpState,
    /// Layout of the program's variables, computed on first use.
    pub(crate) register_map: OnceCell<Rc<RegisterMap>>,
    /// Mapped regions, computed on first use.
    pub(crate) regions: OnceCell<Memories<Rc<[Region]>>>,
    pub(crate) memories: Memories<MemoryState>,
    /// Inspected and watched cells.
    pub(crate) inspect: InspectState,
}

impl StateView {
    /// Clears caches that depend on the program.
    pub(crate) fn forget_program(&mut self) {
        self.register_map = OnceCell::new();
        self.regions = OnceCell::new();
    }
}

impl Default for StateView {
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
