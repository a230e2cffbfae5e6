use lanewise_files::{FileKind, OpenedFile};
use std::rc::Rc;

/// Maximum size of a scenario in bytes.
const MAX_SCENARIO: usize = 1_000_000;

/// File whose functions can be opened.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// Name of the local file.
    pub(crate) name: Rc<str>,
    pub(crate) file: Rc<OpenedFile>,
    /// Number of files listed before.
    pub(crate) number: usize,
}

impl PartialEq for ListedFile {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// Contents of a file.
pub(super) enum Content {
    Scenario(String),
    Functions(OpenedFile),
}

/// Detects the format of a file from its contents; `name` identifies a scenario
/// by its extension.
///
/// # Errors
///
/// Why the file cannot be opened.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Content, String> {
    let text = lanewise_files::decode_text(bytes);
    if name.to_ascii_lowercase().ends_with(".lanewise") {
        let text = text.ok_or("it is not UTF-8 text")?;
        return scenario(&text);
    }
    match lanewise_files::open(name, bytes) {
        Ok(file) => {
            let is_listing = matches!(file.kind, FileKind::VisaListing | FileKind::SassListing);
            match text.filter(|text| is_listing && lanewise_files::is_scenario(text)) {
                Some(text) => scenario(&text),
                None => Ok(Content::Functions(file)),
            }
        }
        Err(error) => match text {
            Some(text) if !error.is_recognised => scenario(&text),
            _ => Err(error.to_string()),
        },
    }
}

fn scenario(text: &str) -> Result<Content, String> {
    if text.len() > MAX_SCENARIO {
        return Err(String::from(
            "it is larger than the limit of 1 MB for scenarios",
        ));
    }
    Ok(Content::Scenario(text.to_owned()))
}
