use super::invisible::visible;
use super::problem::Problem;
use crate::features::program::ProgramAction;
use crate::store::{Action, on_click};
use yew::prelude::*;

/// The first `most` problems of the text and `of_run`, each linked to its position
/// and, if available, with a quick fix. `id` is the prefix of the element ids.
pub(crate) fn problem_list(
    id: &str,
    most: usize,
    of_text: &[Problem],
    of_run: &[Problem],
    read_only: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let problems = of_text.iter().chain(of_run);
    let fixes = problems.clone().filter(|problem| problem.fix.is_some());
    let has_several_fixes = !read_only && fixes.count() > 1;
    let count = problems.clone().count();
    let items = problems.enumerate().take(most);
    let items = items.map(|(index, own)| problem(id, index, own, read_only, dispatch));
    html! {
        <>
            if has_several_fixes {
                <button class="button small fix-all" onclick={on_click(dispatch, ProgramAction::FixAll)}>
                    { "Fix all" }
                </button>
            }
            <ul>{ for items }</ul>
            if count > most {
                <p class="muted">{ format!("and {} more", count - most) }</p>
            }
        </>
    }
}

/// Problem with its fix, if any.
fn problem(
    list: &str,
    index: usize,
    problem: &Problem,
    read_only: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let id = AttrValue::from(format!("{list}-{index}"));
    let severity = problem.severity.word();
    let fixable = problem.fix.is_some() && !read_only;
    html! {
        <li class="problem" data-severity={severity}>
            <button
                id={id.clone()}
                class="problem-go"
                onclick={on_click(dispatch, ProgramAction::GoTo(index))}
            >
                <span class="severity">{ severity }</span>{ " " }
                <span class="place">
                    { format!("{} at {}:{}", problem.code, problem.line, problem.column) }
                </span>{ " " }
                <span class="message">{ visible(&problem.message).into_owned() }</span>
            </button>
            if fixable || !problem.help.is_empty() {
                <div class="problem-help">
                    <p>{ visible(&problem.help).into_owned() }</p>
                    if fixable {
                        <button
                            class="button small"
                            aria-describedby={id}
                            onclick={on_click(dispatch, ProgramAction::Fix(index))}
                        >
                            { "Fix" }
                        </button>
                    }
                </div>
            }
        </li>
    }
}
