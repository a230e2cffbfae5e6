//! One-shot UI commands.

use yew::prelude::*;

/// One-shot UI command, such as a scroll. A sequence number distinguishes
/// repeated requests: two requests are equal if their numbers are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<T> {
    number: u32,
    pub(crate) value: T,
}

impl<T> PartialEq for Request<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Request<T> {}

impl<T> Request<T> {
    /// Replaces the pending request.
    pub(crate) fn ask(place: &mut Option<Self>, value: T) {
        let last = place.as_ref();
        let number = last.map_or(0, |last| last.number.wrapping_add(1));
        *place = Some(Self { number, value });
    }
}

/// Runs each request once. A component also runs the last request when it mounts,
/// so remounting repeats it.
#[hook]
pub(crate) fn use_request<T: Clone + 'static>(
    request: Option<Request<T>>,
    act: impl FnOnce(T) + 'static,
) {
    use_effect_with(request, move |request| {
        if let Some(Request { value, .. }) = request {
            act(value.clone());
        }
    });
}
