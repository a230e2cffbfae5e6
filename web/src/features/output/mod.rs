//! Output tab: the text that a kernel has printed up to the current step.

mod model;
mod view;

pub(crate) use model::OutputModel;
pub(crate) use view::output_pane;
