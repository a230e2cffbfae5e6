//! What the grids of the state have in common: rows of one height, of which
//! only those in view are on the page, and the focus on the chosen cell.

use crate::components::resize::ResizeListener;
use crate::features::state::view::inspect::focus_chosen;
use web_sys::Element;
use yew::prelude::*;

/// Height of a row in pixels: the least that a finger hits (WCAG 2.5.8). The
/// style sheet gets it as `--row`.
pub(crate) const ROW_HEIGHT: i32 = 24;

/// The size of an element in pixels, without its scroll bars; zero until it is
/// laid out and while it is hidden.
#[hook]
pub(crate) fn use_size(node: &NodeRef) -> (i32, i32) {
    let size = use_state_eq(|| (0, 0));
    {
        let size = size.setter();
        use_effect_with(node.clone(), move |node| {
            let listener = node.cast::<Element>().map(|element| {
                let measured = element.clone();
                ResizeListener::new(&element, move || {
                    size.set((measured.client_width(), measured.client_height()));
                })
            });
            move || drop(listener)
        });
    }
    *size
}

/// Moves the focus to the chosen cell of a box whenever `request` changes; as
/// soon as the cell is on the page.
#[hook]
pub(crate) fn use_focus_on_chosen(scroller: &NodeRef, request: u32) {
    let waits = use_mut_ref(|| false);
    {
        let waits = waits.clone();
        use_effect_with(request, move |request| *waits.borrow_mut() = *request > 0);
    }
    let scroller = scroller.clone();
    use_effect(move || {
        if let Some(scroller) = scroller.cast::<Element>()
            && *waits.borrow()
        {
            *waits.borrow_mut() = !focus_chosen(&scroller);
        }
    });
}

/// Scrolls a row into view whenever another `jump` is asked for; as soon as
/// the box is laid out. A third of the box stays above the row.
#[hook]
pub(crate) fn use_jump(
    scroller: &NodeRef,
    jump: Option<crate::features::state::memory::Jump>,
    laid_out: bool,
) {
    let done = use_mut_ref(|| None);
    let scroller = scroller.clone();
    use_effect_with((jump, laid_out), move |(jump, laid_out)| {
        if !laid_out || *done.borrow() == *jump {
            return;
        }
        *done.borrow_mut() = *jump;
        if let (Some(scroller), Some(jump)) = (scroller.cast::<Element>(), jump) {
            let row = i32::try_from(jump.row).expect("a grid has fewer than 2^31 rows");
            let above = scroller.client_height() / 3 / ROW_HEIGHT * ROW_HEIGHT;
            scroller.set_scroll_top(row.saturating_mul(ROW_HEIGHT) - above);
        }
    });
}

/// The first row of a box in view.
pub(crate) fn first_row(scroller: &Element) -> usize {
    usize::try_from(scroller.scroll_top() / ROW_HEIGHT).expect("a box scrolls down only")
}

/// How many whole rows a height holds, at least one.
pub(crate) fn whole_rows(height: i32) -> usize {
    usize::try_from((height / ROW_HEIGHT).max(1)).expect("it is positive")
}
