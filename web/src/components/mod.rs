//! Components shared by all features.

pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod dialog;
pub(crate) mod file;
pub(crate) mod guard;
pub(crate) mod hue;
pub(crate) mod icon;
pub(crate) mod media;
pub(crate) mod read_only;
pub(crate) mod reorder;
pub(crate) mod resize;
pub(crate) mod select;
pub(crate) mod table;
pub(crate) mod tabs;
