use super::{encoding, explain};
use crate::dom::El;
use crate::state::{Action, State};
use yew::prelude::*;

// What there is to read on the instruction at hand. Functions of their own in
// the wasm too, so that they can be in the second part.

/// Its bits.
pub(crate) fn encoding(state: &State, act: &Callback<Action>) -> El {
    encoding::draw(state, act)
}

/// What its document says.
pub(crate) fn explain(state: &State) -> Option<El> {
    explain::draw(state.explained(), state.pseudocode_state())
}
