//! The dialog "Share", and what is said of links and files.

use super::dialog::{self, Modal};
use super::{embedding, select, send};
use crate::dom::{El, On, Part, el, part};
use crate::fetched;
use crate::state::share::{Made, Notice, Out, ShareAction, What};
use crate::state::{Action, State};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

const LINK: &str = "share-link";

/// Both; nothing until there is something to say or to share.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> [Option<Html>; 3] {
    let share = state.share();
    let embeds = share.embedding.is_some_and(|embedding| embedding.open);
    let outside = share.notice.as_ref().filter(|_| !share.open && !embeds);
    let dialog = share.made.clone().map(|made| Dialog {
        made,
        open: share.open,
        what: share.what,
        form: share
            .what
            .forms()
            .iter()
            .position(|form| *form == share.form),
        exports: match share.open {
            true => state.exports(),
            false => Vec::new(),
        },
        notice: share.notice.clone(),
        act: act.clone(),
    });
    [
        outside.map(|notice| said(notice, act).html()),
        dialog.map(|dialog| part(dialog, None)),
        embedding::draw(state, act),
    ]
}

/// What is said on the page, until it is read.
fn said(notice: &Notice, act: &Callback<Action>) -> El {
    let role = if notice.wrong { "alert" } else { "status" };
    let dismiss = el!("button", "class" = "button quiet")
        .on(On::Click, send(act, Action::Share(ShareAction::Dismiss)))
        .put("Dismiss");
    el!(
        "div",
        "class" = "notice",
        "data-is" = notice.wrong.then_some("wrong")
    )
    .put(el!("p", "role" = role).put(notice.text.to_string()))
    .put(dismiss)
}

#[derive(PartialEq)]
struct Dialog {
    made: Made,
    open: bool,
    what: What,
    form: Option<usize>,
    exports: Vec<What>,
    notice: Option<Notice>,
    act: Callback<Action>,
}

#[derive(Default)]
struct Kept {
    modal: Modal,
    link: NodeRef,
}

impl Dialog {
    fn on(&self, action: ShareAction) -> Callback<Event> {
        send(&self.act, Action::Share(action))
    }

    /// The link, and what to do with it.
    fn link(&self, fragment: &Rc<str>, field: &NodeRef) -> [Option<El>; 2] {
        let link = format!("{}#{fragment}", fetched::here());
        let count = link.chars().count();
        let input = el!(
            "input",
            "id" = LINK,
            "class" = "mono",
            "readonly" = "readonly",
            "autocomplete" = "off",
            "spellcheck" = "false"
        )
        .value(link.clone())
        .bind(field.clone());
        let row = el!("div", "class" = "share-row")
            .put(el!("label", "for" = LINK).put("Link"))
            .put(input)
            .put(
                el!("button", "class" = "button primary")
                    .on(On::Click, self.on(ShareAction::Copy(link)))
                    .put("Copy"),
            );
        let told = if Made::is_long(count) {
            let said = format!(
                "{count} characters: some programs cut off links of more than 2,000. \
                 Share the file instead; it can be dropped on the page."
            );
            el!("p", "class" = "share-long").put(said).put(
                el!("button", "class" = "button")
                    .on(On::Click, self.on(ShareAction::Download))
                    .put("Download the scenario"),
            )
        } else {
            let said = format!(
                "{count} characters. The text, the step and the view are in the link itself: \
                 nothing is sent to a server. It stands in the address bar too."
            );
            el!("p", "class" = "muted").put(said)
        };
        [Some(row), Some(told)]
    }

    fn export(&self) -> El {
        let names = |names: Vec<&'static str>| -> Vec<AttrValue> {
            names.into_iter().map(AttrValue::Static).collect()
        };
        let exports = self.exports.clone();
        let whats = names(exports.iter().map(|what| what.name()).collect());
        let at = exports.iter().position(|what| *what == self.what);
        let forms = self.what.forms();
        let pick = self.act.reform(move |index: usize| {
            let what = exports.get(index).copied().unwrap_or_default();
            Action::Share(ShareAction::What(what))
        });
        let pick_form = self.act.reform(|index: usize| {
            let form = forms.get(index).copied().unwrap_or_default();
            Action::Share(ShareAction::As(form))
        });
        let form_names = names(forms.iter().map(|form| form.name()).collect());
        let button = |name: &'static str, out: Out| {
            el!(
                "button",
                "class" = "button",
                "aria-label" = match out {
                    Out::Copy => "Copy the export",
                    Out::Download => "Download the export",
                }
            )
            .on(On::Click, self.on(ShareAction::Export(out)))
            .put(name)
        };
        el!(
            "div",
            "class" = "share-export",
            "role" = "group",
            "aria-labelledby" = "export-title"
        )
        .put(el!("h3", "id" = "export-title").put("Export"))
        .put(
            el!("div", "class" = "share-row")
                .put(select::draw("What", &whats, at, pick))
                .put(select::draw("As", &form_names, self.form, pick_form)),
        )
        .put(
            el!("div", "class" = "share-row")
                .put(button("Copy", Out::Copy))
                .put(button("Download", Out::Download)),
        )
    }
}

impl Part for Dialog {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        let link = match &self.made.fragment {
            Ok(fragment) => self.link(fragment, &kept.link),
            Err(why) => {
                let said = format!("There is no link to this: {why}. Share the file instead.");
                let download = el!("button", "class" = "button")
                    .on(On::Click, self.on(ShareAction::Download))
                    .put("Download the scenario");
                [
                    Some(el!("p", "class" = "share-long").put(said).put(download)),
                    None,
                ]
            }
        };
        el!(
            "dialog",
            "class" = "share",
            "aria-labelledby" = "share-title"
        )
        .bind(kept.modal.element.clone())
        .put(el!("h2", "id" = "share-title").put("Share"))
        .each(link)
        .put(self.export())
        .put(dialog::said(self.notice.as_ref().filter(|_| self.open)))
        .put(dialog::close())
        .html()
    }

    fn drawn(&self, kept: &mut Kept) {
        let close = Action::Share(ShareAction::Close);
        if kept
            .modal
            .follow(self.open, self.made.serial, close, &self.act)
            && let Some(link) = kept.link.cast::<HtmlInputElement>()
        {
            let _ = link.focus();
            link.select();
            // Selecting shows the end: what is of interest is where it leads.
            link.set_scroll_left(0);
        }
    }
}
