//! Links, files and exports: what comes into the page, and what goes out.

mod cells;
mod embedding;
mod export;
mod table;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use embedding::{EmbedChoice, Embedding, Form, PANES};
pub(crate) use export::{As, Content, Handed, Out, What};

use super::State;
use super::origin::{FILE, LINK, is_bundled};
use lanewise_core::library::{Bundled, named};
use lanewise_link::{LONG, Link};
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
#[derive(Debug, Default)]
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

impl State {
    /// What is known of links and files.
    pub(crate) const fn share(&self) -> &Share {
        &self.share
    }

    /// The fragment of the page's address: a link, or a bundled scenario that
    /// was not edited.
    pub(crate) fn address(&self) -> Option<Rc<str>> {
        let link = self.share.address.as_ref();
        let link = link.filter(|(_, text)| **text == *self.text);
        let scenario = || {
            let bundled = is_bundled(self.scenario) && !self.is_edited();
            bundled.then(|| Rc::from(format!("{SCENARIO}{}", self.scenario.id)))
        };
        link.map(|(fragment, _)| Rc::clone(fragment))
            .or_else(scenario)
    }

    /// Takes an action.
    pub(super) fn apply_share(&mut self, action: ShareAction) {
        match action {
            ShareAction::Make => self.make_link(),
            ShareAction::Close => {
                self.share.open = false;
                self.share.notice = None;
            }
            ShareAction::Copy(text) => self.hand_out(Out::Copy, String::new(), text),
            ShareAction::Open(fragment) => self.open_link(&fragment),
            ShareAction::File(name, text) => self.take_file(&name, &text),
            ShareAction::Tell(good, text) => self.tell(!good, text),
            ShareAction::Dismiss => self.share.notice = None,
            ShareAction::What(what) => {
                self.share.what = what;
                self.share.form = what.forms()[0];
            }
            ShareAction::As(form) => self.share.form = form,
            ShareAction::Export(out) => self.export(out),
            ShareAction::Download => self.download(),
            ShareAction::Embed(choice) => self.choose_embedding(choice),
        }
    }

    fn next_serial(&mut self) -> u32 {
        self.share.serial = self.share.serial.wrapping_add(1);
        self.share.serial
    }

    pub(crate) fn tell(&mut self, wrong: bool, text: String) {
        let text = Rc::from(text);
        self.share.notice = Some(Notice { wrong, text });
    }

    fn make_link(&mut self) {
        self.running = false;
        let link = Link {
            text: self.text.to_string(),
            view: self.link_view(),
        };
        let fragment = link.fragment();
        let fragment = fragment.map(Rc::from).map_err(|error| error.to_string());
        if let Ok(fragment) = &fragment {
            self.share.address = Some((Rc::clone(fragment), self.text()));
        }
        self.share.notice = None;
        self.share.open = true;
        self.share.made = Some(Made { fragment });
        self.fit_export();
    }

    /// Opens a link. What cannot be opened leaves everything as it is.
    fn open_link(&mut self, fragment: &str) {
        let shown = self.address();
        if shown.as_deref() == Some(fragment) {
            return;
        }
        if let Some(id) = fragment.strip_prefix(SCENARIO) {
            match named(id) {
                Some(_) => self.choose(id),
                None => self.tell(
                    true,
                    format!("There is no scenario “{id}”. Your program is unchanged."),
                ),
            }
            return;
        }
        if let Err(error) = self.read_link(fragment) {
            self.tell(
                true,
                format!("The link cannot be opened: {error}. Your program is unchanged."),
            );
        }
        self.share.address = Some((Rc::from(fragment), self.text()));
    }

    /// Shows what a link says, or why it says nothing.
    pub(super) fn read_link(&mut self, fragment: &str) -> Result<(), lanewise_link::Error> {
        let link = Link::read(fragment)?;
        self.take_text(&LINK, &link.text);
        let skipped = self.apply_view(&link.view);
        self.share.notice = None;
        if !skipped.is_empty() {
            let what = skipped.join(", ");
            self.tell(
                false,
                format!("The link also sets what this Lanewise does not know: {what}."),
            );
        }
        Ok(())
    }

    /// A text from outside takes the place of the reader's, which is put
    /// aside.
    fn take_text(&mut self, from: &'static Bundled, text: &str) {
        if *self.text != *text {
            self.put_aside();
            self.trouble = None;
            self.scenario = from;
            self.load(text);
            self.original = Rc::clone(&self.text);
        }
    }

    pub(crate) fn take_file(&mut self, name: &str, text: &str) {
        self.take_text(&FILE, text);
        self.tell(false, format!("{name} is open."));
    }

    /// The file name of the scenario, without an ending: its title in lower
    /// case, words joined by `-`.
    fn file_name(&self) -> String {
        let title = self.title.as_deref().unwrap_or("");
        // Letters of other scripts are kept as they are: their tables are long.
        let mut name = String::new();
        for sign in title.chars().take(80) {
            match sign {
                'a'..='z' | '0'..='9' | '\u{c0}'.. if sign != '\u{2212}' => name.push(sign),
                'A'..='Z' => name.push(sign.to_ascii_lowercase()),
                _ if name.is_empty() || name.ends_with('-') => {}
                _ => name.push('-'),
            }
        }
        let name = name.trim_end_matches('-');
        match name.is_empty() {
            true => String::from("scenario"),
            false => name.to_owned(),
        }
    }

    fn download(&mut self) {
        let name = format!("{}.lanewise", self.file_name());
        let text = self.text.to_string();
        self.hand_out(Out::Download, name, text);
    }
}
