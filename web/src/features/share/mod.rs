//! Links, exports and code for other pages: the dialogs "Share" and "Embed",
//! and what is said of links and files.

pub(crate) mod address;
mod delivery;
mod dialog;
mod embed_dialog;
pub(crate) mod model;
mod notice;

pub(crate) use address::{page_folder, use_address, use_links};
pub(crate) use delivery::use_exports;
pub(crate) use dialog::ShareDialog;
pub(crate) use embed_dialog::EmbedDialog;
pub(crate) use model::{Share, ShareAction};
pub(crate) use notice::NoticeBar;

use model::{
    Delivery, Destination, EmbedChoice, EmbedForm, Embedding, Export, ExportContent, Notice,
    PictureFormat, ShareLink,
};
