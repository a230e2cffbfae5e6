use crate::storage;
use yew::prelude::*;

/// Keeps a value between visits.
#[hook]
pub(crate) fn use_persisted(key: &'static str, value: Option<AttrValue>) {
    use_effect_with(value, move |value| storage::put(key, value.as_deref()));
}
