//! The state of the machine: registers and memories in tabs, one cell looked at
//! closely, and cells that are watched.

mod actions;
pub(crate) mod area;
pub(crate) mod cells;
mod formats;
pub(crate) mod inspect;
pub(crate) mod memory;
mod panes;
pub(crate) mod registers;
mod settings;
mod view;
pub(crate) mod warp;

pub(crate) use panes::{StateAction, StatePanes};
pub(crate) use settings::{RegisterFormat, Tab};
pub(crate) use view::state_panes;
