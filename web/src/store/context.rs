use super::Action;
use yew::prelude::*;

/// Hands an action to the store.
pub(crate) type Dispatch = Callback<Action>;

/// What hands actions to the store: always the same, so that nothing is drawn
/// anew for it.
///
/// # Panics
/// Outside of the page's context provider.
#[hook]
pub(crate) fn use_dispatch() -> Dispatch {
    use_context().expect("App provides it to the whole page")
}
