use super::planes;
use crate::dom::{El, Part, el, part};
use crate::state::cells::{Notation, digits};
use crate::state::lanes::{Lane, LanesTable, unit_name};
use lanewise_core::isa::Access;
use web_sys::Element;
use yew::prelude::*;

/// Who does what: one row per lane of the instruction at hand. `stale`: the
/// text has changed since into one that cannot run.
pub(crate) fn draw(table: &LanesTable, stale: bool, scroller: NodeRef) -> El {
    let title = el!("h2", "id" = "lanes-title").put("Lanes");
    let head = el!("div", "class" = "pane-head").put(title);
    let stale = (stale && table.heading.is_some()).then_some("stale");
    let pane = el!(
        "section",
        "class" = "pane lanes",
        "data-is" = stale,
        "aria-labelledby" = "lanes-title"
    );
    let Some((instruction, line)) = &table.heading else {
        let empty = "Write an instruction to see its lanes.";
        return pane.put(head).put(el!("p", "class" = "empty").put(empty));
    };
    let about = el!("p", "class" = "muted")
        .put(el!("span", "class" = "mono").put(instruction.clone()))
        .put(format!(", line {line}"));
    let body = el!(
        "div",
        "class" = "scroller",
        "role" = "group",
        "aria-label" = "Lanes table",
        "tabindex" = "0"
    )
    .bind(scroller)
    .put(match table.channels {
        0 => rows(table),
        _ => planes::draw(table),
    });
    pane.put(head.put(about)).put(body)
}

/// One row per lane.
fn rows(table: &LanesTable) -> El {
    let operands: &[&str] = match table.operands {
        0 => &[],
        1 => &["Operand"],
        _ => &["src0", "src1"],
    };
    let heads = ["Lane", "Turn", "Enabled", "Address", "Old"].iter();
    let heads = heads
        .chain(operands)
        .chain(&["New", "Returned", "Conflict"]);
    let heads = heads.map(|name| el!("th", "scope" = "col").put(*name));
    let rows = table.lanes.iter().map(|lane| {
        let unit = lane.row.unit;
        let key = u32::from(unit.eu) * 32 + u32::from(unit.lane);
        part(Row { lane: lane.clone() }, Some(key.into()))
    });
    el!("table", "class" = "table")
        .put(el!("thead").put(el!("tr").each(heads)))
        .put(el!("tbody").each(rows))
}

/// Scrolls the marked row into view inside its box, never the page.
pub(crate) fn show_current(scroller: &Element) {
    let Some(row) = scroller.query_selector("[aria-current]").ok().flatten() else {
        return;
    };
    let (view, row) = (
        scroller.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    // The head of the table stays in place above the rows.
    let head = row.height();
    let above = view.top() + head - row.top();
    let below = row.bottom() - view.bottom();
    if above > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() - above as i32 - 1);
    } else if below > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() + below as i32 + 1);
    }
}

#[derive(PartialEq)]
struct Row {
    lane: Lane,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let lane = &self.lane;
        let row = &lane.row;
        let name = unit_name(row.unit, lane.threads);
        let access = row.access.as_ref();
        let source = |index: u8| {
            let source = |a: &Access| if index == 0 { a.src0 } else { a.src1 };
            value(access.map(source), lane)
        };
        let cell = || el!("td");
        let word = || el!("td", "class" = "word");
        let marker = el!("span", "class" = "marker", "aria-hidden" = "true");
        let head = el!("th", "scope" = "row")
            .put(marker.put(if lane.current { "▶" } else { "" }))
            .put(name);
        let enabled = match access {
            Some(_) => word().put("yes"),
            None => word().put("no: ").put(lane.disabled),
        };
        let turn = match row.turn {
            Some(turn) => cell().put((turn + 1).to_string()),
            None => cell().put(dash()),
        };
        el!(
            "tr",
            "data-is" = access.is_none().then_some("off"),
            "aria-current" = lane.current.then_some("step")
        )
        .put(head)
        .put(turn)
        .put(enabled)
        .put(address(lane, cell()))
        .put(cell().put(value(row.old, lane)))
        .each((0..lane.operands).map(|index| cell().put(source(index))))
        .put(cell().put(value(row.new, lane)))
        .put(cell().put(value(row.returned, lane)))
        .put(word().put(conflict(lane)))
        .html()
    }
}

pub(super) fn dash() -> El {
    el!("span", "class" = "dash").put("–")
}

pub(super) fn value(bits: Option<u64>, lane: &Lane) -> El {
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    bits.map_or_else(dash, |bits| {
        let hex = format!("0x{}", digits(bits, lane.ty));
        el!("span", "title" = hex).put(notation.text(bits))
    })
}

fn address(lane: &Lane, cell: El) -> El {
    let Some(access) = &lane.row.access else {
        return cell.put(dash());
    };
    cell.put(format!("{:#x}", access.address))
        .put(told(remark(access), " "))
}

/// What is wrong with an address; empty if nothing is.
pub(super) fn remark(access: &Access) -> &'static str {
    match access.fault {
        Some(fault) => fault.word(),
        None if !access.in_bounds => "out of bounds",
        None => "",
    }
}

/// A remark, if there is something to remark.
pub(super) fn told(remark: &'static str, before: &'static str) -> Option<El> {
    let told = !remark.is_empty();
    told.then(|| el!("span", "class" = "remark").put(before).put(remark))
}

fn conflict(lane: &Lane) -> El {
    let Some(group) = &lane.group else {
        return dash();
    };
    let others = format!(
        "conflicts with {}",
        group.others(lane.row.unit, lane.threads)
    );
    el!(
        "span",
        "class" = "conflict",
        "data-hue" = (group.number % 6).to_string(),
        "title" = others.clone()
    )
    .put(el!("span", "class" = "group").put(group.label()))
    .put(el!("span", "class" = "others").put(others))
}
