//! Outcomes: all results reachable with some lane order.
//!
//! A Web Worker searches ([`client`] connects to it); [`state`] holds its
//! findings, writes `.order` lines and previews results in the stage.

mod action;
mod client;
mod reducer;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use action::OutcomesAction;
pub(crate) use client::{SearchStart, use_worker};
pub(crate) use state::{Outcomes, WorkerRequest};
pub(crate) use view::{OutcomesPane, StageResult};
