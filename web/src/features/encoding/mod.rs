//! The bits of the instruction at hand: its fields, its digits as they are
//! edited, and bytes that are pasted and read.

mod model;
mod view;

pub(crate) use model::{EncodingAction, EncodingView, digits};
pub(crate) use view::EncodingPane;
