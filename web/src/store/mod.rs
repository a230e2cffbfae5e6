//! The store: page state behind a single reducer, and its persistence between
//! visits.

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

use crate::dom::focus;
use std::rc::Rc;
use yew::prelude::*;

impl Reducible for State {
    /// Action and its time in milliseconds since 1970. Drafts are dated, and
    /// reducers must not read a clock.
    type Action = (Action, f64);

    fn reduce(self: Rc<Self>, (action, now): Self::Action) -> Rc<Self> {
        let mut next = Self::clone(&self);
        next.apply(action, now);
        Rc::new(next)
    }
}

/// Click handler that dispatches a fixed action.
pub(crate) fn on_click<A: Clone + 'static>(
    dispatch: &Callback<A>,
    action: impl Into<A>,
) -> Callback<MouseEvent> {
    let action = action.into();
    dispatch.reform(move |_: MouseEvent| action.clone())
}

/// Click handler that moves the focus and dispatches a fixed action, for a button that
/// disappears when it is pressed.
pub(crate) fn on_last_click<A: Clone + 'static>(
    dispatch: &Callback<A>,
    focused_id: impl Into<AttrValue>,
    action: impl Into<A>,
) -> Callback<MouseEvent> {
    let (focused_id, action) = (focused_id.into(), action.into());
    dispatch.reform(move |_: MouseEvent| {
        focus(&focused_id);
        action.clone()
    })
}

/// Props of the root components, which pass slices of the state to the others.
#[derive(Properties, PartialEq)]
pub(crate) struct StoreProps {
    pub(crate) state: UseReducerHandle<State>,
    /// Stable for the life of the page, so effects need not list it as a
    /// dependency.
    pub(crate) dispatch: Callback<Action>,
}
