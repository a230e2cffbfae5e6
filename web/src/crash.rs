//! When the page fails: a word on what happened, and the text to take along,
//! instead of a blank page. The box stands in `index.html`, hidden.

use web_sys::js_sys::Reflect;
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, HtmlElement, HtmlTextAreaElement};

/// From now on a panic shows the box.
pub(crate) fn install() {
    // Through Yew, which sets a hook of its own otherwise.
    yew::set_custom_panic_hook(Box::new(|info| {
        let what = info.to_string();
        web_sys::console::error_1(&JsValue::from_str(&what));
        let document = web_sys::window().and_then(|window| window.document());
        // There is nobody left to tell if even this fails.
        let _ = document.and_then(|document| show(&document, &what));
    }));
}

fn show(document: &Document, what: &str) -> Option<()> {
    let alert = document.get_element_by_id("crash")?;
    let alert = alert.dyn_into::<HtmlElement>().ok()?;
    // What failed first tells more than what failed of it.
    if !alert.hidden() {
        return Some(());
    }
    let text_area = |id| {
        let element = document.get_element_by_id(id)?;
        element.dyn_into::<HtmlTextAreaElement>().ok()
    };
    document
        .get_element_by_id("crash-what")?
        .set_text_content(Some(what));
    let program = document.get_element_by_id("program-text");
    // Whatever it is edited in tells its text as a text area does.
    let text = program.and_then(|program| Reflect::get(&program, &"value".into()).ok());
    if let (Some(text), Some(copy)) = (text.and_then(|t| t.as_string()), text_area("crash-text")) {
        copy.set_value(&text);
    }
    alert.set_hidden(false);
    Some(())
}
