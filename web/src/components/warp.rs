use super::cell;
use crate::dom::{El, Part, el, part};
use crate::state::warp::{Warp, WarpLane};
use yew::prelude::*;

/// The registers of a warp: one row per lane, one column per register.
#[inline(never)]
pub(crate) fn draw(warp: &Warp) -> El {
    if warp.names.is_empty() {
        const NONE: &str =
            "The program names no register. Set one with a line like: .init R4 = iota(0, 1)";
        return el!("p", "class" = "empty").put(NONE);
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
    el!(
        "div",
        "class" = "scroller",
        "role" = "group",
        "aria-label" = "Registers table",
        "tabindex" = "0"
    )
    .put(
        el!("table", "class" = "table warp")
            .put(el!("thead").put(heads))
            .put(el!("tbody").each(rows)),
    )
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
        let registers = lane.registers.iter().map(|cells| {
            let cells = cells.iter().map(|cell| cell::draw(cell, lane.ty, None));
            el!("td").each(cells)
        });
        el!(
            "tr",
            "data-is" = off.then_some("off"),
            "aria-current" = lane.current.then_some("step")
        )
        .put(el!("th", "scope" = "row").put(lane.lane.to_string()))
        .each(lane.predicates.iter().map(|bits| predicate(*bits)))
        .each(registers)
        .put(el!("td", "class" = "word").put(lane.idle))
        .html()
    }
}

fn predicate((was, now): (bool, bool)) -> El {
    let word = |bit| if bit { "true" } else { "false" };
    let changed = was != now;
    let class = if changed { "cell changed" } else { "cell" };
    let before = changed.then(|| el!("span", "class" = "was").put(word(was)).put(" → "));
    let now = el!("span", "class" = "now").put(word(now));
    el!("td").put(el!("span", "class" = class).put(before).put(now))
}
