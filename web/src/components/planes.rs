use super::lanes::{dash, remark, value};
use crate::state::lanes::{Lane, LanesTable, unit_name};
use lanewise_core::isa::Unit;
use yew::prelude::*;

/// The planes of Src, lanes down and channels across: every cell is a value
/// of Src, in which turn it is written, and where.
pub(super) fn draw(table: &LanesTable) -> Html {
    let planes = table.planes();
    let channels = planes.first().map_or(&[][..], Vec::as_slice);
    let head = |(position, lane): (usize, &Lane)| {
        html! {
            <th scope="col">
                { lane.row.unit.letter() }
                <span class="muted">{ format!(" plane, ch_pos {position}") }</span>
            </th>
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
            <tbody>
                { for planes.iter().enumerate().map(|(key, channels)| html! {
                    <Row {key} channels={channels.clone()} />
                }) }
            </tbody>
        </table>
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    channels: Vec<Lane>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let Some(first) = props.channels.first() else {
        return Html::default();
    };
    let unit = Unit {
        channel: None,
        ..first.row.unit
    };
    let off = first.row.access.is_none();
    html! {
        <tr data-is={off.then_some("off")}>
            <th scope="row">
                { unit_name(unit, first.threads) }
                if off {
                    <span class="remark">{ " " }{ first.disabled }</span>
                }
            </th>
            { for props.channels.iter().map(cell) }
        </tr>
    }
}

fn cell(lane: &Lane) -> Html {
    let Some(access) = &lane.row.access else {
        return html! { <td>{ dash() }</td> };
    };
    let turn = lane.row.turn.map_or(0, |turn| turn + 1);
    let remark = remark(access);
    let group = lane.group.as_ref().map(|group| {
        let title = format!("overlaps {}", group.others(lane.row.unit, lane.threads));
        html! {
            <span class="conflict" data-hue={(group.number % 6).to_string()} {title}>
                <span class="group">{ group.label() }</span>
            </span>
        }
    });
    html! {
        <td aria-current={lane.current.then_some("step")}>
            <span class={classes!(lane.row.done.then_some("did"))}>
                { value(Some(access.src0), lane) }
                <span class="muted">
                    if lane.row.done {
                        <span class="tick">{ "✓" }<span class="unseen">{ "written" }</span></span>
                    }
                    { format!(" turn {turn}") }
                </span>
            </span>
            <span class="where">
                { format!("→ {:#x}", access.address) }
                if !remark.is_empty() {
                    <span class="remark">{ remark }</span>
                }
                { for group }
            </span>
        </td>
    }
}
