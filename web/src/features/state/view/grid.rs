//! Shared by the State grids: virtualised rows of equal height, and focus on
//! the inspected cell.

use crate::features::state::StateAction;
use crate::features::state::inspect::InspectAction;
use crate::features::state::rows::RowsInView;
use crate::features::state::view::inspect_bar::focus_chosen;
use crate::store::Action;
use web_sys::Element;
use yew::prelude::*;

/// Row height in pixels: the minimum target size of WCAG 2.5.8. Passed to the
/// style sheet as `--row`.
pub(crate) const ROW_HEIGHT: i32 = 24;

/// Focuses the inspected cell once it is rendered, if requested, and reports
/// that. Not a one-shot request: it waits until some grid renders the cell, and
/// is dropped if the user moves on.
#[hook]
pub(crate) fn use_focus_on_chosen(scroller: &NodeRef, wanted: bool, dispatch: &Callback<Action>) {
    let (scroller, dispatch) = (scroller.clone(), dispatch.clone());
    use_effect(move || {
        let scroller = scroller.cast::<Element>().filter(|_| wanted);
        if scroller.is_some_and(|scroller| focus_chosen(&scroller)) {
            dispatch.emit(Action::StatePane(StateAction::Inspect(
                InspectAction::Focused,
            )));
        }
    });
}

/// Reports the rows of a grid in view to the store, after each layout or scroll
/// that changes them; returns the scroll listener. `layout` is whatever
/// determines the positions of rows and columns, `None` before the first
/// layout. `measure` returns the first row and row count.
///
/// The store computes only rows in view, and scrolls only to rows out of view.
#[hook]
pub(crate) fn use_in_view<L: PartialEq + 'static>(
    scroller: &NodeRef,
    layout: Option<L>,
    in_view: RowsInView,
    measure: impl Fn(&Element) -> (usize, usize) + 'static,
    report: Callback<(usize, usize)>,
) -> Callback<Event> {
    let scroller = scroller.clone();
    let tell = Callback::from(move |()| {
        let seen = scroller
            .cast::<Element>()
            .map(|scroller| measure(&scroller));
        if let Some(seen) = seen.filter(|seen| *seen != (in_view.first, in_view.count)) {
            report.emit(seen);
        }
    });
    {
        let tell = tell.clone();
        use_effect_with((layout, in_view.scrolls), move |(layout, _)| {
            if layout.is_some() {
                tell.emit(());
            }
        });
    }
    tell.reform(|_| ())
}

/// Scrolls a grid to the rows in the store: after its first layout, and after
/// each programmatic scroll. `scroll` receives the first row.
#[hook]
pub(crate) fn use_scroll(
    scroller: &NodeRef,
    in_view: RowsInView,
    laid_out: bool,
    scroll: impl FnOnce(&Element, i32) + 'static,
) {
    let scroller = scroller.clone();
    use_effect_with((in_view.scrolls, laid_out), move |(_, laid_out)| {
        if let Some(scroller) = scroller.cast::<Element>().filter(|_| *laid_out) {
            let first = i32::try_from(in_view.first);
            scroll(&scroller, first.expect("a grid has fewer than 2^31 rows"));
        }
    });
}

/// Scrolls a row of a container to the top.
pub(crate) fn scroll_to_row(scroller: &Element, row: i32) {
    scroller.set_scroll_top(row.saturating_mul(ROW_HEIGHT));
}

/// First visible row of a container.
pub(crate) fn first_row(scroller: &Element) -> usize {
    // Some browsers overscroll past the start.
    usize::try_from(scroller.scroll_top().max(0) / ROW_HEIGHT).expect("the value is not negative")
}

/// Number of whole rows that fit into a height, at least one.
pub(crate) fn whole_rows(height: i32) -> usize {
    usize::try_from((height / ROW_HEIGHT).max(1)).expect("the value is positive")
}
