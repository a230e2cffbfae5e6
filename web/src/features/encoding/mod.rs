//! The bits of the current instruction: its fields, its digits as they are
//! edited, and bytes that are pasted and read.

mod model;
mod view;

pub(crate) use model::{EncodingAction, EncodingState, bytes_text};
pub(crate) use view::EncodingPane;
