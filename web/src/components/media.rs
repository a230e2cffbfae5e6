use gloo_events::EventListener;
use web_sys::MediaQueryList;
use yew::prelude::*;

/// Whether a media query matches now.
pub(crate) fn matches_media(query: &str) -> bool {
    media_query(query).matches()
}

/// Whether a media query matches. The component is drawn anew when that changes.
#[hook]
pub(crate) fn use_media_query(query: &'static str) -> bool {
    let matches = use_state_eq(|| matches_media(query));
    {
        let setter = matches.setter();
        use_effect_with(query, move |query| {
            let list = media_query(query);
            let listener = EventListener::new(&list.clone(), "change", move |_| {
                setter.set(list.matches());
            });
            move || drop(listener)
        });
    }
    *matches
}

fn media_query(query: &str) -> MediaQueryList {
    let list = gloo_utils::window().match_media(query);
    list.ok()
        .flatten()
        .expect("a page's window takes media queries")
}
