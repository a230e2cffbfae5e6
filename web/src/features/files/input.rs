//! File input.

use super::FilesAction;
use super::model::{is_cubin_name, is_source_name};
use crate::components::file::{FILE_INPUT, read_file};
use crate::components::guard::use_guard;
use crate::features::program::PROGRAM_TEXT_ID;
use crate::store::Action;
use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{ClipboardEvent, Element, File, FileList, HtmlInputElement};
use yew::platform::spawn_local;
use yew::prelude::*;

/// Maximum file size in bytes; the command line accepts larger files.
const MAX_BYTES: f64 = 32e6;

/// Accepts files dropped anywhere on the page, and pasted files and listings.
/// Returns the hidden file field of the browser's file chooser.
#[hook]
pub(crate) fn use_file_input(dispatch: &Callback<Action>) -> Html {
    let reader = FileReader {
        taken: use_mut_ref(|| 0),
        dispatch: dispatch.clone(),
    };
    use_file_drop(&reader);
    use_paste(&reader);
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        reader.take(input.files());
        // Allows the same file to be chosen again.
        input.set_value("");
    });
    html! { <input type="file" id={FILE_INPUT} hidden=true multiple=true tabindex="-1" {onchange} /> }
}

/// Reads chosen and dropped files.
#[derive(Clone)]
struct FileReader {
    /// Number of files accepted so far, so that a slow read cannot replace a
    /// later file. A rejected file does not cancel a pending read.
    taken: Rc<RefCell<u32>>,
    dispatch: Callback<Action>,
}

impl FileReader {
    /// Reads chosen or dropped files: one program, and with it the sources of its
    /// kernels, and the cubin of a listing.
    fn take(&self, files: Option<FileList>) {
        let Some(files) = files else { return };
        let all: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
        let (sources, programs): (Vec<File>, Vec<File>) = match all.len() {
            0 => return,
            1 => (Vec::new(), all),
            _ => all
                .into_iter()
                .partition(|file| is_source_name(&file.name())),
        };
        let is_cubin = |file: &File| is_cubin_name(&file.name());
        let (cubins, programs) = match programs.len() {
            2 => programs.into_iter().partition(is_cubin),
            _ => (Vec::new(), programs),
        };
        let first = programs
            .first()
            .or(sources.first())
            .or(cubins.first())
            .expect("there are files");
        let name: Rc<str> = Rc::from(first.name());
        let failed = |why: &str| {
            let action = FilesAction::Failed(Rc::clone(&name), String::from(why));
            self.dispatch.emit(Action::Files(action));
        };
        let [program] = &programs[..] else {
            failed("open one program at a time, or a SASS listing with its cubin");
            return;
        };
        if (sources.iter().chain(&cubins))
            .chain([program])
            .any(|file| file.size() > MAX_BYTES)
        {
            failed("it is larger than 32 MB; use `lanewise open` on the command line");
            return;
        }
        let number = {
            let mut taken = self.taken.borrow_mut();
            *taken += 1;
            *taken
        };
        let (reader, program) = (self.clone(), program.clone());
        spawn_local(async move {
            let mut actions = Vec::new();
            for file in sources {
                actions.push(read(file, FilesAction::Source).await);
            }
            for file in cubins {
                actions.push(read(file, |_, bytes| FilesAction::Cubin(bytes)).await);
            }
            actions.push(read(program, FilesAction::Read).await);
            if *reader.taken.borrow() == number {
                for action in actions {
                    reader.dispatch.emit(Action::Files(action));
                }
            }
        });
    }
}

async fn read(file: File, action: fn(Rc<str>, Rc<[u8]>) -> FilesAction) -> FilesAction {
    let name: Rc<str> = Rc::from(file.name());
    match read_file(file).await {
        Ok(bytes) => action(name, bytes),
        Err(why) => FilesAction::Failed(name, why),
    }
}

/// Handles an event before the editor, which would insert the text.
fn listen_first(kind: &'static str, handle: impl FnMut(&Event) + 'static) -> EventListener {
    let options = EventListenerOptions {
        phase: EventListenerPhase::Capture,
        passive: false,
    };
    EventListener::new_with_options(&gloo_utils::window(), kind, options, handle)
}

/// Name of a pasted text in messages.
const PASTED: &str = "pasted text";

/// Opens pasted files, and pasted texts that are compiler output rather than a
/// part of a program.
#[hook]
fn use_paste(reader: &FileReader) {
    let reader = reader.clone();
    use_guard((), move |()| {
        listen_first("paste", move |event| {
            let event: &ClipboardEvent = event.unchecked_ref();
            let Some(data) = event.clipboard_data() else {
                return;
            };
            let has_files = data.files().is_some_and(|files| files.length() > 0);
            let text = data.get_data("text/plain").ok();
            let listing =
                text.filter(|text| !is_other_field(event) && lanewise_files::is_listing(text));
            if !has_files && listing.is_none() {
                return;
            }
            event.prevent_default();
            event.stop_propagation();
            match listing {
                Some(text) => {
                    let bytes = Rc::from(text.into_bytes());
                    let action = FilesAction::Read(Rc::from(PASTED), bytes);
                    reader.dispatch.emit(Action::Files(action));
                }
                None => reader.take(data.files()),
            }
        })
    });
}

/// Whether an event is that of a text field, but not of the program.
fn is_other_field(event: &Event) -> bool {
    let element = event.target_dyn_into::<Element>();
    let element = element.filter(|element| element.id() != PROGRAM_TEXT_ID);
    element.is_some_and(|element| matches!(&*element.tag_name(), "INPUT" | "TEXTAREA"))
}

/// Accepts files dropped anywhere on the page, and marks the page during a
/// drag.
#[hook]
fn use_file_drop(reader: &FileReader) {
    let reader = reader.clone();
    use_guard((), move |()| {
        ["dragenter", "dragover", "dragleave", "drop"].map(|kind| {
            let reader = reader.clone();
            listen_first(kind, move |event| {
                dragged(kind, event.unchecked_ref(), &reader);
            })
        })
    });
}

fn dragged(kind: &str, event: &DragEvent, reader: &FileReader) {
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
    // Fails only for an invalid attribute name.
    let _ = gloo_utils::document_element().toggle_attribute_with_force("data-drop", is_over);
    if kind == "drop" {
        event.stop_propagation();
        reader.take(data.files());
    }
}
