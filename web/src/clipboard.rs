//! Clipboard access.

use gloo_file::Blob;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Array, Error, Object, Reflect};
use web_sys::wasm_bindgen::JsValue;
use web_sys::{Clipboard, ClipboardItem};

/// Copies text to the clipboard.
///
/// # Errors
///
/// The browser's error if it denies access.
pub(crate) async fn copy_text(text: &str) -> Result<(), JsValue> {
    JsFuture::from(clipboard()?.write_text(text)).await?;
    Ok(())
}

/// Copies an image to the clipboard.
///
/// # Errors
///
/// See [`copy_text`].
pub(crate) async fn copy_picture(picture: &Blob) -> Result<(), JsValue> {
    let formats = Object::new();
    let blob: &web_sys::Blob = picture.as_ref();
    Reflect::set(&formats, &picture.raw_mime_type().into(), blob)?;
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&formats)?;
    JsFuture::from(clipboard()?.write(&Array::of1(&item))).await?;
    Ok(())
}

/// The clipboard; unavailable outside secure contexts (HTTPS).
fn clipboard() -> Result<Clipboard, JsValue> {
    let clipboard = gloo_utils::window().navigator().clipboard();
    if clipboard.is_undefined() {
        Err(Error::new("the clipboard is not available on this page").into())
    } else {
        Ok(clipboard)
    }
}
