//! Bindings to the code editor: `editor.js`, the bundle of `web/editor` and
//! CodeMirror. Structures cross the boundary as plain objects: see `js`.
//!
//! `web/editor/main.js` documents both interfaces.

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

/// Whether `editor.js` is loaded.
pub(crate) fn is_loaded() -> bool {
    is_defined("LanewiseEditor")
}

fn is_defined(global_name: &str) -> bool {
    Reflect::has(&global(), &global_name.into()).is_ok_and(|is| is)
}

/// Loads a script unless the global that it defines exists.
///
/// # Errors
///
/// A sentence, if the script cannot be loaded.
pub(crate) async fn load_script(address: &str, global_name: &str) -> Result<(), String> {
    if is_defined(global_name) {
        return Ok(());
    }
    let script = bundle_script(address);
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

/// Loads `editor.js` and reports success or failure, unless the listeners are
/// dropped first. `attempt` above 0 bypasses the cache.
pub(crate) fn load_bundle(
    attempt: u32,
    done: impl Fn(bool) + Clone + 'static,
) -> [EventListener; 2] {
    let address = match attempt {
        0 => String::from("editor.js"),
        attempt => format!("editor.js?{attempt}"),
    };
    let script = bundle_script(&address);
    let failed = done.clone();
    [
        EventListener::once(&script, "load", move |_| done(true)),
        EventListener::once(&script, "error", move |_| failed(false)),
    ]
}

/// Script element that loads the bundle from an address: the pending one, or a
/// new one. Removed on failure.
fn bundle_script(address: &str) -> Element {
    let head = gloo_utils::head();
    let selector = format!("script[src='{address}']");
    if let Some(loading) = head
        .query_selector(&selector)
        .expect("the selector is valid")
    {
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
