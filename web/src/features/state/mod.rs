//! State pane: registers, memories and buffers in tabs, an inspected cell, and
//! watched cells.
//!
//! [`StateView`] is the slice of the store: tab, formats, inspected cell and
//! requests to reveal a cell. A grid ([`grid`]) has its own scroll position and
//! computes the rows in view. [`StateInputs`] holds all inputs of the models.

mod action;
pub(crate) mod cells;
mod format;
pub(crate) mod grid;
mod inputs;
pub(crate) mod inspect;
mod memories;
pub(crate) mod place;
mod reducer;
mod regions;
mod register_map;
mod saved_formats;
mod state_view;
mod tab;
mod view;

pub(crate) use action::{BufferAction, MemoryAction, StateAction};
pub(crate) use format::{MemoryFormat, RegisterFormat};
pub(crate) use inputs::StateInputs;
pub(crate) use memories::MemoryKind;
pub(crate) use state_view::StateView;
pub(crate) use tab::Tab;
pub(crate) use view::StatePane;
