//! What a reader can do in the State pane.

use super::format::{MemoryFormat, RegisterFormat};
use super::inspect::InspectAction;
use super::memories::MemoryKind;
use super::registers::RegisterRows;
use super::tab::Tab;

/// What a reader can do in the State pane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MachineAction {
    /// Open a tab.
    Tab(Tab),
    /// How to show registers.
    RegisterFormat(RegisterFormat),
    /// These rows of registers are in view.
    RegistersScrolled { first: usize, count: usize },
    /// Rows of registers of this form fit the pane.
    RegisterRows(RegisterRows),
    /// These columns of a warp's registers are in view.
    WarpScrolled { first: usize, count: usize },
    /// Something with a cell.
    Inspect(InspectAction),
    /// Something with a memory.
    Memory(MemoryKind, MemoryAction),
}

/// What a reader can do with a memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MemoryAction {
    /// Show another region, by its index.
    Region(usize),
    /// These rows are in view.
    Scrolled { first: usize, count: usize },
    /// Rows of this many bytes fit the pane.
    RowBytes(usize),
    /// How values are shown.
    Format(MemoryFormat),
    /// Bring this address into view.
    GoTo(u64),
}
