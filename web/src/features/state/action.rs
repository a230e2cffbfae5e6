//! Actions of the State pane.

use super::format::{MemoryFormat, RegisterFormat};
use super::inspect::InspectAction;
use super::memories::MemoryKind;
use super::registers::RegisterRows;
use super::tab::Tab;

/// Action of the State pane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateAction {
    /// Opens a tab.
    Tab(Tab),
    /// Sets the register format.
    RegisterFormat(RegisterFormat),
    /// Reports the register rows in view.
    RegistersScrolled { first: usize, count: usize },
    /// Reports the row layout that fits the pane.
    RegisterRows(RegisterRows),
    /// Reports the warp register columns in view.
    WarpScrolled { first: usize, count: usize },
    /// Action on a cell.
    Inspect(InspectAction),
    /// Action on a memory.
    Memory(MemoryKind, MemoryAction),
}

/// Action on a memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MemoryAction {
    /// Shows the region with this index.
    Region(usize),
    /// Reports the rows in view.
    Scrolled { first: usize, count: usize },
    /// Reports the row length, in bytes, that fits the pane.
    RowBytes(usize),
    /// Sets the value format.
    Format(MemoryFormat),
    /// Scrolls to an address.
    GoTo(u64),
}
