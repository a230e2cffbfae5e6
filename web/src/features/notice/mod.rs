//! Notices: messages about links, files, drafts and other windows.

mod model;
mod view;

pub(crate) use model::{NoticeKind, Notices};
pub(crate) use view::NoticeBar;
