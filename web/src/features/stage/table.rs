//! Tables of the stage's contents for screen readers.

use super::model::{StageCell, StageLane, StageModel};
use super::svg::ChipState;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct StageTableProps {
    pub(crate) model: Rc<StageModel>,
}

/// Lanes in execution order, and cells in address order.
#[component]
pub(crate) fn StageTable(props: &StageTableProps) -> Html {
    let model = &props.model;
    let lanes = model.lanes.iter().enumerate().map(|(index, lane)| {
        let cell = model.cells[lane.cell].name.clone();
        html! { <LaneTableRow key={format!("{:?}", lane.unit)} number={index + 1} lane={Rc::clone(lane)} {cell} /> }
    });
    let idle = model.idle.iter().map(|lanes| {
        html! {
            <tr>
                <td>{ "–" }</td>
                <th scope="row">{ &lanes.labels }</th>
                <td colspan="4">{ format!("disabled: {}", lanes.reason) }</td>
            </tr>
        }
    });
    let cells = model
        .cells
        .iter()
        .map(|cell| html! { <CellTableRow key={cell.name.clone()} cell={Rc::clone(cell)} /> });
    let (lanes, idle, cells): (Html, Html, Html) =
        (lanes.collect(), idle.collect(), cells.collect());
    html! {
        <div class="unseen">
            <table>
                <caption>{ "Lanes in execution order" }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Number" }</th>
                        <th scope="col">{ "Lane" }</th>
                        <th scope="col">{ "Operation" }</th>
                        <th scope="col">{ "Cell" }</th>
                        <th scope="col">{ "State" }</th>
                        <th scope="col">{ "Result" }</th>
                    </tr>
                </thead>
                <tbody>{ lanes }{ idle }</tbody>
            </table>
            <table>
                <caption>{ "Memory cells by address" }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Cell" }</th>
                        <th scope="col">{ "Value" }</th>
                        <th scope="col">{ "Previous values" }</th>
                        <th scope="col">{ "Waiting" }</th>
                        <th scope="col">{ "Last step" }</th>
                    </tr>
                </thead>
                <tbody>{ cells }</tbody>
            </table>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct LaneTableRowProps {
    number: usize,
    lane: Rc<StageLane>,
    cell: String,
}

#[component]
fn LaneTableRow(props: &LaneTableRowProps) -> Html {
    let lane = &props.lane;
    let state = match lane.state {
        ChipState::Waiting => "waiting",
        ChipState::Current => "now",
        ChipState::Done => "done",
        ChipState::Fault => "fault",
    };
    html! {
        <tr>
            <td>{ props.number }</td>
            <th scope="row">{ &lane.label }</th>
            <td>{ &lane.operation }</td>
            <td>{ &props.cell }</td>
            <td>{ state }{ if lane.failed { ", failed" } else { "" } }</td>
            <td>{ lane.result.as_deref().unwrap_or("–") }</td>
        </tr>
    }
}

#[derive(Properties, PartialEq)]
struct CellTableRowProps {
    cell: Rc<StageCell>,
}

#[component]
fn CellTableRow(props: &CellTableRowProps) -> Html {
    let cell = &props.cell;
    let group = match &*cell.group_name {
        "" => String::new(),
        name => format!(", {name}"),
    };
    html! {
        <tr>
            <th scope="row">{ &cell.name }{ group }</th>
            <td>{ &cell.value }</td>
            <td>{ cell.trail.join(", ") }</td>
            <td>{ &cell.waiting }</td>
            <td>{ cell.event.first().map_or("", String::as_str) }</td>
        </tr>
    }
}
