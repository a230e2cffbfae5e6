use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Listens to changes of an element's size until it is dropped. The first call
/// comes as soon as the element is laid out.
pub(crate) struct ResizeListener {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl ResizeListener {
    pub(crate) fn new(element: &Element, callback: impl FnMut() + 'static) -> Self {
        let callback = Closure::<dyn FnMut()>::new(callback);
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref())
            .expect("every browser that runs wasm has ResizeObserver");
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
