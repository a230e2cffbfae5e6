//! Links and exports: the dialog "Share", the address bar, and what is said of
//! links and files.

pub(crate) mod address;
mod delivery;
mod dialog;
pub(crate) mod model;
mod notice;

pub(crate) use address::{page_folder, use_address, use_links};
pub(crate) use delivery::use_exports;
pub(crate) use dialog::ShareDialog;
pub(crate) use model::{Share, ShareAction};
pub(crate) use notice::NoticeBar;

use model::{Delivery, Destination, Export, ExportContent, Notice, PictureFormat, ShareLink};
