//! What the grids of the state have in common: rows of one height, of which
//! only those in view are on the page, and the focus on the chosen cell.

use crate::features::machine::MachineAction;
use crate::features::machine::inspect::InspectAction;
use crate::features::machine::rows::RowsInView;
use crate::features::machine::view::inspect_bar::focus_chosen;
use crate::store::Action;
use web_sys::Element;
use yew::prelude::*;

/// Height of a row in pixels: the least that a finger hits (WCAG 2.5.8). The
/// style sheet gets it as `--row`.
pub(crate) const ROW_HEIGHT: i32 = 24;

/// Moves the focus to the chosen cell of a box where it is wanted there, as soon
/// as the cell is on the page, and reports that. This is no request: it
/// waits until some grid has the cell, and lapses when the reader goes elsewhere.
#[hook]
pub(crate) fn use_focus_on_chosen(scroller: &NodeRef, wanted: bool, dispatch: &Callback<Action>) {
    let (scroller, dispatch) = (scroller.clone(), dispatch.clone());
    use_effect(move || {
        let scroller = scroller.cast::<Element>().filter(|_| wanted);
        if scroller.is_some_and(|scroller| focus_chosen(&scroller)) {
            dispatch.emit(Action::Machine(MachineAction::Inspect(
                InspectAction::Focused,
            )));
        }
    });
}

/// Tells the store which rows of a grid are in view, after each layout and each
/// scroll that changes it; returns the listener for scrolls. `layout` is what
/// the places of rows and columns depend on, `None` until there is one.
/// `measure` gives the first row and how many there are.
///
/// The store has to know it, for it works out only what is in view, and scrolls
/// only to what is not.
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

/// Scrolls a grid to the rows that the store has in view: as soon as it is laid
/// out, and whenever the store chooses others. `scroll` is told the first one.
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

/// Scrolls a box so that a row is the first.
pub(crate) fn scroll_to_row(scroller: &Element, row: i32) {
    scroller.set_scroll_top(row.saturating_mul(ROW_HEIGHT));
}

/// The first row of a box in view.
pub(crate) fn first_row(scroller: &Element) -> usize {
    // Some browsers scroll beyond the start for a moment, and come back.
    usize::try_from(scroller.scroll_top().max(0) / ROW_HEIGHT).expect("it is not negative")
}

/// How many whole rows a height holds, at least one.
pub(crate) fn whole_rows(height: i32) -> usize {
    usize::try_from((height / ROW_HEIGHT).max(1)).expect("it is positive")
}
