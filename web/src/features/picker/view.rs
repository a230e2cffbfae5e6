use super::model::{Entry, ListKind, Opens, Picker};
use super::{PickerAction, PickerMove};
use crate::dom::{by_id, focus, scroll_to, value_of};
use crate::features::program::{Origin, ProgramAction};
use crate::features::screen::{DialogKind, ScreenAction, dialog, dialog_head};
use crate::features::served::choose_served;
use crate::features::stage::thumbnail;
use crate::store::{Action, State, on_click, on_last_click};
use lanewise_core::library::Bundled;
use web_sys::js_sys::Array;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};
use yew::prelude::*;

pub(crate) fn picker_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let (label, class) = ("Choose a scenario", "picker-dialog");
    dialog(state, DialogKind::Picker, label, class, dispatch, || {
        picker_box(&state.picker, &state.source.origin, dispatch)
    })
}

const LIST_ID: &str = "picker-list";

const FIELD_ID: &str = "picker-field";

/// Scrolls the selected entry into view, and focuses the search field of another list.
#[hook]
pub(crate) fn use_picker_scroll(is_open: bool, picker: &Picker) {
    use_effect_with(picker.listed, |_| focus(FIELD_ID));
    // A new query changes the entry at the same index.
    let shown = (is_open, picker.listed, picker.query.clone(), picker.marked);
    use_effect_with(shown, move |(_, _, _, marked)| {
        if let (Some(list), Some(option)) = (by_id(LIST_ID), by_id(&option_id(*marked))) {
            // The sticky heading of a group, and some room.
            scroll_to(&list, &option, 34.0, 8.0);
        }
    });
}

/// Search field, and matching entries by instruction. Focus stays in the field;
/// Enter opens the selected entry.
fn picker_box(picker: &Picker, current: &Origin, dispatch: &Callback<Action>) -> Html {
    let listed = picker.listed;
    let matches = &picker.matches;
    let (name, placeholder, other) = match listed {
        ListKind::Instructions => ("Instructions", "Find an instruction", ListKind::Scenarios),
        ListKind::Scenarios => (
            "Scenarios",
            "Search instructions, titles and descriptions",
            ListKind::Instructions,
        ),
    };
    let marked = matches.entries.get(picker.marked);
    let oninput =
        dispatch.reform(|event: InputEvent| Action::Picker(PickerAction::Query(value_of(&event))));
    let onkeydown = {
        let (dispatch, marked) = (dispatch.clone(), marked.map(|entry| entry.opens.clone()));
        Callback::from(move |event: KeyboardEvent| {
            // Enter may end IME composition.
            if event.is_composing() {
                return;
            }
            match (&*event.key(), &marked) {
                ("Enter", Some(opens)) => open(opens, &dispatch),
                (key, _) => match key_movement(key) {
                    Some(to) => dispatch.emit(Action::Picker(PickerAction::Mark(to))),
                    None => return,
                },
            }
            event.prevent_default();
        })
    };
    let mut indices = 0..;
    let groups = matches
        .entries
        .chunk_by(|a, b| a.opens.topic() == b.opens.topic());
    let groups = groups.map(|group| {
        let topic = group[0].opens.topic();
        let options = group.iter().zip(indices.by_ref()).map(|(entry, index)| {
            picker_option(
                entry,
                index,
                index == picker.marked,
                listed.shows(entry, current),
                dispatch,
            )
        });
        let options: Html = options.collect();
        html! {
            <div key={group[0].opens.id()} role="group" aria-label={topic}>
                if listed == ListKind::Scenarios {
                    <div class="picker-topic" aria-hidden="true">{ topic }</div>
                }
                { options }
            </div>
        }
    });
    let groups: Html = groups.collect();
    let count = match (matches.entries.len(), matches.all_words) {
        (0, _) => String::from("No matches"),
        (count, false) => format!("Nothing matches all of these words; closest matches: {count}"),
        (count, true) => format!("{count} found"),
    };
    let to_other = on_click(dispatch, PickerAction::Open(other));
    let show_all = on_last_click(dispatch, FIELD_ID, PickerAction::Query(String::new()));
    let tools = html! {
        <button class="button quiet" onclick={to_other}>
            { if other == ListKind::Scenarios { "Scenarios" } else { "Instructions" } }
        </button>
    };
    html! {
        <div class="picker-box">
            { dialog_head(name, tools, dispatch) }
            <input
                id={FIELD_ID}
                type="search"
                class="picker-field"
                role="combobox"
                aria-label={placeholder}
                {placeholder}
                aria-expanded="true"
                aria-controls={LIST_ID}
                aria-autocomplete="list"
                aria-activedescendant={marked.map(|_| option_id(picker.marked))}
                autocomplete="off"
                spellcheck="false"
                autofocus=true
                value={picker.query.clone()}
                {oninput}
                {onkeydown}
            />
            // Browsers add scrollable boxes without controls to the focus order.
            <div id={LIST_ID} class="picker-list" role="listbox" aria-label={name} tabindex="-1">
                { groups }
            </div>
            <div class="muted picker-count">
                <p role="status">{ count }</p>
                if matches.entries.is_empty() {
                    <button class="button small" onclick={show_all}>
                        { format!("Show all {}", name.to_lowercase()) }
                    </button>
                }
            </div>
        </div>
    }
}

/// Entry of the list.
fn picker_option(
    entry: &Entry,
    index: usize,
    marked: bool,
    current: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let onclick = {
        let (dispatch, opens) = (dispatch.clone(), entry.opens.clone());
        move |_| open(&opens, &dispatch)
    };
    html! {
        <div
            key={entry.opens.id()}
            id={option_id(index)}
            class="picker-option"
            role="option"
            aria-selected={marked.to_string()}
            {onclick}
        >
            if let Opens::Bundled(scenario) = entry.opens {
                <LazyThumbnail {scenario} />
            }
            <span class="picker-name">
                <b>{ &*entry.title }</b>
                if current {
                    <span class="picker-open">{ "open" }</span>
                }
            </span>
            if !entry.about.is_empty() {
                <span class="muted picker-about">{ &entry.about }</span>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct LazyThumbnailProps {
    scenario: &'static Bundled,
}

/// Thumbnail of a scenario, rendered once in view.
#[component]
fn LazyThumbnail(props: &LazyThumbnailProps) -> Html {
    let node = use_node_ref();
    let is_seen = use_state_eq(|| false);
    {
        let (node, is_seen) = (node.clone(), is_seen.setter());
        use_effect_with((), move |()| {
            let observed = node.cast::<Element>().map(|element| {
                let callback = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
                    let mut entries = entries.iter();
                    if entries.any(|entry| {
                        entry
                            .unchecked_into::<IntersectionObserverEntry>()
                            .is_intersecting()
                    }) {
                        is_seen.set(true);
                    }
                });
                let observer = IntersectionObserver::new(callback.as_ref().unchecked_ref())
                    .expect("every browser that runs wasm supports IntersectionObserver");
                observer.observe(&element);
                (observer, callback)
            });
            move || {
                if let Some((observer, _callback)) = observed {
                    observer.disconnect();
                }
            }
        });
    }
    html! {
        <span ref={node} class="picker-picture" aria-hidden="true">
            if *is_seen { { thumbnail(props.scenario.text) } }
        </span>
    }
}

fn option_id(index: usize) -> String {
    format!("picker-{index}")
}

/// Opens the program of an entry.
fn open(opens: &Opens, dispatch: &Callback<Action>) {
    match opens {
        Opens::Bundled(scenario) => dispatch.emit(ProgramAction::Choose(scenario).into()),
        Opens::Served(address) => {
            dispatch.emit(ScreenAction::CloseDialog.into());
            choose_served(address);
        }
    }
}

/// Movement of the selection by a key in the search field.
fn key_movement(key: &str) -> Option<PickerMove> {
    match key {
        "ArrowDown" => Some(PickerMove::Next),
        "ArrowUp" => Some(PickerMove::Previous),
        "PageDown" => Some(PickerMove::PageDown),
        "PageUp" => Some(PickerMove::PageUp),
        _ => None,
    }
}
