//! What the grids of the state have in common: rows of one height, of which
//! only those in view are on the page, and the focus on the chosen cell.

use crate::features::machine::MachineAction;
use crate::features::machine::inspect::InspectAction;
use crate::features::machine::rows::ScrollTarget;
use crate::features::machine::view::inspect_bar::focus_chosen;
use crate::store::{Action, Request, use_request};
use web_sys::Element;
use yew::prelude::*;

/// Height of a row in pixels: the least that a finger hits (WCAG 2.5.8). The
/// style sheet gets it as `--row`.
pub(crate) const ROW_HEIGHT: i32 = 24;

/// Moves the focus to the chosen cell of a box where it is wanted there, as soon
/// as the cell is on the page, and reports that. This is no [`Request`]: it
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

/// Tells the store which part of a grid is in view, after each layout and each
/// scroll that changes it; returns the listener for scrolls. `layout` is what
/// the places of rows and columns depend on, `None` until there is one; `known`
/// is what the store knows.
///
/// The store has to know it, for it works out only what is in view, and scrolls
/// only to what is not.
#[hook]
pub(crate) fn use_in_view<L: PartialEq + 'static, V: PartialEq + 'static>(
    scroller: &NodeRef,
    layout: Option<L>,
    known: V,
    measure: impl Fn(&Element) -> V + 'static,
    report: Callback<V>,
) -> Callback<Event> {
    let scroller = scroller.clone();
    let tell = Callback::from(move |()| {
        let seen = scroller
            .cast::<Element>()
            .map(|scroller| measure(&scroller));
        if let Some(seen) = seen.filter(|seen| *seen != known) {
            report.emit(seen);
        }
    });
    {
        let tell = tell.clone();
        use_effect_with(layout, move |layout| {
            if layout.is_some() {
                tell.emit(());
            }
        });
    }
    tell.reform(|_| ())
}

/// Scrolls to a row when that is requested; as soon as the box is laid out. A
/// third of the box stays above a row that is only to be in view.
#[hook]
pub(crate) fn use_scroll_to(
    scroller: &NodeRef,
    request: Option<Request<ScrollTarget>>,
    laid_out: bool,
) {
    let scroller = scroller.clone();
    use_request(request, laid_out, move |target| {
        if let Some(scroller) = scroller.cast::<Element>() {
            let row = i32::try_from(target.index()).expect("a grid has fewer than 2^31 rows");
            let above = match target {
                ScrollTarget::First(_) => 0,
                ScrollTarget::InView(_) => scroller.client_height() / 3 / ROW_HEIGHT * ROW_HEIGHT,
            };
            scroller.set_scroll_top(row.saturating_mul(ROW_HEIGHT) - above);
        }
    });
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
