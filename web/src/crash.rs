//! When the page fails: a word on what happened, and the text to take along,
//! instead of a blank page. The box stands in `index.html`, hidden; `boot.js`
//! shows it, which is there whatever has become of the wasm.

use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Shows that the page has stopped, what happened, and the text.
    #[wasm_bindgen(js_namespace = lanewise)]
    fn stopped(what: &str);
}

/// From now on a panic shows the box.
pub(crate) fn install() {
    // Through Yew, which sets a hook of its own otherwise.
    yew::set_custom_panic_hook(Box::new(|info| {
        let what = info.to_string();
        web_sys::console::error_1(&JsValue::from_str(&what));
        stopped(&what);
    }));
}
