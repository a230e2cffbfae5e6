//! Breakpoints: lines before which a run stops.

mod action;
mod model;
mod reducer;

pub(crate) use action::BreakpointAction;
pub(crate) use model::{Breakpoints, breakpoint_place, source_line};
