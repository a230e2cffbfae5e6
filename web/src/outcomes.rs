//! The search for outcomes, worked on while the page has nothing else to do.

use crate::fetched;
use crate::state::outcomes::OutcomesAction;
use crate::state::{Action, State};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::js_sys::Date;
use yew::prelude::*;

/// Milliseconds that a slice takes.
const SLICE: f64 = 5.0;

/// Milliseconds between two drawings of the progress.
const DRAWN: f64 = 150.0;

/// Units of work between two looks at the clock.
const BUDGET: usize = 200;

/// Searches in slices, for as long as `wanted` and there is something to find.
#[hook]
pub(crate) fn use_outcomes_search(
    state: &Rc<RefCell<State>>,
    wanted: bool,
    dispatch: &Callback<Action>,
) {
    let waits = use_mut_ref(|| false);
    let (state, dispatch) = (Rc::clone(state), dispatch.clone());
    use_effect(move || {
        if wanted && !*waits.borrow() && state.borrow().has_outcomes_to_find() {
            *waits.borrow_mut() = true;
            wait(state, waits, dispatch, Date::now());
        }
    });
}

/// Works for a slice when the page is idle, then draws the progress or waits
/// again.
fn wait(
    state: Rc<RefCell<State>>,
    waits: Rc<RefCell<bool>>,
    dispatch: Callback<Action>,
    drawn: f64,
) {
    fetched::when_idle(move || {
        let start = Date::now();
        let mut works = true;
        while works && Date::now() - start < SLICE {
            let mut state = state.borrow_mut();
            state.apply(Action::Outcomes(OutcomesAction::Work(BUDGET)));
            works = state.has_outcomes_to_find();
        }
        if works && start - drawn < DRAWN {
            wait(state, waits, dispatch, drawn);
        } else {
            *waits.borrow_mut() = false;
            dispatch.emit(Action::Outcomes(OutcomesAction::Work(0)));
        }
    });
}
