//! The features of the page: each its view and its model together.

pub(crate) mod highlight;
pub(crate) mod picker;
pub(crate) mod program;
pub(crate) mod screen;
pub(crate) mod stage;
pub(crate) mod transport;
