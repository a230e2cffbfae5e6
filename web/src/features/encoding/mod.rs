//! Encoding tab: bit fields and editable digits of the current instruction, and
//! a decoder for pasted bytes.

mod action;
mod model;
mod reducer;
mod view;

pub(crate) use action::EncodingAction;
pub(crate) use model::{EncodingState, highlighted_text, pointed_part};
pub(crate) use view::EncodingPane;
