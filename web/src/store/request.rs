//! What the page is asked to do once.

use yew::prelude::*;

/// Something that the page is to do once, such as a scroll. Its number tells it
/// from an earlier request, for the same or for something else: requests of one
/// place are equal if their numbers are.
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
    /// Asks for something, in place of what was asked for before.
    pub(crate) fn ask(place: &mut Option<Self>, value: T) {
        let last = place.as_ref();
        let number = last.map_or(0, |last| last.number.wrapping_add(1));
        *place = Some(Self { number, value });
    }
}

/// Does what is requested, each request once, as soon as it `can`. A component
/// does the last request when it is mounted, so that one which is mounted again
/// does that again.
#[hook]
pub(crate) fn use_request<T: Clone + 'static>(
    request: Option<Request<T>>,
    can: bool,
    act: impl FnOnce(T) + 'static,
) {
    let done = use_mut_ref(|| None);
    use_effect_with((request, can), move |(request, can)| {
        if let Some(Request { value, .. }) = request.clone().filter(|_| *can)
            && done.replace(request.clone()) != *request
        {
            act(value);
        }
    });
}
