//! What is wrong with digits, and what can be done about it.

use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::view::Typed;
use crate::features::program::Problem;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct TypedMessagesProps {
    pub(crate) typed: Typed,
    pub(crate) dispatch: Callback<EncodingAction>,
}

/// The messages about something that was typed, with the actions that help.
#[component]
pub(crate) fn TypedMessages(props: &TypedMessagesProps) -> Html {
    let TypedMessagesProps { typed, dispatch } = props;
    let button = |name: &'static str, action: EncodingAction| {
        let onclick = dispatch.reform(move |_: MouseEvent| action.clone());
        html! { <button class="button small" {onclick}>{ name }</button> }
    };
    html! {
        <div class="messages">
            { for typed.wrong.as_ref().map(|wrong| message("error", wrong)) }
            { for typed.remark.as_ref().map(|remark| message("note", remark)) }
            { for typed.problems.iter().map(problem) }
            if !typed.declare.is_empty() {
                <div class="offer">
                    <p>{ "With these declarations the bytes are valid:" }</p>
                    { program_lines(&typed.declare) }
                    { button("Declare and write", EncodingAction::Declare) }
                </div>
            }
            if typed.is_wrong {
                { button("Back to the text", EncodingAction::Forget) }
            }
        </div>
    }
}

/// Lines of a program.
pub(crate) fn program_lines(lines: &[String]) -> Html {
    let lines = lines.iter().map(|line| html! { <span>{ line }</span> });
    html! { <code class="lines mono">{ for lines }</code> }
}

/// A message about the digits themselves.
pub(crate) fn message(severity: &'static str, text: &str) -> Html {
    html! {
        <p class="problem saying" data-severity={severity}>
            <span class="severity">{ severity }</span>{ " " }<span class="message">{ text }</span>
        </p>
    }
}

/// A diagnostic of the instruction that the digits stand for.
pub(crate) fn problem(problem: &Problem) -> Html {
    let severity = problem.severity.word();
    html! {
        <p class="problem saying" data-severity={severity}>
            <span class="severity">{ severity }</span>{ " " }
            <span class="place">{ problem.code }</span>
            <span class="message">{ &*problem.message }</span>
            if !problem.help.is_empty() {
                <span class="help-line">{ &*problem.help }</span>
            }
        </p>
    }
}
