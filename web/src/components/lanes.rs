use crate::state::cells::{Notation, digits};
use crate::state::lanes::{Lane, LanesTable};
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
    let head = |name: &'static str| html! { <th scope="col">{ name }</th> };
    html! {
        <section class="pane lanes" data-is={stale.then_some("stale")} aria-labelledby="lanes-title">
            <div class="pane-head">
                <h2 id="lanes-title">{ "Lanes" }</h2>
                <p class="muted"><span class="mono">{ instruction }</span>{ format!(", line {line}") }</p>
            </div>
            <div ref={scroller} class="scroller" role="group" aria-label="Lanes table" tabindex="0">
                <table class="table">
                    <thead>
                        <tr>
                            { head("Lane") }
                            { head("Turn") }
                            { head("Enabled") }
                            { head("Address") }
                            { head("Old") }
                            if table.operands == 1 {
                                { head("Operand") }
                            } else if table.operands == 2 {
                                { head("src0") }
                                { head("src1") }
                            }
                            { head("New") }
                            { head("Returned") }
                            { head("Conflict") }
                        </tr>
                    </thead>
                    <tbody>
                        { for table.lanes.iter().map(|lane| {
                            let unit = lane.row.unit;
                            let key = u32::from(unit.eu) * 32 + u32::from(unit.lane);
                            html! { <Row {key} lane={lane.clone()} /> }
                        }) }
                    </tbody>
                </table>
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
    let name = match lane.threads {
        2 => format!("EU{}.{}", row.unit.eu, row.unit.lane),
        _ => row.unit.lane.to_string(),
    };
    let access = row.access.as_ref();
    let source = |index: u8| {
        let source = |a: &lanewise_core::isa::Access| if index == 0 { a.src0 } else { a.src1 };
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

fn dash() -> Html {
    html! { <span class="dash">{ "–" }</span> }
}

fn value(bits: Option<u64>, lane: &Lane) -> Html {
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
    let remark = match access.fault {
        Some(fault) => fault.word(),
        None if !access.in_bounds => "out of bounds",
        None => "",
    };
    html! {
        <>
            { format!("{:#x}", access.address) }
            if !remark.is_empty() {
                <span class="remark">{ " " }{ remark }</span>
            }
        </>
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
