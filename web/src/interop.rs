//! Bindings to the code editor: `editor.js`, the bundle of `web/editor` and
//! CodeMirror. Structures cross the boundary as plain objects: see `js`.
//!
//! `web/editor/main.js` documents both interfaces.

use crate::dom::find;
use gloo_events::EventListener;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Object, Promise, Reflect, global};
use web_sys::wasm_bindgen::prelude::*;
use web_sys::{Element, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Editor instance.
    pub(crate) type CodeMirror;

    #[wasm_bindgen(js_namespace = LanewiseEditor)]
    pub(crate) fn mount(
        parent: &Element,
        text: &str,
        earlier: Option<&str>,
        left: JsValue,
        host: &Object,
    ) -> CodeMirror;

    #[wasm_bindgen(method)]
    pub(crate) fn load(this: &CodeMirror, text: &str);

    #[wasm_bindgen(method)]
    pub(crate) fn rewrite(this: &CodeMirror, text: &str);

    #[wasm_bindgen(method)]
    pub(crate) fn select(this: &CodeMirror, start: u32, end: u32, focus: bool);

    #[wasm_bindgen(method, js_name = setMarks)]
    pub(crate) fn set_marks(this: &CodeMirror, marks: JsValue);

    #[wasm_bindgen(method, js_name = setDiagnostics)]
    pub(crate) fn set_diagnostics(this: &CodeMirror, list: JsValue);

    #[wasm_bindgen(method, js_name = revealLine)]
    pub(crate) fn reveal_line(this: &CodeMirror, line: u32);

    #[wasm_bindgen(method, js_name = setWrap)]
    pub(crate) fn set_wrap(this: &CodeMirror, wraps: bool);

    #[wasm_bindgen(method)]
    pub(crate) fn search(this: &CodeMirror);

    #[wasm_bindgen(method)]
    pub(crate) fn leave(this: &CodeMirror) -> JsValue;

    #[wasm_bindgen(method)]
    pub(crate) fn destroy(this: &CodeMirror);
}

/// Loads a script unless the global that it defines exists.
///
/// # Errors
///
/// A sentence, if the script cannot be loaded.
pub(crate) async fn load_script(address: &str, global_name: &str) -> Result<(), String> {
    if Reflect::has(&global(), &global_name.into()).is_ok_and(|is| is) {
        return Ok(());
    }
    let script = script_element(address);
    let loaded = Promise::new(&mut |resolve, reject| {
        for (event, settle) in [("load", resolve), ("error", reject)] {
            EventListener::once(&script, event, move |_| {
                // Settling a promise does not fail.
                let _ = settle.call0(&JsValue::NULL);
            })
            .forget();
        }
    });
    let loaded = JsFuture::from(loaded).await;
    loaded
        .map(|_| ())
        .map_err(|_| format!("{address} could not be loaded. Check the connection, and try again."))
}

/// Script element with an address: the pending one, or a new one. Removed on
/// failure.
fn script_element(address: &str) -> Element {
    let head = gloo_utils::head();
    let selector = format!("script[src='{address}']");
    if let Some(loading) = find(&head, &selector) {
        return loading;
    }
    let script = gloo_utils::document().create_element("script");
    let script = script.expect("the name is valid");
    script
        .set_attribute("src", address)
        .expect("the name is valid");
    let failed = script.clone();
    EventListener::once(&script, "error", move |_| failed.remove()).forget();
    head.append_child(&script)
        .expect("the document head accepts scripts");
    script
}
