use super::encoding::Encoding;
use super::{explain, send};
use crate::dom::{El, On, el, part};
use crate::state::{Action, State, Whole};
use yew::prelude::*;

/// What there is to read on the instruction at hand: its bits, and what its
/// document says. Drawn when all of the page is there; until then its place
/// is kept.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> El {
    let column = el!(
        "div",
        "class" = "reading",
        "role" = "group",
        "aria-label" = "The instruction at hand",
        "tabindex" = "0"
    );
    match state.whole() {
        Whole::Here => panes(column, state),
        Whole::Coming => column.put(el!("p", "class" = "empty").put("Loading …")),
        Whole::Missing => column.put(missing(act)),
    }
}

// A function of its own in the wasm too, so that it can be in the second part.
#[inline(never)]
fn panes(column: El, state: &State) -> El {
    let encoding = state
        .encoding()
        .map(|encoding| part(Encoding { encoding }, None));
    column
        .put(encoding)
        .put(explain::draw(state.explained(), state.stand()))
}

fn missing(act: &Callback<Action>) -> El {
    let what = "A part of the page could not be loaded: Encoding and Explain are missing. \
                Look at the connection.";
    el!("div", "class" = "empty", "role" = "status")
        .put(el!("p").put(what))
        .put(
            el!("button", "class" = "button")
                .on(On::Click, send(act, Action::WholeAgain))
                .put("Load again"),
        )
}
