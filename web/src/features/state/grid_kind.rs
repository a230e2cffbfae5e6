//! The grids of the State pane.

use super::memories::MemoryKind;
use super::tab::Tab;
use lanewise_core::isa::Family;

/// Grid of the State pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GridKind {
    /// Registers of a vISA program.
    Registers,
    /// Registers of a warp: lanes down, registers across.
    Warp,
    Memory(MemoryKind),
    /// Buffers of a kernel launch.
    Buffers,
}

impl GridKind {
    /// The grid in a tab.
    pub(crate) fn of_tab(tab: Tab, family: Family) -> Self {
        match (tab.memory(), tab, family) {
            (Some(kind), ..) => Self::Memory(kind),
            (None, Tab::Buffers, _) => Self::Buffers,
            (None, _, Family::Visa) => Self::Registers,
            (None, _, Family::Sass) => Self::Warp,
        }
    }
}
