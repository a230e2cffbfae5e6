//! Links and exports: the Share dialog and the address bar.

mod action;
pub(crate) mod address;
mod delivery;
mod dialog;
pub(crate) mod model;
mod reducer;

pub(crate) use action::ShareAction;
pub(crate) use address::{shared_folder, use_address, use_links};
pub(crate) use delivery::use_exports;
pub(crate) use dialog::share_dialog;
pub(crate) use model::{BufferFormat, Share, download_buffer};

use model::{Delivery, Destination, Export, ExportContent, ExportStatus, Subject};
