//! How large an element is on the screen.

use crate::components::resize::ResizeListener;
use gloo_events::EventListener;
use web_sys::Element;
use yew::prelude::*;

/// The width and height of an element, in CSS pixels, now and whenever they
/// change; `usual` until they are known.
#[hook]
pub(crate) fn use_size(element: NodeRef, usual: (f64, f64)) -> (f64, f64) {
    let size = use_state_eq(|| usual);
    {
        let size = size.clone();
        use_effect_with(element, move |element| {
            let listener = element.cast::<Element>().map(|element| {
                let measured = element.clone();
                let measure = move || {
                    let (width, height) = (measured.client_width(), measured.client_height());
                    // It is not shown: what it had before will do again.
                    if width > 0 {
                        size.set((f64::from(width), f64::from(height)));
                    }
                };
                measure();
                ResizeListener::new(&element, measure)
            });
            move || drop(listener)
        });
    }
    *size
}

/// Whether the reader wants as little motion as can be, now and whenever that
/// changes.
#[hook]
pub(crate) fn use_reduced_motion() -> bool {
    let reduced = use_state_eq(|| false);
    {
        let reduced = reduced.clone();
        use_effect_with((), move |()| {
            let query = web_sys::window()
                .and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok())
                .flatten();
            let listener = query.map(|query| {
                reduced.set(query.matches());
                let asked = query.clone();
                EventListener::new(&query, "change", move |_| reduced.set(asked.matches()))
            });
            move || drop(listener)
        });
    }
    *reduced
}
