use crate::dom::{focus, has_lost_focus};
use gloo_timers::callback::Timeout;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct DialogProps {
    /// Called when the user closes the dialog with Escape or a `<form
    /// method="dialog">` button.
    pub(crate) on_close: Callback<()>,
    /// Accessible name.
    pub(crate) label: AttrValue,
    #[prop_or_default]
    pub(crate) class: Classes,
    /// ID of the element that gets the focus if the one that had it is out of view when the
    /// dialog closes.
    pub(crate) next: &'static str,
    pub(crate) children: Html,
}

/// Modal dialog, open while mounted. Opening moves focus into the dialog; closing restores
/// it.
#[component]
pub(crate) fn Dialog(props: &DialogProps) -> Html {
    let node = use_node_ref();
    {
        let (node, next) = (node.clone(), props.next);
        use_effect_with((), move |()| {
            let dialog: HtmlDialogElement = node.cast().expect("effects run after rendering");
            let shown = dialog.show_modal();
            shown.expect("the dialog is in the document and closed");
            // Runs before the element is removed, which alone does not restore the focus.
            move || {
                dialog.close();
                let restore = move || {
                    if has_lost_focus() {
                        focus(next);
                    }
                };
                Timeout::new(0, restore).forget();
            }
        });
    }
    // Prevents the browser from closing the dialog itself: the dialog would be
    // closed before the state changes, and a press in between would try to open
    // a dialog that counts as open.
    let close = {
        let on_close = props.on_close.clone();
        move |event: &Event| {
            event.prevent_default();
            on_close.emit(());
        }
    };
    let oncancel = Callback::from({
        let (close, node) = (close.clone(), node.clone());
        move |event: Event| {
            // The `cancel` event of a file chooser in the dialog bubbles.
            if event.target().as_ref() == node.get().as_deref() {
                close(&event);
            }
        }
    });
    let onsubmit = Callback::from(move |event: SubmitEvent| close(&event));
    html! {
        <dialog
            ref={node}
            class={props.class.clone()}
            aria-label={props.label.clone()}
            {oncancel}
            {onsubmit}
        >
            { props.children.clone() }
        </dialog>
    }
}

/// Button that closes the enclosing dialog.
pub(crate) fn close_button() -> Html {
    html! { <form method="dialog"><button class="button">{ "Close" }</button></form> }
}
