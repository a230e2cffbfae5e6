//! Memories that have a tab, and a map keyed by memory.

use super::format::MemoryFormat;
use crate::notation::Notation;
use core::ops::{Index, IndexMut};
use lanewise_core::machine::{SpaceId, SpaceKind};
use lanewise_core::number::ElementType;

/// Memory that has a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    Local,
    /// Virtual address space; called global memory for a warp.
    Virtual,
    /// Buffers of declared surfaces.
    Surfaces,
}

impl MemoryKind {
    pub const ALL: [Self; 3] = [Self::Local, Self::Virtual, Self::Surfaces];

    /// The memory that contains a space; `None` for registers.
    pub fn of(space: SpaceId) -> Option<Self> {
        match space.kind() {
            SpaceKind::Local => Some(Self::Local),
            SpaceKind::Virtual => Some(Self::Virtual),
            SpaceKind::Surface(_) => Some(Self::Surfaces),
            SpaceKind::Registers(_)
            | SpaceKind::Flags(_)
            | SpaceKind::Accumulators(_)
            | SpaceKind::Control(_) => None,
        }
    }
}

/// How a memory is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryView {
    /// Index of the region.
    pub region: usize,
    pub format: MemoryFormat,
    /// Type of the current instruction, or of the last one that accessed this
    /// memory.
    pub used_type: ElementType,
}

impl Default for MemoryView {
    fn default() -> Self {
        Self {
            region: 0,
            format: MemoryFormat::AS_USED,
            used_type: ElementType::Ud,
        }
    }
}

impl MemoryView {
    pub fn notation(&self) -> Notation {
        Notation {
            ty: self.format.ty.unwrap_or(self.used_type),
            hex: self.format.hex,
        }
    }
}

/// Map keyed by [`MemoryKind`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memories<T>([T; 3]);

impl<T> Memories<T> {
    pub fn from_fn(of: impl FnMut(MemoryKind) -> T) -> Self {
        Self(MemoryKind::ALL.map(of))
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }
}

impl<T> Index<MemoryKind> for Memories<T> {
    type Output = T;

    fn index(&self, kind: MemoryKind) -> &T {
        &self.0[kind as usize]
    }
}

impl<T> IndexMut<MemoryKind> for Memories<T> {
    fn index_mut(&mut self, kind: MemoryKind) -> &mut T {
        &mut self.0[kind as usize]
    }
}
