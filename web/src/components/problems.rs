use crate::state::Action;
use crate::state::problems::Problem;
use yew::prelude::*;

/// The most that are listed; more help nobody.
const MOST: usize = 50;

/// What is wrong with the text, each with a way to it and, where one is
/// known, the mend.
pub(crate) fn draw(problems: &[Problem], act: &Callback<Action>) -> Html {
    let count = problems.len();
    if count == 0 {
        return html! { <p class="no-problems muted">{ "No problems found." }</p> };
    }
    let items = (problems.iter().enumerate())
        .take(MOST)
        .map(|(index, problem)| item(index, problem, act));
    html! {
        <section class="problems scroller" aria-label="Problems" tabindex="0">
            <ul>{ for items }</ul>
            if count > MOST {
                <p class="muted">{ format!("and {} more", count - MOST) }</p>
            }
        </section>
    }
}

fn item(index: usize, problem: &Problem, act: &Callback<Action>) -> Html {
    let severity = problem.severity.word();
    let id = format!("problem-{index}");
    html! {
        <li class="problem" data-severity={severity}>
            <button id={id.clone()} class="problem-go" onclick={act.reform(move |_| Action::GoTo(index))}>
                <span class="severity">{ severity }</span>
                { " " }
                <span class="place">
                    { problem.code }{ " at " }{ problem.line }{ ":" }{ problem.column }
                </span>
                { " " }
                <span class="message">{ &problem.message }</span>
            </button>
            if !problem.help.is_empty() || problem.edit.is_some() {
                <div class="problem-help">
                    <p>{ &problem.help }</p>
                    if problem.edit.is_some() {
                        <button class="button small" aria-describedby={id} onclick={act.reform(move |_| Action::Mend(index))}>
                            { "Mend" }
                        </button>
                    }
                </div>
            }
        </li>
    }
}
