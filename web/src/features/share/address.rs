//! Address bar: a link, or the open bundled scenario.

use super::ShareAction;
use crate::components::guard::use_guard;
use crate::store::{Action, State};
use gloo_events::EventListener;
use web_sys::wasm_bindgen::JsValue;
use yew::prelude::*;

/// The page's address without its fragment.
fn page_address() -> String {
    let location = gloo_utils::window().location();
    let mut address = location.href().expect("a page has an address");
    address.truncate(address.find('#').unwrap_or(address.len()));
    address
}

/// Address of the page for links, without a fragment.
pub(crate) fn shared_address(is_served: bool) -> String {
    match is_served {
        true => shared_folder(true),
        false => page_address(),
    }
}

/// Address of the folder that contains the page, for links.
pub(crate) fn shared_folder(is_served: bool) -> String {
    folder(&page_address(), is_served).to_owned()
}

/// The folder of an address. `lanewise serve` has a secret folder, whose parent has the page
/// without the user's files.
fn folder(address: &str, is_served: bool) -> &str {
    let path = address.split_once('?').map_or(address, |(path, _)| path);
    let up_to_slash = |path: &str| path.rfind('/').map_or(path.len(), |slash| slash + 1);
    let folder = &path[..up_to_slash(path)];
    match is_served {
        true => &path[..up_to_slash(folder.trim_end_matches('/'))],
        false => folder,
    }
}

/// Link in the page's address, if any. The id of an element is an anchor, not a
/// link.
pub(crate) fn link() -> Option<String> {
    let hash = gloo_utils::window().location().hash();
    let hash = hash.expect("a page has an address");
    let fragment = hash.strip_prefix('#')?;
    let element = gloo_utils::document().get_element_by_id(fragment);
    element.is_none().then(|| fragment.to_owned())
}

/// Opens links entered while the page is open.
#[hook]
pub(crate) fn use_links(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_guard((), move |()| {
        EventListener::new(&gloo_utils::window(), "hashchange", move |_| {
            if let Some(link) = link() {
                dispatch.emit(Action::Share(ShareAction::Open(link)));
            }
        })
    });
}

/// Updates the address and history: one entry per opened program, so that Back
/// returns to the previous one. A program without an address, such as a file,
/// shares its entry with the next one.
#[hook]
pub(crate) fn use_address(state: &State) {
    let origin = state.origin_address();
    let fragment = state.address();
    // Origin of the previous program.
    let before = use_mut_ref(|| None);
    use_effect_with((origin, fragment), move |(origin, fragment)| {
        let before = before.replace(origin.clone());
        let is_opened = before.is_some() && before != *origin;
        let shown = link();
        // After Back, or when a link was entered, the address is already up to
        // date.
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
        // Browsers reject rapid changes (about a hundred in a few seconds): the
        // address is then outdated until the next change.
        let _ = if is_opened {
            // An edit removed the address of the previous program.
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

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn shared_addresses_do_not_have_the_secret_of_the_server() {
        let served = "http://127.0.0.1:8417/0123456789abcdef/";
        for address in [
            served,
            &format!("{served}index.html"),
            &format!("{served}?a=/b"),
        ] {
            assert_eq!(folder(address, true), "http://127.0.0.1:8417/");
        }
        let hosted = "https://example.org/lanewise/index.html?a=/b";
        assert_eq!(folder(hosted, false), "https://example.org/lanewise/");
    }
}
