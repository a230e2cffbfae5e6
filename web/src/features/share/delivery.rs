//! Exports on their way to the clipboard or into a file.

use super::{Delivery, Destination, ExportContent, ExportFormat, ShareAction};
use crate::clipboard::{copy_picture, copy_text};
use crate::features::stage;
use crate::store::Action;
use gloo_file::{Blob, ObjectUrl};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use web_sys::HtmlAnchorElement;
use web_sys::wasm_bindgen::{JsCast, JsValue};
use yew::prelude::*;

/// How long the address of a file stays valid after its download was asked
/// for, in milliseconds.
const DOWNLOAD_STARTS_WITHIN: u32 = 10_000;

/// Delivers what was copied or exported last, and reports how that went.
#[hook]
pub(crate) fn use_exports(exported: Option<Rc<Delivery>>, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(exported, move |exported| {
        if let Some(exported) = exported.clone() {
            wasm_bindgen_futures::spawn_local(async move {
                let (is_good, text) = match deliver(&exported).await {
                    Ok(text) => (true, text),
                    Err(text) => (false, text),
                };
                dispatch.emit(Action::Share(ShareAction::Report(is_good, text)));
            });
        }
    });
}

/// What there is to say when it has arrived, or why it has not.
async fn deliver(exported: &Delivery) -> Result<String, String> {
    let content = contents(&exported.content)
        .await
        .map_err(|error| format!("It could not be made: {error}"))?;
    let copied = match (exported.destination, content) {
        (Destination::Clipboard, File::Text(text)) => copy_text(&text).await,
        (Destination::Clipboard, File::Picture(picture)) => copy_picture(&picture).await,
        (Destination::Download, File::Text(text)) => {
            let blob = Blob::new_with_options(text.as_str(), Some("text/plain"));
            return Ok(download(&exported.file_name, blob));
        }
        (Destination::Download, File::Picture(picture)) => {
            return Ok(download(&exported.file_name, picture));
        }
    };
    copied.map(|()| String::from("Copied.")).map_err(refused)
}

/// What a file holds.
enum File {
    Text(String),
    Picture(Blob),
}

async fn contents(content: &ExportContent) -> Result<File, String> {
    let (title, format) = match content {
        ExportContent::Text(text) => return Ok(File::Text(text.clone())),
        ExportContent::Stage(title, format) => (title, format),
    };
    let picture = stage::picture(title)?;
    Ok(match format {
        ExportFormat::Png => File::Picture(stage::png(&picture).await?),
        _ => File::Text(picture.svg),
    })
}

fn download(name: &str, file: Blob) -> String {
    let address = ObjectUrl::from(file);
    let link = gloo_utils::document()
        .create_element("a")
        .expect("a valid name");
    let link: HtmlAnchorElement = link.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Timeout::new(DOWNLOAD_STARTS_WITHIN, move || drop(address)).forget();
    format!("{name} is in your downloads.")
}

fn refused(error: JsValue) -> String {
    web_sys::console::warn_1(&error);
    String::from(
        "The browser did not let it be copied: select the text and copy it by hand, or download it.",
    )
}
