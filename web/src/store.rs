//! The reducer as Yew wants it.

use crate::state::{Action, State};
use crate::storage;
use std::cell::{Ref, RefCell};
use std::rc::Rc;
use yew::Reducible;

/// Holds the state; a new one for every action, around the same state: a
/// session with its history is not copied for a step.
pub(crate) struct Store {
    state: Rc<RefCell<State>>,
}

impl Store {
    /// The state of a visit, with what earlier visits left.
    pub(crate) fn open() -> Self {
        Self {
            state: Rc::new(RefCell::new(State::new(storage::load()))),
        }
    }

    /// The state, to be shown.
    pub(crate) fn state(&self) -> Ref<'_, State> {
        self.state.borrow()
    }
}

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        self.state.borrow_mut().apply(action);
        let state = Rc::clone(&self.state);
        Rc::new(Self { state })
    }
}
