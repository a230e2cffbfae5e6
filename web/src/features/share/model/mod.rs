//! Links, files and exports: what comes into the page, and what goes out.

mod actions;
mod cells;
mod embedding;
mod export;
mod table;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use embedding::{EmbedChoice, Embedding, Form, PANES};
pub(crate) use export::{As, Content, Handed, Out, What};
use lanewise_link::LONG;
use std::rc::Rc;

/// What a reader can do with links and files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ShareAction {
    /// Make a link to what is there.
    Make,
    /// The dialog was closed.
    Close,
    /// Put this on the clipboard.
    Copy(String),
    /// Open a link: what follows `#`.
    Open(String),
    /// Take the text of a file, by its name.
    File(String, String),
    /// Say how it went: good or not.
    Tell(bool, String),
    /// What was said is read.
    Dismiss,
    /// What is to be exported.
    What(What),
    /// As what.
    As(As),
    /// Hand it out.
    Export(Out),
    /// The text as a file.
    Download,
    /// Something in the dialog "Embed".
    Embed(EmbedChoice),
}

/// A link that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    /// What follows `#`, or why there is none.
    pub(crate) fragment: Result<Rc<str>, String>,
}

impl Made {
    /// Whether a link of so many characters is safer as a file.
    pub(crate) const fn is_long(characters: usize) -> bool {
        characters > LONG
    }
}

/// Something to say to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// Whether something went wrong.
    pub(crate) wrong: bool,
    pub(crate) text: Rc<str>,
}

/// What the page knows of links and files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pub(crate) made: Option<Made>,
    /// Whether the dialog is open.
    pub(crate) open: bool,
    pub(crate) notice: Option<Notice>,
    /// What the reader last asked to be handed out.
    pub(crate) handed: Option<Rc<Handed>>,
    pub(crate) what: What,
    pub(crate) form: As,
    /// What was chosen in the dialog "Embed", once it has been opened.
    pub(crate) embedding: Option<Embedding>,
    /// The link in the address bar, and the text that it stands for.
    address: Option<(Rc<str>, Rc<str>)>,
    serial: u32,
}

/// How the address of a bundled scenario starts; its id follows.
pub(crate) const SCENARIO: &str = "scenario=";
