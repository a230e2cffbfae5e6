use crate::components::check::check;
use crate::components::dialog::close_button;
use crate::features::screen::{DialogKind, dialog};
use crate::store::{Action, State};
use yew::prelude::*;

/// Key bindings by context, as listed for users. `shortcuts` implements the
/// first group, except that the editor undoes and redoes; each of the others is
/// implemented where it applies.
const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "Outside text fields and the editor",
        &[
            ("→ or n", "Step"),
            ("← or p", "Step back"),
            ("r", "Run, pause"),
            ("Home", "Go to start"),
            ("End", "Run to end"),
            ("Ctrl+Z, Ctrl+Y", "Undo, redo a change of the program"),
            ("?", "Show this list"),
        ],
    ),
    (
        "In a kernel",
        &[
            ("F5", "Continue"),
            ("F10, Shift+F10", "Step over, step back"),
            ("F11, Shift+F11", "Step into, step out"),
        ],
    ),
    (
        "In the editor",
        &[
            ("Ctrl+Z, Ctrl+Y", "Undo, redo"),
            ("F10", "Step"),
            ("F9", "Set or remove a breakpoint"),
            ("Ctrl+F10", "Run to the line of the cursor"),
            ("Ctrl+Space", "Autocomplete"),
            ("F1", "Show help for the word"),
            ("F8", "Next problem"),
            ("Ctrl+.", "Apply a quick fix"),
            ("Ctrl+F", "Search"),
        ],
    ),
    (
        "In the stage",
        &[
            ("← → ↑ ↓", "Adjacent lane, cell or element"),
            ("Alt+↑, Alt+↓", "Move a lane in the order (or drag it)"),
        ],
    ),
    (
        "In State",
        &[
            (
                "Enter",
                "Inspect a cell; press again to edit its initial value",
            ),
            ("← → ↑ ↓", "Adjacent cell"),
            ("Esc", "Discard the edit"),
        ],
    ),
    (
        "Tabs, lists and dividers",
        &[
            ("← →", "Next tab"),
            ("↑ ↓", "Next list item"),
            ("← → ↑ ↓", "Resize panes"),
            ("Home, End", "First, last"),
            ("Enter", "Open"),
            ("Esc", "Close"),
        ],
    ),
];

const NAME: &str = "Keyboard shortcuts";

/// Button that opens the list of keyboard shortcuts.
pub(crate) fn help_button(onclick: &Callback<MouseEvent>) -> Html {
    html! {
        <button
            class="button quiet"
            aria-label={NAME}
            title={NAME}
            onclick={onclick.clone()}
        >
            <span aria-hidden="true">{ "?" }</span>
            <span class="menu-only" aria-hidden="true">{ NAME }</span>
        </button>
    }
}

/// List of keyboard shortcuts.
pub(crate) fn help(state: &State, dispatch: &Callback<Action>) -> Html {
    let row = |(key, what): &(&'static str, &'static str)| {
        html! { <div class="key-row"><dt><kbd>{ *key }</kbd></dt><dd>{ *what }</dd></div> }
    };
    let group = |(place, keys): &(&'static str, &'static [(&'static str, &'static str)])| {
        html! { <div><h3>{ *place }</h3><dl>{ for keys.iter().map(row) }</dl></div> }
    };
    let contents = || {
        html! {
            <>
                // Focused on opening, so that screen readers start at the top of
                // the list.
                <h2 tabindex="-1" autofocus=true>{ NAME }</h2>
                { for KEYS.iter().map(group) }
                { check(
                    "Enable single-key shortcuts (letters and ?)",
                    state.single_keys,
                    &dispatch.reform(Action::SingleKeys),
                ) }
                { close_button() }
            </>
        }
    };
    dialog(state, DialogKind::Help, NAME, "help", dispatch, contents)
}
