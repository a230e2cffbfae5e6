//! The address bar: a link, or the bundled scenario that is shown.

use super::ShareAction;
use crate::store::{Action, State};
use gloo_events::EventListener;
use web_sys::wasm_bindgen::JsValue;
use yew::prelude::*;

/// The page's address: what is before `#`, and the fragment behind it, empty
/// where there is none.
fn address_parts() -> (String, String) {
    let location = gloo_utils::window().location();
    let address = location.href().expect("a page has an address");
    match address.split_once('#') {
        Some((page, fragment)) => (page.to_owned(), fragment.to_owned()),
        None => (address, String::new()),
    }
}

/// The page's address without its fragment.
pub(crate) fn page_address() -> String {
    address_parts().0
}

/// The address of the folder that the page is in.
pub(crate) fn page_folder() -> String {
    let address = page_address();
    let path = address.split('?').next().unwrap_or_default();
    let folder = path.rfind('/').and_then(|slash| path.get(..=slash));
    String::from(folder.unwrap_or(path))
}

/// The link in the page's address, if there is one. The id of an element leads
/// to that element and is no link.
pub(crate) fn link() -> Option<String> {
    let (_, fragment) = address_parts();
    let is_element = gloo_utils::document()
        .get_element_by_id(&fragment)
        .is_some();
    (!fragment.is_empty() && !is_element).then_some(fragment)
}

/// Opens links that come into the address while the page is open.
#[hook]
pub(crate) fn use_links(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let listener = EventListener::new(&gloo_utils::window(), "hashchange", move |_| {
            if let Some(link) = link() {
                dispatch.emit(Action::Share(ShareAction::Open(link)));
            }
        });
        move || drop(listener)
    });
}

/// Puts what is shown into the address: an entry of the history for each program
/// that is opened, so that Back returns to the one before. The entry of one that no
/// address opens, such as that of a file, is the next one's.
#[hook]
pub(crate) fn use_address(state: &State) {
    let origin = state.origin_address();
    let fragment = state.address();
    // The origin of the program that was shown last.
    let before = use_mut_ref(|| None);
    use_effect_with((origin, fragment), move |(origin, fragment)| {
        let before = before.replace(origin.clone());
        let is_opened = before.is_some() && before != *origin;
        let shown = link();
        // Back, and a link that was entered, are in the address already.
        if shown.as_deref() == fragment.as_deref() && (fragment.is_some() || !is_opened) {
            return;
        }
        let history = gloo_utils::window()
            .history()
            .expect("a page has a history");
        let address = |fragment: Option<&str>| match fragment {
            Some(fragment) => format!("#{fragment}"),
            None => page_address(),
        };
        let replace =
            |fragment| history.replace_state_with_url(&JsValue::NULL, "", Some(&address(fragment)));
        // Browsers refuse a hundred changes in a few seconds: the address is
        // then that of an earlier program, until the next change.
        let _ = if is_opened {
            // An edit took the address of the program before away.
            if shown.is_none() {
                let _ = replace(before.as_deref());
            }
            let address = address(fragment.as_deref());
            history.push_state_with_url(&JsValue::NULL, "", Some(&address))
        } else {
            replace(fragment.as_deref())
        };
    });
}
