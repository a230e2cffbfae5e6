//! Export of the stage as a standalone picture: `picture.js`, the bundle of
//! `web/picture`, loaded with the first export.

use crate::dom::find;
use crate::features::screen::Area;
use crate::interop::load_script;
use gloo_file::Blob;
use serde::Serialize;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::Promise;
use web_sys::wasm_bindgen::prelude::*;
use web_sys::{Element, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    pub(crate) type Picture;

    #[wasm_bindgen(js_namespace = LanewisePicture)]
    fn write(root: &Element, caption: JsValue) -> Promise;

    #[wasm_bindgen(js_namespace = LanewisePicture)]
    fn draw(picture: &Picture) -> Promise;

    /// Text of the SVG file.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn svg(this: &Picture) -> String;
}

/// Caption of an exported picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Caption {
    pub(crate) title: String,
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`.
    pub(crate) instruction: String,
    /// `Step 5 of 16`.
    pub(crate) step: String,
    /// Effect of the step, and further contents of the picture.
    pub(crate) sentence: String,
}

/// Picture currently shown in the stage, with a caption.
///
/// # Errors
///
/// A sentence, if the page has no stage or the script cannot be loaded.
pub(crate) async fn picture(caption: &Caption) -> Result<Picture, String> {
    load_script("picture.js", "LanewisePicture").await?;
    let selector = format!("#{} [data-picture]", Area::Stage.id());
    let root = find(&gloo_utils::document_element(), &selector);
    let root = root.ok_or("the stage is not on the page.")?;
    let written = JsFuture::from(write(&root, crate::js::to_js(caption))).await;
    let written = written.map_err(|_| String::from("the picture could not be written."))?;
    Ok(written.unchecked_into())
}

/// Rasterises a picture.
///
/// # Errors
///
/// A sentence, if the browser cannot draw the picture.
pub(crate) async fn png(picture: &Picture) -> Result<Blob, String> {
    let drawn = JsFuture::from(draw(picture)).await;
    let drawn = drawn.and_then(|blob| blob.dyn_into::<web_sys::Blob>());
    drawn
        .map(Blob::from)
        .map_err(|_| String::from("the browser could not draw the picture."))
}
