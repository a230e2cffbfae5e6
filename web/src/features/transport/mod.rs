//! Stepping: the buttons, the timeline, and one sentence on the last step.

pub(crate) mod model;
mod settings;
mod timeline;
mod view;

pub(crate) use model::ExecutionView;
pub(crate) use settings::{MAX_AHEAD, Speed, Stepping, Stride, TransportAction};
pub(crate) use view::{STEP, Summary, Transport, use_execution, use_run_timer};
