//! How large an element is on the screen.

use gloo_events::EventListener;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::prelude::Closure;
use web_sys::{Element, ResizeObserver, js_sys};
use yew::prelude::*;

/// The width and height of an element, in CSS pixels, now and whenever they
/// change; `usual` until they are known.
#[hook]
pub(crate) fn use_size(element: NodeRef, usual: (f64, f64)) -> (f64, f64) {
    let size = use_state_eq(|| usual);
    {
        let size = size.clone();
        use_effect_with(element, move |element| {
            let observed = element.cast::<Element>().map(|element| {
                let measured = element.clone();
                let measure = move || {
                    let (width, height) = (measured.client_width(), measured.client_height());
                    // It is not shown: what it had before will do again.
                    if width > 0 {
                        size.set((f64::from(width), f64::from(height)));
                    }
                };
                measure();
                let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |_| measure());
                let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok();
                if let Some(observer) = &observer {
                    observer.observe(&element);
                }
                (observer, callback)
            });
            move || {
                if let Some((Some(observer), _callback)) = &observed {
                    observer.disconnect();
                }
            }
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
