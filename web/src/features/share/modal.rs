//! What the dialogs "Share" and "Embed" have in common.

use super::Notice;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// A dialog that is opened once for every press of its button, counted by
/// `serial`, while `open`; `onopen` follows. The reader closes it.
#[hook]
pub(super) fn use_modal(open: bool, serial: u32, onopen: impl FnOnce() + 'static) -> NodeRef {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((open, serial), move |(open, _)| {
            let Some(dialog) = node.cast::<HtmlDialogElement>().filter(|_| *open) else {
                return;
            };
            if !dialog.open() {
                // It is on the page and not open: it opens.
                let _ = dialog.show_modal();
            }
            onopen();
        });
    }
    node
}

#[derive(Properties, PartialEq)]
pub(super) struct DialogStatusProps {
    pub(super) notice: Option<Notice>,
}

/// How what was done in the dialog went.
#[component]
pub(super) fn DialogStatus(props: &DialogStatusProps) -> Html {
    let notice = props.notice.as_ref();
    let is_wrong = notice.is_some_and(|notice| notice.wrong);
    html! {
        <p class="share-said" role="status" data-is={is_wrong.then_some("wrong")}>
            { notice.map(|notice| &*notice.text) }
        </p>
    }
}

/// The button that closes the dialog.
#[component]
pub(super) fn CloseButton() -> Html {
    html! { <form method="dialog"><button class="button">{ "Close" }</button></form> }
}
