//! Cross-highlighting: whatever is under the pointer or focus is highlighted
//! wherever the page shows it, in the stage, tables, State grids and
//! pseudocode.
//!
//! Views query [`use_highlight`] and report what is under the pointer or focus.

mod context;
mod model;

pub(crate) use context::{
    EncodingHighlight, HighlightContext, HighlightProvider, use_encoding_highlight, use_highlight,
};
pub(crate) use model::{EncodingPoint, Highlight, Highlighted};
