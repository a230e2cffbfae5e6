//! What is known of the instruction at hand, with its pseudo-code.

mod explanations;
mod model;
mod view;

pub(crate) use explanations::ExplanationProvider;
pub(crate) use model::Explained;
pub(crate) use view::ExplainPane;
