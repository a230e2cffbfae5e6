//! Links and exports: what comes into the page, and what goes out.

mod export;
mod link_fields;
mod table;
#[cfg(test)]
mod tests;

use crate::store::Request;
pub(crate) use export::{Delivery, Destination, Export, ExportContent, PictureFormat};
use lanewise_link::LONG;
pub(crate) use link_fields::style;
use std::rc::Rc;

/// What follows `#` in a link that was made, or why there is none.
pub(crate) type Fragment = Result<Rc<str>, String>;

/// Whether a link of so many characters is safer as a file.
pub(crate) const fn is_long(characters: usize) -> bool {
    characters > LONG
}

/// How an export went: what there is to say, or why it failed.
pub(crate) type ExportStatus = Result<Rc<str>, Rc<str>>;

/// The link in the address bar.
#[derive(Clone, Debug)]
pub(super) struct AddressLink {
    pub(super) fragment: Rc<str>,
    /// The text that was shown with it: an edit takes it out of the address.
    pub(super) text: Rc<str>,
}

/// What the page knows of links and exports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    /// The link that was made last.
    pub(crate) link: Option<Fragment>,
    /// How the last export of the dialog went.
    pub(crate) export_status: Option<ExportStatus>,
    /// What is to be copied or downloaded.
    pub(crate) delivery: Option<Request<Rc<Delivery>>>,
    /// What the dialog exports, and as what.
    pub(crate) export: Export,
    /// The link in the address bar, even if it cannot be opened.
    pub(super) address: Option<AddressLink>,
}

/// How the address of a bundled scenario starts; its id follows.
pub(crate) const SCENARIO: &str = "scenario=";
