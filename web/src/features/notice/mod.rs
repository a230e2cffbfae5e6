//! Notices: messages about links, files, drafts and other windows.

mod model;
mod view;

pub(crate) use model::{Notice, Notices};
pub(crate) use view::NoticeBar;
