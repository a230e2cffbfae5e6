use super::send;
use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::problems::Problem;
use yew::prelude::*;

/// The most that are listed; more help nobody.
const MOST: usize = 50;

/// What is wrong with the text, each with a way to it and, where one is
/// known, the fix.
pub(crate) fn draw(problems: &[Problem], act: &Callback<Action>) -> El {
    let count = problems.len();
    if count == 0 {
        return el!("p", "class" = "no-problems muted").put("No problems found.");
    }
    let items = (problems.iter().enumerate())
        .take(MOST)
        .map(|(index, problem)| item(index, problem, act));
    let more = count.checked_sub(MOST).filter(|more| *more > 0);
    let more = more.map(|more| el!("p", "class" = "muted").put(format!("and {more} more")));
    el!(
        "section",
        "class" = "problems scroller",
        "aria-label" = "Problems",
        "tabindex" = "0"
    )
    .put(el!("ul").each(items))
    .put(more)
}

fn item(index: usize, problem: &Problem, act: &Callback<Action>) -> El {
    let severity = problem.severity.word();
    let id = format!("problem-{index}");
    let span = |class: &'static str| el!("span", "class" = class);
    let place = format!("{} at {}:{}", problem.code, problem.line, problem.column);
    let fix = problem.edit.is_some().then(|| {
        el!(
            "button",
            "class" = "button small",
            "aria-describedby" = id.clone()
        )
        .on(On::Click, send(act, Action::Fix(index)))
        .put("Fix")
    });
    let help = !problem.help.is_empty() || fix.is_some();
    let help = help.then(|| {
        el!("div", "class" = "problem-help")
            .put(el!("p").put(problem.help.clone()))
            .put(fix)
    });
    let go = el!("button", "id" = id, "class" = "problem-go")
        .on(On::Click, send(act, Action::GoTo(index)))
        .put(span("severity").put(severity))
        .put(" ")
        .put(span("place").put(place))
        .put(" ")
        .put(span("message").put(problem.message.clone()));
    el!("li", "class" = "problem", "data-severity" = severity)
        .put(go)
        .put(help)
}
