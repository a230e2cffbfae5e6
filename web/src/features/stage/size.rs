//! Measures elements on the screen.

use gloo_events::EventListener;
use web_sys::Element;
use yew::prelude::*;

/// Height in CSS pixels that a phone's window needs for bars, headings and the
/// result.
const BARS: f64 = 290.0;

/// Height in CSS pixels of a picture in an iframe.
const FRAMED: f64 = 520.0;

/// Height of a picture on a phone in CSS pixels: the remaining window height,
/// tracked on resize. In an iframe, whose height depends on its contents, the
/// height is constant.
#[hook]
pub(crate) fn use_narrow_height() -> f64 {
    let height = use_state_eq(narrow_height);
    {
        let setter = height.setter();
        use_effect_with((), move |()| {
            let window = gloo_utils::window();
            let listener = EventListener::new(&window, "resize", move |_| {
                setter.set(narrow_height());
            });
            move || drop(listener)
        });
    }
    *height
}

fn narrow_height() -> f64 {
    let window = gloo_utils::window();
    let parent = window.parent().ok().flatten();
    if parent.is_some_and(|parent| parent != window) {
        return FRAMED;
    }
    // Not `innerHeight`, which changes when a phone hides its toolbar.
    let height = gloo_utils::document_element().client_height();
    (f64::from(height) - BARS).clamp(300.0, 640.0)
}

/// Whether the available size has just changed. If so, skips the transition.
#[hook]
pub(crate) fn use_resized(picture: NodeRef, room: (f64, f64)) -> bool {
    let drawn = use_state_eq(|| room);
    let setter = drawn.setter();
    use_effect_with(room, move |room| {
        if let Some(picture) = picture.cast::<Element>() {
            // Reading a rectangle forces layout while transitions are still
            // off.
            picture.get_bounding_client_rect();
        }
        setter.set(*room);
    });
    *drawn != room
}
