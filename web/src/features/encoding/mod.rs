//! The bits of the current instruction: its fields, its digits as they are
//! edited, and bytes that are pasted and read.

mod action;
mod model;
mod reducer;
mod view;

pub(crate) use action::EncodingAction;
pub(crate) use model::{EncodingState, bytes_text};
pub(crate) use view::EncodingPane;
