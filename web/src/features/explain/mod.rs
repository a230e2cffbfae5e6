//! Explanation of the current instruction, with its pseudocode.

mod explanations;
mod model;
mod view;

pub(crate) use explanations::ExplanationProvider;
#[cfg(test)]
pub(crate) use model::Explained;
pub(crate) use view::ExplainPane;
