//! How files come in.

use super::FilesAction;
use crate::store::Action;
use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use gloo_file::Blob;
use gloo_file::futures::read_as_bytes;
use std::rc::Rc;
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{File, FileList, HtmlElement, HtmlInputElement};
use yew::platform::spawn_local;
use yew::prelude::*;

const INPUT: &str = "file-input";

/// Larger files are not read here, in bytes; the command line reads them.
const MAX_BYTES: f64 = 32e6;

#[derive(Properties, PartialEq)]
pub(crate) struct FileInputProps {
    pub(crate) dispatch: Callback<Action>,
}

/// The hidden field by which the browser lets a reader choose a file.
#[component]
pub(crate) fn FileInput(props: &FileInputProps) -> Html {
    let dispatch = props.dispatch.clone();
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        take(input.files(), &dispatch);
        // The same file may be chosen again.
        input.set_value("");
    });
    html! { <input type="file" id={INPUT} hidden=true tabindex="-1" {onchange} /> }
}

/// Lets the reader choose a file.
pub(crate) fn choose_file() {
    let input = gloo_utils::document().get_element_by_id(INPUT);
    if let Some(input) = input.and_then(|input| input.dyn_into::<HtmlElement>().ok()) {
        input.click();
    }
}

/// Reads the file of a choice or a drop.
fn take(files: Option<FileList>, dispatch: &Callback<Action>) {
    let Some(files) = files else { return };
    let Some(file) = files.get(0) else { return };
    let name: Rc<str> = Rc::from(file.name());
    let failed = |why: &str| {
        let action = FilesAction::Failed(Rc::clone(&name), String::from(why));
        dispatch.emit(Action::Files(action));
    };
    if files.length() > 1 {
        failed("open one file at a time");
    } else if file.size() > MAX_BYTES {
        failed("it has more than 32 MB, which `lanewise open` on the command line reads");
    } else {
        spawn_local(read(file, name, dispatch.clone()));
    }
}

async fn read(file: File, name: Rc<str>, dispatch: Callback<Action>) {
    let action = match read_as_bytes(&Blob::from(file)).await {
        Ok(bytes) => FilesAction::Read(name, Rc::from(bytes)),
        // A folder, or a file that is gone.
        Err(_) => FilesAction::Failed(name, String::from("the browser could not read it")),
    };
    dispatch.emit(Action::Files(action));
}

/// Takes files that are dropped anywhere on the page, and marks the page while
/// one is dragged over it.
#[hook]
pub(crate) fn use_file_drop(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let kinds = ["dragenter", "dragover", "dragleave", "drop"];
        let listeners = kinds.map(|kind| {
            let dispatch = dispatch.clone();
            // Before the editor, which would put the text of a file into its own.
            let options = EventListenerOptions {
                phase: EventListenerPhase::Capture,
                passive: false,
            };
            let window = gloo_utils::window();
            EventListener::new_with_options(&window, kind, options, move |event| {
                dragged(kind, event.unchecked_ref(), &dispatch);
            })
        });
        move || drop(listeners)
    });
}

fn dragged(kind: &str, event: &DragEvent, dispatch: &Callback<Action>) {
    let Some(data) = event.data_transfer() else {
        return;
    };
    if !data.types().includes(&JsValue::from_str("Files"), 0) {
        return;
    }
    event.prevent_default();
    let is_over = match kind {
        "dragleave" => event.related_target().is_some(),
        kind => kind != "drop",
    };
    // It fails for what is no name of an attribute, and this is one.
    let _ = gloo_utils::document_element().toggle_attribute_with_force("data-drop", is_over);
    if kind == "drop" {
        event.stop_propagation();
        take(data.files(), dispatch);
    }
}
