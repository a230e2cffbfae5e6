use crate::dom::{El, On, el};
use crate::shortcuts::show_help;
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
pub(crate) fn draw(single_keys: bool, dialog: &NodeRef, act: &Callback<Action>) -> [El; 2] {
    let open = {
        let dialog = dialog.clone();
        Callback::from(move |_| show_help(&dialog))
    };
    let onchange = act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::SingleKeys(input.checked())
    });
    let rows = KEYS.iter().map(|(key, what)| {
        el!("div", "class" = "key-row")
            .put(el!("dt").put(el!("kbd").put(*key)))
            .put(el!("dd").put(*what))
    });
    let name = "Keyboard shortcuts";
    let button = el!(
        "button",
        "class" = "button quiet",
        "aria-label" = name,
        "title" = name
    )
    .on(On::Click, open)
    .put(el!("span", "aria-hidden" = "true").put("?"));
    let tick = el!("input", "type" = "checkbox")
        .checked(single_keys)
        .on(On::Change, onchange);
    let form = el!("form", "method" = "dialog")
        .put(el!("h2", "id" = "help-title").put(name))
        .put(el!("p", "class" = "muted").put("Anywhere but in fields and in the program."))
        .put(el!("dl").each(rows))
        .put(
            el!("label", "class" = "check")
                .put(tick)
                .put("Letters and ? are shortcuts"),
        )
        .put(el!("button", "class" = "button").put("Close"));
    let dialog = el!("dialog", "class" = "help", "aria-labelledby" = "help-title")
        .bind(dialog.clone())
        .put(form);
    [button, dialog]
}
