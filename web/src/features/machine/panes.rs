use super::inspect::{Inspect, InspectAction};
use super::memory::{MemoryAction, MemoryView, Region};
use super::registers::{Layout, RegistersView};
use super::settings::{RegisterFormat, Tab};
use std::cell::OnceCell;
use std::rc::Rc;

/// What a reader can do in the State pane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MachineAction {
    /// Open a tab.
    Tab(Tab),
    /// How to show registers.
    RegisterFormat(RegisterFormat),
    /// These rows of registers are on the screen, in a box of a width in pixels.
    RegistersScrolled {
        first: usize,
        count: usize,
        width: u32,
    },
    /// These columns of a warp's registers are on the screen.
    WarpScrolled { first: usize, count: usize },
    /// Something with a cell.
    Inspect(InspectAction),
    /// Something in a memory pane.
    Memory(Tab, MemoryAction),
}

/// How the state of the machine is looked at.
#[derive(Clone, Debug)]
pub(crate) struct MachinePanes {
    /// The tab that is open.
    pub(crate) tab: Tab,
    pub(crate) register_format: RegisterFormat,
    pub(crate) register_view: RegistersView,
    /// Where the variables of the program lie; computed when it is first asked
    /// for.
    pub(crate) layout: OnceCell<Rc<Layout>>,
    /// What is mapped, by memory pane.
    pub(crate) regions: [Rc<[Region]>; 3],
    pub(crate) memories: [MemoryView; 3],
    /// The cell that is looked at, and those that are watched.
    pub(crate) inspect: Inspect,
}

impl Default for MachinePanes {
    fn default() -> Self {
        Self {
            tab: Tab::Registers,
            register_format: RegisterFormat::Declared,
            register_view: RegistersView::NEW,
            layout: OnceCell::new(),
            regions: std::array::from_fn(|_| Rc::from([])),
            memories: [const { MemoryView::NEW }; 3],
            inspect: Inspect::default(),
        }
    }
}
