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
        let node = node.clone();
        use_effect_with(props.is_open, move |is_open| {
            let dialog: HtmlDialogElement = node.cast().expect("effects follow the drawing");
            match (*is_open, dialog.open()) {
                (true, false) => dialog.show_modal().expect("it is on the page and closed"),
                (false, true) => dialog.close(),
                _ => {}
            }
        });
    }
    // Escape and the buttons of a form are told before the browser closes the
    // dialog, so that the next press finds it closed.
    let oncancel = props.on_close.reform(|_: Event| ());
    let onsubmit = props.on_close.reform(|_: SubmitEvent| ());
    // The browser may close it without asking, and reports that in a later task.
    // If the dialog has been opened again by then, the report is about the time
    // before.
    let onclose = {
        let (node, on_close) = (node.clone(), props.on_close.clone());
        Callback::from(move |_: Event| {
            let dialog = node.cast::<HtmlDialogElement>();
            if dialog.is_some_and(|dialog| !dialog.open()) {
                on_close.emit(());
            }
        })
    };
    html! {
        <dialog
            ref={node}
            class={props.class.clone()}
            aria-label={props.label.clone()}
            {oncancel}
            {onsubmit}
            {onclose}
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
