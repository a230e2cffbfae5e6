//! A question on the program, to be answered before it runs.

use super::{focus, send};
use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::embed::EmbedAction;
use crate::state::quiz::Quiz;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Where the answer is written.
const ID: &str = "quiz-answer";

pub(crate) fn draw(quiz: &Quiz, act: &Callback<Action>) -> El {
    let open = quiz.is_open();
    let oninput = act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Embed(EmbedAction::Answer(input.value()))
    });
    let onsubmit = {
        let act = act.clone();
        Callback::from(move |event: Event| {
            event.prevent_default();
            act.emit(Action::Embed(EmbedAction::Check));
        })
    };
    let unread = quiz.said.is_some() && !open;
    let input = el!(
        "input",
        "id" = ID,
        "class" = "mono",
        "autocomplete" = "off",
        "autocapitalize" = "off",
        "spellcheck" = "false",
        "aria-invalid" = unread.then_some("true"),
        "aria-describedby" = "quiz-verdict",
        "readonly" = open
    )
    .value(quiz.given.clone())
    .on(On::Input, oninput);
    let told = |action: EmbedAction| send(act, Action::Embed(action));
    let again = {
        let act = act.clone();
        Callback::from(move |_| {
            // The button goes away when it is pressed, and the focus with it.
            focus(ID);
            act.emit(Action::Embed(EmbedAction::Again));
        })
    };
    let plain = || el!("button", "type" = "button", "class" = "button");
    // Each keeps its place, so that the input keeps its own.
    let buttons = [
        (!open).then(|| el!("button", "class" = "button primary").put("Check")),
        (!open).then(|| {
            let show = told(EmbedAction::Show);
            plain().on(On::Click, show).put("Show me")
        }),
        open.then(|| plain().on(On::Click, again).put("Ask me again")),
    ];
    let said = quiz.said.as_ref();
    let verdict = el!(
        "p",
        "id" = "quiz-verdict",
        "class" = "verdict",
        "data-is" = said.map(|said| said.verdict.word()),
        "role" = "status",
        "aria-label" = "Verdict"
    );
    el!("section", "class" = "pane quiz", "aria-label" = "Question")
        .put(
            el!("form", "class" = "quiz-form")
                .on(On::Submit, onsubmit)
                .put(el!("label", "for" = ID).put(quiz.question.clone()))
                .put(el!("div", "class" = "quiz-row").put(input).each(buttons)),
        )
        .put(verdict.put(said.map(|said| el!("span").put(said.text.clone()))))
}
