//! Scrolls the stage along with the steps.

use crate::dom::find_all;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

/// After each step, scrolls what it touched into view: elements below `picture`
/// that match these selectors. Later selectors take precedence; of several
/// matches, the first counts. `step` is `None` to disable following.
#[hook]
pub(crate) fn use_reveal<T: PartialEq + 'static>(
    picture: NodeRef,
    step: Option<T>,
    selectors: &'static [&'static str],
) {
    use_effect_with(step, move |step| {
        let picture = step.as_ref().and_then(|_| picture.cast::<Element>());
        let Some(picture) = picture else { return };
        let nearest = ScrollIntoViewOptions::new();
        nearest.set_block(ScrollLogicalPosition::Nearest);
        nearest.set_inline(ScrollLogicalPosition::Nearest);
        for selector in selectors {
            for element in find_all(&picture, selector).iter().rev() {
                element.scroll_into_view_with_scroll_into_view_options(&nearest);
            }
        }
    });
}
