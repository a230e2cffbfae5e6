use super::model::{Destination, Export, ExportStatus};

/// Action on links and exports.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ShareAction {
    /// Creates a link to the current view.
    MakeLink,
    /// Opens a link, given its fragment.
    Open(String),
    Report(ExportStatus),
    /// Selects the export and its format.
    ChooseExport(Export),
    /// Copies or downloads the export.
    Export(Destination),
    /// Downloads the text as a file.
    Download,
}
