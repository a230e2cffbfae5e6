use super::ShareAction;
use super::model::{ExportStatus, SERVED, style};
use crate::features::notice::NoticeKind;
use crate::features::program::{Document, Origin};
use crate::features::screen::DialogKind;
use crate::store::State;
use lanewise_core::library::{FRAGMENT, named};
use lanewise_link::{Link, View, view};
use lanewise_saved::Address;
use std::rc::Rc;

impl State {
    /// Fragment of the page's address: a link to the current view, or the
    /// unedited origin of the program.
    pub(crate) fn address(&self) -> Option<Rc<str>> {
        let link = self.share.address.as_ref();
        let link = link.filter(|link| *link.text == *self.source.document.text);
        let origin = || self.origin_address().filter(|_| !self.is_changed());
        link.map(|link| Rc::clone(&link.fragment)).or_else(origin)
    }

    /// Fragment that opens the origin of the program, edited or not: a bundled
    /// scenario or a link.
    pub(crate) fn origin_address(&self) -> Option<Rc<str>> {
        match &self.source.origin {
            Origin::Bundled(scenario) => Some(Rc::from(format!("{FRAGMENT}{}", scenario.id))),
            Origin::Link(fragment) | Origin::File(fragment) => fragment.clone(),
            Origin::New | Origin::Example | Origin::Kept => None,
        }
    }

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

    /// Reports in the dialog, or in a notice if the program menu started the
    /// export.
    fn report_export(&mut self, status: ExportStatus) {
        if self.screen.dialog == Some(DialogKind::Share) {
            self.share.export_status = Some(status);
        } else {
            match status {
                Ok(text) => self.notify(NoticeKind::Brief, text),
                Err(text) => self.notify(NoticeKind::Error, text),
            }
        }
    }

    fn make_link(&mut self) {
        self.pause();
        let (view, omitted) = self.link_view();
        let text = self.text().to_string();
        let link = Link { text, view };
        let fragment = link.fragment();
        let fragment = fragment.map(Rc::from).map_err(|error| error.to_string());
        if let Ok(fragment) = &fragment {
            self.show_in_address(Rc::clone(fragment));
        }
        self.share.export_status = None;
        self.screen.dialog = Some(DialogKind::Share);
        self.share.link = Some(fragment);
        self.share.omitted = omitted;
        self.fit_export();
    }

    /// Removes the link to the previous program from the address.
    pub(crate) fn forget_address(&mut self) {
        self.share.address = None;
    }

    /// Shows a link in the address bar until the text changes.
    fn show_in_address(&mut self, fragment: Rc<str>) {
        let text = self.text();
        self.share.address = Some(Address { fragment, text });
    }

    /// Opens an address: the id of a bundled scenario, or a link. If that
    /// fails, the program is unchanged, and the address stays for correction.
    fn open_link(&mut self, fragment: &str, now: f64) {
        if self.address().as_deref() == Some(fragment) {
            return;
        }
        if let Err(reason) = self.show_address(fragment, now) {
            self.notify(NoticeKind::Error, format!(
                "Cannot open the link: {reason}. Correct the address, or copy the complete link again. Your program is unchanged."
            ));
        }
        self.show_in_address(Rc::from(fragment));
    }

    /// Shows the program of an address.
    ///
    /// # Errors
    ///
    /// Why it cannot be opened.
    pub(crate) fn show_address(&mut self, fragment: &str, now: f64) -> Result<(), String> {
        if let Some(id) = fragment.strip_prefix(FRAGMENT) {
            let scenario = named(id).ok_or_else(|| format!("unknown scenario “{id}”"))?;
            self.start_from(scenario, now);
        } else if fragment.starts_with(SERVED) {
            // The script of `lanewise serve` opens the file.
        } else {
            let link = Link::read(fragment).map_err(|error| error.to_string())?;
            let text = text_of(&link);
            self.keep_replaced(&text, now);
            self.show_link(Rc::from(fragment), &text, &link.view);
        }
        Ok(())
    }

    /// After a reload, the address still contains the link whose text is shown.
    /// Reapplies the link's view options that the browser does not save.
    pub(crate) fn restore_link(&mut self, fragment: &Rc<str>) {
        if let Ok(link) = Link::read(fragment) {
            self.show_link(Rc::clone(fragment), &text_of(&link), &link.view);
            self.show_in_address(Rc::clone(fragment));
        }
    }

    /// Shows the program and view options of a link.
    fn show_link(&mut self, fragment: Rc<str>, text: &str, view: &View) {
        self.replace_text(Origin::Link(Some(fragment)), text);
        let skipped = self.apply_view(view);
        self.dismiss_notice();
        if !skipped.is_empty() {
            let what = skipped.join(", ");
            self.notify(NoticeKind::Info, format!(
                "Some settings of the link are not supported by this version of Lanewise: {what}."
            ));
        }
    }

    /// File name of the scenario without extension: its title in lower case,
    /// with words joined by `-`. Omits invisible characters.
    pub(super) fn file_name(&self) -> String {
        let title = self.source.title().unwrap_or("");
        let mut name = String::new();
        for c in title.chars().take(80) {
            match c {
                c if c.is_alphanumeric() => name.extend(c.to_lowercase()),
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

/// Text of a link, in the style that the link selects.
fn text_of(link: &Link) -> Rc<str> {
    let document = Document::parse(&link.text);
    match link.view.get(view::STYLE).and_then(style) {
        Some(style) => Rc::from(document.format(style).text),
        None => document.text,
    }
}
