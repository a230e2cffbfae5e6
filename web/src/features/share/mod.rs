//! Links, exports and code for other pages: the dialogs "Share" and "Embed",
//! and what is said of links and files.

mod dialog;
mod embed_dialog;
mod modal;
mod notice;

pub(crate) use dialog::ShareDialog;
pub(crate) use embed_dialog::EmbedDialog;
pub(crate) use notice::NoticeBar;

use crate::state::share::{
    EmbedChoice, Embedding, Form, Made, Notice, Out, PANES, ShareAction, What,
};
