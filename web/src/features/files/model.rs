use lanewise_files::{FileKind, OpenedFile};
use std::rc::Rc;

/// Longer texts are no scenarios, in bytes.
const MAX_SCENARIO: usize = 1_000_000;

/// A file whose functions can be opened.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// As it is called on the reader's machine.
    pub(crate) name: Rc<str>,
    pub(crate) file: Rc<OpenedFile>,
    /// How many files were listed before.
    pub(crate) number: usize,
}

impl PartialEq for ListedFile {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// What a file holds.
pub(super) enum Content {
    Scenario(String),
    Functions(OpenedFile),
}

/// Reads a file by its content; `name` tells a scenario by its ending.
///
/// # Errors
/// Why it cannot be opened.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Content, String> {
    let text = lanewise_files::decode_text(bytes);
    if name.to_ascii_lowercase().ends_with(".lanewise") {
        let text = text.ok_or("it is not a text in UTF-8")?;
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
            "it has more than 1 MB, and a scenario is a short text",
        ));
    }
    Ok(Content::Scenario(text.to_owned()))
}
