//! Lanes tab of the drawer.

use crate::components::hue::hue;
use crate::components::table::{numbers, table};
use crate::dom::{data_at, focus_element, show_current, target_in};
use crate::features::highlight::{Highlight, Highlighted, use_highlight};
use crate::store::Slice;
use lanewise_answer::lanes::{Lane, LanesTable, address_error};
use lanewise_answer::notation::{Notation, digits};
use lanewise_answer::transactions::Transactions;
use lanewise_core::isa::{FIRST_ELEMENT, Unit};
use lanewise_core::session::{Session, unit_name};
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct LanesPaneProps {
    pub(crate) session: Slice<Session>,
    /// Table of the run, if the stage has it.
    pub(crate) known: Option<Rc<LanesTable>>,
    /// Whether the edited text has errors, so that the table is outdated.
    pub(crate) stale: bool,
}

/// Lanes tab of the drawer.
#[component]
pub(crate) fn LanesPane(props: &LanesPaneProps) -> Html {
    let inputs = (props.session.clone(), props.known.clone());
    let table = use_memo(inputs, |(session, known)| {
        let known = known.clone();
        known.unwrap_or_else(|| Rc::new(LanesTable::of(session)))
    });
    let highlight = use_highlight();
    let scroller = use_node_ref();
    {
        let scroller = scroller.clone();
        let current = table.lanes.iter().find(|lane| lane.current);
        use_effect_with(current.map(|lane| lane.unit), move |current| {
            if let Some(scroller) = scroller.cast::<Element>() {
                match current {
                    Some(_) => show_current(&scroller),
                    None => scroller.set_scroll_top(0),
                }
            }
        });
    }
    let lit = &highlight.highlighted;
    let lanes = match &table.heading {
        None => html! { <p class="empty">{ "Type an instruction to see its lanes." }</p> },
        Some((instruction, _)) if table.lanes.is_empty() => {
            let does = if table.is_matrix {
                "is a matrix instruction; it does not access memory lane by lane."
            } else {
                "does not access memory lane by lane."
            };
            html! {
                <p class="empty"><span class="mono">{ instruction }</span>{ format!(" {does}") }</p>
            }
        }
        Some((instruction, line)) => html! {
            <div class="lanes">
                <p class="muted lanes-of">
                    <span class="mono">{ instruction }</span>{ format!(", line {line}") }
                </p>
                <div
                    ref={scroller}
                    class="scroller"
                    role="group"
                    aria-label="Lanes table"
                    tabindex="0"
                    onkeydown={Callback::from(move_focus)}
                    onmouseover={highlight.set.reform(|event: MouseEvent| unit_at(&event))}
                    onmouseleave={highlight.clear_on_leave()}
                    onfocusin={highlight.set.reform(|event: FocusEvent| unit_at(&event))}
                    onfocusout={highlight.clear_on_blur()}
                >
                    { if table.channels == 0 { rows(&table, lit) } else { planes(&table, lit) } }
                    { for table.transactions.iter().map(transactions) }
                </div>
            </div>
        },
    };
    let stale = props.stale && table.heading.is_some();
    html! {
        <section class="pane" data-stale={stale.then_some("")} aria-labelledby="lanes-title">
            <h2 id="lanes-title" class="unseen">{ "Lanes" }</h2>
            { lanes }
        </section>
    }
}

/// Sectors or banks that a warp accesses.
fn transactions(found: &Transactions) -> Html {
    let row = |[place, lanes, used]: &[String; 3]| {
        html! {
            <tr>
                <th scope="row">{ place }</th>
                <td class="word">{ lanes }</td>
                <td>{ used }</td>
            </tr>
        }
    };
    html! {
        <>
            <p class="lanes-of">{ &found.sentence }</p>
            if !found.rows.is_empty() {
                { table("", found.heads.map(numbers), found.rows.iter().map(row)) }
            }
        </>
    }
}

fn rows(lanes: &LanesTable, lit: &Highlighted) -> Html {
    let rows = lanes.lanes.iter().enumerate();
    let rows = rows.map(|(at, lane)| row(lane, at == 0, lit));
    table("", lanes.heads().into_iter().map(numbers), rows)
}

/// Row of a lane. The first is the tab stop; arrow keys reach the others.
fn row(lane: &Lane, is_first: bool, lit: &Highlighted) -> Html {
    let row = &lane.row;
    let access = row.access.as_ref();
    let operands = lane
        .operands()
        .map(|bits| html! { <td>{ value(bits, lane) }</td> });
    let class = classes!(
        access.is_none().then_some("off"),
        lit.has_lane(lane.key).then_some("lit")
    );
    html! {
        <tr
            {class}
            aria-current={lane.current.then_some("step")}
            tabindex={if is_first { "0" } else { "-1" }}
            data-unit={unit_key(lane.key)}
        >
            <th scope="row">
                <span class="marker" aria-hidden="true">{ if lane.current { "▶" } else { "" } }</span>
                { unit_name(lane.unit, lane.threads) }
            </th>
            <td>{ row.order.map_or_else(dash, |place| html! { place + 1 }) }</td>
            <td class="word">
                { lane.enabled() }
            </td>
            <td>{ address(lane) }</td>
            { for operands }
            <td>{ value(row.old, lane) }</td>
            if lane.is_unchanged {
                <td class="dash">{ "unchanged" }</td>
            } else {
                <td>{ value(row.new, lane) }</td>
            }
            <td>{ value(row.returned, lane) }</td>
            <td class="word">{ lane.state().label() }</td>
            <td class="word">{ conflict(lane) }</td>
        </tr>
    }
}

/// Channels of a scatter or gather: lanes down, channels across. Each cell shows the
/// value, the address and the place in the order. Values of a gather appear once they
/// are read.
fn planes(table: &LanesTable, lit: &Highlighted) -> Html {
    let planes = table.planes();
    let channels = planes.first().map_or(&[][..], Vec::as_slice);
    let head = |(position, lane): (usize, &&Lane)| {
        html! {
            <th scope="col">
                if lane.unit.channel.is_some_and(|channel| channel < FIRST_ELEMENT) {
                    { lane.unit.letter() }
                    <span class="muted">{ format!(" plane, ch_pos {position}") }</span>
                } else {
                    { format!("element {position}") }
                }
            </th>
        }
    };
    let row = |(at, channels): (usize, &Vec<&Lane>)| {
        let first = channels.first().expect("a lane has channels");
        let without_channel = |unit: Unit| Unit {
            channel: None,
            ..unit
        };
        let unit = without_channel(first.unit);
        let off = first.row.access.is_none();
        let channel = |lane: &&Lane| {
            html! {
                <td
                    class={lit.has_lane(lane.key).then_some("lit")}
                    aria-current={lane.current.then_some("step")}
                    data-unit={unit_key(lane.key)}
                >
                    { channel(lane) }
                </td>
            }
        };
        html! {
            <tr
                class={off.then_some("off")}
                tabindex={if at == 0 { "0" } else { "-1" }}
                data-unit={unit_key(without_channel(first.key))}
            >
                <th scope="row">
                    { unit_name(unit, first.threads) }
                    if off {
                        <span class="remark">{ " " }{ first.disabled }</span>
                    }
                </th>
                { for channels.iter().map(channel) }
            </tr>
        }
    };
    html! {
        <table class="table planes">
            <thead>
                <tr>
                    <th scope="col">{ "Lane" }</th>
                    { for channels.iter().enumerate().map(head) }
                </tr>
            </thead>
            <tbody>{ for planes.iter().enumerate().map(row) }</tbody>
        </table>
    }
}

fn channel(lane: &Lane) -> Html {
    let (Some(access), Some(place)) = (&lane.row.access, lane.row.order) else {
        return dash();
    };
    // By name: in this table, letters and colours stand for channels.
    let group = lane.group.as_ref().map(|group| {
        let others = group.others(lane.unit, lane.threads);
        let text = match group.members.len() - 1 {
            1 => format!(" also {others}"),
            count => format!(" also {count} others"),
        };
        html! { <span class="remark" title={format!("overlaps {others}")}>{ text }</span> }
    });
    let (element, arrow, done) = if access.writes {
        (Some(access.src0), "→", "written")
    } else {
        (lane.row.returned, "←", "read")
    };
    html! {
        <>
            <span class={lane.row.done.then_some("did")}>{ value(element, lane) }</span>
            <span class="where">
                { arrow }{ " " }
                { lane.element.clone().unwrap_or_else(|| format!("{:#x}", access.address)) }
                { for address_error(access).map(|error| html! { <span class="remark">{ error }</span> }) }
                { for group }
            </span>
            <span class="muted order">
                if lane.row.done {
                    { format!("{done}, ") }
                }
                { format!("order {}", place + 1) }
            </span>
        </>
    }
}

/// The lane, or channel of a lane, that an event targets.
fn unit_at(event: &Event) -> Option<Highlight> {
    let key: String = data_at(&event.target_dyn_into()?, "data-unit")?;
    let mut numbers = key.split('.').map(|number| number.parse().ok());
    Some(Highlight::Lane(Unit {
        thread: numbers.next()??,
        lane: numbers.next()??,
        channel: numbers.next().flatten(),
    }))
}

fn move_focus(event: KeyboardEvent) {
    let next = match (target_in(&event, "tbody tr"), event.key().as_str()) {
        (Some(row), "ArrowDown") => row.next_element_sibling(),
        (Some(row), "ArrowUp") => row.previous_element_sibling(),
        _ => None,
    };
    if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
        event.prevent_default();
        focus_element(&next);
    }
}

fn dash() -> Html {
    html! { <span class="dash">{ "–" }</span> }
}

/// A value in the instruction's type, with its bits in a tooltip.
fn value(bits: Option<u64>, lane: &Lane) -> Html {
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    bits.map_or_else(dash, |bits| {
        let title = format!("0x{}", digits(bits, lane.ty));
        html! { <span {title}>{ notation.text(bits) }</span> }
    })
}

fn address(lane: &Lane) -> Html {
    let Some(access) = &lane.row.access else {
        return dash();
    };
    let address = format!("{:#x}", access.address);
    html! {
        <>
            if let Some(element) = &lane.element {
                <span title={address}>{ element }</span>
            } else {
                { address }
            }
            { for address_error(access).map(|error| html! { <span class="remark">{ " " }{ error }</span> }) }
        </>
    }
}

fn conflict(lane: &Lane) -> Html {
    let Some(group) = &lane.group else {
        return dash();
    };
    let others = format!("conflicts with {}", group.others(lane.unit, lane.threads));
    html! {
        <span class="conflict" data-hue={hue(group.number)} title={others.clone()}>
            <span class="group">{ group.label() }</span>
            <span class="others">{ others }</span>
        </span>
    }
}

/// Value of the `data-unit` attribute: `0.3`, or `0.3.1` with a channel.
fn unit_key(unit: Unit) -> String {
    let channel = unit.channel.map(|channel| format!(".{channel}"));
    format!(
        "{}.{}{}",
        unit.thread,
        unit.lane,
        channel.unwrap_or_default()
    )
}
