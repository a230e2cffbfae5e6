use super::model::{Destination, Export, ExportStatus};

/// What a reader can do with links and exports.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ShareAction {
    /// Make a link to what is there.
    MakeLink,
    /// Open a link: what follows `#`.
    Open(String),
    /// How an export went.
    Report(ExportStatus),
    /// What is to be exported, and as what.
    ChooseExport(Export),
    /// Copy or download it.
    Export(Destination),
    /// The text as a file.
    Download,
}
