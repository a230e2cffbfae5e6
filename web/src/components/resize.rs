use super::guard::use_guard;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};
use yew::prelude::*;

/// Content-box width and height of an element in CSS pixels, excluding scroll
/// bars; `None` until the first layout. While the element is hidden, the last
/// size is kept.
#[hook]
pub(crate) fn use_size(element: &NodeRef) -> Option<(i32, i32)> {
    use_measured(element, (), |element| {
        let (width, height) = (element.client_width(), element.client_height());
        (width > 0).then_some((width, height))
    })
}

/// Measures an element after its layout, again if `inputs` change or the element is
/// resized. Without a new measure, the last one is kept. An observer reports after the
/// browser's own layout, so that measuring never forces one.
#[hook]
pub(crate) fn use_measured<T: Clone + PartialEq + 'static, I: PartialEq + 'static>(
    element: &NodeRef,
    inputs: I,
    measure: impl Fn(&HtmlElement) -> Option<T> + 'static,
) -> Option<T> {
    let measured = use_state_eq(|| None);
    let setter = measured.setter();
    use_guard((element.clone(), inputs), move |(element, _)| {
        element.cast::<HtmlElement>().map(|element| {
            let observed = element.clone();
            ResizeListener::new(&element, move || {
                if let Some(new) = measure(&observed) {
                    setter.set(Some(new));
                }
            })
        })
    });
    (*measured).clone()
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
