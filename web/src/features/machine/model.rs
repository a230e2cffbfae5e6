//! What the State pane shows: the contents of the open tab, and the cell that
//! is looked at.

use super::format::RegisterFormat;
use super::inputs::MachineInputs;
use super::inspect::{CellModel, WatchList};
use super::memory::MemoryModel;
use super::registers::RegistersModel;
use super::tab::Tab;
use super::warp::WarpModel;
use lanewise_core::isa::Family;
use std::rc::Rc;

/// What the open tab shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MachineContents {
    Memory(Rc<MemoryModel>),
    Registers(Rc<RegistersModel>),
    Warp(Rc<WarpModel>),
}

/// What the State pane shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MachineModel {
    pub(crate) tabs: &'static [Tab],
    pub(crate) open: Tab,
    /// The memories that the last step wrote to.
    pub(crate) changed: Vec<Tab>,
    pub(crate) register_format: RegisterFormat,
    pub(crate) contents: MachineContents,
    pub(crate) cell: Option<CellModel>,
    pub(crate) watches: WatchList,
    /// Whether the chosen cell is to have the focus.
    pub(crate) focus: bool,
    /// Whether the text has errors, so that this is the state of an earlier
    /// text.
    pub(crate) stale: bool,
}

impl MachineInputs<'_> {
    /// What the State pane shows. Nothing is worked out for closed tabs.
    pub(crate) fn model(&self) -> MachineModel {
        let open = self.machine.tab;
        let contents = match (open.memory(), self.family()) {
            (Some(kind), _) => MachineContents::Memory(Rc::new(self.memory_model(kind))),
            (None, Family::Visa) => MachineContents::Registers(Rc::new(self.registers_model())),
            (None, Family::Sass) => MachineContents::Warp(Rc::new(self.warp_model())),
        };
        MachineModel {
            tabs: Tab::all(self.family()),
            open,
            changed: self.changed_tabs(),
            register_format: self.machine.register_format,
            contents,
            cell: self.cell_model(),
            watches: self.watch_list(),
            focus: self.machine.inspect.wants_focus(),
            stale: !self.can_run,
        }
    }
}
