//! Picture of an instruction that accesses memory: lanes or register planes,
//! memory cells, and an edge for each access.
//!
//! CSS lays out lanes and cells (`web/style/stage.css`); the edges are drawn
//! over them from measured [`boxes`].

mod boxes;
mod edges;
mod item;
mod planes;
mod queue;

pub(super) use planes::{RecordRow, record_rows};

use super::follow::use_reveal;
use crate::components::hue::hue;
use crate::components::read_only::use_read_only;
use crate::components::reorder::{Direction, Held, use_reorder};
use crate::components::resize::{use_measured, use_size};
use crate::dom::{focus, has_modifier};
use crate::features::highlight::{Highlight, Highlighted, use_highlight};
use crate::features::outcomes::{OutcomesAction, StageResult};
use crate::features::player::Pane;
use crate::store::{Action, State};
use boxes::{Boxes, Rect, pointer_in};
use item::{StageItem, items, neighbour};
use lanewise_answer::ByteRange;
use lanewise_answer::access::AccessModel;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Stage of lanes and cells, with the result of their order.
pub(super) fn lanes_stage(
    state: &State,
    model: &Rc<AccessModel>,
    dispatch: Callback<Action>,
) -> Html {
    let shows_outcomes = match &state.player {
        Some(player) => player.panes.contains(&Pane::Outcomes),
        None => state.screen.shows_outcomes(),
    };
    // The Outcomes tab announces it too.
    let announcement = match shows_outcomes {
        true => AttrValue::default(),
        false => AttrValue::from(state.outcomes.announcement().to_owned()),
    };
    let stale = !state.can_run();
    html! {
        <>
            if !model.table.transactions.is_empty() {
                <ul class="wrapping transactions muted" aria-label="Memory transactions">
                    { for model.table.transactions.iter().map(|found| html! {
                        <li data-wasteful={found.is_wasteful.then_some("")}>{ &found.sentence }</li>
                    }) }
                </ul>
            }
            if model.lanes.is_empty() {
                <ul class="stage-sentence" aria-label="Disabled lanes" data-stale={stale.then_some("")}>
                    { for model.idle.iter().map(|lanes| html! { <li>{ lanes }</li> }) }
                </ul>
            } else {
                <LanesPicture {model} {stale} {announcement} {dispatch} />
            }
            <StageResult outcomes={state.outcomes.clone()} />
        </>
    }
}

#[derive(Properties, PartialEq)]
struct LanesPictureProps {
    model: Rc<AccessModel>,
    /// Whether the edited text has errors, so that the picture is outdated.
    stale: bool,
    announcement: AttrValue,
    dispatch: Callback<Action>,
}

/// Scrolled into view with each step: the cell, and with precedence the lane.
const TOUCHED: [&str; 2] = [
    "[data-item^=cell]:is([data-state=current], [data-state=failed], [data-state=fault])",
    "[data-item^=lane]:is([data-state=current], [data-state=fault])",
];

#[component]
fn LanesPicture(props: &LanesPictureProps) -> Html {
    let LanesPictureProps {
        model,
        stale,
        announcement,
        dispatch,
    } = props;
    let highlight = use_highlight();
    let can_reorder = !use_read_only() && !stale && model.lanes.len() > 1;
    let content = use_node_ref();
    let in_order = use_memo(Rc::clone(model), |model| model.in_order());
    // A step moves nothing: only another set of lanes and cells, or another size.
    let ranges: Vec<ByteRange> = model.cells.iter().map(|cell| cell.range).collect();
    let boxes = use_measured(&content, (Rc::clone(&in_order), ranges), {
        let model = Rc::clone(model);
        move |content| Boxes::measure(content, &model).map(Rc::new)
    });
    let boxes = boxes.unwrap_or_default();
    let picture = use_node_ref();
    let view = use_size(&picture);
    let has_fault = model.fault.is_some();
    let has_acted = model.step > 0 || has_fault;
    let revealed = (has_acted && boxes.scrolls).then_some((model.step, has_fault, view));
    use_reveal(content.clone(), revealed, &TOUCHED);
    let focused = use_state_eq(|| None::<StageItem>);
    let reorder = use_reorder(
        Direction::Down,
        Rc::clone(&in_order),
        dispatch.reform(|moved| Action::Outcomes(OutcomesAction::Move(moved))),
    );

    let onmouseover = highlight.set.reform({
        let model = Rc::clone(model);
        move |event: MouseEvent| StageItem::of_event(&event)?.highlight(&model)
    });
    let onfocusin = {
        let (set, focused) = (highlight.set.clone(), focused.clone());
        let model = Rc::clone(model);
        move |event: FocusEvent| {
            if let Some(item) = StageItem::of_event(&event) {
                focused.set(Some(item));
                set.emit(item.highlight(&model));
            }
        }
    };
    let onkeydown = {
        let (model, boxes, reorder) = (Rc::clone(model), Rc::clone(&boxes), reorder.clone());
        move |event: KeyboardEvent| {
            let Some(item) = StageItem::of_event(&event) else {
                return;
            };
            if event.key() == "Escape" && reorder.cancel() {
                event.prevent_default();
                return;
            }
            let from = item.place(&model).filter(|_| can_reorder);
            if from.is_some_and(|from| reorder.move_by_key(&event, from)) {
                return;
            }
            if has_modifier(&event) || event.shift_key() {
                return;
            }
            if let Some(to) = neighbour(&model, &boxes, item, &event.key()) {
                event.prevent_default();
                focus(&to.id());
            }
        }
    };
    let onpointerdown = {
        let (model, reorder, content) = (Rc::clone(model), reorder.clone(), content.clone());
        move |event: PointerEvent| {
            let from = StageItem::of_event(&event).and_then(|item| item.place(&model));
            let from = from.filter(|_| can_reorder);
            if let (Some(from), Some(content)) = (from, content.cast::<Element>()) {
                reorder.grab(&event, &content, from, pointer_in(&content, &event));
            }
        }
    };
    let onpointermove = {
        let (model, reorder, content) = (Rc::clone(model), reorder.clone(), content.clone());
        let boxes = Rc::clone(&boxes);
        move |event: PointerEvent| {
            if let Some(content) = content.cast::<Element>() {
                let now = pointer_in(&content, &event);
                reorder.drag(now, || boxes.nearest_lane(now, &model));
            }
        }
    };
    let onpointerup = {
        let (model, reorder) = (Rc::clone(model), reorder.clone());
        move |_: PointerEvent| {
            if let Some(held) = reorder.release() {
                focus(&StageItem::Lane(model.order()[held.from]).id());
            }
        }
    };

    let drag = reorder.held().filter(Held::is_moving);
    // The previous instruction may have had other lanes.
    let first = model.order().first().copied().map(StageItem::Lane);
    let focused = focused.filter(|item| item.highlight(model).is_some());
    let view = View {
        model,
        boxes: &boxes,
        drag,
        highlighted: &highlight.highlighted,
        focused: focused.or(first),
        can_reorder,
    };
    html! {
        <>
            <div
                ref={picture}
                class={classes!("stage-picture", model.planes.as_ref().map(|_| "planes"))}
                role="group"
                aria-label={format!("Picture of {}", model.instruction)}
                data-stale={stale.then_some("")}
                data-dragging={drag.map(|_| "")}
                data-lit={items(model).any(|item| view.is_lit(item)).then_some("")}
                {onmouseover}
                onmouseleave={highlight.clear_on_leave()}
                {onfocusin}
                onfocusout={highlight.clear_on_blur()}
                {onkeydown}
                {onpointerdown}
                {onpointermove}
                {onpointerup}
                onpointercancel={reorder.on_cancel()}
                onlostpointercapture={reorder.on_cancel()}
            >
                { match &model.planes {
                    Some(planes) => view.planes(planes, &content),
                    None => view.queue(&content),
                } }
            </div>
            <p class="unseen" role="status" aria-label="Stage action">{ announcement }</p>
        </>
    }
}

struct View<'p> {
    model: &'p AccessModel,
    boxes: &'p Boxes,
    drag: Option<Held>,
    highlighted: &'p Highlighted,
    /// Tab stop.
    focused: Option<StageItem>,
    can_reorder: bool,
}

impl View<'_> {
    fn is_lit(&self, item: StageItem) -> bool {
        match item.highlight(self.model) {
            Some(Highlight::Lane(unit)) => self.highlighted.has_lane(unit),
            Some(Highlight::Bytes(range)) => self.highlighted.has_bytes(range),
            _ => false,
        }
    }

    /// Index of a lane's box. Plane elements keep their register position.
    fn spot_of(&self, index: usize) -> usize {
        match self.model.planes {
            Some(_) => index,
            None => self.model.lanes[index].place,
        }
    }

    /// The same where a lane is shown: the others make room for a dragged lane.
    fn shown_spot(&self, index: usize) -> usize {
        match self.drag {
            Some(held) if self.model.planes.is_none() => held.shown_at(self.spot_of(index)),
            _ => self.spot_of(index),
        }
    }

    /// Box of a dragged lane, which follows the pointer.
    fn dragged(&self, index: usize) -> Option<Rect> {
        let place = self.model.lanes[index].place;
        let held = self.drag.filter(|held| held.from == place)?;
        let from = *self.boxes.lanes.get(self.spot_of(index))?;
        Some(Rect {
            x: from.x + held.now.0 - held.start.0,
            y: from.y + held.now.1 - held.start.1,
            ..from
        })
    }

    /// `transform` of a dragged lane.
    fn drag_style(&self, index: usize) -> String {
        let shown = self.boxes.lanes.get(self.shown_spot(index));
        let Some((dragged, shown)) = self.dragged(index).zip(shown) else {
            return String::new();
        };
        let (dx, dy) = (dragged.x - shown.x, dragged.y - shown.y);
        format!("transform:translate({dx:.0}px,{dy:.0}px)")
    }

    fn lane_ids(&self) -> String {
        let lanes = self.model.order().into_iter();
        let ids: Vec<String> = lanes.map(|index| StageItem::Lane(index).id()).collect();
        ids.join(" ")
    }

    /// Lane or cell as an option of its list. The title is its accessible name too,
    /// because the contents are hidden from screen readers.
    fn option(&self, item: StageItem, class: &'static str, style: String, inner: Html) -> Html {
        let (model, is_lit) = (self.model, self.is_lit(item));
        let (state, group, words) = match item {
            StageItem::Lane(index) => {
                let lane = &model.lanes[index];
                (lane.state.name(), None, &lane.words)
            }
            StageItem::Cell(index) => {
                let cell = &model.cells[index];
                (cell.state, cell.group, &cell.words)
            }
        };
        let place = item.place(model);
        let held = self.drag.filter(|_| place.is_some());
        let is_dragged = held.is_some_and(|held| Some(held.from) == place);
        // A plane element does not make room: the target is outlined.
        let is_target = model.planes.is_some() && held.is_some_and(|held| Some(held.to) == place);
        html! {
            <div
                key={item.to_string()}
                id={item.id()}
                {class}
                ~style={style}
                role="option"
                data-item={item.to_string()}
                data-state={state}
                data-group={group.map(hue)}
                data-lit={is_lit.then_some("")}
                data-dragged={is_dragged.then_some("")}
                data-target={(is_target && !is_dragged).then_some("")}
                aria-selected={is_lit.to_string()}
                aria-current={(place.is_some() && state == "current").then_some("step")}
                aria-keyshortcuts={place.filter(|_| self.can_reorder).map(|_| "Alt+ArrowUp Alt+ArrowDown")}
                title={words.clone()}
                tabindex={if self.focused == Some(item) { "0" } else { "-1" }}
            >
                { inner }
            </div>
        }
    }
}
