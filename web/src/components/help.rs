use crate::hooks::use_keydown;
use crate::state::Action;
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

/// What the keys do.
const KEYS: [(&str, &str); 7] = [
    ("→ or n", "Step"),
    ("← or p", "Step back"),
    ("r", "Run, pause"),
    ("Home", "To start"),
    ("End", "To end"),
    ("?", "This list"),
    ("Esc", "Close this list"),
];

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) single_keys: bool,
    pub(crate) act: Callback<Action>,
}

/// The button and the list of keyboard shortcuts.
#[component]
pub(crate) fn Help(props: &Props) -> Html {
    let dialog = use_node_ref();
    let open = use_callback(dialog.clone(), |_: (), dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            // It fails for a dialog that is open already.
            let _ = dialog.show_modal();
        }
    });
    let keys = (open.clone(), props.single_keys);
    let listener = use_callback(keys, |event: KeyboardEvent, (open, single_keys)| {
        let asked = *single_keys && event.key() == "?";
        if asked {
            open.emit(());
        }
        asked
    });
    use_keydown(listener);
    let onchange = props.act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::SingleKeys(input.checked())
    });
    let rows = KEYS.iter().map(|(key, what)| {
        html! { <div class="key-row"><dt><kbd>{ *key }</kbd></dt><dd>{ *what }</dd></div> }
    });
    html! {
        <>
            <button class="button quiet" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" onclick={open.reform(|_| ())}>
                <span aria-hidden="true">{ "?" }</span>
            </button>
            <dialog ref={dialog} class="help" aria-labelledby="help-title">
                <form method="dialog">
                    <h2 id="help-title">{ "Keyboard shortcuts" }</h2>
                    <p class="muted">{ "Anywhere but in fields and in the program." }</p>
                    <dl>{ for rows }</dl>
                    <label class="check">
                        <input type="checkbox" checked={props.single_keys} {onchange} />
                        { "Letters and ? are shortcuts" }
                    </label>
                    <button class="button">{ "Close" }</button>
                </form>
            </dialog>
        </>
    }
}
