use crate::components::hue::hue;
use crate::components::reorder::{Direction, Held, LaneMove, OrderedUnit, Reorder, use_reorder};
use crate::dom::{data_at, focus, target_in};
use crate::features::outcomes::OutcomesAction;
use lanewise_answer::lanes::group_letter;
use lanewise_answer::results::{LaneOrder, OrderedLane};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct LaneOrderListProps {
    pub(super) order: Rc<LaneOrder>,
    pub(super) on_action: Callback<OutcomesAction>,
}

#[component]
pub(super) fn LaneOrderList(props: &LaneOrderListProps) -> Html {
    let LaneOrderListProps { order, on_action } = props;
    // The lane that was moved last, until its focus is restored.
    let moved = use_state_eq(|| None::<OrderedUnit>);
    {
        // Moving an element in the document drops its focus. Effects run after
        // rendering, when the lane is at its new place, or, if the move was
        // refused, at the old one.
        let (order, setter) = (Rc::clone(order), moved.setter());
        use_effect_with(*moved, move |moved| {
            let Some(moved) = moved else { return };
            let lane = order.lanes.iter().find(|lane| lane.unit == moved.unit);
            if let Some(lane) = lane.filter(|_| order.instruction == moved.instruction) {
                focus(&lane_id(&lane.name));
            }
            setter.set(None);
        });
    }
    let in_order = use_memo(Rc::clone(order), |order| order.in_order());
    let reorder = use_reorder(Direction::Across, Rc::clone(&in_order), {
        let on_action = on_action.clone();
        Callback::from(move |lane_move: LaneMove| {
            moved.set(Some(lane_move.lane));
            on_action.emit(OutcomesAction::Move(lane_move));
        })
    });
    let lane = |(place, lane): (usize, &OrderedLane)| {
        lane_button(lane, place, order.lanes.len(), &reorder)
    };
    html! {
        <div class="lane-order">
            <h3 id="lane-order-title">{ format!("Order of the lanes, line {}", order.line) }</h3>
            <p id="lane-order-hint" class="muted">
                { "Drag a lane, or press Alt+↑ or Alt+↓, to change the order. This writes an .order line." }
            </p>
            <ol class="wrapping lane-order-list" aria-labelledby="lane-order-title">
                { for order.lanes.iter().enumerate().map(lane) }
            </ol>
        </div>
    }
}

/// Id of a lane's button.
fn lane_id(name: &str) -> String {
    format!("lane-order-{name}")
}

fn lane_button(lane: &OrderedLane, place: usize, count: usize, reorder: &Reorder) -> Html {
    let drag = match reorder.held() {
        Some(Held { from, to, .. }) if from == place && from != to => Some("dragged"),
        Some(Held { from, to, .. }) if to == place && from < to => Some("after"),
        Some(Held { from, to, .. }) if to == place && from > to => Some("before"),
        _ => None,
    };
    let in_group = lane.group.map_or_else(String::new, |group| {
        format!(", group {}", group_letter(group))
    });
    let label = format!(
        "Lane {}, number {} of {count}{in_group}",
        lane.name,
        place + 1
    );
    let onkeydown = {
        let reorder = reorder.clone();
        move |event: KeyboardEvent| {
            reorder.move_by_key(&event, place);
        }
    };
    let onpointerdown = {
        let reorder = reorder.clone();
        move |event: PointerEvent| {
            if let Some(button) = target_in(&event, "[data-place]") {
                reorder.grab(&event, &button, place, pointer(&event));
            }
        }
    };
    let onpointermove = {
        let reorder = reorder.clone();
        move |event: PointerEvent| reorder.drag(pointer(&event), || place_below(&event))
    };
    let onpointerup = {
        let reorder = reorder.clone();
        move |_: PointerEvent| {
            reorder.release();
        }
    };
    html! {
        <li key={lane.name.clone()}>
            <button
                id={lane_id(&lane.name)}
                class="ordered-lane"
                data-place={place.to_string()}
                data-drag={drag}
                aria-label={label}
                aria-describedby="lane-order-hint"
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                {onkeydown}
                {onpointerdown}
                {onpointermove}
                {onpointerup}
                onpointercancel={reorder.on_cancel()}
                onlostpointercapture={reorder.on_cancel()}
            >
                <span class="grip" aria-hidden="true" />
                { &lane.name }
                // Rendered by the style sheet: the label already names the
                // group.
                if let Some(group) = lane.group {
                    <span class="group" data-letter={group_letter(group)} data-hue={hue(group)} />
                }
            </button>
        </li>
    }
}

/// Pointer position in the window.
fn pointer(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

/// Place of the lane under the pointer.
fn place_below(event: &PointerEvent) -> Option<usize> {
    let (x, y) = (event.client_x() as f32, event.client_y() as f32);
    let element = gloo_utils::document().element_from_point(x, y)?;
    data_at(&element, "data-place")
}
