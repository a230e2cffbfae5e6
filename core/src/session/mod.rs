//! A program, its state, and its history: step, step back, seek.
//!
//! The unit is the smallest effect: one lane of an atomic. An instruction's
//! effects are computed when the first of them is asked for and recorded as
//! changes, old → new; going back applies the old values in reverse order,
//! going forward again applies the new ones. Copies of the state taken along
//! the way share their pages, so that a seek applies few changes wherever it
//! goes.

mod batch;
mod lanes;
mod matrix;
mod session;

pub use batch::{Fault, Outcome, run, run_recorded};
pub(crate) use batch::{find_fault, issue_accesses};
pub(crate) use lanes::conflict_groups;
pub use lanes::{LaneRow, lane_name};
pub use matrix::Matrix;
pub(crate) use session::ScratchExecutor;
pub use session::{EffectKind, Session};
