//! The State pane, which shows the state of the machine: registers and memories
//! in tabs, one cell looked at closely, and cells that are watched.

mod actions;
pub(crate) mod cells;
mod formats;
pub(crate) mod inspect;
pub(crate) mod memory;
pub(crate) mod model;
mod panes;
pub(crate) mod registers;
mod settings;
mod view;
pub(crate) mod warp;

pub(crate) use panes::{MachineAction, MachinePanes};
pub(crate) use settings::{RegisterFormat, Tab};
pub(crate) use view::MachinePane;

use lanewise_core::machine::{Machine, SpaceId};

/// The word of an EU's flags at an address: an execution mask, a predicate or
/// an element of an address variable.
pub(crate) fn flag_word(machine: &Machine, flags: SpaceId, address: u64) -> u32 {
    let bits = machine.load(flags, address, 4);
    let bits = bits.expect("what the program declares is there on every EU that runs");
    u32::try_from(bits).expect("four bytes were loaded")
}
