use super::inspect::InspectState;
use lanewise_answer::buffer_view::BufferView;
use lanewise_answer::grids::{GridView, Place, Tab};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// View state of the State pane. The machine itself belongs to the session;
/// scroll positions belong to the grids.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateView {
    pub(crate) grid: GridView,
    /// Index of the buffer above the grid of buffers.
    pub(crate) buffer: usize,
    /// Whether the user has chosen it.
    pub(super) is_buffer_chosen: bool,
    /// Types of the elements of buffers, by name, where they were chosen.
    pub(crate) buffer_types: BTreeMap<Rc<str>, Rc<str>>,
    /// Views of the buffers, computed on first use.
    pub(super) buffer_views: OnceCell<Rc<[BufferView]>>,
    /// The last request to each grid to reveal a cell.
    pub(super) reveals: Vec<(Tab, Reveal)>,
    /// Number of requests so far; grids remember it beyond a reset.
    reveal_count: u32,
    /// Inspected and watched cells.
    pub(crate) inspect: InspectState,
}

/// Request to scroll a grid to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reveal {
    pub(crate) place: Place,
    /// Increases with each request.
    pub(crate) serial: u32,
    /// Whether to scroll even if the cell is in view.
    pub(crate) always: bool,
}

impl StateView {
    /// Clears caches that depend on the program.
    pub(crate) fn forget_program(&mut self) {
        self.grid.register_map = OnceCell::new();
        self.grid.regions = OnceCell::new();
        self.forget_types();
    }

    /// Clears the views of buffers, which depend on the chosen types and the source, too.
    pub(crate) fn forget_types(&mut self) {
        self.buffer_views = OnceCell::new();
    }

    /// The last request to a grid.
    pub(crate) fn reveal(&self, grid: Tab) -> Option<Reveal> {
        let mut reveals = self.reveals.iter();
        reveals
            .find(|(own, _)| *own == grid)
            .map(|(_, reveal)| *reveal)
    }

    /// Asks a grid to scroll to a cell.
    pub(super) fn ask_to_reveal(&mut self, grid: Tab, place: Place, always: bool) {
        self.reveal_count += 1;
        self.reveals.retain(|(own, _)| *own != grid);
        let reveal = Reveal {
            place,
            serial: self.reveal_count,
            always,
        };
        self.reveals.push((grid, reveal));
    }
}
