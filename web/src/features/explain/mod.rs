//! What is known of the instruction at hand, with its pseudo-code.

mod model;
mod view;

pub(crate) use view::ExplainPane;
