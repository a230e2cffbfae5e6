use super::guard::use_guard;
use gloo_events::EventListener;
use web_sys::MediaQueryList;
use yew::prelude::*;

pub(crate) fn matches_media(query: &str) -> bool {
    media_query(query).matches()
}

/// Whether a media query matches; re-renders the component when the result
/// changes.
#[hook]
pub(crate) fn use_media_query(query: &'static str) -> bool {
    let matches = use_state_eq(|| matches_media(query));
    let setter = matches.setter();
    use_guard(query, move |query| {
        on_media_change(query, move |matches| setter.set(matches))
    });
    *matches
}

/// Calls `report` whenever the result of a media query changes, until the
/// listener is dropped.
pub(crate) fn on_media_change(query: &str, report: impl Fn(bool) + 'static) -> EventListener {
    let list = media_query(query);
    EventListener::new(&list.clone(), "change", move |_| report(list.matches()))
}

fn media_query(query: &str) -> MediaQueryList {
    let list = gloo_utils::window().match_media(query);
    list.ok().flatten().expect("windows support media queries")
}
