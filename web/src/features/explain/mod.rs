//! Explanation of the current instruction, with its pseudocode.

mod explanations;
mod model;
mod view;

pub(crate) use view::ExplainPane;
