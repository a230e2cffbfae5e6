use super::send;
use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::picker::{Entry, Listed, Picker, PickerAction};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct PickerDialogProps {
    pub(crate) picker: Picker,
    /// The id of the scenario that is open.
    pub(crate) chosen: &'static str,
    pub(crate) dispatch: Callback<Action>,
}

/// The dialog that scenarios are chosen in.
#[component]
pub(crate) fn PickerDialog(props: &PickerDialogProps) -> Html {
    let PickerDialogProps {
        picker,
        chosen,
        dispatch,
    } = props;
    let dialog = use_node_ref();
    let is_open = picker.open().is_some();
    {
        let dialog = dialog.clone();
        use_effect_with(is_open, move |is_open| {
            let Some(dialog) = dialog.cast::<HtmlDialogElement>() else {
                return;
            };
            if *is_open {
                // It is on the page, and was closed.
                let _ = dialog.show_modal();
            } else {
                dialog.close();
            }
        });
    }
    use_effect_with((is_open, picker.at()), |(is_open, at)| {
        if *is_open {
            show_marked(*at);
        }
    });
    // The browser has closed it, by Escape for example.
    let onclose = dispatch.reform(|_: Event| Action::Picker(PickerAction::Close));
    html! {
        <dialog ref={dialog} class="picker-dialog" aria-label="Choose a scenario" {onclose}>
            if is_open {
                { draw(picker, chosen, dispatch).html() }
            }
        </dialog>
    }
}

/// What is in the dialog: a field to search by, and what was found, by
/// instruction. The focus stays in the field; the marked entry is the one
/// that Enter opens.
fn draw(picker: &Picker, chosen: &'static str, act: &Callback<Action>) -> El {
    let (entries, all) = picker.found();
    let (name, what) = match picker.open() {
        Some(Listed::Instructions) => ("Instructions", "Find an instruction"),
        _ => ("Scenarios", "Find by instruction, title or words"),
    };
    let oninput = act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Picker(PickerAction::Query(input.value()))
    });
    let field = el!(
        "input",
        "type" = "search",
        "class" = "picker-field",
        "role" = "combobox",
        "aria-label" = what,
        "placeholder" = what,
        "aria-expanded" = "true",
        "aria-controls" = "picker-list",
        "aria-autocomplete" = "list",
        "aria-activedescendant" = entries.get(picker.at()).map(|_| option_id(picker.at())),
        "autocomplete" = "off",
        "spellcheck" = "false",
        "autofocus" = ""
    )
    .value(String::from(picker.query()))
    .on(On::Input, oninput)
    .on(
        On::KeyDown,
        keys(entries.get(picker.at()).map(|e| e.id), act),
    );
    let mut at = 0;
    let groups = entries.chunk_by(|a, b| a.topic == b.topic).map(|group| {
        let first = group.first().map_or("", |entry| entry.topic);
        let title = el!("div", "class" = "picker-topic", "aria-hidden" = "true").put(first);
        let options = group.iter().map(|entry| {
            at += 1;
            option(entry, at - 1, picker.at(), chosen, act)
        });
        let group = el!("div", "role" = "group", "aria-label" = first);
        let group = match picker.open() {
            Some(Listed::Instructions) => group,
            _ => group.put(title),
        };
        group.each(options.collect::<Vec<_>>())
    });
    let list = el!(
        "div",
        "id" = "picker-list",
        "class" = "picker-list",
        "role" = "listbox",
        "aria-label" = name
    )
    .each(groups.collect::<Vec<_>>());
    let count = match entries.len() {
        0 => String::from("No matches"),
        count if !all => format!("Nothing has all of these words; {count} come closest"),
        1 => String::from("1 found"),
        count => format!("{count} found"),
    };
    let (other, other_name) = match picker.open() {
        Some(Listed::Instructions) => (Listed::Scenarios, "Scenarios"),
        _ => (Listed::Instructions, "Instructions"),
    };
    let other = el!("button", "class" = "button quiet")
        .on(
            On::Click,
            send(act, Action::Picker(PickerAction::Open(other))),
        )
        .put(other_name);
    let close = el!("button", "class" = "button quiet")
        .on(On::Click, send(act, Action::Picker(PickerAction::Close)))
        .put("Close");
    el!("div", "class" = "picker-box")
        .put(
            el!("div", "class" = "pane-head")
                .put(el!("h2", "id" = "picker-title").put(name))
                .put(el!("div", "class" = "pane-tools").put(other).put(close)),
        )
        .put(field)
        .put(list)
        .put(el!("p", "class" = "muted picker-count", "role" = "status").put(count))
}

fn option_id(index: usize) -> String {
    format!("picker-{index}")
}

fn option(
    entry: &Entry,
    index: usize,
    at: usize,
    chosen: &'static str,
    act: &Callback<Action>,
) -> El {
    let about = (!entry.about.is_empty())
        .then(|| el!("span", "class" = "picker-about").put(entry.about.clone()));
    let open = (entry.id == chosen).then(|| el!("span", "class" = "picker-open").put("open"));
    el!(
        "div",
        "id" = option_id(index),
        "class" = "picker-option",
        "role" = "option",
        "aria-selected" = if index == at { "true" } else { "false" }
    )
    .on(On::Click, send(act, Action::Choose(String::from(entry.id))))
    .put(
        el!("span", "class" = "picker-name")
            .put(el!("b").put(entry.title))
            .put(open),
    )
    .put(about)
}

fn keys(chosen: Option<&'static str>, act: &Callback<Action>) -> Callback<Event> {
    let act = act.clone();
    Callback::from(move |event: Event| {
        let event: KeyboardEvent = event.unchecked_into();
        let action = match (event.key().as_str(), chosen) {
            ("ArrowDown", _) => Action::Picker(PickerAction::Move(1)),
            ("ArrowUp", _) => Action::Picker(PickerAction::Move(-1)),
            ("PageDown", _) => Action::Picker(PickerAction::Move(8)),
            ("PageUp", _) => Action::Picker(PickerAction::Move(-8)),
            ("Enter", Some(id)) => Action::Choose(String::from(id)),
            _ => return,
        };
        event.prevent_default();
        act.emit(action);
    })
}

/// Brings the marked entry into sight.
fn show_marked(index: usize) {
    let document = web_sys::window().and_then(|window| window.document());
    let entry = document.and_then(|document| document.get_element_by_id(&option_id(index)));
    let list = entry
        .as_ref()
        .and_then(|entry| entry.closest(".picker-list").ok().flatten());
    let (Some(entry), Some(list)) = (entry, list) else {
        return;
    };
    let (entry, view) = (
        entry.get_bounding_client_rect(),
        list.get_bounding_client_rect(),
    );
    // With its heading, which stays above.
    let above = view.top() + 34.0 - entry.top();
    let below = entry.bottom() + 8.0 - view.bottom();
    if above > 0.0 {
        list.set_scroll_top(list.scroll_top() - above as i32);
    } else if below > 0.0 {
        list.set_scroll_top(list.scroll_top() + below as i32);
    }
}
