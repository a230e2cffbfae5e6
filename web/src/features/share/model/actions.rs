//! What is done with links and files.

use super::{Notice, SCENARIO, Share, ShareAction, ShareLink};
use crate::features::program::{FILE, LINK, is_bundled};
use crate::store::State;
use lanewise_core::library::{Bundled, named};
use lanewise_link::Link;
use std::rc::Rc;

impl State {
    /// What is known of links and files.
    pub(crate) fn share(&self) -> &Share {
        &self.share
    }

    /// The fragment of the page's address: a link, or a bundled scenario that
    /// was not edited.
    pub(crate) fn address(&self) -> Option<Rc<str>> {
        let link = self.share.address.as_ref();
        let link = link.filter(|(_, text)| **text == *self.source.document.text);
        let scenario = || {
            let bundled = is_bundled(self.source.scenario) && !self.is_edited();
            self.origin_address().filter(|_| bundled)
        };
        link.map(|(fragment, _)| Rc::clone(fragment))
            .or_else(scenario)
    }

    /// The fragment that opens what the program started from, edited or not: a
    /// bundled scenario or a link.
    pub(crate) fn origin_address(&self) -> Option<Rc<str>> {
        let scenario = self.source.scenario;
        match is_bundled(scenario) {
            true => Some(Rc::from(format!("{SCENARIO}{}", scenario.id))),
            false => {
                let link = self
                    .share
                    .address
                    .as_ref()
                    .filter(|_| scenario.id == LINK.id);
                link.map(|(fragment, _)| Rc::clone(fragment))
            }
        }
    }

    /// Takes an action.
    pub(crate) fn apply_share(&mut self, action: ShareAction) {
        match action {
            ShareAction::MakeLink => self.make_link(),
            ShareAction::Close => {
                self.share.open = false;
                self.share.notice = None;
            }
            ShareAction::Copy(text) => self.copy_text(text),
            ShareAction::Open(fragment) => self.open_link(&fragment),
            ShareAction::File(name, text) => self.take_file(&name, &text),
            ShareAction::Report(good, text) => self.notify(!good, text),
            ShareAction::Dismiss => self.share.notice = None,
            ShareAction::Subject(subject) => self.choose_export(subject),
            ShareAction::Format(format) => self.share.format = format,
            ShareAction::Export(destination) => self.export(destination),
            ShareAction::Download => self.download_program(),
            ShareAction::Embed(choice) => self.choose_embedding(choice),
        }
    }

    pub(super) fn next_serial(&mut self) -> u32 {
        self.share.serial = self.share.serial.wrapping_add(1);
        self.share.serial
    }

    pub(crate) fn notify(&mut self, wrong: bool, text: String) {
        let text = Rc::from(text);
        self.share.notice = Some(Notice { wrong, text });
    }

    pub(super) fn make_link(&mut self) {
        self.stepping.running = false;
        let link = Link {
            text: self.source.document.text.to_string(),
            view: self.link_view(),
        };
        let fragment = link.fragment();
        let fragment = fragment.map(Rc::from).map_err(|error| error.to_string());
        if let Ok(fragment) = &fragment {
            self.share.address = Some((Rc::clone(fragment), self.text()));
        }
        self.share.notice = None;
        self.share.open = true;
        self.share.link = Some(ShareLink { fragment });
        self.fit_export();
    }

    /// Opens a link. One that cannot be opened leaves the program as it is, and
    /// stays in the address, where it can be mended.
    pub(super) fn open_link(&mut self, fragment: &str) {
        let shown = self.address();
        if shown.as_deref() == Some(fragment) {
            return;
        }
        if let Some(id) = fragment.strip_prefix(SCENARIO) {
            match named(id) {
                Some(_) => self.choose(id),
                None => self.notify(
                    true,
                    format!("There is no scenario “{id}”. Your program is unchanged."),
                ),
            }
            return;
        }
        if let Err(error) = self.read_link(fragment) {
            self.notify(
                true,
                format!("The link cannot be opened: {error}. Your program is unchanged."),
            );
        }
        self.share.address = Some((Rc::from(fragment), self.text()));
    }

    /// Shows what a link says, or why it says nothing.
    pub(crate) fn read_link(&mut self, fragment: &str) -> Result<(), lanewise_link::Error> {
        let link = Link::read(fragment)?;
        self.take_text(&LINK, &link.text);
        let skipped = self.apply_view(&link.view);
        self.share.notice = None;
        if !skipped.is_empty() {
            let what = skipped.join(", ");
            self.notify(
                false,
                format!("The link also sets what this Lanewise does not know: {what}."),
            );
        }
        Ok(())
    }

    /// A text from outside takes the place of the reader's, which is put
    /// aside.
    pub(super) fn take_text(&mut self, from: &'static Bundled, text: &str) {
        if *self.source.document.text != *text {
            self.keep_draft();
            self.start_error = None;
            self.source.scenario = from;
            self.load(text);
            self.source.original = Rc::clone(&self.source.document.text);
        }
    }

    pub(crate) fn take_file(&mut self, name: &str, text: &str) {
        self.take_text(&FILE, text);
        self.notify(false, format!("{name} is open."));
    }

    /// The file name of the scenario, without an ending: its title in lower
    /// case, words joined by `-`.
    pub(super) fn file_name(&self) -> String {
        let title = self.source.title.as_deref().unwrap_or("");
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
}
