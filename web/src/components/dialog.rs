use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct DialogProps {
    pub(crate) is_open: bool,
    /// The reader closed it, by Escape or by a button of a
    /// `<form method="dialog">`.
    pub(crate) on_close: Callback<()>,
    /// Its accessible name.
    pub(crate) label: AttrValue,
    #[prop_or_default]
    pub(crate) class: Classes,
    /// What it holds while it is open.
    pub(crate) children: Html,
}

/// A modal dialog. It takes the focus when it opens, and gives it back to where
/// it was when it closes.
#[component]
pub(crate) fn Dialog(props: &DialogProps) -> Html {
    let node = use_node_ref();
    {
        // After each drawing, not only when `is_open` has changed since the last
        // effect: between a drawing and its effects there may be another drawing.
        let (node, is_open) = (node.clone(), props.is_open);
        use_effect(move || {
            let dialog: HtmlDialogElement = node.cast().expect("effects follow the drawing");
            match (is_open, dialog.open()) {
                (true, false) => dialog.show_modal().expect("it is on the page and closed"),
                (false, true) => dialog.close(),
                _ => {}
            }
        });
    }
    // The browser does not close it by itself: it would be closed before the page
    // has changed its state, and a press in between would open what is open already.
    let close = {
        let on_close = props.on_close.clone();
        move |event: &Event| {
            event.prevent_default();
            on_close.emit(());
        }
    };
    let oncancel = Callback::from({
        let close = close.clone();
        move |event: Event| close(&event)
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
            if props.is_open {
                { props.children.clone() }
            }
        </dialog>
    }
}

/// The button that closes the dialog around it.
#[component]
pub(crate) fn CloseButton() -> Html {
    html! { <form method="dialog"><button class="button">{ "Close" }</button></form> }
}
