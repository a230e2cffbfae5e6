//! Lane in the picture, and the edge to its cell.

use super::item::StageItem;
use super::plane_element::PlaneElement;
use crate::features::stage::model::StageLane;
use crate::features::stage::svg::{
    Chip, ChipState, Edge, EdgeState, Face, Point, Rect, Route, Tone, px, shrink, text_width,
    translate,
};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct LaneEdgeProps {
    /// Route from the lane to its cell.
    pub(super) route: Route,
    /// Whether data only flows from memory.
    pub(super) reads: bool,
    pub(super) state: ChipState,
    pub(super) group: Option<u32>,
    pub(super) channel: Option<u8>,
    pub(super) highlighted: bool,
    /// Whether the last step returns a value along the edge.
    pub(super) returns: bool,
}

/// Edge of a lane, and the returned value in transit.
#[component]
pub(super) fn LaneEdge(props: &LaneEdgeProps) -> Html {
    let state = match props.state {
        ChipState::Waiting => EdgeState::Waiting,
        ChipState::Current | ChipState::Fault => EdgeState::Current,
        ChipState::Done => EdgeState::Done,
    };
    // Edges of elements have the channel's colour, those of lanes the group's.
    let tone = match (props.state, props.channel, props.group) {
        (ChipState::Fault, ..) => Tone::Error,
        (_, Some(channel), _) => Tone::Channel(channel),
        (_, None, Some(group)) => Tone::Group(group),
        (ChipState::Current, None, None) => Tone::Accent,
        _ => Tone::Plain,
    };
    let back = props.route.reversed();
    let route = if props.reads { back } else { props.route };
    let returned = match back {
        Route::Curve { from, to } => {
            let down = |point: Point| Point::new(point.x, point.y + 6.0);
            Route::Curve {
                from: down(from),
                to: down(to),
            }
        }
        below @ Route::Below { .. } => below,
    };
    html! {
        <>
            <Edge {route} {state} {tone} highlighted={props.highlighted} arrow={state == EdgeState::Current} />
            if props.returns {
                <Edge route={returned} state={EdgeState::Return} tone={Tone::Accent} arrow=true />
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct LaneItemProps {
    pub(super) item: StageItem,
    pub(super) lane: Rc<StageLane>,
    pub(super) rect: Rect,
    pub(super) size: f64,
    pub(super) label_width: f64,
    pub(super) result_width: f64,
    pub(super) highlighted: bool,
    pub(super) dragged: bool,
    /// Whether the dragged lane would take this lane's place.
    pub(super) target: bool,
    pub(super) in_tab_order: bool,
    pub(super) is_plane: bool,
    /// Whether the value is read from memory.
    pub(super) reads: bool,
    /// Whether a heading names the operation.
    pub(super) operation_in_head: bool,
    /// Whether Dst is unchanged because another lane faults.
    pub(super) kept: bool,
}

/// Result of a lane. If the reason of a fault does not fit, only a mark; the cell
/// names it.
fn result_of(props: &LaneItemProps) -> Option<String> {
    let result = props.lane.result.clone()?;
    let room = props.result_width - Chip::AROUND_RESULT;
    let size = shrink(&result, room, props.size, Face::Mono);
    let is_cut = text_width(&result, size, Face::Mono) > room;
    Some(match props.lane.state {
        ChipState::Fault if is_cut => String::from("Fault"),
        _ => result,
    })
}

/// Lane that can be focused, highlighted and dragged; in a plane, a register
/// element.
#[component]
pub(super) fn LaneItem(props: &LaneItemProps) -> Html {
    let LaneItemProps {
        lane, rect, size, ..
    } = props;
    let shape = if props.is_plane {
        // For a gather, the contents of Dst, which are old until the lane
        // executes.
        let (value, before) = if props.reads {
            let value = lane.dst.clone().unwrap_or_else(|| String::from("–"));
            (value, lane.dst_before.clone())
        } else {
            (lane.operation.clone(), None)
        };
        html! {
            <PlaneElement
                width={rect.width}
                height={rect.height}
                size={*size}
                text={value}
                before={before.map(AttrValue::from)}
                state={lane.state.name()}
            />
        }
    } else {
        html! {
            <Chip
                width={rect.width}
                height={rect.height}
                size={*size}
                label={lane.label.clone()}
                label_width={props.label_width}
                text={if props.operation_in_head { lane.operands.clone() } else { lane.operation.clone() }}
                result={result_of(props).map(AttrValue::from)}
                result_width={props.result_width}
                kept={props.kept.then(|| lane.dst.clone().map(AttrValue::from)).flatten()}
                failed={lane.failed}
                group={lane.group}
                state={lane.state}
            />
        }
    };
    html! {
        <g
            class="item"
            ~style={translate(Point::new(rect.x, rect.y))}
            data-item={props.item.to_string()}
            data-lit={props.highlighted.then_some("")}
            data-dragged={props.dragged.then_some("")}
            data-target={props.target.then_some("")}
        >
            <g aria-hidden="true">{ shape }</g>
            <rect
                class="hit"
                width={px(rect.width)}
                height={px(rect.height)}
                rx="6"
                id={props.item.option_id()}
                role="option"
                aria-selected={props.highlighted.to_string()}
                aria-label={lane.words.clone()}
                aria-current={(lane.state == ChipState::Current).then_some("step")}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                tabindex={if props.in_tab_order { "0" } else { "-1" }}
            >
                <title>{ &lane.words }</title>
            </rect>
        </g>
    }
}
