use super::{FilesAction, ListedFile};
use crate::components::dialog::Dialog;
use crate::features::screen::{ScreenAction, close_dialog};
use crate::store::{Action, on_click};
use lanewise_files::{Content, Function, Item};
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

/// Maximum number of functions listed.
const MAX_FUNCTIONS: usize = 200;

/// Maximum number of runnable instructions shown per function.
const MAX_OWN: usize = 6;

/// Maximum number of instructions in a function's listing.
const MAX_ROWS: usize = 500;

/// Maximum number of bytes shown per instruction.
const MAX_BYTES: usize = 16;

#[derive(Properties, PartialEq)]
pub(crate) struct FilesDialogProps {
    pub(crate) listed: Option<ListedFile>,
    pub(crate) is_open: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Dialog that lists the functions of a file.
#[component]
pub(crate) fn FilesDialog(props: &FilesDialogProps) -> Html {
    let Some(listed) = props.listed.clone() else {
        return Html::default();
    };
    let number = listed.number;
    html! {
        <Dialog
            is_open={props.is_open}
            on_close={close_dialog(&props.dispatch)}
            label={AttrValue::from(listed.name.clone())}
            class="files-dialog"
        >
            // Keyed so that nothing stays expanded for another file.
            <Outline key={number} {listed} dispatch={props.dispatch.clone()} />
        </Dialog>
    }
}

#[derive(Properties, PartialEq)]
struct OutlineProps {
    listed: ListedFile,
    dispatch: Callback<Action>,
}

/// Contents of a file: format, skipped parts, functions.
#[component]
fn Outline(props: &OutlineProps) -> Html {
    let OutlineProps { listed, dispatch } = props;
    let file = &listed.file;
    let functions = file.functions.len();
    let count = match functions {
        1 => String::from("1 function"),
        functions => format!("{functions} functions"),
    };
    // Functions with runnable instructions are always listed.
    let mut shown: Vec<usize> = (0..functions).collect();
    shown.sort_by_key(|index| file.functions[*index].own_instructions() == 0);
    shown.truncate(MAX_FUNCTIONS);
    let left_out = functions - shown.len();
    shown.sort_unstable();
    let first = shown
        .iter()
        .copied()
        .find(|index| file.functions[*index].own_instructions() > 0);
    let entry = |index: usize| {
        html! {
            <FunctionOutline
                key={index}
                listed={listed.clone()}
                {index}
                is_first={first == Some(index)}
                dispatch={dispatch.clone()}
            />
        }
    };
    let close = on_click(dispatch, Action::Screen(ScreenAction::CloseDialog));
    html! {
        <div class="files-box">
            <div class="pane-head">
                <h2>{ &*listed.name }</h2>
                <div class="pane-tools">
                    <button class="button quiet" onclick={close}>{ "Close" }</button>
                </div>
            </div>
            <div class="files-about">
                <p>{ format!("{}, {count}. The file is not uploaded.", file.kind) }</p>
                { notes(&file.notes) }
            </div>
            <div class="files-list" tabindex="0" role="group" aria-label="Functions">
                <ul>{ for shown.into_iter().map(entry) }</ul>
                if left_out > 0 {
                    <p class="muted">{ format!("{left_out} more functions are not listed.") }</p>
                }
            </div>
        </div>
    }
}

fn notes(notes: &[String]) -> Html {
    if notes.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="files-notes">{ for notes.iter().map(|note| html! { <li>{ note }</li> }) }</ul>
    }
}

#[derive(Properties, PartialEq)]
struct FunctionOutlineProps {
    listed: ListedFile,
    index: usize,
    /// Whether this is the first function that can be opened; it receives
    /// focus.
    is_first: bool,
    dispatch: Callback<Action>,
}

/// Function: its runnable instructions, and all instructions on request.
#[component]
fn FunctionOutline(props: &FunctionOutlineProps) -> Html {
    let index = props.index;
    let function = &props.listed.file.functions[index];
    let all_shown = use_state(|| false);
    let ontoggle = {
        let all_shown = all_shown.clone();
        Callback::from(move |event: Event| {
            let details: HtmlDetailsElement = event.target_unchecked_into();
            all_shown.set(details.open());
        })
    };
    let open = props
        .dispatch
        .reform(move |_: MouseEvent| Action::Files(FilesAction::Choose(index)));
    let (own, all) = (function.own_instructions(), function.instructions());
    // A fat binary contains a function once per architecture.
    let namesakes = props.listed.file.functions.iter();
    let label = match namesakes.filter(|f| f.name == function.name).count() {
        1 => format!("Open {}", function.name),
        _ => format!("Open {} for {}", function.name, function.target.name()),
    };
    let is_own = |item: &&Item| matches!(item.content, Content::Instruction { .. });
    let preview = function.items.iter().filter(is_own).take(MAX_OWN);
    html! {
        <li class="files-function">
            <div class="files-head">
                <h3 class="mono">{ &function.name }</h3>
                if all == 0 {
                    <span class="muted">{ "no readable instructions" }</span>
                } else {
                    <span class="muted">
                        { format!("{}: {own} of {all} instructions can run here", function.target.name()) }
                    </span>
                    <button
                        class={classes!("button", "small", (own > 0).then_some("primary"))}
                        aria-label={label}
                        autofocus={props.is_first}
                        onclick={open}
                    >
                        { "Open" }
                    </button>
                }
            </div>
            { notes(&function.notes) }
            if own > 0 {
                <ul class="files-own mono">
                    { for preview.map(|item| html! { <li>{ offset(item) }{ " " }{ text_of(item) }</li> }) }
                </ul>
                if own > MAX_OWN {
                    <p class="muted">{ format!("and {} more", own - MAX_OWN) }</p>
                }
            }
            if all > 0 {
                <details {ontoggle}>
                    <summary>{ "All instructions" }</summary>
                    if *all_shown {
                        { listing(function) }
                    }
                </details>
            }
        </li>
    }
}

/// Instructions of a function in order, with runnable ones marked.
fn listing(function: &Function) -> Html {
    let row = |item: &Item| {
        let is_own = matches!(item.content, Content::Instruction { .. });
        html! {
            <tr class={is_own.then_some("own")}>
                <td>{ offset(item) }</td>
                <td>{ if is_own { "runs" } else { "" } }</td>
                <td>{ text_of(item) }</td>
                <td class="muted">{ bytes(&item.bytes) }</td>
            </tr>
        }
    };
    let more = function.items.len().saturating_sub(MAX_ROWS);
    html! {
        <div class="scroller" role="group" aria-label="All instructions" tabindex="0">
            <table class="table files-table mono">
                <thead>
                    <tr>
                        { for ["Offset", "Here", "Instruction", "Bytes"].map(|head| html! { <th scope="col">{ head }</th> }) }
                    </tr>
                </thead>
                <tbody>{ for function.items.iter().take(MAX_ROWS).map(row) }</tbody>
            </table>
            if more > 0 {
                <p class="muted">{ format!("{more} more instructions are not shown.") }</p>
            }
        </div>
    }
}

fn offset(item: &Item) -> String {
    format!("{:#06x}", item.offset)
}

fn text_of(item: &Item) -> String {
    match &item.content {
        Content::Instruction { text, .. } | Content::Other(text) | Content::Directive(text) => {
            text.clone()
        }
        Content::Incomplete { text, reason } => format!("{text} ({reason})"),
        Content::Label(name) => format!("{name}:"),
        Content::Unreadable(why) => why.clone(),
    }
}

fn bytes(bytes: &[u8]) -> String {
    let digits: String = bytes
        .iter()
        .take(MAX_BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    if bytes.len() > MAX_BYTES {
        format!("{digits}… ({} bytes)", bytes.len())
    } else {
        digits
    }
}
