//! The dialog "Share": the link to what is on the page, and exports of it.

use super::address::page_address;
use super::notice::DialogStatus;
use super::{Destination, ExportSubject, Notice, ShareAction, ShareLink};
use crate::components::dialog::{CloseButton, Dialog};
use crate::components::select::Select;
use crate::store::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

const LINK: &str = "share-link";

#[derive(Properties, PartialEq)]
pub(crate) struct ShareDialogProps {
    pub(crate) link: ShareLink,
    pub(crate) open: bool,
    /// What is to be exported, and the index of the format.
    pub(crate) subject: ExportSubject,
    pub(crate) format: Option<usize>,
    /// What can be exported.
    pub(crate) exports: Vec<ExportSubject>,
    pub(crate) notice: Option<Notice>,
    pub(crate) dispatch: Callback<Action>,
}

/// The dialog "Share".
#[component]
pub(crate) fn ShareDialog(props: &ShareDialogProps) -> Html {
    let on_action = props.dispatch.reform(Action::Share);
    html! {
        <Dialog
            is_open={props.open}
            on_close={on_action.reform(|()| ShareAction::Close)}
            label="Share"
            class="share"
        >
            <h2>{ "Share" }</h2>
            { match &props.link.fragment {
                Ok(fragment) => {
                    let address = format!("{}#{fragment}", page_address());
                    html! { <LinkField {address} on_action={on_action.clone()} /> }
                }
                Err(reason) => html! {
                    <p class="share-long">
                        { format!("There is no link to this: {reason}. Share the file instead.") }
                        <DownloadButton on_action={on_action.clone()} />
                    </p>
                },
            } }
            <Exports
                subject={props.subject}
                format={props.format}
                exports={props.exports.clone()}
                on_action={on_action.clone()}
            />
            <DialogStatus notice={props.notice.clone()} />
            <CloseButton />
        </Dialog>
    }
}

#[derive(Properties, PartialEq)]
struct LinkFieldProps {
    address: String,
    on_action: Callback<ShareAction>,
}

/// The link, selected while it has the focus, and how long it is.
#[component]
fn LinkField(props: &LinkFieldProps) -> Html {
    let LinkFieldProps { address, on_action } = props;
    let count = address.chars().count();
    let copy = {
        let address = address.clone();
        on_action.reform(move |_| ShareAction::Copy(address.clone()))
    };
    let onfocus = Callback::from(|event: FocusEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        // Backwards, so that the start is shown: it says where the link leads.
        let end = u32::try_from(field.value().len()).expect("a link is shorter than 4 GiB");
        // A text field has a selection.
        let _ = field.set_selection_range_with_direction(0, end, "backward");
        field.set_scroll_left(0);
    });
    html! {
        <>
            <div class="share-row">
                <label for={LINK}>{ "Link" }</label>
                <input
                    id={LINK}
                    class="mono"
                    readonly=true
                    autocomplete="off"
                    spellcheck="false"
                    value={address.clone()}
                    {onfocus}
                />
                <button class="button primary" onclick={copy}>{ "Copy" }</button>
            </div>
            if ShareLink::is_long(count) {
                <p class="share-long">
                    { format!(
                        "{count} characters: some programs cut off links of more than 2,000. \
                         Share the file instead; it can be dropped on the page."
                    ) }
                    <DownloadButton on_action={on_action.clone()} />
                </p>
            } else {
                <p class="muted">
                    { format!(
                        "{count} characters. The text, the step and the view are in the link \
                         itself: nothing is sent to a server. Also in the address bar."
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

/// The button that saves the program as a file.
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
    subject: ExportSubject,
    format: Option<usize>,
    exports: Vec<ExportSubject>,
    on_action: Callback<ShareAction>,
}

/// What to export, as what, and where to.
#[component]
fn Exports(props: &ExportsProps) -> Html {
    let ExportsProps {
        subject,
        format,
        exports,
        on_action,
    } = props;
    let formats = subject.formats();
    let subjects: Vec<AttrValue> = exports
        .iter()
        .map(|subject| subject.name().into())
        .collect();
    let format_names: Vec<AttrValue> = formats.iter().map(|format| format.name().into()).collect();
    let pick = {
        let exports = exports.clone();
        on_action.reform(move |index: usize| {
            ShareAction::Subject(*exports.get(index).expect("the menu offers these"))
        })
    };
    let pick_format = on_action.reform(|index: usize| {
        ShareAction::Format(*formats.get(index).expect("the menu offers these"))
    });
    let to = |destination: Destination| {
        on_action.reform(move |_: MouseEvent| ShareAction::Export(destination))
    };
    html! {
        <div class="share-export" role="group" aria-labelledby="export-title">
            <h3 id="export-title">{ "Export" }</h3>
            <div class="share-row">
                <Select
                    label="What"
                    options={subjects}
                    chosen={exports.iter().position(|other| other == subject)}
                    onpick={pick}
                />
                <Select label="As" options={format_names} chosen={*format} onpick={pick_format} />
            </div>
            <div class="share-row">
                <button class="button" aria-label="Copy the export" onclick={to(Destination::Clipboard)}>
                    { "Copy" }
                </button>
                <button class="button" aria-label="Download the export" onclick={to(Destination::Download)}>
                    { "Download" }
                </button>
            </div>
        </div>
    }
}
