//! The tabs of the State pane.

use super::memories::MemoryKind;
use lanewise_core::isa::Family;

/// A tab of the State pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The register files of both EUs, predicates, masks.
    Registers,
    /// Shared local memory.
    Local,
    /// The virtual address space.
    Virtual,
    /// The same, as a warp calls it.
    Global,
    /// Buffers of declared surfaces.
    Surfaces,
}

impl Tab {
    /// The tabs of a program of a family, in their order.
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

    /// The usual abbreviation of its label.
    pub(crate) const fn short_label(self) -> Option<&'static str> {
        match self {
            Self::Local => Some("SLM"),
            Self::Virtual => Some("SVM"),
            Self::Registers | Self::Global | Self::Surfaces => None,
        }
    }

    /// Its name in links. Shared virtual memory and global memory share one.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Local => "slm",
            Self::Virtual | Self::Global => "svm",
            Self::Surfaces => "surfaces",
        }
    }

    /// The tab of such a name in a program of a family.
    pub(crate) fn of_key(key: &str, family: Family) -> Option<Self> {
        let mut tabs = Self::all(family).iter();
        tabs.find(|tab| tab.key() == key).copied()
    }

    /// The memory that it shows; none for registers.
    pub(crate) const fn memory(self) -> Option<MemoryKind> {
        match self {
            Self::Registers => None,
            Self::Local => Some(MemoryKind::Local),
            Self::Virtual | Self::Global => Some(MemoryKind::Virtual),
            Self::Surfaces => Some(MemoryKind::Surfaces),
        }
    }

    /// The tab of a memory in a program of a family.
    pub(crate) const fn of_memory(memory: MemoryKind, family: Family) -> Self {
        match (memory, family) {
            (MemoryKind::Local, _) => Self::Local,
            (MemoryKind::Virtual, Family::Visa) => Self::Virtual,
            (MemoryKind::Virtual, Family::Sass) => Self::Global,
            (MemoryKind::Surfaces, _) => Self::Surfaces,
        }
    }
}
