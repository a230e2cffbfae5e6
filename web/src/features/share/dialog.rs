//! Share dialog: a link to the current view, and exports.

use super::address::page_address;
use super::{Destination, Export, ExportStatus, Fragment, ShareAction, is_long};
use crate::components::copy::CopyButton;
use crate::components::dialog::{CloseButton, Dialog};
use crate::components::select::Select;
use crate::features::screen::close_dialog;
use crate::store::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

const LINK_ID: &str = "share-link";

#[derive(Properties, PartialEq)]
pub(crate) struct ShareDialogProps {
    pub(crate) link: Fragment,
    pub(crate) is_open: bool,
    /// Selected export and format.
    pub(crate) export: Export,
    /// Available exports.
    pub(crate) exports: Vec<Export>,
    /// Result of the last export.
    pub(crate) status: Option<ExportStatus>,
    pub(crate) dispatch: Callback<Action>,
}

/// Share dialog.
#[component]
pub(crate) fn ShareDialog(props: &ShareDialogProps) -> Html {
    let on_action = props.dispatch.reform(Action::Share);
    html! {
        <Dialog
            is_open={props.is_open}
            on_close={close_dialog(&props.dispatch)}
            label="Share"
            class="share"
        >
            <h2>{ "Share" }</h2>
            { match &props.link {
                Ok(fragment) => {
                    let address = format!("{}#{fragment}", page_address());
                    html! { <LinkField {address} on_action={on_action.clone()} /> }
                }
                Err(reason) => html! {
                    <p class="share-long">
                        { format!("This program cannot be shared as a link: {reason}. Share the file instead.") }
                        <DownloadButton on_action={on_action.clone()} />
                    </p>
                },
            } }
            <Exports
                export={props.export}
                exports={props.exports.clone()}
                status={props.status.clone()}
                {on_action}
            />
            <CloseButton />
        </Dialog>
    }
}

#[derive(Properties, PartialEq)]
struct LinkFieldProps {
    address: String,
    on_action: Callback<ShareAction>,
}

/// Link, selected on focus, and its length.
#[component]
fn LinkField(props: &LinkFieldProps) -> Html {
    let LinkFieldProps { address, on_action } = props;
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
            <div class="share-row">
                <label for={LINK_ID}>{ "Link" }</label>
                <input
                    id={LINK_ID}
                    class="mono"
                    readonly=true
                    autocomplete="off"
                    spellcheck="false"
                    value={address.clone()}
                    {onfocus}
                />
                <CopyButton text={address.clone()} class="primary" />
            </div>
            if is_long(count) {
                <p class="share-long">
                    { format!(
                        "{count} characters: some programs truncate links of more than 2,000. Share the file instead; it can be dropped on the page."
                    ) }
                    <DownloadButton on_action={on_action.clone()} />
                </p>
            } else {
                <p class="muted">
                    { format!(
                        "{count} characters. The link itself contains the text, the step and the view; nothing is sent to a server. It is also in the address bar."
                    ) }
                </p>
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct DownloadButtonProps {
    on_action: Callback<ShareAction>,
}

/// Button that saves the program as a file.
#[component]
fn DownloadButton(props: &DownloadButtonProps) -> Html {
    html! {
        <button class="button" onclick={props.on_action.reform(|_| ShareAction::Download)}>
            { "Download the scenario" }
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct ExportsProps {
    export: Export,
    exports: Vec<Export>,
    status: Option<ExportStatus>,
    on_action: Callback<ShareAction>,
}

/// Export subject, format and destination.
#[component]
fn Exports(props: &ExportsProps) -> Html {
    let ExportsProps {
        export,
        exports,
        status,
        on_action,
    } = props;
    let formats = export.formats();
    let subject_labels = exports.iter().map(|export| export.subject_label().into());
    let subject_labels: Vec<AttrValue> = subject_labels.collect();
    let format_labels = formats.iter().map(|export| export.format_label().into());
    let format_labels: Vec<AttrValue> = format_labels.collect();
    let choose = |from: Vec<Export>| {
        on_action.reform(move |index: usize| {
            ShareAction::ChooseExport(*from.get(index).expect("the menu lists this value"))
        })
    };
    let to = |destination: Destination| {
        on_action.reform(move |_: MouseEvent| ShareAction::Export(destination))
    };
    html! {
        <div class="share-export" role="group" aria-labelledby="export-title">
            <h3 id="export-title">{ "Export" }</h3>
            <div class="share-row">
                <Select
                    label="What"
                    options={subject_labels}
                    chosen={exports.iter().position(|other| other.has_subject_of(*export))}
                    on_pick={choose(exports.clone())}
                />
                <Select
                    label="As"
                    options={format_labels}
                    chosen={formats.iter().position(|other| other == export)}
                    on_pick={choose(formats)}
                />
            </div>
            <div class="share-row">
                <button class="button" aria-label="Copy the export" onclick={to(Destination::Clipboard)}>
                    { "Copy" }
                </button>
                <button class="button" aria-label="Download the export" onclick={to(Destination::Download)}>
                    { "Download" }
                </button>
                <ExportReport status={status.clone()} />
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct ExportReportProps {
    status: Option<ExportStatus>,
}

/// Result of the last export.
#[component]
fn ExportReport(props: &ExportReportProps) -> Html {
    let is_error = props.status.as_ref().is_some_and(Result::is_err);
    let text = props.status.as_ref().map(|status| match status {
        Ok(text) | Err(text) => &**text,
    });
    html! {
        <p class="share-status" role="status" data-error={is_error.then_some("")}>
            { text }
        </p>
    }
}
