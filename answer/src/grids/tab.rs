//! Tabs of the State pane, each with a grid.

use super::memories::MemoryKind;
use lanewise_core::isa::FamilyFacts;
use lanewise_core::program::Program;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Buffers of a kernel launch.
    Buffers,
    /// Register files of both EUs, predicates and masks.
    #[default]
    Registers,
    /// Registers of a warp: lanes down, registers across.
    Warp,
    Local,
    /// Local memory of a block of warps.
    Shared,
    /// Virtual address space.
    Virtual,
    /// Virtual address space of a warp.
    Global,
    /// Buffers of declared surfaces.
    Surfaces,
}

impl Tab {
    /// Tabs of a program, in order.
    pub fn all(program: &Program) -> &'static [Self] {
        const LAUNCH: [Tab; 5] = [
            Tab::Buffers,
            Tab::Registers,
            Tab::Local,
            Tab::Virtual,
            Tab::Surfaces,
        ];
        let has_lane_registers = program.symbols.target.facts().has_lane_registers;
        match (has_lane_registers, program.launch.is_some()) {
            (false, true) => &LAUNCH,
            (false, false) => &LAUNCH[1..],
            (true, true) => &[Self::Buffers, Self::Warp, Self::Shared, Self::Global],
            (true, false) => &[Self::Warp, Self::Global],
        }
    }

    /// Stable name in links, and label. Tabs of different families share names.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Buffers => ("buffers", "Buffers"),
            Self::Registers | Self::Warp => ("registers", "Registers"),
            Self::Local => ("slm", "Shared local memory"),
            Self::Shared => ("slm", "Shared memory"),
            Self::Virtual => ("svm", "Shared virtual memory"),
            Self::Global => ("svm", "Global memory"),
            Self::Surfaces => ("surfaces", "Surfaces"),
        }
    }

    pub const fn key(self) -> &'static str {
        self.names().0
    }

    pub const fn label(self) -> &'static str {
        self.names().1
    }

    /// Common abbreviation of the label.
    pub const fn short_label(self) -> Option<&'static str> {
        match self {
            Self::Local => Some("SLM"),
            Self::Virtual => Some("SVM"),
            Self::Shared => Some("Shared"),
            Self::Global => Some("Global"),
            _ => None,
        }
    }

    /// The tab of a program with a stable name.
    pub fn of_key(key: &str, program: &Program) -> Option<Self> {
        let mut tabs = Self::all(program).iter();
        tabs.find(|tab| tab.key() == key).copied()
    }

    /// Memory shown in the tab; `None` for registers and buffers.
    pub const fn memory(self) -> Option<MemoryKind> {
        match self {
            Self::Buffers | Self::Registers | Self::Warp => None,
            Self::Local | Self::Shared => Some(MemoryKind::Local),
            Self::Virtual | Self::Global => Some(MemoryKind::Virtual),
            Self::Surfaces => Some(MemoryKind::Surfaces),
        }
    }

    /// Tab of the registers of a family of programs.
    pub const fn of_registers(facts: &FamilyFacts) -> Self {
        match facts.has_lane_registers {
            true => Self::Warp,
            false => Self::Registers,
        }
    }

    /// Tab of a memory for a family of programs.
    pub const fn of_memory(memory: MemoryKind, facts: &FamilyFacts) -> Self {
        match (memory, facts.has_lane_registers) {
            (MemoryKind::Local, false) => Self::Local,
            (MemoryKind::Local, true) => Self::Shared,
            (MemoryKind::Virtual, false) => Self::Virtual,
            (MemoryKind::Virtual, true) => Self::Global,
            (MemoryKind::Surfaces, _) => Self::Surfaces,
        }
    }
}
