use super::ShareAction;
use super::model::{AddressLink, ExportStatus, SCENARIO, style};
use crate::features::notice::Notice;
use crate::features::program::{Document, Origin};
use crate::features::screen::DialogKind;
use crate::store::State;
use lanewise_core::ide;
use lanewise_core::library::{Bundled, named};
use lanewise_link::{Link, View, view};
use std::rc::Rc;

impl State {
    /// The fragment of the page's address: a link to what is there, or what the
    /// program started from, if it was not edited.
    pub(crate) fn address(&self) -> Option<Rc<str>> {
        let link = self.share.address.as_ref();
        let link = link.filter(|link| *link.text == *self.source.document.text);
        let origin = || self.origin_address().filter(|_| !self.is_edited());
        link.map(|link| Rc::clone(&link.fragment)).or_else(origin)
    }

    /// The fragment that opens what the program started from, edited or not: a
    /// bundled scenario or a link.
    pub(crate) fn origin_address(&self) -> Option<Rc<str>> {
        match &self.source.origin {
            Origin::Bundled(scenario) => Some(scenario_fragment(scenario)),
            Origin::Link(fragment) => fragment.clone(),
            Origin::File | Origin::Example | Origin::Kept => None,
        }
    }

    /// Takes an action.
    pub(crate) fn apply_share(&mut self, action: ShareAction, now: f64) {
        match action {
            ShareAction::MakeLink => self.make_link(),
            ShareAction::Open(fragment) => self.open_link(&fragment, now),
            ShareAction::Report(status) => self.report_export(status),
            ShareAction::ChooseExport(export) => self.share.export = export,
            ShareAction::Export(destination) => self.export(destination),
            ShareAction::Download => self.download_program(),
        }
    }

    /// In the dialog, or below the bar where the menu of the program exported.
    fn report_export(&mut self, status: ExportStatus) {
        if self.screen.dialog == Some(DialogKind::Share) {
            self.share.export_status = Some(status);
        } else {
            self.notify(match status {
                Ok(text) => Notice::info(text),
                Err(text) => Notice::error(text),
            });
        }
    }

    fn make_link(&mut self) {
        self.stepping.running = false;
        let link = Link {
            text: self.source.document.text.to_string(),
            view: self.link_view(),
        };
        let fragment = link.fragment();
        let fragment = fragment.map(Rc::from).map_err(|error| error.to_string());
        if let Ok(fragment) = &fragment {
            self.show_in_address(Rc::clone(fragment));
        }
        self.share.export_status = None;
        self.screen.dialog = Some(DialogKind::Share);
        self.share.link = Some(fragment);
        self.fit_export();
    }

    /// Another program has been opened: the link of the last one leaves the address,
    /// and what is exported is one of what there is of it.
    pub(crate) fn fit_share(&mut self) {
        self.share.address = None;
        self.fit_export();
    }

    /// Puts a link into the address, until the text changes.
    fn show_in_address(&mut self, fragment: Rc<str>) {
        let text = self.text();
        self.share.address = Some(AddressLink { fragment, text });
    }

    /// Opens what an address leads to: a bundled scenario by its id, or a link.
    /// One that cannot be opened leaves the program as it is, and stays in the
    /// address, where it can be corrected.
    fn open_link(&mut self, fragment: &str, now: f64) {
        if self.address().as_deref() == Some(fragment) {
            return;
        }
        if let Err(reason) = self.show_address(fragment, now) {
            self.notify(Notice::error(format!(
                "The link cannot be opened: {reason}. Correct the address, or copy all of the \
                 link again. Your program is unchanged."
            )));
        }
        self.show_in_address(Rc::from(fragment));
    }

    /// Shows what an address leads to.
    ///
    /// # Errors
    /// Why it leads nowhere.
    pub(crate) fn show_address(&mut self, fragment: &str, now: f64) -> Result<(), String> {
        if let Some(id) = fragment.strip_prefix(SCENARIO) {
            let scenario = named(id).ok_or_else(|| format!("there is no scenario “{id}”"))?;
            // It was of the address before.
            self.dismiss_notice();
            self.start_from(scenario, now);
        } else {
            let link = Link::read(fragment).map_err(|error| error.to_string())?;
            let text = text_of(&link);
            self.keep_replaced(&text, now);
            self.show_link(Rc::from(fragment), &text, &link.view);
        }
        Ok(())
    }

    /// After a reload: the link whose text is shown is in the address still.
    /// What it says of the view counts again, as far as the browser does not
    /// keep it.
    pub(crate) fn restore_link(&mut self, fragment: &Rc<str>) {
        if let Ok(link) = Link::read(fragment) {
            self.show_link(Rc::clone(fragment), &text_of(&link), &link.view);
            self.show_in_address(Rc::clone(fragment));
        }
    }

    /// Shows the program of a link, looked at as the link says.
    fn show_link(&mut self, fragment: Rc<str>, text: &str, view: &View) {
        self.replace_text(Origin::Link(Some(fragment)), text);
        let skipped = self.apply_view(view);
        self.dismiss_notice();
        if !skipped.is_empty() {
            let what = skipped.join(", ");
            self.notify(Notice::info(format!(
                "The link also sets what this Lanewise does not know: {what}."
            )));
        }
    }

    /// The file name of the scenario, without an ending: its title in lower
    /// case, words joined by `-`. Signs that are not seen are none of it.
    pub(super) fn file_name(&self) -> String {
        let title = self.source.title().unwrap_or("");
        let mut name = String::new();
        for sign in title.chars().take(80) {
            match sign {
                sign if sign.is_alphanumeric() => name.extend(sign.to_lowercase()),
                _ if name.is_empty() || name.ends_with('-') => {}
                _ => name.push('-'),
            }
        }
        let name = name.trim_end_matches('-');
        if name.is_empty() {
            String::from("scenario")
        } else {
            name.to_owned()
        }
    }
}

/// The text of a link, in the style that the link asks for.
fn text_of(link: &Link) -> Rc<str> {
    let document = Document::parse(&link.text);
    match link.view.get(view::STYLE).and_then(style) {
        Some(style) => Rc::from(ide::format(&document.program, &document.text, style).text),
        None => document.text,
    }
}

/// The fragment that opens a bundled scenario.
fn scenario_fragment(scenario: &Bundled) -> Rc<str> {
    Rc::from(format!("{SCENARIO}{}", scenario.id))
}
