//! Messages about typed digits, with actions.

use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::features::program::Problem;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct TypedMessagesProps {
    pub(crate) typed: Rc<TypedDigits>,
    pub(crate) on_action: Callback<EncodingAction>,
}

/// Messages about typed digits, with actions.
#[component]
pub(crate) fn TypedMessages(props: &TypedMessagesProps) -> Html {
    let TypedMessagesProps { typed, on_action } = props;
    let button = |name: &'static str, action: EncodingAction| {
        let onclick = on_action.reform(move |_: MouseEvent| action.clone());
        html! { <button class="button small" {onclick}>{ name }</button> }
    };
    html! {
        <div class="messages">
            if let Some(error) = &typed.error {
                <Message severity="error" text={Rc::clone(error)} />
            }
            if let Some(remark) = &typed.remark {
                <Message severity="note" text={Rc::clone(remark)} />
            }
            { for typed.problems.iter().map(|problem| html! { <ProblemMessage problem={problem.clone()} /> }) }
            if !typed.declare.is_empty() {
                <div class="offer">
                    <p>{ "These declarations make the bytes valid:" }</p>
                    <ProgramLines lines={Rc::clone(&typed.declare)} />
                    { button("Declare and write", EncodingAction::Declare) }
                </div>
            }
            if typed.is_wrong() {
                { button("Revert to the text", EncodingAction::Forget) }
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct ProgramLinesProps {
    pub(super) lines: Rc<[String]>,
}

/// Program lines.
#[component]
pub(super) fn ProgramLines(props: &ProgramLinesProps) -> Html {
    let lines = props
        .lines
        .iter()
        .map(|line| html! { <span>{ line }</span> });
    html! { <code class="lines mono">{ for lines }</code> }
}

#[derive(Properties, PartialEq)]
pub(super) struct MessageProps {
    pub(super) severity: &'static str,
    pub(super) text: Rc<str>,
}

/// Message about the digits.
#[component]
pub(super) fn Message(props: &MessageProps) -> Html {
    let MessageProps { severity, text } = props;
    html! {
        <p class="problem saying" data-severity={*severity}>
            <span class="severity">{ *severity }</span>{ " " }<span class="message">{ &**text }</span>
        </p>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct ProblemMessageProps {
    pub(super) problem: Problem,
}

/// Diagnostic of the decoded instruction.
#[component]
pub(super) fn ProblemMessage(props: &ProblemMessageProps) -> Html {
    let problem = &props.problem;
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
