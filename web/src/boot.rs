//! Bindings to the scripts that run before the wasm: `boot.js`, which shows the crash box of
//! `index.html` in whatever state the wasm is, and `first-screen.js`.

use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Presses the buttons again that were pressed before the page was rendered.
    #[wasm_bindgen(js_namespace = lanewise)]
    pub(crate) fn started();

    /// Shows the crash box with a message and the program text.
    #[wasm_bindgen(js_namespace = lanewise)]
    fn stopped(what: &str);
}

/// Installs a panic hook that shows the crash box: what happened, and the user's program,
/// instead of a blank page.
pub(crate) fn show_panics() {
    // Set through Yew, which would otherwise install its own hook.
    yew::set_custom_panic_hook(Box::new(|info| {
        let what = info.to_string();
        web_sys::console::error_1(&JsValue::from_str(&what));
        stopped(&what);
    }));
}
