//! Links and exports: the dialog "Share" and the address bar.

pub(crate) mod address;
mod delivery;
mod dialog;
pub(crate) mod model;

pub(crate) use address::{page_folder, use_address, use_links};
pub(crate) use delivery::use_exports;
pub(crate) use dialog::ShareDialog;
pub(crate) use model::{Share, ShareAction};

use model::{Delivery, Destination, Export, ExportContent, ExportStatus, PictureFormat, ShareLink};
