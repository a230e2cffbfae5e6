//! Lane table of the current instruction, and lane names.

mod table;
mod units;

pub use table::{Lane, LaneState, LanesTable, Operands, address_error};
pub use units::{Group, current_unit, group_letter, grouped, lanes_text, named_threads};
