//! Scroll positions of grids, kept while a grid is not mounted.

use lanewise_answer::grids::Tab;
use std::cell::RefCell;

/// A grid of an opened program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GridId {
    pub(crate) tab: Tab,
    /// Index of the region of a memory.
    pub(crate) region: usize,
    /// Number of programs opened so far.
    pub(crate) opened: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScrollPosition {
    /// First row in view.
    pub(super) first: u64,
    /// Number of rows in view.
    pub(super) rows: u64,
    /// First row covered by the scroll bar.
    pub(super) base: u64,
    /// Width in characters, which determines what a row contains.
    pub(super) characters: usize,
    /// Serial number of the last request to reveal a cell.
    pub(super) revealed: u32,
}

thread_local! {
    /// Positions of the grids of the open program. Not part of the store:
    /// scrolling renders only the grid.
    static POSITIONS: RefCell<Vec<(GridId, ScrollPosition)>> = RefCell::default();
}

pub(super) fn scroll_position(id: GridId) -> ScrollPosition {
    POSITIONS.with_borrow(|all| {
        let own = all.iter().find(|(other, _)| *other == id);
        own.map(|(_, position)| *position).unwrap_or_default()
    })
}

pub(super) fn keep_scroll_position(id: GridId, position: ScrollPosition) {
    POSITIONS.with_borrow_mut(|all| {
        all.retain(|(other, _)| *other != id && other.opened == id.opened);
        all.push((id, position));
    });
}
