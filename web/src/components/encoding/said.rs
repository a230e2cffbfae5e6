use crate::dom::{El, On, el};
use crate::state::EncodingAction;
use crate::state::encoding::view::Typed;
use crate::state::problems::Problem;
use yew::prelude::*;

/// What there is to say of something typed, and what can be done about it.
pub(super) fn of_typed(typed: &Typed, act: &Callback<EncodingAction>) -> El {
    let wrong = typed.wrong.as_ref().map(|wrong| message("error", wrong));
    let remark = typed.remark.as_ref().map(|said| message("note", said));
    let declare = (!typed.declare.is_empty()).then(|| {
        el!("div", "class" = "offer")
            .put(el!("p").put("With these declarations they have a reading:"))
            .put(lines(&typed.declare))
            .put(button("Declare and write", EncodingAction::Declare, act))
    });
    let forget = || button("Back to the text", EncodingAction::Forget, act);
    el!("div", "class" = "said")
        .put(wrong)
        .put(remark)
        .each(typed.said.iter().map(problem))
        .put(declare)
        .put(typed.is_wrong.then(forget))
}

fn button(name: &'static str, action: EncodingAction, act: &Callback<EncodingAction>) -> El {
    let onclick = act.reform(move |_: Event| action.clone());
    el!("button", "class" = "button small")
        .on(On::Click, onclick)
        .put(name)
}

/// Lines of the program.
pub(super) fn lines(lines: &[String]) -> El {
    let line = |line: &String| el!("span").put(line.clone());
    el!("code", "class" = "lines mono").each(lines.iter().map(line))
}

/// Something that is wrong with digits.
pub(super) fn message(severity: &'static str, what: &str) -> El {
    el!("p", "class" = "problem saying", "data-severity" = severity)
        .put(el!("span", "class" = "severity").put(severity))
        .put(" ")
        .put(el!("span", "class" = "message").put(what.to_owned()))
}

/// Something that is wrong with what the digits stand for.
pub(super) fn problem(problem: &Problem) -> El {
    let severity = problem.severity.word();
    let help = !problem.help.is_empty();
    let help = help.then(|| el!("span", "class" = "help-line").put(problem.help.clone()));
    el!("p", "class" = "problem saying", "data-severity" = severity)
        .put(el!("span", "class" = "severity").put(severity))
        .put(" ")
        .put(el!("span", "class" = "place").put(problem.code))
        .put(el!("span", "class" = "message").put(problem.message.clone()))
        .put(help)
}
