use crate::hooks::show_help;
use crate::state::Action;
use web_sys::HtmlInputElement;
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

/// The button and the list of keyboard shortcuts.
pub(crate) fn draw(single_keys: bool, dialog: &NodeRef, act: &Callback<Action>) -> Html {
    let open = {
        let dialog = dialog.clone();
        move |_| show_help(&dialog)
    };
    let onchange = act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::SingleKeys(input.checked())
    });
    let rows = KEYS.iter().map(|(key, what)| {
        html! { <div class="key-row"><dt><kbd>{ *key }</kbd></dt><dd>{ *what }</dd></div> }
    });
    html! {
        <>
            <button class="button quiet" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" onclick={open}>
                <span aria-hidden="true">{ "?" }</span>
            </button>
            <dialog ref={dialog} class="help" aria-labelledby="help-title">
                <form method="dialog">
                    <h2 id="help-title">{ "Keyboard shortcuts" }</h2>
                    <p class="muted">{ "Anywhere but in fields and in the program." }</p>
                    <dl>{ for rows }</dl>
                    <label class="check">
                        <input type="checkbox" checked={single_keys} {onchange} />
                        { "Letters and ? are shortcuts" }
                    </label>
                    <button class="button">{ "Close" }</button>
                </form>
            </dialog>
        </>
    }
}
