use super::lanes::{dash, remark, told, value};
use crate::dom::{El, Part, el, part};
use crate::state::lanes::{Lane, LanesTable, unit_name};
use lanewise_core::isa::Unit;
use yew::prelude::*;

/// The planes of Src, lanes down and channels across: every cell is a value
/// of Src, in which turn it is written, and where.
pub(super) fn draw(table: &LanesTable) -> El {
    let planes = table.planes();
    let channels = planes.first().map_or(&[][..], Vec::as_slice);
    let head = |(position, lane): (usize, &Lane)| {
        el!("th", "scope" = "col")
            .put(lane.row.unit.letter())
            .put(el!("span", "class" = "muted").put(format!(" plane, ch_pos {position}")))
    };
    let heads = el!("tr")
        .put(el!("th", "scope" = "col").put("Lane"))
        .each(channels.iter().enumerate().map(head));
    let rows = planes.iter().enumerate().map(|(key, channels)| {
        let channels = channels.clone();
        part(Row { channels }, Some(key.into()))
    });
    el!("table", "class" = "table planes")
        .put(el!("thead").put(heads))
        .put(el!("tbody").each(rows))
}

#[derive(PartialEq)]
struct Row {
    channels: Vec<Lane>,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let Some(first) = self.channels.first() else {
            return Html::default();
        };
        let unit = Unit {
            channel: None,
            ..first.row.unit
        };
        let off = first.row.access.is_none();
        let remark = if off { first.disabled } else { "" };
        let name = el!("th", "scope" = "row")
            .put(unit_name(unit, first.threads))
            .put(told(remark, " "));
        el!("tr", "data-is" = off.then_some("off"))
            .put(name)
            .each(self.channels.iter().map(cell))
            .html()
    }
}

fn cell(lane: &Lane) -> El {
    let Some(access) = &lane.row.access else {
        return el!("td").put(dash());
    };
    let turn = lane.row.turn.map_or(0, |turn| turn + 1);
    let group = lane.group.as_ref().map(|group| {
        let title = format!("overlaps {}", group.others(lane.row.unit, lane.threads));
        let hue = (group.number % 6).to_string();
        el!(
            "span",
            "class" = "conflict",
            "data-hue" = hue,
            "title" = title
        )
        .put(el!("span", "class" = "group").put(group.label()))
    });
    let tick = lane.row.done.then(|| {
        el!("span", "class" = "tick")
            .put("✓")
            .put(el!("span", "class" = "unseen").put("written"))
    });
    let turn = el!("span", "class" = "muted")
        .put(tick)
        .put(format!(" turn {turn}"));
    let value = el!("span", "class" = lane.row.done.then_some("did"))
        .put(value(Some(access.src0), lane))
        .put(turn);
    let place = el!("span", "class" = "where")
        .put(format!("→ {:#x}", access.address))
        .put(told(remark(access), ""))
        .put(group);
    el!("td", "aria-current" = lane.current.then_some("step"))
        .put(value)
        .put(place)
}
