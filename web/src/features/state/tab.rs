//! Tabs of the State pane.

use super::memories::MemoryKind;
use lanewise_core::isa::Family;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    /// Register files of both EUs, predicates and masks.
    Registers,
    Local,
    /// Virtual address space.
    Virtual,
    /// Virtual address space of a warp.
    Global,
    /// Buffers of declared surfaces.
    Surfaces,
}

impl Tab {
    /// Tabs for a family of programs, in order.
    pub(crate) const fn all(family: Family) -> &'static [Self] {
        match family {
            Family::Visa => &[Self::Registers, Self::Local, Self::Virtual, Self::Surfaces],
            Family::Sass => &[Self::Registers, Self::Global],
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Registers => "Registers",
            Self::Local => "Shared local memory",
            Self::Virtual => "Shared virtual memory",
            Self::Global => "Global memory",
            Self::Surfaces => "Surfaces",
        }
    }

    /// Common abbreviation of the label.
    pub(crate) const fn short_label(self) -> Option<&'static str> {
        match self {
            Self::Local => Some("SLM"),
            Self::Virtual => Some("SVM"),
            Self::Registers | Self::Global | Self::Surfaces => None,
        }
    }

    /// Stable name in links. Shared virtual memory and global memory share one.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Local => "slm",
            Self::Virtual | Self::Global => "svm",
            Self::Surfaces => "surfaces",
        }
    }

    /// Parses a stable name for a family of programs.
    pub(crate) fn of_key(key: &str, family: Family) -> Option<Self> {
        let mut tabs = Self::all(family).iter();
        tabs.find(|tab| tab.key() == key).copied()
    }

    /// Memory shown in the tab; `None` for registers.
    pub(crate) const fn memory(self) -> Option<MemoryKind> {
        match self {
            Self::Registers => None,
            Self::Local => Some(MemoryKind::Local),
            Self::Virtual | Self::Global => Some(MemoryKind::Virtual),
            Self::Surfaces => Some(MemoryKind::Surfaces),
        }
    }

    /// Tab of a memory for a family of programs.
    pub(crate) const fn of_memory(memory: MemoryKind, family: Family) -> Self {
        match (memory, family) {
            (MemoryKind::Local, _) => Self::Local,
            (MemoryKind::Virtual, Family::Visa) => Self::Virtual,
            (MemoryKind::Virtual, Family::Sass) => Self::Global,
            (MemoryKind::Surfaces, _) => Self::Surfaces,
        }
    }
}
