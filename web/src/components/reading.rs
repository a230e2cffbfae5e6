use super::encoding::Encoding;
use super::explain;
use crate::dom::{El, part};
use crate::state::State;
use yew::prelude::*;

// What there is to read on the instruction at hand. Functions of their own in
// the wasm too, so that they can be in the second part.

/// Its bits.
#[inline(never)]
pub(crate) fn encoding(state: &State) -> Option<Html> {
    let encoding = state.encoding()?;
    Some(part(Encoding { encoding }, None))
}

/// What its document says.
#[inline(never)]
pub(crate) fn explain(state: &State) -> Option<El> {
    explain::draw(state.explained(), state.stand())
}
