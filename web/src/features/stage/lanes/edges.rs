//! Edges from lanes to cells, in one SVG layer.

use super::View;
use super::boxes::Rect;
use super::item::StageItem::{Cell, Lane};
use crate::components::hue::hue;
use lanewise_answer::access::StageLane;
use lanewise_answer::lanes::LaneState;
use lanewise_core::isa::index_of;
use yew::prelude::*;

/// Distance from an edge to the edge of the returned value, in CSS pixels.
const BESIDE: f64 = 6.0;

/// Route of an edge: from a box along its track, in a curve with horizontal ends to the
/// track of the other box, and along that to the box. Without tracks, the curve starts
/// and ends at the boxes.
type Route = [(f64, f64); 4];

fn path([from, leave, enter, to]: Route) -> String {
    let middle = (leave.0 + enter.0) / 2.0;
    let curve = format!(
        "C{middle} {} {middle} {} {} {}",
        leave.1, enter.1, enter.0, enter.1
    );
    format!(
        "M{} {}V{}H{}{curve}H{}V{}",
        from.0, from.1, leave.1, leave.0, to.0, to.1
    )
}

/// Path data of the arrow head: at the end of a curve, or of a track below the box.
fn head([from, _, enter, to]: Route) -> String {
    let (x, y) = to;
    let (left, right) = if enter == to {
        let back = if from.0 <= x { x - 7.0 } else { x + 7.0 };
        ((back, y - 4.0), (back, y + 4.0))
    } else {
        ((x - 4.0, y + 6.0), (x + 4.0, y + 6.0))
    };
    format!("M{x} {y}L{} {}L{} {}Z", left.0, left.1, right.0, right.1)
}

/// Rounds to half pixels, so that path data is short.
fn half(value: f64) -> f64 {
    (value * 2.0).round() / 2.0
}

/// Edge of the returned value beside that of the access.
fn returned(route: Route) -> Route {
    let [from, _, _, to] = route.map(|(x, y)| (x, y + BESIDE));
    [to, to, from, from]
}

fn arrow(route: Route) -> Html {
    html! {
        <>
            <path class="line" d={path(route)} />
            <path class="head" d={head(route)} />
        </>
    }
}

impl View<'_> {
    /// One edge for each lane, and above them those of the last step.
    pub(super) fn edges(&self) -> Html {
        let shares = self.shares();
        let planes = self.model.planes.as_ref();
        let reads = planes.is_some_and(|planes| planes.reads);
        let mut current = Vec::new();
        let mut edges = Vec::with_capacity(self.model.lanes.len());
        for (index, (lane, share)) in self.model.lanes.iter().zip(shares).enumerate() {
            let Some(mut route) = self.route(index, share) else {
                continue;
            };
            if reads {
                route.reverse();
            }
            let (state, group) = (lane.state.name(), self.group_of(lane).map(hue));
            let channel = self.column_of(lane).map(|column| column.to_string());
            let is_lit = self.is_lit(Lane(index)) && self.is_lit(Cell(lane.cell));
            edges.push(html! {
                <path
                    key={format!("{:?}", lane.unit)}
                    class="edge"
                    data-state={state}
                    data-group={group.clone()}
                    data-channel={channel.clone()}
                    data-lit={is_lit.then_some("")}
                    d={path(route)}
                />
            });
            if !matches!(lane.state, LaneState::Current | LaneState::Faulted) {
                continue;
            }
            // The edge of the last step with its direction, and that of the returned
            // value.
            current.push(html! {
                <>
                    <g class="current-edge" data-state={state} data-group={group} data-channel={channel}>
                        { arrow(route) }
                    </g>
                    if lane.returns_now && planes.is_none() {
                        <g class="current-edge returned">{ arrow(returned(route)) }</g>
                    }
                </>
            });
        }
        html! {
            <svg class="stage-edges" aria-hidden="true">
                <g>{ for edges }</g>
                <g>{ for current }</g>
            </svg>
        }
    }

    /// Position of each edge's end along the side of its cell, from 0 to 1:
    /// edges to the same cell are sorted by lane order.
    fn shares(&self) -> Vec<f64> {
        let model = self.model;
        let mut placed = vec![0_u32; model.cells.len()];
        let mut shares = vec![0.0; model.lanes.len()];
        for index in model.order() {
            let cell = model.lanes[index].cell;
            shares[index] = (f64::from(placed[cell]) + 0.5) / model.cells[cell].lanes as f64;
            placed[cell] += 1;
        }
        shares
    }

    /// Route from a lane to its cell; `None` until both are measured.
    fn route(&self, index: usize, share: f64) -> Option<Route> {
        let lane = &self.model.lanes[index];
        let from = *self.boxes.lanes.get(self.shown_spot(index))?;
        let to = *self.boxes.cells.get(lane.cell)?;
        match lane.unit.channel.filter(|_| self.model.planes.is_some()) {
            Some(channel) => self.route_below(channel, from, to, share),
            None => {
                let from = self.dragged(index).unwrap_or(from);
                let is_left = from.x < to.x;
                let start = if is_left { from.right() } else { from.x };
                let end = if is_left { to.x } else { to.right() };
                let from = (start, half(from.centre().1));
                let to = (end, half(to.y + to.height * (0.18 + 0.64 * share)));
                Some([from, from, to, to])
            }
        }
    }

    /// Conflict group, unless hues stand for planes.
    fn group_of(&self, lane: &StageLane) -> Option<u32> {
        lane.group.filter(|_| self.model.planes.is_none())
    }

    fn column_of(&self, lane: &StageLane) -> Option<u8> {
        let channel = lane.unit.channel.filter(|_| self.model.planes.is_some());
        channel.map(index_of)
    }

    /// Edges of plane elements run below the rows, each channel on a track of
    /// its own: the first plane has the lowest, so that edges do not cross there.
    fn route_below(&self, channel: u8, from: Rect, to: Rect, share: f64) -> Option<Route> {
        let planes = self.model.planes.as_ref()?;
        let height = self.boxes.lane_list.height;
        let rows = planes.stride * planes.eus.len();
        let gutter = height / rows as f64 - from.height;
        let later = planes.channels.iter().filter(|other| **other > channel);
        let nth = (later.count() + 1) as f64 / (planes.channels.len() + 1) as f64;
        let track = |rect: Rect| half(rect.bottom() + gutter * nth);
        let leave = self.boxes.lane_list.right() + 2.0;
        let enter = self.boxes.cell_list.x - 4.0;
        Some([
            (half(from.centre().0), from.bottom()),
            (leave, track(from)),
            (enter, track(to)),
            (half(to.x + to.width * (0.2 + 0.6 * share)), to.bottom()),
        ])
    }
}
