//! Share dialog: a link to the current view, and exports.

use super::address::shared_address;
use super::{Destination, Export, ExportStatus, ShareAction, Subject};
use crate::components::copy::CopyButton;
use crate::components::dialog::close_button;
use crate::components::select::select;
use crate::features::screen::{DialogKind, dialog};
use crate::store::{Action, State, on_click};
use lanewise_link::LONG;
use web_sys::HtmlInputElement;
use yew::prelude::*;

const LINK_ID: &str = "share-link";

pub(crate) fn share_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let share = &state.share;
    let Some(link) = &share.link else {
        return Html::default();
    };
    let on_action = dispatch.reform(Action::Share);
    let contents = || {
        let is_served = state.screen.is_served;
        let link = match link {
            Ok(fragment) => {
                let address = format!("{}#{fragment}", shared_address(is_served));
                link_field(&address, is_served, &on_action)
            }
            Err(reason) => html! {
                <p class="share-long">
                    { format!("This program cannot be shared as a link: {reason}. Share the file instead.") }
                    { download_button(&on_action) }
                </p>
            },
        };
        html! {
            <>
                <h2>{ "Share" }</h2>
                { link }
                if state.is_kernel() {
                    <p class="muted">{ "Source files that you opened and findings are not in the link." }</p>
                }
                if state.outcomes.is_trial() {
                    <p class="share-long">
                        { "The link has the program's own lane order. To share the order in view, press Keep order in Outcomes first." }
                    </p>
                }
                if !share.omitted.is_empty() {
                    <p class="share-long">
                        { format!("The link has no room for all settings. Omitted: {}.", share.omitted.join(", ")) }
                    </p>
                }
                { export_form(share.export, &state.exports(), &share.export_status, &on_action) }
                { close_button() }
            </>
        }
    };
    dialog(
        state,
        DialogKind::Share,
        "Share",
        "share",
        dispatch,
        contents,
    )
}

/// Link, selected on focus, and its length.
fn link_field(address: &str, is_served: bool, on_action: &Callback<ShareAction>) -> Html {
    let count = address.chars().count();
    let onfocus = Callback::from(|event: FocusEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        // Backwards, so that the start of the link is visible. Text fields
        // support selection; the end is clamped.
        let _ = field.set_selection_range_with_direction(0, u32::MAX, "backward");
        field.set_scroll_left(0);
    });
    html! {
        <>
            <div class="wrapping share-row">
                <label for={LINK_ID} class="muted">{ "Link" }</label>
                <input
                    id={LINK_ID}
                    class="mono"
                    readonly=true
                    autocomplete="off"
                    spellcheck="false"
                    value={address.to_owned()}
                    {onfocus}
                />
                <CopyButton text={address.to_owned()} class="primary" />
            </div>
            if count > LONG {
                <p class="share-long">
                    { format!(
                        "{count} characters: some programs truncate links of more than 2,000. Share the file instead; it can be dropped on the page."
                    ) }
                    { download_button(on_action) }
                </p>
            } else {
                <p class="muted">
                    { format!(
                        "{count} characters. The link itself contains the text, the step and the view; nothing is sent to a server."
                    ) }
                    // The address bar has the secret of the server.
                    { if is_served { "" } else { " It is also in the address bar." } }
                </p>
            }
        </>
    }
}

/// Button that saves the program as a file.
fn download_button(on_action: &Callback<ShareAction>) -> Html {
    html! {
        <button class="button" onclick={on_action.reform(|_| ShareAction::Download)}>
            { "Download the scenario" }
        </button>
    }
}

/// Export subject, format and destination.
fn export_form(
    export: Export,
    subjects: &[Subject],
    status: &Option<ExportStatus>,
    on_action: &Callback<ShareAction>,
) -> Html {
    let subjects = subjects.iter().map(|subject| (*subject, subject.label()));
    let formats = export.subject.formats().iter();
    let formats = formats.map(|format| (*format, format.label()));
    let choose_subject = on_action.reform(|subject| ShareAction::ChooseExport(Export::of(subject)));
    let choose_format =
        on_action.reform(move |format| ShareAction::ChooseExport(Export { format, ..export }));
    let to = |destination| on_click(on_action, ShareAction::Export(destination));
    html! {
        <div class="share-export" role="group" aria-labelledby="export-title">
            <h3 id="export-title">{ "Export" }</h3>
            <div class="wrapping share-row">
                { select("Content", subjects, Some(&export.subject), &choose_subject) }
                { select("Format", formats, Some(&export.format), &choose_format) }
            </div>
            <div class="wrapping share-row">
                <button class="button" aria-label="Copy the export" onclick={to(Destination::Clipboard)}>
                    { "Copy" }
                </button>
                <button class="button" aria-label="Download the export" onclick={to(Destination::Download)}>
                    { "Download" }
                </button>
                { export_report(status) }
            </div>
        </div>
    }
}

/// Result of the last export.
fn export_report(status: &Option<ExportStatus>) -> Html {
    let is_error = status.as_ref().is_some_and(Result::is_err);
    let text = status.as_ref().map(|status| match status {
        Ok(text) | Err(text) => &**text,
    });
    html! {
        <p class="muted share-status" role="status" data-error={is_error.then_some("")}>
            { text }
        </p>
    }
}
