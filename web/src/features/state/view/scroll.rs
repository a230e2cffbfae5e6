//! Scroll positions of grids, kept while a grid is not mounted.

use crate::features::state::Tab;
use std::cell::RefCell;
use std::rc::Rc;

/// A grid of an opened program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GridId {
    pub(crate) tab: Tab,
    /// Index of the region of a memory.
    pub(crate) region: usize,
    /// Number of programs opened so far.
    pub(crate) opened: u32,
}

/// Scroll position of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScrollPosition {
    /// First row in view.
    pub(super) first: u64,
    /// Width in characters, which determines what a row contains.
    pub(super) characters: usize,
    /// Serial number of the last request to reveal a cell.
    pub(super) revealed: u32,
}

/// Scroll positions of the grids of the open program. Not part of the store:
/// scrolling renders only the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScrollPositions(Rc<RefCell<Vec<(GridId, ScrollPosition)>>>);

impl PartialEq for ScrollPositions {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl ScrollPositions {
    pub(super) fn get(&self, id: GridId) -> ScrollPosition {
        let all = self.0.borrow();
        let own = all.iter().find(|(other, _)| *other == id);
        own.map(|(_, position)| *position).unwrap_or_default()
    }

    pub(super) fn set(&self, id: GridId, position: ScrollPosition) {
        let mut all = self.0.borrow_mut();
        all.retain(|(other, _)| *other != id && other.opened == id.opened);
        all.push((id, position));
    }
}
