//! Outcomes: every result that some order of the lanes gives.
//!
//! A Web Worker searches ([`worker`] is its client); [`model`] keeps what it
//! found, writes `.order` lines and previews results in the stage.

mod format;
mod grids;
mod invariant;
mod model;
mod order_lines;
mod reducer;
mod results;
mod sentences;
mod summary;
#[cfg(test)]
mod tests;
mod view;
mod worker;

pub(crate) use model::{Outcomes, OutcomesAction, OutcomesView, ProgramContext, Status};
pub(crate) use view::{OutcomesPane, StageResult};
pub(crate) use worker::{SearchTime, use_search_worker};
