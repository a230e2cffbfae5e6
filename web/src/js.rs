//! Serde conversions to and from JavaScript objects.

use gloo_utils::format::JsValueSerdeExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::js_sys::JSON;
use web_sys::wasm_bindgen::JsValue;

pub(crate) fn to_js<T: Serialize>(value: &T) -> JsValue {
    JsValue::from_serde(value).expect("the page's own structures can be represented as JSON")
}

/// Converts from a JavaScript object; `None` if the shape does not match. The
/// object may come from another page: gloo's `into_serde` panics on values
/// without a JSON form.
pub(crate) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    let json = JSON::stringify(value).ok()?.as_string()?;
    serde_json::from_str(&json).ok()
}
