//! Model of the State pane: the open tab and the inspected cell.

use super::format::RegisterFormat;
use super::inputs::StateInputs;
use super::inspect::{CellModel, WatchList};
use super::memory::MemoryModel;
use super::registers::RegistersModel;
use super::tab::Tab;
use super::warp::WarpModel;
use lanewise_core::isa::Family;
use std::rc::Rc;

/// Contents of the open tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StateContents {
    Memory(Rc<MemoryModel>),
    Registers(Rc<RegistersModel>),
    Warp(Rc<WarpModel>),
}

/// Model of the State pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateModel {
    pub(crate) tabs: &'static [Tab],
    pub(crate) open: Tab,
    /// Tabs of the memories that the last step wrote.
    pub(crate) changed: Vec<Tab>,
    pub(crate) register_format: RegisterFormat,
    pub(crate) contents: StateContents,
    pub(crate) cell: Option<CellModel>,
    pub(crate) watches: WatchList,
    /// Whether the inspected cell should receive focus.
    pub(crate) focus: bool,
    /// Whether the text has errors, so that the state belongs to an earlier
    /// text.
    pub(crate) stale: bool,
}

impl StateInputs<'_> {
    /// Model of the State pane. Closed tabs are not computed.
    pub(crate) fn model(&self) -> StateModel {
        let open = self.state_view.tab;
        let contents = match (open.memory(), self.family()) {
            (Some(kind), _) => StateContents::Memory(Rc::new(self.memory_model(kind))),
            (None, Family::Visa) => StateContents::Registers(Rc::new(self.registers_model())),
            (None, Family::Sass) => StateContents::Warp(Rc::new(self.warp_model())),
        };
        StateModel {
            tabs: Tab::all(self.family()),
            open,
            changed: self.changed_tabs(),
            register_format: self.state_view.register_format,
            contents,
            cell: self.cell_model(),
            watches: self.watch_list(),
            focus: self.state_view.inspect.wants_focus(),
            stale: !self.can_run,
        }
    }
}
