//! The search for outcomes, worked on while the page has nothing else to do.

use crate::fetched;
use crate::state::outcomes::OutcomesAction;
use crate::state::{Action, State};
use web_sys::js_sys::Date;
use yew::prelude::*;

/// Milliseconds that a slice takes.
const SLICE: f64 = 5.0;

/// Milliseconds between two drawings of the progress.
const DRAWN: f64 = 150.0;

/// Accesses between two looks at the clock.
const BUDGET: usize = 200;

/// What works on the search, slice by slice.
#[derive(Default)]
pub(crate) struct Worker {
    /// Whether the next slice has been asked for.
    waits: bool,
    /// Whether there was a slice before the next.
    works: bool,
    /// When the progress was drawn.
    drawn: f64,
}

/// Whether an action is a slice of the search.
pub(crate) const fn is_work(action: &Action) -> bool {
    matches!(action, Action::Outcomes(OutcomesAction::Work(_)))
}

impl Worker {
    /// Works for a slice. Whether there is something to draw.
    pub(crate) fn work(&mut self, state: &mut State, act: &Callback<Action>) -> bool {
        self.waits = false;
        let start = Date::now();
        if !self.works {
            self.drawn = start;
        }
        self.works = state.has_outcomes_to_find();
        while self.works && Date::now() - start < SLICE {
            state.apply(Action::Outcomes(OutcomesAction::Work(BUDGET)));
            self.works = state.has_outcomes_to_find();
        }
        let draw = !self.works || start - self.drawn > DRAWN;
        if draw {
            self.drawn = start;
        } else {
            self.wait(state, act);
        }
        draw
    }

    /// Asks for the next slice, if there is something to do.
    pub(crate) fn wait(&mut self, state: &State, act: &Callback<Action>) {
        if !self.waits && state.has_outcomes_to_find() {
            self.waits = true;
            fetched::when_idle(Action::Outcomes(OutcomesAction::Work(BUDGET)), act);
        }
    }
}
