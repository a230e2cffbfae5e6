//! Links and exports: loading and saving of programs and views.

mod export;
mod link_fields;
#[cfg(test)]
mod tests;

use crate::store::Request;
pub(crate) use export::{
    BufferFormat, Delivery, Destination, Export, ExportContent, Subject, download_buffer,
};
use lanewise_saved::Address;
pub(crate) use link_fields::style;
use std::rc::Rc;

/// Fragment of a generated link, or why there is none.
pub(crate) type Fragment = Result<Rc<str>, String>;

/// Success message or error of an export.
pub(crate) type ExportStatus = Result<Rc<str>, Rc<str>>;

/// State of links and exports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    /// Last generated link.
    pub(crate) link: Option<Fragment>,
    /// View options for which the link has no room.
    pub(crate) omitted: Vec<String>,
    /// Result of the dialog's last export.
    pub(crate) export_status: Option<ExportStatus>,
    /// Export to copy or download.
    pub(crate) delivery: Option<Request<Rc<Delivery>>>,
    /// Selected export and format.
    pub(crate) export: Export,
    /// Link in the address bar, even if it cannot be opened, with the text that was shown: an
    /// edit removes the link.
    pub(super) address: Option<Address>,
}

/// Start of an address that names a file of `lanewise serve`; written by its script.
pub(crate) const SERVED: &str = "served=";
