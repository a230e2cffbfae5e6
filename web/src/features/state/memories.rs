//! Memories that have a tab, and a map keyed by memory.

use lanewise_core::machine::{SpaceId, SpaceKind};
use std::ops::{Index, IndexMut};

/// Memory that has a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryKind {
    Local,
    /// Virtual address space; called global memory for a warp.
    Virtual,
    /// Buffers of declared surfaces.
    Surfaces,
}

impl MemoryKind {
    pub(crate) const ALL: [Self; 3] = [Self::Local, Self::Virtual, Self::Surfaces];

    /// The memory that contains a space; `None` for registers.
    pub(crate) fn of(space: SpaceId) -> Option<Self> {
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

/// Map keyed by [`MemoryKind`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memories<T>([T; 3]);

impl<T> Memories<T> {
    pub(crate) fn from_fn(of: impl FnMut(MemoryKind) -> T) -> Self {
        Self(MemoryKind::ALL.map(of))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
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
