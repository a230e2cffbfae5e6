use crate::features::highlight::use_highlight;
use crate::features::lanes::table::{Lane, LanesTable, address_error};
use crate::features::lanes::units::{UnitKey, unit_name};
use crate::features::lanes::view::{dash, value};
use lanewise_core::isa::{FIRST_ELEMENT, Unit};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct PlanesProps {
    pub(crate) table: Rc<LanesTable>,
}

/// Channels of a scatter or gather as a table: lanes down, channels across.
/// Each cell shows the value, the address and the place in the order. Values of
/// a gather appear once they are read.
#[component]
pub(crate) fn Planes(props: &PlanesProps) -> Html {
    let highlight = use_highlight();
    let planes = props.table.planes();
    let channels = planes.first().map_or(&[][..], Vec::as_slice);
    let head = |(position, lane): (usize, &Rc<Lane>)| {
        html! {
            <th scope="col">
                if lane.row.unit.channel.is_some_and(|channel| channel < FIRST_ELEMENT) {
                    { lane.row.unit.letter() }
                    <span class="muted">{ format!(" plane, ch_pos {position}") }</span>
                } else {
                    { format!("element {position}") }
                }
            </th>
        }
    };
    let rows = planes.iter().enumerate().map(|(key, channels)| {
        let highlighted = channels
            .iter()
            .map(|lane| highlight.highlighted.has_lane(lane.row.unit));
        html! {
            <PlanesRow
                {key}
                channels={channels.clone()}
                highlighted={highlighted.collect::<Vec<_>>()}
            />
        }
    });
    html! {
        <table class="table planes">
            <thead>
                <tr>
                    <th scope="col">{ "Lane" }</th>
                    { for channels.iter().enumerate().map(head) }
                </tr>
            </thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

#[derive(Properties, PartialEq)]
struct PlanesRowProps {
    channels: Vec<Rc<Lane>>,
    /// Which elements are highlighted.
    highlighted: Vec<bool>,
}

/// Row of a lane's elements.
#[component]
fn PlanesRow(props: &PlanesRowProps) -> Html {
    let Some(first) = props.channels.first() else {
        return Html::default();
    };
    let unit = Unit {
        channel: None,
        ..first.row.unit
    };
    let off = first.row.access.is_none();
    let cells = props
        .channels
        .iter()
        .zip(&props.highlighted)
        .map(|(lane, highlighted)| {
            html! {
                <td
                    class={highlighted.then_some("lit")}
                    aria-current={lane.current.then_some("step")}
                    data-unit={UnitKey(lane.row.unit).to_string()}
                >
                    { cell(lane) }
                </td>
            }
        });
    html! {
        <tr
            class={off.then_some("off")}
            tabindex={if unit.lane == 0 && unit.eu == 0 { "0" } else { "-1" }}
            data-unit={UnitKey(unit).to_string()}
        >
            <th scope="row">
                { unit_name(unit, first.threads) }
                if off {
                    <span class="remark">{ " " }{ first.disabled }</span>
                }
            </th>
            { for cells }
        </tr>
    }
}

fn cell(lane: &Lane) -> Html {
    let (Some(access), Some(place)) = (&lane.row.access, lane.row.order) else {
        return dash();
    };
    // By name: in this table, letters and colours stand for channels.
    let group = lane.group.as_ref().map(|group| {
        let others = group.others(lane.row.unit, lane.threads);
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
                { format!("order {place}") }
            </span>
        </>
    }
}
