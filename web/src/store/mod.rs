//! The store: everything the page knows, changed by one reducer, and what of it
//! the browser keeps between visits.

mod action;
mod persistence;
mod request;
mod slice;
mod state;
mod storage;
#[cfg(test)]
mod tests;

pub(crate) use action::Action;
pub(crate) use persistence::use_saved;
pub(crate) use request::{Request, use_request};
pub(crate) use slice::Slice;
pub(crate) use state::{Saved, State};
pub(crate) use storage::load;

use std::rc::Rc;
use yew::prelude::*;

impl Reducible for State {
    /// An action, and when it was done, in milliseconds since 1970: drafts have
    /// a time, and a reducer reads no clock.
    type Action = (Action, f64);

    fn reduce(self: Rc<Self>, (action, now): Self::Action) -> Rc<Self> {
        let mut next = Self::clone(&self);
        next.apply(action, now);
        Rc::new(next)
    }
}

/// What a press does that always does the same.
pub(crate) fn on_click(dispatch: &Callback<Action>, action: Action) -> Callback<MouseEvent> {
    dispatch.reform(move |_: MouseEvent| action.clone())
}

/// What a part of the page gets that makes its models of the state: each by
/// `use_memo`, by the slices that it is made of.
#[derive(Properties, PartialEq)]
pub(crate) struct StoreProps {
    pub(crate) state: UseReducerHandle<State>,
    /// The same for the life of the page: effects leave it out of what they
    /// depend on.
    pub(crate) dispatch: Callback<Action>,
}
