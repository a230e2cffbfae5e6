use crate::store::State;
use lanewise_files::{FileKind, OpenedFile};
use std::rc::Rc;

/// Longer texts are no scenarios, in bytes.
const MAX_SCENARIO: usize = 1_000_000;

/// What a reader can do with files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FilesAction {
    /// A file was read: its name and its bytes.
    Read(Rc<str>, Rc<[u8]>),
    /// A file could not be read: its name, and why.
    Failed(Rc<str>, String),
    /// Open a function of the listed file, by its index.
    Choose(usize),
    /// List the functions of the file again.
    Show,
    /// Close the list.
    Close,
}

/// A file whose functions can be opened.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// As it is called on the reader's machine.
    pub(crate) name: Rc<str>,
    pub(crate) file: Rc<OpenedFile>,
}

impl PartialEq for ListedFile {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.file, &other.file)
    }
}

/// The file that was opened last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Files {
    listed: Option<ListedFile>,
    is_shown: bool,
}

impl Files {
    /// The file whose functions can be opened.
    pub(crate) const fn listed(&self) -> Option<&ListedFile> {
        self.listed.as_ref()
    }

    /// Whether they are listed on the screen.
    pub(crate) const fn is_shown(&self) -> bool {
        self.is_shown
    }
}

/// What a file holds.
enum Content {
    Scenario(String),
    Functions(OpenedFile),
}

/// Reads a file by its content; `name` tells a scenario by its ending.
///
/// # Errors
/// Why it cannot be opened.
fn read(name: &str, bytes: &[u8]) -> Result<Content, String> {
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

impl State {
    /// Takes an action.
    pub(crate) fn apply_files(&mut self, action: FilesAction) {
        match action {
            FilesAction::Read(name, bytes) => match read(&name, &bytes) {
                Ok(Content::Scenario(text)) => self.take_file(&name, &text),
                Ok(Content::Functions(file)) => {
                    self.files = Files {
                        listed: Some(ListedFile {
                            name,
                            file: Rc::new(file),
                        }),
                        is_shown: true,
                    };
                }
                Err(why) => self.refuse_file(&name, &why),
            },
            FilesAction::Failed(name, why) => self.refuse_file(&name, &why),
            FilesAction::Choose(index) => self.open_function(index),
            FilesAction::Show => self.files.is_shown = self.files.listed.is_some(),
            FilesAction::Close => self.files.is_shown = false,
        }
    }

    fn refuse_file(&mut self, name: &str, why: &str) {
        let text = format!("{name} cannot be opened: {why}. Your program is unchanged.");
        self.tell(true, text);
    }

    fn open_function(&mut self, index: usize) {
        let Some(listed) = self.files.listed.clone() else {
            return;
        };
        let Some(function) = listed.file.functions.get(index) else {
            return;
        };
        self.files.is_shown = false;
        let name = format!("{} of {}", function.name, listed.name);
        self.take_file(&name, &function.scenario());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::store::{Action, Saved};

    const LISTING: &str = "Function : add\n/*0008*/ ATOM.E.ADD R0, [R2], R4 ;\n";

    fn state() -> State {
        let mut state = State::new(Saved::default());
        state.apply(Action::Program(ProgramAction::Edit(String::from(
            "// mine\n",
        ))));
        state
    }

    fn read_in(state: &mut State, name: &str, bytes: &[u8]) {
        let read = FilesAction::Read(Rc::from(name), Rc::from(bytes));
        state.apply(Action::Files(read));
    }

    #[test]
    fn functions_are_listed_and_one_is_opened() {
        let mut state = state();
        read_in(&mut state, "a.sass", LISTING.as_bytes());
        assert!(state.files().is_shown());
        assert_eq!(&*state.text(), "// mine\n");
        state.apply(Action::Files(FilesAction::Choose(0)));
        assert!(!state.files().is_shown());
        assert!(state.text().contains("ATOM.E.ADD R0, [R2], R4"));
        assert_eq!(&*state.drafts()[0].text, "// mine\n");
        state.apply(Action::Files(FilesAction::Show));
        assert!(state.files().is_shown());
        state.apply(Action::Files(FilesAction::Choose(7)));
        state.apply(Action::Files(FilesAction::Close));
        assert!(!state.files().is_shown());
    }

    #[test]
    fn scenarios_are_opened_at_once() {
        for (name, text) in [
            ("a.lanewise", ".decl V32 v_type=G type=ud num_elts=8\n"),
            (
                "a.txt",
                ".decl V32 v_type=G type=ud num_elts=8\n.init V32 = 1\n",
            ),
            ("b.txt", ".target sass SM60\nATOM.E.ADD R0, [R2], R4 ;\n"),
            ("c.txt", "nothing that is known\n"),
        ] {
            let mut state = state();
            read_in(&mut state, name, text.as_bytes());
            assert_eq!(&*state.text(), text, "{name}");
            assert!(state.files().listed().is_none());
        }
    }

    #[test]
    fn what_cannot_be_opened_changes_nothing() {
        for (name, bytes, why) in [
            ("a.lanewise", &b"\xff\xff"[..], "not a text in UTF-8"),
            ("a.isa", b"CISA\x04\x01\x01", "byte 0x6"),
            ("a.bin", b"\x00\x01\x02", "neither a vISA object"),
            ("a.dot", b"digraph f {\n}\n", "control flow graph"),
        ] {
            let mut state = state();
            read_in(&mut state, name, bytes);
            assert_eq!(&*state.text(), "// mine\n", "{name}");
            let notice = state.share().notice.clone().expect("a notice");
            assert!(notice.wrong && notice.text.contains(why), "{}", notice.text);
        }
    }
}
