//! What the page says to the reader by itself: of links, files, drafts, and
//! other windows.

mod model;
mod view;

pub(crate) use model::{Notice, Notices};
pub(crate) use view::NoticeBar;
