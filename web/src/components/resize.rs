use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// Content-box width and height of an element in CSS pixels, excluding scroll
/// bars; `None` until the first layout. While the element is hidden, the last
/// size is kept.
#[hook]
pub(crate) fn use_size(element: &NodeRef) -> Option<(i32, i32)> {
    let size = use_state_eq(|| None);
    {
        let size = size.setter();
        use_effect_with(element.clone(), move |element| {
            let listener = element.cast::<Element>().map(|element| {
                let measured = element.clone();
                let measure = move || {
                    let (width, height) = (measured.client_width(), measured.client_height());
                    if width > 0 {
                        size.set(Some((width, height)));
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

/// Observes the size of an element until dropped. First called as soon as the
/// element is laid out.
pub(crate) struct ResizeListener {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl ResizeListener {
    pub(crate) fn new(element: &Element, callback: impl FnMut() + 'static) -> Self {
        let callback = Closure::<dyn FnMut()>::new(callback);
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref())
            .expect("every browser that runs wasm supports ResizeObserver");
        observer.observe(element);
        Self {
            observer,
            _callback: callback,
        }
    }
}

impl Drop for ResizeListener {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
