use crate::dom::by_id;
use gloo_file::Blob;
use gloo_file::futures::read_as_bytes;
use std::rc::Rc;
use web_sys::{File, HtmlInputElement};
use yew::platform::spawn_local;
use yew::prelude::*;

/// Contents of a local file, or why they cannot be read.
pub(crate) type FileBytes = Result<Rc<[u8]>, String>;

pub(crate) async fn read_file(file: File) -> FileBytes {
    match read_as_bytes(&Blob::from(file)).await {
        Ok(bytes) => Ok(Rc::from(bytes)),
        // A folder, or a deleted file.
        Err(_) => Err(String::from("the browser could not read the file")),
    }
}

/// File field. `on_read` receives the name and the contents of the chosen file.
pub(crate) fn file_input(label: String, on_read: Callback<(Rc<str>, FileBytes)>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            let on_read = on_read.clone();
            spawn_local(async move {
                let name = Rc::from(file.name());
                on_read.emit((name, read_file(file).await));
            });
        }
        // Allows the same file to be chosen again.
        input.set_value("");
    });
    html! { <input type="file" aria-label={label} {onchange} /> }
}

/// ID of the hidden file field of the page.
pub(crate) const FILE_INPUT: &str = "file-input";

/// Opens the browser's file chooser.
pub(crate) fn choose_file() {
    if let Some(input) = by_id(FILE_INPUT) {
        input.click();
    }
}
