use crate::components::dialog::{CloseButton, Dialog};
use crate::features::screen::close_dialog;
use crate::store::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the keys do, by where they do it, for readers. `shortcuts` has those of
/// the first group; the others are where they do something.
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
            ("F1", "Help on the word"),
            ("F8", "The next problem"),
            ("Ctrl+.", "Apply the fix of a problem"),
            ("Ctrl+F", "Search"),
        ],
    ),
    (
        "In the stage",
        &[
            ("← → ↑ ↓", "The lane, cell or element beside it"),
            (
                "Alt+↑, Alt+↓",
                "Move a lane in the order; dragging it does the same",
            ),
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

#[derive(Properties, PartialEq)]
pub(crate) struct HelpButtonProps {
    pub(crate) onclick: Callback<MouseEvent>,
}

/// The button that opens the list of keyboard shortcuts.
#[component]
pub(crate) fn HelpButton(props: &HelpButtonProps) -> Html {
    html! {
        <button
            class="button quiet"
            aria-label={NAME}
            title={NAME}
            onclick={props.onclick.clone()}
        >
            <span aria-hidden="true">{ "?" }</span>
            <span class="menu-only" aria-hidden="true">{ NAME }</span>
        </button>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct HelpProps {
    pub(crate) is_open: bool,
    /// Whether keys without a modifier are shortcuts.
    pub(crate) single_keys: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// The list of keyboard shortcuts.
#[component]
pub(crate) fn Help(props: &HelpProps) -> Html {
    let HelpProps {
        is_open,
        single_keys,
        dispatch,
    } = props;
    let onchange = dispatch.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::SingleKeys(input.checked())
    });
    let row = |(key, what): &(&'static str, &'static str)| {
        html! { <div class="key-row"><dt><kbd>{ *key }</kbd></dt><dd>{ *what }</dd></div> }
    };
    let group = |(place, keys): &(&'static str, &'static [(&'static str, &'static str)])| {
        html! { <div><h3>{ *place }</h3><dl>{ for keys.iter().map(row) }</dl></div> }
    };
    html! {
        <Dialog is_open={*is_open} on_close={close_dialog(dispatch)} label={NAME} class="help">
            // Has the focus at first: the list is read from its start.
            <h2 tabindex="-1" autofocus=true>{ NAME }</h2>
            { for KEYS.iter().map(group) }
            <label class="check">
                <input type="checkbox" checked={*single_keys} {onchange} />
                { "Letters and ? are shortcuts" }
            </label>
            <CloseButton />
        </Dialog>
    }
}
