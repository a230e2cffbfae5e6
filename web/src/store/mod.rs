//! The store: everything the page knows, changed by one reducer, and what of it
//! the browser keeps between visits.

mod action;
mod persistence;
mod saved;
mod state;
mod storage;
#[cfg(test)]
mod tests;

pub(crate) use action::Action;
pub(crate) use persistence::use_saved;
pub(crate) use saved::Saved;
pub(crate) use state::State;
pub(crate) use storage::load;

use std::cell::{Ref, RefCell};
use std::rc::Rc;
use web_sys::js_sys::Date;
use yew::prelude::*;

/// Everything the page knows.
///
/// The state holds the whole run of a program, with its history, so it is not
/// cloned for each action: all revisions share it, and only the newest is ever
/// read. Components do not see it; they get small values made of it, which
/// they compare.
pub(crate) struct Store {
    state: Rc<RefCell<State>>,
}

impl Store {
    pub(crate) fn new(saved: Saved) -> Self {
        Self {
            state: Rc::new(RefCell::new(State::new(saved))),
        }
    }

    /// The state as it is now.
    pub(crate) fn state(&self) -> Ref<'_, State> {
        self.state.borrow()
    }
}

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut state = self.state.borrow_mut();
        state.tell_time(Date::now());
        state.apply(action);
        drop(state);
        Rc::new(Self {
            state: Rc::clone(&self.state),
        })
    }
}
