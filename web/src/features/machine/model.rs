//! What the State pane shows: the contents of the open tab, and the cell that
//! is looked at.

use super::{RegisterFormat, Tab};
use crate::features::machine::inspect::{CellView, WatchList};
use crate::features::machine::memory::MemoryPane;
use crate::features::machine::registers::RegistersPane;
use crate::features::machine::warp::Warp;
use crate::store::State;
use lanewise_core::isa::Family;
use std::rc::Rc;

/// What the open tab shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MachineContents {
    Memory(Rc<MemoryPane>),
    /// The register files of a vISA program.
    Files(Rc<RegistersPane>),
    /// The registers of a warp.
    Warp(Rc<Warp>),
}

/// What the State pane shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MachineModel {
    pub(crate) tabs: &'static [Tab],
    pub(crate) open: Tab,
    /// The memories that the last step wrote to.
    pub(crate) changed: Vec<Tab>,
    pub(crate) register_format: RegisterFormat,
    pub(crate) contents: MachineContents,
    /// The chosen cell and the watches, if there are any.
    pub(crate) inspect: Option<(Option<CellView>, WatchList)>,
    /// Whether the chosen cell is to have the focus.
    pub(crate) focus: bool,
    /// Whether the text has errors, so that this is the state of an earlier
    /// text.
    pub(crate) stale: bool,
}

impl State {
    /// What the State pane shows. Nothing is worked out for closed tabs.
    pub(crate) fn machine_model(&self) -> MachineModel {
        let contents = match (self.memory(self.tab()), self.family()) {
            (Some(pane), _) => MachineContents::Memory(Rc::new(pane)),
            (None, Family::Visa) => MachineContents::Files(Rc::new(self.registers())),
            (None, Family::Sass) => MachineContents::Warp(Rc::new(self.warp())),
        };
        let inspects = self.is_inspecting();
        MachineModel {
            tabs: self.tabs(),
            open: self.tab(),
            changed: self.changed_tabs(),
            register_format: self.register_format(),
            contents,
            inspect: inspects.then(|| (self.chosen_cell(), self.watch_list())),
            focus: self.wants_cell_focus(),
            stale: !self.can_run(),
        }
    }
}
