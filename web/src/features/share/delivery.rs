//! Delivery of exports to the clipboard or to a file.

use super::{Delivery, Destination, ExportContent, ShareAction};
use crate::clipboard::{copy_picture, copy_text};
use crate::features::stage;
use crate::store::{Action, Request, use_request};
use gloo_file::{Blob, ObjectUrl};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use web_sys::HtmlAnchorElement;
use web_sys::wasm_bindgen::JsCast;
use yew::platform::spawn_local;
use yew::prelude::*;

/// How long a download's object URL stays valid, in milliseconds.
const DOWNLOAD_STARTS_WITHIN: u32 = 10_000;

/// Delivers the latest export and reports the result.
#[hook]
pub(crate) fn use_exports(exported: Option<Request<Rc<Delivery>>>, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_request(exported, |exported| {
        spawn_local(async move {
            let status = deliver(&exported).await;
            let status = status.map(Rc::from).map_err(Rc::from);
            dispatch.emit(Action::Share(ShareAction::Report(status)));
        });
    });
}

/// Success message or error.
async fn deliver(exported: &Delivery) -> Result<String, String> {
    let content = contents(&exported.content)
        .await
        .map_err(|error| format!("The export failed: {error}"))?;
    match (exported.destination, content) {
        (Destination::Clipboard, content) => {
            let copied = match content {
                File::Text(text) => copy_text(&text).await,
                File::Picture(picture) => copy_picture(&picture).await,
            };
            copied.map(|()| String::from("Copied.")).map_err(|error| {
                web_sys::console::warn_1(&error);
                String::from("The browser blocked copying. Download it instead.")
            })
        }
        (Destination::Download, content) => {
            let file = match content {
                File::Text(text) => Blob::new_with_options(text.as_str(), Some("text/plain")),
                File::Picture(picture) => picture,
            };
            Ok(download(&exported.file_name, file))
        }
    }
}

enum File {
    Text(String),
    Picture(Blob),
}

async fn contents(content: &ExportContent) -> Result<File, String> {
    Ok(match content {
        ExportContent::Text(text) => File::Text(text.clone()),
        ExportContent::Svg(caption) => File::Text(stage::picture(caption).await?.svg()),
        ExportContent::Png(caption) => {
            let picture = stage::picture(caption).await?;
            File::Picture(stage::png(&picture).await?)
        }
    })
}

pub(crate) fn download(name: &str, file: Blob) -> String {
    let address = ObjectUrl::from(file);
    let link = gloo_utils::document()
        .create_element("a")
        .expect("the name is valid");
    let link: HtmlAnchorElement = link.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Timeout::new(DOWNLOAD_STARTS_WITHIN, move || drop(address)).forget();
    format!("{name} is in your downloads.")
}
