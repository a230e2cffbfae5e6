use crate::dom::{El, On, el};
use crate::shortcuts::show_help;
use crate::state::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the keys do, by where they do it. The only list of them.
const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "Anywhere but in fields and in the program",
        &[
            ("→ or n", "Step"),
            ("← or p", "Step back"),
            ("r", "Run, pause"),
            ("Home", "To start"),
            ("End", "To end"),
            ("?", "This list"),
        ],
    ),
    (
        "In the program",
        &[
            ("Ctrl+Z, Ctrl+Y", "Undo, redo"),
            ("F9", "Set or remove a breakpoint"),
            ("Ctrl+Space", "Complete the word"),
            ("Ctrl+F", "Search"),
        ],
    ),
    (
        "In the cells of the state",
        &[
            ("Enter", "Look at a cell; again: edit its start value"),
            ("← → ↑ ↓", "The cell beside it"),
            ("Esc", "Leave the start value as it is"),
        ],
    ),
    (
        "Tabs, lists and dividers",
        &[
            ("← →", "The next tab"),
            ("↑ ↓", "The next entry of a list"),
            ("← → ↑ ↓", "Move a divider between panes"),
            ("Home, End", "The first, the last"),
            ("Enter", "Open"),
            ("Esc", "Close"),
        ],
    ),
];

const NAME: &str = "Keyboard shortcuts";

/// The button that opens the list of keyboard shortcuts. With the header, so
/// before the list itself is there.
pub(super) fn button(dialog: &NodeRef) -> El {
    let dialog = dialog.clone();
    let open = Callback::from(move |_| show_help(&dialog));
    el!(
        "button",
        "class" = "button quiet",
        "aria-label" = NAME,
        "title" = NAME
    )
    .on(On::Click, open)
    .put(el!("span", "aria-hidden" = "true").put("?"))
    .put(el!("span", "class" = "menu-only", "aria-hidden" = "true").put(NAME))
}

/// The list.
pub(crate) fn draw(single_keys: bool, act: &Callback<Action>) -> El {
    let onchange = act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::SingleKeys(input.checked())
    });
    let row = |(key, what): &(&'static str, &'static str)| {
        el!("div", "class" = "key-row")
            .put(el!("dt").put(el!("kbd").put(*key)))
            .put(el!("dd").put(*what))
    };
    let group = |(place, keys): &(&'static str, &'static [(&'static str, &'static str)])| {
        el!("div")
            .put(el!("h3").put(*place))
            .put(el!("dl").each(keys.iter().map(row)))
    };
    let tick = el!("input", "type" = "checkbox")
        .checked(single_keys)
        .on(On::Change, onchange);
    el!("form", "method" = "dialog")
        // Has the focus at first: the list is read from its start.
        .put(
            el!(
                "h2",
                "id" = "help-title",
                "tabindex" = "-1",
                "autofocus" = ""
            )
            .put(NAME),
        )
        .each(KEYS.iter().map(group))
        .put(
            el!("label", "class" = "check")
                .put(tick)
                .put("Letters and ? are shortcuts"),
        )
        .put(el!("button", "class" = "button").put("Close"))
}
