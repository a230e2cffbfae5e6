//! Transport: step buttons, timeline and step summary.

mod action;
mod model;
mod reducer;
mod stepping;
mod view;

pub(crate) use action::TransportAction;
pub(crate) use model::TransportModel;
pub(crate) use stepping::{AHEAD, MAX_AHEAD, Speed, StepSize, Stepping, upcoming_instruction};
pub(crate) use view::{STEP_BUTTON_ID, summary, transport, use_run_timer, use_transport};
