use super::{FilesAction, ListedFile};
use crate::components::copy::CopyButton;
use crate::components::table::{numbers, table};
use crate::features::screen::{DialogKind, dialog, dialog_head};
use crate::store::{Action, State, on_click};
use lanewise_core::text::counted;
use lanewise_files::outline::{FileEntry, Listing, ListingRow};
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

/// Dialog that lists the functions of a file.
pub(crate) fn files_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let Some(listed) = &state.files.listed else {
        return Html::default();
    };
    let (label, class) = (listed.name.clone(), "files-dialog");
    dialog(state, DialogKind::Files, label, class, dispatch, || {
        outline(listed, dispatch)
    })
}

/// Contents of a file: format, skipped parts, functions.
fn outline(listed: &ListedFile, dispatch: &Callback<Action>) -> Html {
    let outline = &listed.outline;
    let first = outline.entries.iter().position(|entry| entry.can_run);
    let entry =
        |(position, entry): (usize, &FileEntry)| function(entry, first == Some(position), dispatch);
    html! {
        // Keyed so that nothing stays expanded for another file.
        <div key={listed.number} class="files-box">
            { dialog_head(&listed.name, Html::default(), dispatch) }
            <div class="files-about">
                <p>{ format!("{}. The file is not uploaded.", outline.summary) }</p>
                { notes("muted files-notes", &outline.notes) }
            </div>
            <div class="files-list" tabindex="0" role="group" aria-label="Functions">
                <ul>{ for outline.entries.iter().enumerate().map(entry) }</ul>
                if outline.omitted > 0 {
                    <p class="muted">{ format!("{} not listed.", counted(outline.omitted, "more function")) }</p>
                }
            </div>
        </div>
    }
}

fn notes(class: &'static str, notes: &[String]) -> Html {
    if notes.is_empty() {
        return Html::default();
    }
    html! {
        <ul {class}>{ for notes.iter().map(String::as_str).map(note) }</ul>
    }
}

/// A note, with a button that copies the command that it says to run.
fn note(text: &str) -> Html {
    let command = text
        .split_once("Run `")
        .and_then(|(_, rest)| rest.split_once('`'));
    html! {
        <li>
            { text }
            if let Some((command, _)) = command {
                { " " }
                <CopyButton text={command.to_owned()} class="small" />
            }
        </li>
    }
}

/// Function or kernel: what it takes or contains, and a button that opens it.
/// The first function that can run receives focus.
fn function(entry: &FileEntry, is_first: bool, dispatch: &Callback<Action>) -> Html {
    let (verb, shown) = match entry.can_launch {
        true => ("Launch", "Launch…"),
        false => ("Open", "Open"),
    };
    let label = match &entry.variant {
        None => format!("{verb} {}", entry.name),
        Some(target) => format!("{verb} {} for {target}", entry.name),
    };
    let open = on_click(dispatch, FilesAction::Choose(entry.index));
    html! {
        <li key={entry.index} class="files-function">
            <div class="wrapping files-head">
                <h3 class="mono">{ &entry.name }</h3>
                <span class="muted">{ &entry.summary }</span>
                if entry.can_open {
                    <button
                        class={classes!("button", "small", entry.can_run.then_some("primary"))}
                        aria-label={label}
                        aria-haspopup={entry.can_launch.then_some("dialog")}
                        autofocus={is_first}
                        onclick={open}
                    >
                        { shown }
                    </button>
                }
            </div>
            { notes("muted error files-notes", &entry.errors) }
            { notes("muted files-notes", &entry.notes) }
            if let Some(arguments) = &entry.arguments {
                <p class="mono files-arguments">{ format!("({})", arguments.join(", ")) }</p>
            }
            if let Some(listing) = &entry.listing {
                { instructions(listing, entry.can_open) }
            }
        </li>
    }
}

/// The first instructions that can run and, of a function that can be opened, all of them.
fn instructions(listing: &Listing, can_open: bool) -> Html {
    let Listing {
        preview,
        runnable,
        rows,
        omitted,
    } = listing;
    html! {
        <>
            if *runnable > 0 {
                <ul class="files-own mono">
                    { for preview.iter().map(|line| html! { <li>{ line }</li> }) }
                </ul>
                if *runnable > preview.len() {
                    <p class="muted">{ format!("and {} more", runnable - preview.len()) }</p>
                }
            }
            if can_open {
                <AllInstructions rows={rows.clone()} omitted={*omitted} />
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct AllInstructionsProps {
    rows: Vec<ListingRow>,
    /// Number of instructions that are not listed.
    omitted: usize,
}

/// Instructions of a function in order, with runnable ones marked; rendered
/// once expanded.
#[component]
fn AllInstructions(props: &AllInstructionsProps) -> Html {
    let is_open = use_state(|| false);
    let ontoggle = {
        let is_open = is_open.clone();
        Callback::from(move |event: Event| {
            let details: HtmlDetailsElement = event.target_unchecked_into();
            is_open.set(details.open());
        })
    };
    let row = |row: &ListingRow| {
        html! {
            <tr class={row.is_runnable.then_some("own")}>
                <td>{ &row.offset }</td>
                <td>{ if row.is_runnable { "runs" } else { "" } }</td>
                <td>{ &row.text }</td>
                <td class="muted">{ &row.bytes }</td>
            </tr>
        }
    };
    let columns = ["Offset", "Runs", "Instruction", "Bytes"].map(numbers);
    html! {
        <details {ontoggle}>
            <summary>{ "All instructions" }</summary>
            if *is_open {
                <div class="scroller" role="group" aria-label="All instructions" tabindex="0">
                    { table("files-table mono", columns, props.rows.iter().map(row)) }
                    if props.omitted > 0 {
                        <p class="muted">{ format!("{} not shown.", counted(props.omitted, "more instruction")) }</p>
                    }
                </div>
            }
        </details>
    }
}
