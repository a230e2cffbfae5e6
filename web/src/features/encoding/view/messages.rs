//! Messages about typed digits, with actions.

use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::store::on_click;
use lanewise_core::diagnostic::Diagnostic;
use yew::prelude::*;

/// Messages about typed digits, with actions.
pub(crate) fn typed_messages(typed: &TypedDigits, on_action: &Callback<EncodingAction>) -> Html {
    let button = |name: &'static str, action: EncodingAction| {
        let onclick = on_click(on_action, action);
        html! { <button class="button small" {onclick}>{ name }</button> }
    };
    html! {
        <div class="messages">
            if let Some(error) = &typed.error {
                { message("error", error) }
            }
            if let Some(remark) = &typed.remark {
                { message("note", remark) }
            }
            { for typed.diagnostics.iter().map(diagnostic_message) }
            if !typed.declare.is_empty() {
                <div class="offer">
                    <p>{ "These declarations make the bytes valid:" }</p>
                    { program_lines(&typed.declare) }
                    { button("Declare and write", EncodingAction::Declare) }
                </div>
            }
            if typed.is_wrong() {
                { button("Revert to the text", EncodingAction::Forget) }
            }
        </div>
    }
}

pub(super) fn program_lines(lines: &[String]) -> Html {
    let lines = lines.iter().map(|line| html! { <span>{ line }</span> });
    html! { <code class="lines mono">{ for lines }</code> }
}

/// Message about the digits.
pub(super) fn message(severity: &'static str, text: &str) -> Html {
    message_with(severity, "", text, "")
}

/// Diagnostic of the decoded instruction.
pub(super) fn diagnostic_message(diagnostic: &Diagnostic) -> Html {
    let severity = diagnostic.severity().word();
    message_with(
        severity,
        diagnostic.rule.code,
        &diagnostic.message(),
        &diagnostic.help,
    )
}

fn message_with(severity: &'static str, code: &'static str, text: &str, help: &str) -> Html {
    html! {
        <p class="problem saying" data-severity={severity}>
            <span class="severity">{ severity }</span>{ " " }
            if !code.is_empty() {
                <span class="place">{ code }</span>{ " " }
            }
            <span class="message">{ text }</span>
            if !help.is_empty() {
                <span class="help-line">{ help }</span>
            }
        </p>
    }
}
