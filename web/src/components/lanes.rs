use super::planes;
use crate::state::cells::{Notation, digits};
use crate::state::lanes::{Lane, LanesTable, unit_name};
use lanewise_core::isa::Access;
use web_sys::Element;
use yew::prelude::*;

/// Scrolls the lane that was done last into view.
#[hook]
pub(crate) fn use_following(table: &LanesTable, scroller: &NodeRef) {
    let scroller = scroller.clone();
    let current = table.lanes.iter().position(|lane| lane.current);
    use_effect_with(current, move |current| {
        if let (Some(scroller), Some(_)) = (scroller.cast::<Element>(), current) {
            show_current(&scroller);
        }
    });
}

/// Who does what: one row per lane of the instruction at hand. `stale`: the
/// text has changed since into one that cannot run.
pub(crate) fn draw(table: &LanesTable, stale: bool, scroller: NodeRef) -> Html {
    let Some((instruction, line)) = &table.heading else {
        return html! {
            <section class="pane lanes" aria-labelledby="lanes-title">
                <div class="pane-head"><h2 id="lanes-title">{ "Lanes" }</h2></div>
                <p class="empty">{ "Write an instruction to see its lanes." }</p>
            </section>
        };
    };
    if table.channels > 0 {
        return frame((instruction, *line), stale, scroller, planes::draw(table));
    }
    let operands: &[&str] = match table.operands {
        0 => &[],
        1 => &["Operand"],
        _ => &["src0", "src1"],
    };
    let heads = ["Lane", "Turn", "Enabled", "Address", "Old"].iter();
    let heads = heads
        .chain(operands)
        .chain(&["New", "Returned", "Conflict"]);
    let rows = table.lanes.iter().map(|lane| {
        let unit = lane.row.unit;
        let key = u32::from(unit.eu) * 32 + u32::from(unit.lane);
        html! { <Row {key} lane={lane.clone()} /> }
    });
    frame(
        (instruction, *line),
        stale,
        scroller,
        html! {
            <table class="table">
                <thead>
                    <tr>{ for heads.map(|name| html! { <th scope="col">{ *name }</th> }) }</tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
        },
    )
}

/// The pane around a table of lanes.
fn frame((instruction, line): (&str, u32), stale: bool, scroller: NodeRef, table: Html) -> Html {
    html! {
        <section class="pane lanes" data-is={stale.then_some("stale")} aria-labelledby="lanes-title">
            <div class="pane-head">
                <h2 id="lanes-title">{ "Lanes" }</h2>
                <p class="muted"><span class="mono">{ instruction }</span>{ format!(", line {line}") }</p>
            </div>
            <div ref={scroller} class="scroller" role="group" aria-label="Lanes table" tabindex="0">
                { table }
            </div>
        </section>
    }
}

/// Scrolls the marked row into view inside its box, never the page.
fn show_current(scroller: &Element) {
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

#[derive(Properties, PartialEq)]
struct RowProps {
    lane: Lane,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let lane = &props.lane;
    let row = &lane.row;
    let name = unit_name(row.unit, lane.threads);
    let access = row.access.as_ref();
    let source = |index: u8| {
        let source = |a: &Access| if index == 0 { a.src0 } else { a.src1 };
        value(access.map(source), lane)
    };
    html! {
        <tr data-is={access.is_none().then_some("off")} aria-current={lane.current.then_some("step")}>
            <th scope="row">
                <span class="marker" aria-hidden="true">{ if lane.current { "▶" } else { "" } }</span>
                { name }
            </th>
            <td>{ row.turn.map_or_else(dash, |turn| html! { { turn + 1 } }) }</td>
            <td class="word">
                if access.is_some() {
                    { "yes" }
                } else {
                    { "no: " }{ lane.disabled }
                }
            </td>
            <td>{ address(lane) }</td>
            <td>{ value(row.old, lane) }</td>
            if lane.operands > 0 {
                <td>{ source(0) }</td>
            }
            if lane.operands > 1 {
                <td>{ source(1) }</td>
            }
            <td>{ value(row.new, lane) }</td>
            <td>{ value(row.returned, lane) }</td>
            <td class="word">{ conflict(lane) }</td>
        </tr>
    }
}

pub(super) fn dash() -> Html {
    html! { <span class="dash">{ "–" }</span> }
}

pub(super) fn value(bits: Option<u64>, lane: &Lane) -> Html {
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    bits.map_or_else(dash, |bits| {
        let hex = format!("0x{}", digits(bits, lane.ty));
        html! { <span title={hex}>{ notation.text(bits) }</span> }
    })
}

fn address(lane: &Lane) -> Html {
    let Some(access) = &lane.row.access else {
        return dash();
    };
    let remark = remark(access);
    html! {
        <>
            { format!("{:#x}", access.address) }
            if !remark.is_empty() {
                <span class="remark">{ " " }{ remark }</span>
            }
        </>
    }
}

/// What is wrong with an address; empty if nothing is.
pub(super) fn remark(access: &Access) -> &'static str {
    match access.fault {
        Some(fault) => fault.word(),
        None if !access.in_bounds => "out of bounds",
        None => "",
    }
}

fn conflict(lane: &Lane) -> Html {
    let Some(group) = &lane.group else {
        return dash();
    };
    let others = group.others(lane.row.unit, lane.threads);
    html! {
        <span class="conflict" data-hue={(group.number % 6).to_string()} title={format!("conflicts with {others}")}>
            <span class="group">{ group.label() }</span>
            <span class="others">{ "conflicts with " }{ others }</span>
        </span>
    }
}
