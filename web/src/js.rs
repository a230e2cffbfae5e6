//! Values of the page as JavaScript objects and back, by serde.

use gloo_utils::format::JsValueSerdeExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::js_sys::JSON;
use web_sys::wasm_bindgen::JsValue;

/// A value as a JavaScript object.
pub(crate) fn to_js<T: Serialize>(value: &T) -> JsValue {
    JsValue::from_serde(value).expect("the page's own structures are JSON")
}

/// A JavaScript object as a value; `None` if it is of another form. It may come
/// from another page: gloo's `into_serde` panics at what has no form in JSON.
pub(crate) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    let json = JSON::stringify(value).ok()?.as_string()?;
    serde_json::from_str(&json).ok()
}
