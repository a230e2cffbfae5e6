//! Whether what is on the page may change the program.

use yew::prelude::*;

/// Whether the text of the page cannot be changed. A player gives it to what is
/// in it; elsewhere the text can be changed.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct ReadOnly(pub(crate) bool);

/// Whether the text cannot be changed: what would change it is refused, or is
/// not there.
#[hook]
pub(crate) fn use_read_only() -> bool {
    use_context::<ReadOnly>().is_some_and(|ReadOnly(is_read_only)| is_read_only)
}
