//! What the pointer or the focus is on, lit alike wherever the page shows it:
//! in the stage, the tables, the grids of the state and the pseudo-code.
//!
//! A view that shows such a thing asks [`use_highlight`] whether it is lit,
//! and emits what the pointer or the focus is on.

mod context;
mod model;

pub(crate) use context::{
    HighlightContext, HighlightProvider, use_encoding_highlight, use_highlight,
};
pub(crate) use model::{ByteRange, EncodingPoint, Highlight, Highlighted};
