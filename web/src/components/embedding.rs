//! The dialog "Embed": code that puts the scenario into another page.

use super::dialog::{Modal, close, said};
use super::{select, send};
use crate::dom::{El, On, Part, el, part};
use crate::fetched;
use crate::state::share::{EmbedChoice, Embedding, Form, Notice, PANES, ShareAction};
use crate::state::{Action, State};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Nothing until somebody has asked for it.
pub(super) fn draw(state: &State, act: &Callback<Action>) -> Option<Html> {
    let share = state.share();
    let chosen = share.embedding?;
    let code = match chosen.open {
        true => state.embed_code(&chosen, &home()),
        false => Ok(String::new()),
    };
    let dialog = Embed {
        chosen,
        code,
        step: state.execution().position,
        notice: share.notice.clone().filter(|_| chosen.open),
        act: act.clone(),
    };
    Some(part(dialog, None))
}

/// The folder that the page is in.
fn home() -> String {
    let here = fetched::here();
    let path = here.split('?').next().unwrap_or("");
    let folder = path.rfind('/').and_then(|slash| path.get(..=slash));
    String::from(folder.unwrap_or(path))
}

#[derive(PartialEq)]
struct Embed {
    chosen: Embedding,
    code: Result<String, String>,
    step: usize,
    notice: Option<Notice>,
    act: Callback<Action>,
}

impl Embed {
    fn choice(&self, choice: impl Fn(bool) -> EmbedChoice + 'static) -> Callback<Event> {
        self.act.reform(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            Action::Share(ShareAction::Embed(choice(input.checked())))
        })
    }

    fn check(&self, name: String, on: bool, choice: impl Fn(bool) -> EmbedChoice + 'static) -> El {
        let tick = el!("input", "type" = "checkbox")
            .checked(on)
            .on(On::Change, self.choice(choice));
        el!("label", "class" = "check").put(tick).put(name)
    }

    fn choices(&self) -> [El; 3] {
        let chosen = &self.chosen;
        let forms = Form::ALL.map(|form| AttrValue::Static(form.name()));
        let at = Form::ALL.iter().position(|form| *form == chosen.form);
        let pick = self.act.reform(|index: usize| {
            let form = Form::ALL.get(index).copied().unwrap_or_default();
            Action::Share(ShareAction::Embed(EmbedChoice::Form(form)))
        });
        let panes = PANES.iter().zip(chosen.panes).enumerate();
        let panes = panes.map(|(index, ((_, pane), on))| {
            self.check(String::from(*pane), on, move |on| {
                EmbedChoice::Pane(index, on)
            })
        });
        let legend = |name: &'static str| el!("legend").put(name);
        let at_step = (self.step > 0).then(|| {
            let name = format!("Start at step {}", self.step);
            self.check(name, chosen.at_step, EmbedChoice::AtStep)
        });
        [
            el!("div", "class" = "share-row")
                .put(select::draw("As", &forms, at, pick))
                .put(el!("p", "class" = "muted").put(chosen.form.about())),
            el!("fieldset", "class" = "share-choices")
                .put(legend("Below the steps"))
                .each(panes),
            el!("fieldset", "class" = "share-choices")
                .put(legend("And"))
                .put(self.check(
                    String::from("The text can only be read"),
                    chosen.read_only,
                    EmbedChoice::ReadOnly,
                ))
                .put(at_step),
        ]
    }
}

impl Part for Embed {
    type Kept = Modal;

    fn draw(&self, modal: &Modal) -> Html {
        let code = match &self.code {
            Ok(code) => {
                let field = el!(
                    "textarea",
                    "class" = "mono share-code",
                    "aria-label" = "Code",
                    "readonly" = "readonly",
                    "rows" = "9",
                    "spellcheck" = "false"
                );
                let copy = send(&self.act, Action::Share(ShareAction::Copy(code.clone())));
                let copy = el!("button", "class" = "button primary")
                    .on(On::Click, copy)
                    .put("Copy");
                el!("div").put(field.value(code.clone())).put(copy)
            }
            Err(why) => {
                el!("p", "class" = "share-long").put(format!("There is no such frame: {why}."))
            }
        };
        let more = el!("p", "class" = "muted")
            .put("A live copy of this scenario in another page. ")
            .put(
                el!("a", "href" = "./guide/embedding.html")
                    .put("How, in mdBook, Sphinx and others"),
            );
        el!(
            "dialog",
            "class" = "share",
            "aria-labelledby" = "embed-title"
        )
        .bind(modal.element.clone())
        .put(el!("h2", "id" = "embed-title").put("Embed"))
        .put(more)
        .each(self.choices())
        .put(code)
        .put(said(self.notice.as_ref()))
        .put(close())
        .html()
    }

    fn drawn(&self, modal: &mut Modal) {
        let close = Action::Share(ShareAction::Embed(EmbedChoice::Close));
        modal.follow(self.chosen.open, self.chosen.serial, close, &self.act);
    }
}
