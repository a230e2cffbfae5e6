//! Read-only mode: whether the page may change the program.

use yew::prelude::*;

/// Whether the program is read-only. Provided by the embedded player; absent
/// elsewhere.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct ReadOnly(pub(crate) bool);

/// Whether the program is read-only. Controls that would change the program are
/// hidden or disabled.
#[hook]
pub(crate) fn use_read_only() -> bool {
    use_context::<ReadOnly>().is_some_and(|ReadOnly(is_read_only)| is_read_only)
}
