//! The clipboard.

use gloo_file::Blob;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Array, Error, Object, Reflect};
use web_sys::wasm_bindgen::JsValue;
use web_sys::{Clipboard, ClipboardItem};

/// Puts a text on the clipboard.
///
/// # Errors
/// What the browser reports where it does not allow that.
pub(crate) async fn copy_text(text: &str) -> Result<(), JsValue> {
    JsFuture::from(clipboard()?.write_text(text)).await?;
    Ok(())
}

/// Puts a picture on the clipboard.
///
/// # Errors
/// As [`copy_text`].
pub(crate) async fn copy_picture(picture: &Blob) -> Result<(), JsValue> {
    let formats = Object::new();
    let blob: &web_sys::Blob = picture.as_ref();
    Reflect::set(&formats, &picture.raw_mime_type().into(), blob)?;
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&formats)?;
    JsFuture::from(clipboard()?.write(&Array::of1(&item))).await?;
    Ok(())
}

/// Pages without https have none.
fn clipboard() -> Result<Clipboard, JsValue> {
    let clipboard = gloo_utils::window().navigator().clipboard();
    if clipboard.is_undefined() {
        Err(Error::new("this page has no clipboard").into())
    } else {
        Ok(clipboard)
    }
}
