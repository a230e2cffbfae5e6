//! State pane: registers, memories and buffers in tabs, an inspected cell, and
//! watched cells.
//!
//! [`StateView`] is the slice of the store: tab, formats, inspected cell and
//! requests to reveal a cell. A grid has its own scroll position and shows the rows
//! in view of [`lanewise_answer::grids`]. [`StateInputs`] holds all inputs of the models.

mod action;
pub(crate) mod inputs;
pub(crate) mod inspect;
mod reducer;
mod saved_formats;
mod state_view;
mod view;

pub(crate) use action::{BufferAction, MemoryAction, StateAction};
pub(crate) use inputs::StateInputs;
pub(crate) use state_view::StateView;
pub(crate) use view::StatePane;
