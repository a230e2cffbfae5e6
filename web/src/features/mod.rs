//! The features of the page: each its view and its model together.

pub(crate) mod embed;
pub(crate) mod files;
pub(crate) mod highlight;
pub(crate) mod outcomes;
pub(crate) mod picker;
pub(crate) mod program;
pub(crate) mod screen;
pub(crate) mod share;
pub(crate) mod stage;
pub(crate) mod transport;
