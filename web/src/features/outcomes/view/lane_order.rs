use crate::components::focus;
use crate::features::outcomes::OutcomesAction;
use crate::features::outcomes::model::lane_order::{LaneOrder, OrderedLane};
use web_sys::Element;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct LaneOrderListProps {
    pub(super) order: LaneOrder,
    pub(super) on_action: Callback<OutcomesAction>,
}

/// The lanes in their order, to be put into another one.
#[component]
pub(super) fn LaneOrderList(props: &LaneOrderListProps) -> Html {
    let LaneOrderListProps { order, on_action } = props;
    let focused = use_mut_ref(|| order.focus);
    use_effect_with(order.focus, move |wanted| {
        let before = focused.replace(*wanted);
        if before != *wanted
            && let Some((_, place)) = wanted
        {
            focus(&place_id(*place));
        }
    });
    let lane = |(place, lane): (usize, &OrderedLane)| {
        html! {
            <LaneButton
                key={lane.name.clone()}
                lane={lane.clone()}
                {place}
                count={order.lanes.len()}
                dragged={order.dragged}
                on_action={on_action.clone()}
            />
        }
    };
    html! {
        <div class="lane-order">
            <h3 id="lane-order-title">{ format!("Order of the lanes, line {}", order.line) }</h3>
            <p id="lane-order-hint" class="muted">
                { "Drag a lane to another place, or press Alt+↑ or Alt+↓ on it: that writes an .order line." }
            </p>
            <ol class="lane-order-list" aria-labelledby="lane-order-title">
                { for order.lanes.iter().enumerate().map(lane) }
            </ol>
        </div>
    }
}

fn place_id(place: usize) -> String {
    format!("lane-order-{place}")
}

#[derive(PartialEq, Properties)]
struct LaneButtonProps {
    lane: OrderedLane,
    /// Its place in the order.
    place: usize,
    /// How many lanes there are.
    count: usize,
    /// The place of the lane that is dragged, and the place where it would go.
    dragged: Option<(usize, usize)>,
    on_action: Callback<OutcomesAction>,
}

/// A lane, at its place in the order.
#[component]
fn LaneButton(props: &LaneButtonProps) -> Html {
    let LaneButtonProps {
        lane,
        place,
        count,
        dragged,
        on_action,
    } = props;
    let (place, count, dragged) = (*place, *count, *dragged);
    let shown_as = match dragged {
        Some((from, to)) if from == place && from != to => Some("dragged"),
        Some((from, to)) if to == place && from < to => Some("after"),
        Some((from, to)) if to == place && from > to => Some("before"),
        _ => None,
    };
    let group = lane.group.as_ref();
    let in_group = group.map_or_else(String::new, |(letter, _)| format!(", group {letter}"));
    let label = format!(
        "Lane {}, number {} of {count}{in_group}",
        lane.name,
        place + 1
    );
    let onkeydown = {
        let on_action = on_action.clone();
        Callback::from(move |event: KeyboardEvent| {
            if !event.alt_key() {
                return;
            }
            let to = match event.key().as_str() {
                "ArrowUp" | "ArrowLeft" => place.saturating_sub(1),
                "ArrowDown" | "ArrowRight" => (place + 1).min(count - 1),
                _ => return,
            };
            event.prevent_default();
            on_action.emit(OutcomesAction::Move(place, to));
        })
    };
    let onpointerdown = {
        let on_action = on_action.clone();
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 {
                return;
            }
            let target: Option<Element> = event.target_dyn_into();
            let button = target.and_then(|target| target.closest("[data-place]").ok().flatten());
            if let Some(button) = button {
                // Refused for a pointer that is gone already: it drags nothing.
                let _ = button.set_pointer_capture(event.pointer_id());
            }
            on_action.emit(OutcomesAction::Drag(Some((place, place))));
        })
    };
    let onpointermove = {
        let on_action = on_action.clone();
        Callback::from(move |event: PointerEvent| {
            let Some((from, to)) = dragged else { return };
            let over = place_below(&event).unwrap_or(to);
            if over != to {
                on_action.emit(OutcomesAction::Drag(Some((from, over))));
            }
        })
    };
    let onpointerup = {
        let on_action = on_action.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some((from, to)) = dragged {
                let over = place_below(&event).unwrap_or(to);
                on_action.emit(OutcomesAction::Move(from, over));
            }
        })
    };
    html! {
        <li>
            <button
                id={place_id(place)}
                class="ordered-lane"
                data-place={place.to_string()}
                data-is={shown_as}
                aria-label={label}
                aria-describedby="lane-order-hint"
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                {onkeydown}
                {onpointerdown}
                {onpointermove}
                {onpointerup}
                onpointercancel={on_action.reform(|_| OutcomesAction::Drag(None))}
            >
                <span class="grip" aria-hidden="true" />
                { &lane.name }
                // The style sheet draws the letter: the label says it already.
                if let Some((letter, number)) = group {
                    <span class="group" data-letter={letter.clone()} data-hue={(number % 6).to_string()} />
                }
            </button>
        </li>
    }
}

/// The place of the lane below a pointer.
fn place_below(event: &PointerEvent) -> Option<usize> {
    let (x, y) = (event.client_x() as f32, event.client_y() as f32);
    let element = gloo_utils::document().element_from_point(x, y)?;
    let button = element.closest("[data-place]").ok().flatten()?;
    button.get_attribute("data-place")?.parse().ok()
}
