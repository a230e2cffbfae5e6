use super::cell;
use super::choosing::listening;
use super::inspect::focus_chosen;
use crate::dom::{El, Part, Seen, el, part};
use crate::state::Action;
use crate::state::inspect::{Chosen, Place};
use crate::state::warp::{Bit, Register, Warp, WarpLane};
use web_sys::Element;
use yew::prelude::*;

/// The registers of a warp: one row per lane, one column per register.
#[derive(PartialEq)]
pub(crate) struct Registers {
    pub(crate) warp: Warp,
    pub(crate) focus: u32,
    pub(crate) act: Callback<Action>,
}

#[derive(Default)]
pub(crate) struct Kept {
    scroller: NodeRef,
    focus: Seen<u32>,
}

impl Part for Registers {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        let warp = &self.warp;
        if warp.names.is_empty() {
            const NONE: &str =
                "The program names no register. Set one with a line like: .init R4 = iota(0, 1)";
            return el!("p", "class" = "empty").put(NONE).html();
        }
        let column = || el!("th", "scope" = "col");
        let heads = el!("tr")
            .put(column().put("Lane"))
            .each(warp.names.iter().map(|name| column().put(name.clone())))
            .put(el!("td", "class" = "word"));
        let rows = warp
            .lanes
            .iter()
            .map(|lane| part(Row { lane: lane.clone() }, Some(lane.lane.into())));
        let scroller = el!(
            "div",
            "class" = "scroller",
            "role" = "group",
            "aria-label" = "Registers table",
            "tabindex" = "0"
        )
        .bind(kept.scroller.clone());
        listening(scroller, &self.act)
            .put(
                el!("table", "class" = "table warp")
                    .put(el!("thead").put(heads))
                    .put(el!("tbody").each(rows)),
            )
            .html()
    }

    fn drawn(&self, kept: &mut Kept) {
        if kept.focus.changes(self.focus)
            && self.focus > 0
            && let Some(scroller) = kept.scroller.cast::<Element>()
        {
            focus_chosen(&scroller);
        }
    }
}

#[derive(PartialEq)]
struct Row {
    lane: WarpLane,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let lane = &self.lane;
        let off = !lane.idle.is_empty();
        let chosen = lane.chosen.as_ref();
        el!(
            "tr",
            "data-is" = off.then_some("off"),
            "aria-current" = lane.current.then_some("step")
        )
        .put(el!("th", "scope" = "row").put(lane.lane.to_string()))
        .each(lane.predicates.iter().map(|bit| predicate(bit, chosen)))
        .each(lane.registers.iter().map(|one| register(one, chosen)))
        .put(el!("td", "class" = "word").put(lane.idle))
        .html()
    }
}

fn register(register: &Register, chosen: Option<&Chosen>) -> El {
    let size = u64::from(register.notation.ty.bytes());
    let at = |index: u64| Place::new(register.place.space, register.place.address + index * size);
    let cells = (0..)
        .zip(&register.cells)
        .map(|(index, value)| cell::draw(value, register.notation, None, at(index), chosen));
    el!("td").each(cells)
}

fn predicate(bit: &Bit, chosen: Option<&Chosen>) -> El {
    let word = |bit| if bit { "true" } else { "false" };
    let changed = bit.was != bit.now;
    let state = match changed {
        true => cell::Shows::Changed,
        false => cell::Shows::Plain,
    };
    let before = changed.then(|| el!("span", "class" = "was").put(word(bit.was)).put(" → "));
    let now = el!("span", "class" = "now").put(word(bit.now));
    let title = String::from("A lane's bit");
    el!("td").put(cell::button(bit.place, title, state, chosen, |button| {
        button.put(before).put(now)
    }))
}
