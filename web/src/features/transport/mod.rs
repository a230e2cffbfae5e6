//! Stepping: the buttons, the timeline, and one sentence on the last step.

mod timeline;
mod view;

pub(crate) use view::{STEP, Summary, Transport};
