//! Crash box: what happened, and the user's program, instead of a blank page.
//! `index.html` contains the box, hidden; `boot.js` shows it, so it works
//! whatever state the wasm is in.

use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Shows the crash box with a message and the program text.
    #[wasm_bindgen(js_namespace = lanewise)]
    fn stopped(what: &str);
}

/// Installs a panic hook that shows the crash box.
pub(crate) fn install() {
    // Set through Yew, which would otherwise install its own hook.
    yew::set_custom_panic_hook(Box::new(|info| {
        let what = info.to_string();
        web_sys::console::error_1(&JsValue::from_str(&what));
        stopped(&what);
    }));
}
