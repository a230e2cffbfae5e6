//! When the page fails: a word on what happened, and the text to take along,
//! instead of a blank page. The box stands in `index.html`, hidden; `boot.js`
//! shows it, which is there whatever has become of the wasm.

use crate::fetched;
use web_sys::wasm_bindgen::JsValue;

/// From now on a panic shows the box.
pub(crate) fn install() {
    // Through Yew, which sets a hook of its own otherwise.
    yew::set_custom_panic_hook(Box::new(|info| {
        let what = info.to_string();
        web_sys::console::error_1(&JsValue::from_str(&what));
        fetched::stopped(&what);
    }));
}
