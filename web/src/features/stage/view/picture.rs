//! Draws lanes, edges and cells, and handles hover, focus and reordering.

use super::background::{Background, FaultWords};
use super::cell::CellItem;
use super::item::{StageItem, neighbour};
use super::lane::{LaneEdge, LaneItem};
use crate::components::reorder::{Direction, LaneMove, use_reorder};
use crate::features::highlight::{Highlighted, use_highlight};
use crate::features::stage::layout::{LanePlace, StageLayout};
use crate::features::stage::model::StageModel;
use crate::features::stage::order::{Arrangement, Drag, nearest};
use crate::features::stage::svg::{ChipState, Route, px};
use crate::features::stage::table::StageTable;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct StagePictureProps {
    pub(super) svg: NodeRef,
    pub(super) model: Rc<StageModel>,
    pub(super) layout: Rc<StageLayout>,
    /// Space above in CSS pixels.
    pub(super) lift: f64,
    pub(super) can_reorder: bool,
    /// Whether to disable motion.
    pub(super) still: bool,
    /// Whether the size has just changed: skips the transition.
    pub(super) is_resized: bool,
    pub(super) on_move: Callback<LaneMove>,
    /// Reorder announcement.
    pub(super) announcement: AttrValue,
}

/// Picture, and a table with the same contents.
#[component]
pub(super) fn StagePicture(props: &StagePictureProps) -> Html {
    let StagePictureProps {
        svg,
        model,
        layout,
        can_reorder,
        on_move,
        announcement,
        ..
    } = props;
    let can_reorder = *can_reorder;
    let highlight = use_highlight();
    let focused = use_state_eq(|| None::<StageItem>);
    let in_order = use_memo(Rc::clone(model), |model| model.in_order());
    let reorder = use_reorder(Direction::Down, Rc::clone(&in_order), on_move.clone());
    let arrangement = match model.planes {
        Some(_) => Arrangement::Planes,
        None => Arrangement::Queue,
    };

    let onmouseover = highlight
        .set
        .reform(|event: MouseEvent| StageItem::of_event(&event).map(StageItem::highlight));
    let onfocusin = {
        let (set, focused) = (highlight.set.clone(), focused.clone());
        move |event: FocusEvent| {
            if let Some(item) = StageItem::of_event(&event) {
                focused.set(Some(item));
                set.emit(Some(item.highlight()));
            }
        }
    };
    let onkeydown = {
        let (model, layout, svg) = (Rc::clone(model), Rc::clone(layout), svg.clone());
        let reorder = reorder.clone();
        move |event: KeyboardEvent| {
            let Some(item) = StageItem::of_event(&event) else {
                return;
            };
            if event.key() == "Escape" && reorder.cancel() {
                event.prevent_default();
                return;
            }
            let from = item.order_index(&model).filter(|_| can_reorder);
            if from.is_some_and(|from| reorder.move_by_key(&event, from)) {
                return;
            }
            if event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key() {
                return;
            }
            if let Some(to) = neighbour(&model, &layout, item, &event.key()) {
                event.prevent_default();
                if let Some(svg) = svg.cast::<Element>() {
                    to.focus(&svg);
                }
            }
        }
    };
    let onpointerdown = {
        let (model, reorder, svg) = (Rc::clone(model), reorder.clone(), svg.clone());
        move |event: PointerEvent| {
            let from = StageItem::of_event(&event).and_then(|item| item.order_index(&model));
            let from = from.filter(|_| can_reorder);
            if let (Some(from), Some(svg)) = (from, svg.cast::<Element>()) {
                reorder.grab(&event, &svg, from, pointer_at(&event, &svg));
            }
        }
    };
    let onpointermove = {
        let (reorder, svg, layout) = (reorder.clone(), svg.clone(), Rc::clone(layout));
        move |event: PointerEvent| {
            if let Some(svg) = svg.cast::<Element>() {
                let now = pointer_at(&event, &svg);
                reorder.drag(now, || nearest(now, &layout.lanes, arrangement));
            }
        }
    };
    let onpointerup = {
        let (model, reorder, svg) = (Rc::clone(model), reorder.clone(), svg.clone());
        move |_: PointerEvent| {
            let held = reorder.release();
            if let (Some(held), Some(svg)) = (held, svg.cast::<Element>()) {
                StageItem::Lane(model.lanes[held.from].unit).focus(&svg);
            }
        }
    };
    let onpointercancel = {
        let reorder = reorder.clone();
        move |_: PointerEvent| {
            reorder.cancel();
        }
    };
    // The drag has already ended after a release.
    let onlostpointercapture = onpointercancel.clone();

    let moving = reorder.held().filter(|held| held.is_moving());
    // The previous instruction may have had other lanes.
    let first = model.lanes.first().map(|lane| StageItem::Lane(lane.unit));
    let focused = focused.filter(|item| item.is_in(model)).or(first);
    let drawn = Drawn {
        model,
        layout,
        drag: moving.map(|held| Drag { held, arrangement }),
        highlighted: &highlight.highlighted,
        focused,
    };
    let options = in_order
        .iter()
        .map(|lane| StageItem::Lane(lane.unit).option_id());
    let options: Vec<_> = options.collect();
    html! {
        <>
            <svg
                ref={svg}
                class="stage-svg"
                ~style={format!("margin-top:{}px", px(props.lift))}
                width={px(layout.width)}
                height={px(layout.height)}
                viewBox={format!("0 0 {} {}", px(layout.width), px(layout.height))}
                role="group"
                aria-label={format!("Picture of {}", model.instruction)}
                data-still={props.still.then_some("")}
                data-resized={props.is_resized.then_some("")}
                data-dragging={moving.map(|_| "")}
                data-lit={drawn.is_highlighted().then_some("")}
                {onmouseover}
                onmouseleave={highlight.clear_on_leave()}
                {onfocusin}
                onfocusout={highlight.clear_on_blur()}
                {onkeydown}
                {onpointerdown}
                {onpointermove}
                {onpointerup}
                {onpointercancel}
                {onlostpointercapture}
            >
                <Background layout={Rc::clone(layout)} model={Rc::clone(model)} />
                <g class="edges" aria-hidden="true">{ drawn.edges() }</g>
                <FaultWords layout={Rc::clone(layout)} />
                <g role="listbox" aria-label="Memory cells">{ drawn.cells() }</g>
                // In numeric order in the document, so that they move when the
                // order changes.
                <g class="lanes" role="listbox" aria-label="Lanes in order" aria-owns={options.join(" ")}>{ drawn.lanes() }</g>
            </svg>
            <StageTable model={Rc::clone(model)} />
            <p class="unseen" role="status" aria-label="Stage action">{ announcement }</p>
        </>
    }
}

/// Pointer position in user units.
fn pointer_at(event: &PointerEvent, svg: &Element) -> (f64, f64) {
    let rect = svg.get_bounding_client_rect();
    (
        f64::from(event.client_x()) - rect.left(),
        f64::from(event.client_y()) - rect.top(),
    )
}

/// Inputs for drawing lanes and cells.
struct Drawn<'p> {
    model: &'p StageModel,
    layout: &'p StageLayout,
    /// Dragged lane.
    drag: Option<Drag>,
    highlighted: &'p Highlighted,
    /// Tab stop.
    focused: Option<StageItem>,
}

impl Drawn<'_> {
    fn is_lane_highlighted(&self, index: usize) -> bool {
        self.highlighted.has_lane(self.model.lanes[index].unit)
    }

    fn is_cell_highlighted(&self, index: usize) -> bool {
        self.highlighted.has_bytes(self.model.cells[index].range)
    }

    /// Whether anything is highlighted.
    fn is_highlighted(&self) -> bool {
        (0..self.model.lanes.len()).any(|index| self.is_lane_highlighted(index))
            || (0..self.model.cells.len()).any(|index| self.is_cell_highlighted(index))
    }

    /// Position of a lane during a drag.
    fn lane_place(&self, index: usize) -> LanePlace {
        let lanes = &self.layout.lanes;
        let own = lanes[index];
        let Some(drag) = self.drag else { return own };
        let rect = if index == drag.held.from {
            drag.rect(lanes)
        } else {
            lanes[drag.shown_at(index)].rect
        };
        let route = match own.route {
            Route::Curve { to, .. } => Route::Curve {
                from: if rect.x < to.x {
                    rect.right_middle()
                } else {
                    rect.left_middle()
                },
                to,
            },
            // Elements keep their register position.
            below @ Route::Below { .. } => below,
        };
        LanePlace { rect, route }
    }

    /// Lanes by number: a stable document order preserves focus when the lane
    /// order changes.
    fn by_unit(&self) -> Vec<usize> {
        let mut lanes: Vec<usize> = (0..self.model.lanes.len()).collect();
        lanes.sort_by_key(|index| self.model.lanes[*index].unit);
        lanes
    }

    /// Whether values are only read from memory.
    fn reads(&self) -> bool {
        self.model
            .planes
            .as_ref()
            .is_some_and(|planes| planes.reads)
    }

    fn edges(&self) -> Html {
        // The current step is drawn on top.
        let mut by_state = self.by_unit();
        by_state.sort_by_key(|index| {
            let now = self.model.lanes[*index].state == ChipState::Current;
            (now, self.is_lane_highlighted(*index))
        });
        let edges = by_state.into_iter().map(|index| {
            let lane = &self.model.lanes[index];
            html! {
                <LaneEdge
                    key={format!("{:?}", lane.unit)}
                    route={self.lane_place(index).route}
                    reads={self.reads()}
                    state={lane.state}
                    group={lane.group}
                    channel={lane.unit.channel}
                    highlighted={self.is_lane_highlighted(index) && self.is_cell_highlighted(lane.cell)}
                    returns={lane.returns_now && self.model.planes.is_none()}
                />
            }
        });
        edges.collect()
    }

    fn lanes(&self) -> Html {
        let layout = self.layout;
        let is_plane = self.model.planes.is_some();
        let held = self.drag.map(|drag| drag.held);
        let lanes = self.by_unit().into_iter().map(|index| {
            let lane = &self.model.lanes[index];
            let item = StageItem::Lane(lane.unit);
            let is_dragged = held.is_some_and(|held| held.from == index);
            let is_target = is_plane && held.is_some_and(|held| held.to == index);
            html! {
                <LaneItem
                    key={format!("{:?}", lane.unit)}
                    {item}
                    lane={Rc::clone(lane)}
                    rect={self.lane_place(index).rect}
                    size={layout.lane_size}
                    label_width={layout.label_width}
                    result_width={layout.result_width}
                    highlighted={self.is_lane_highlighted(index)}
                    dragged={is_dragged}
                    target={is_target && !is_dragged}
                    in_tab_order={self.focused == Some(item)}
                    {is_plane}
                    reads={self.reads()}
                    operation_in_head={layout.operation_in_head}
                    kept={self.model.fault.is_some()}
                />
            }
        });
        lanes.collect()
    }

    fn cells(&self) -> Html {
        let cells = self.model.cells.iter().enumerate().map(|(index, cell)| {
            let item = StageItem::Cell(cell.range);
            html! {
                <CellItem
                    key={cell.name.clone()}
                    {item}
                    cell={Rc::clone(cell)}
                    rect={self.layout.cells[index]}
                    density={self.layout.density}
                    size={self.layout.lane_size}
                    highlighted={self.is_cell_highlighted(index)}
                    step={cell.written_now.then_some(self.model.step)}
                    in_tab_order={self.focused == Some(item)}
                    is_plane={self.model.planes.is_some()}
                />
            }
        });
        cells.collect()
    }
}
