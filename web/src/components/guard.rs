use yew::prelude::*;

/// Keeps what `start` returns, such as a listener or a timer, until `inputs` change or the
/// component is removed.
#[hook]
pub(crate) fn use_guard<I: PartialEq + 'static, G: 'static>(
    inputs: I,
    start: impl FnOnce(&I) -> G + 'static,
) {
    use_effect_with(inputs, move |inputs| {
        let guard = start(inputs);
        move || drop(guard)
    });
}
