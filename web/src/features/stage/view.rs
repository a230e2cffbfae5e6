//! The stage on the page: drawn, hovered, focused, reordered.

use super::follow::use_reveal;
use super::layout::{HEAD_SIZE, LanePlace, PaddingKind, StageLayout, USUAL};
use super::model::{IdleLanes, StageCell, StageLane, StageModel};
use super::order::{Arrangement, Drag};
use super::size::use_size;
use super::svg::{
    CellCard, CellDensity, Chip, Edge, EdgeState, Face, Point, Rect, Route, Text, Tone, WholeText,
    fit, fit_forms, px, shrink, text_width, translate,
};
use super::table::StageTable;
use crate::features::highlight::{Highlight, use_highlight};
use crate::features::screen::is_compact;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};
use yew::prelude::*;

/// A lane or a cell, by its index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Lane(usize),
    Cell(usize),
}

impl Item {
    /// The value of `data-item`.
    fn name(self) -> String {
        match self {
            Self::Lane(index) => format!("lane {index}"),
            Self::Cell(index) => format!("cell {index}"),
        }
    }

    /// The item that an element is part of.
    fn of(element: &Element) -> Option<Self> {
        let element = element.closest("[data-item]").ok().flatten()?;
        let name = element.get_attribute("data-item")?;
        let (kind, index) = name.split_once(' ')?;
        let index = index.parse().ok()?;
        match kind {
            "lane" => Some(Self::Lane(index)),
            "cell" => Some(Self::Cell(index)),
            _ => None,
        }
    }

    /// The item that an event is about.
    fn of_event(event: &Event) -> Option<Self> {
        Self::of(event.target()?.dyn_ref::<Element>()?)
    }

    /// What is lit when the pointer or the focus is on it.
    fn highlight(self, model: &StageModel) -> Option<Highlight> {
        match self {
            Self::Lane(index) => Some(Highlight::Lane(model.lanes.get(index)?.unit)),
            Self::Cell(index) => Some(Highlight::Memory(model.cells.get(index)?.range)),
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct StageProps {
    pub(crate) model: Rc<StageModel>,
    /// The text has changed since into one that cannot run.
    #[prop_or_default]
    pub(crate) stale: bool,
    /// Whether nothing moves by itself: steps follow each other fast.
    #[prop_or_default]
    pub(crate) still: bool,
    /// A lane takes another place in the order: from which, and which.
    pub(crate) on_move: Callback<(usize, usize)>,
}

/// What comes into view with a step: its cell, and above all its lane.
const TOUCHED: [&str; 2] = [
    "[aria-label='Memory cells'] :is([data-state=current], [data-state=failed], [data-state=fault])",
    "[aria-label='Lanes in order'] :is([data-state=current], [data-state=fault])",
];

/// The picture of an instruction with accesses: lanes, cells, and what goes on
/// between them.
#[component]
pub(crate) fn Stage(props: &StageProps) -> Html {
    let StageProps {
        model,
        stale,
        still,
        on_move,
    } = props;
    let picture = use_node_ref();
    let svg = use_node_ref();
    let (width, height) = use_size(picture.clone(), USUAL);
    // On a phone it scrolls with what is around it.
    let is_narrow = width < 520.0 && is_compact();
    let room = match is_narrow {
        true => narrow_room(),
        false => height,
    };
    let layout = use_memo((Rc::clone(model), width, room), |(model, width, room)| {
        StageLayout::of(model, *width, *room)
    });
    let follows = model.step > 0 && (is_narrow || layout.height > height);
    // Into another room parts move at once: they are scrolled to where they are.
    let last_room = use_mut_ref(|| (width, room));
    let is_resized = last_room.replace((width, room)) != (width, room);
    let revealed = follows.then_some((model.step, layout.width, layout.height, height));
    use_reveal(svg.clone(), revealed, &TOUCHED);
    let highlight = use_highlight();
    // An edit, such as another order, puts out what was lit; the focus stays.
    use_effect_with(highlight.set.clone(), {
        let (model, svg) = (Rc::clone(model), svg.clone());
        move |set| {
            let active = gloo_utils::document().active_element();
            let svg = svg.cast::<Element>();
            if let (Some(active), Some(svg)) = (active, svg)
                && svg.contains(Some(&active))
                && let Some(item) = Item::of(&active)
            {
                set.emit(item.highlight(&model));
            }
        }
    });
    let focused = use_state_eq(|| Item::Lane(0));
    let drag = use_state_eq(|| None::<Drag>);
    let said = use_state_eq(String::new);
    let can_reorder = model.can_reorder && !stale;
    let arrangement = match model.planes {
        Some(_) => Arrangement::Planes,
        None => Arrangement::Queue,
    };
    let reorder = {
        let (model, on_move) = (Rc::clone(model), on_move.clone());
        let (said, focused) = (said.clone(), focused.clone());
        move |from: usize, to: usize| {
            let Some(lane) = model.lanes.get(from) else {
                return;
            };
            said.set(format!(
                "Lane {} is now number {} of {}.",
                lane.label,
                to + 1,
                model.lanes.len()
            ));
            // Its element keeps the focus: elements stay where they are.
            focused.set(Item::Lane(to));
            on_move.emit((from, to));
        }
    };

    let onmouseover = {
        let (model, set) = (Rc::clone(model), highlight.set.clone());
        move |event: MouseEvent| set.emit(Item::of_event(&event).and_then(|i| i.highlight(&model)))
    };
    let onfocusin = {
        let (model, set, focused) = (Rc::clone(model), highlight.set.clone(), focused.clone());
        move |event: FocusEvent| {
            if let Some(item) = Item::of_event(&event) {
                focused.set(item);
                set.emit(item.highlight(&model));
            }
        }
    };
    let onkeydown = {
        let (model, layout, svg) = (Rc::clone(model), Rc::clone(&layout), svg.clone());
        let (reorder, drag) = (reorder.clone(), drag.clone());
        let stale = *stale;
        move |event: KeyboardEvent| {
            let Some(item) = Item::of_event(&event) else {
                return;
            };
            let key = event.key();
            if key == "Escape" && drag.is_some() {
                drag.set(None);
                event.prevent_default();
                return;
            }
            if event.ctrl_key() || event.meta_key() || event.shift_key() {
                return;
            }
            if event.alt_key() {
                let Item::Lane(from) = item else { return };
                let to = match &*key {
                    "ArrowUp" => from.checked_sub(1),
                    "ArrowDown" => Some(from + 1).filter(|to| *to < model.lanes.len()),
                    _ => return,
                };
                event.prevent_default();
                if let Some(to) = to.filter(|_| model.can_reorder && !stale) {
                    reorder(from, to);
                }
                return;
            }
            let Some(to) = neighbour(&model, &layout, item, &key) else {
                return;
            };
            event.prevent_default();
            if let Some(svg) = svg.cast::<Element>() {
                focus(&svg, to);
            }
        }
    };
    let onpointerdown = {
        let (drag, svg) = (drag.clone(), svg.clone());
        move |event: PointerEvent| {
            let Some(Item::Lane(from)) = Item::of_event(&event) else {
                return;
            };
            if !can_reorder || event.button() != 0 || !event.is_primary() {
                return;
            }
            let Some(svg) = svg.cast::<SvgElement>() else {
                return;
            };
            // Refused for a pointer that is gone already: then there is no drag.
            if svg.set_pointer_capture(event.pointer_id()).is_ok() {
                drag.set(Some(Drag::new(from, place_of(&event, &svg), arrangement)));
            }
        }
    };
    let onpointermove = {
        let (drag, svg, layout) = (drag.clone(), svg.clone(), Rc::clone(&layout));
        move |event: PointerEvent| {
            if let (Some(held), Some(svg)) = (*drag, svg.cast::<SvgElement>()) {
                drag.set(Some(held.moved(place_of(&event, &svg), &layout.lanes)));
            }
        }
    };
    let onpointerup = {
        let (drag, svg) = (drag.clone(), svg.clone());
        move |_: PointerEvent| {
            let Some(held) = *drag else { return };
            drag.set(None);
            if let Some(svg) = svg.cast::<Element>() {
                focus(&svg, Item::Lane(held.from));
            }
            if held.to != held.from {
                reorder(held.from, held.to);
            }
        }
    };
    let onpointercancel = {
        let drag = drag.clone();
        move |_: PointerEvent| drag.set(None)
    };

    let moving = drag.filter(Drag::is_moving);
    let place = |index: usize| -> LanePlace {
        let own = layout.lanes[index];
        let Some(drag) = moving else { return own };
        let rect = match index == drag.from {
            true => drag.rect(&layout.lanes).unwrap_or(own.rect),
            false => layout.lanes[drag.shown_at(index)].rect,
        };
        let route = match own.route {
            Route::Curve { to, .. } => Route::Curve {
                from: match rect.x < to.x {
                    true => rect.right_middle(),
                    false => rect.left_middle(),
                },
                to,
            },
            // An element is where it is in its register.
            below @ Route::Below { .. } => below,
        };
        LanePlace { rect, route }
    };
    let lit = &highlight.lit;
    let lane_lit: Vec<bool> = model
        .lanes
        .iter()
        .map(|lane| lit.has_lane(lane.unit))
        .collect();
    let cell_lit: Vec<bool> = model
        .cells
        .iter()
        .map(|cell| lit.has_bytes(cell.range))
        .collect();
    let focused = match *focused {
        Item::Lane(index) if index >= model.lanes.len() => Item::Lane(0),
        Item::Cell(index) if index >= model.cells.len() => Item::Lane(0),
        item => item,
    };
    // Elements stay where they are in the document, so that the focus stays,
    // whatever the order.
    let mut by_unit: Vec<usize> = (0..model.lanes.len()).collect();
    by_unit.sort_by_key(|index| model.lanes[*index].unit);
    // What happens now lies on top.
    let mut by_state = by_unit.clone();
    by_state.sort_by_key(|index| {
        let now = model.lanes[*index].state == super::svg::ChipState::Current;
        (now, lane_lit[*index])
    });
    let reads = model.planes.as_ref().is_some_and(|planes| planes.reads);
    let edges = by_state.iter().map(|index| {
        let lane = &model.lanes[*index];
        let place = place(*index);
        html! {
            <LaneEdge
                key={format!("{:?}", lane.unit)}
                route={place.route}
                {reads}
                state={lane.state}
                group={lane.group}
                channel={lane.unit.channel}
                lit={lane_lit[*index] && cell_lit[lane.cell]}
                returns={lane.returns_now && model.planes.is_none()}
            />
        }
    });
    let is_plane = model.planes.is_some();
    let lanes = by_unit.iter().map(|index| {
        let lane = &model.lanes[*index];
        let item = Item::Lane(*index);
        html! {
            <LaneItem
                key={format!("{:?}", lane.unit)}
                {item}
                lane={Rc::clone(lane)}
                rect={place(*index).rect}
                size={layout.lane_size}
                label_width={layout.label_width}
                result_width={layout.result_width}
                lit={lane_lit[*index]}
                dragged={moving.is_some_and(|drag| drag.from == *index)}
                target={moving.is_some_and(|drag| is_plane && drag.to == *index && drag.from != *index)}
                in_tab_order={focused == item}
                {is_plane}
                {reads}
                operation_in_head={layout.operation_in_head}
            />
        }
    });
    let in_order: Vec<_> = (0..model.lanes.len())
        .map(|index| option_id(Item::Lane(index)))
        .collect();
    let in_order = in_order.join(" ");
    let cells = model.cells.iter().enumerate().map(|(index, cell)| {
        let item = Item::Cell(index);
        html! {
            <CellItem
                key={cell.name.clone()}
                {item}
                cell={Rc::clone(cell)}
                rect={layout.cells[index]}
                density={layout.density}
                size={layout.lane_size}
                lit={cell_lit[index]}
                step={cell.written_now.then_some(model.step)}
                in_tab_order={focused == item}
                {is_plane}
            />
        }
    });
    let (edges, lanes, cells): (Html, Html, Html) =
        (edges.collect(), lanes.collect(), cells.collect());
    // Somewhat above the middle, where there is room to spare.
    let lift = if is_narrow {
        0.0
    } else {
        ((height - layout.height) * 0.35).max(0.0)
    };
    let is_lit = lane_lit.contains(&true) || cell_lit.contains(&true);
    let scrolls = is_narrow || layout.height > height;
    html! {
        <div
            ref={picture}
            class="stage-picture"
            ~style={format!("--heads:{}px", px(layout.head_height))}
            data-narrow={is_narrow.then_some("")}
            data-stale={stale.then_some("")}
        >
            if scrolls {
                <StickyHeads layout={Rc::clone(&layout)} />
            }
            <svg
                ref={svg}
                class="stage-svg"
                ~style={format!("margin-top:{}px", px(lift))}
                width={px(layout.width)}
                height={px(layout.height)}
                viewBox={format!("0 0 {} {}", px(layout.width), px(layout.height))}
                role="group"
                aria-label={format!("Picture of {}", model.instruction)}
                data-still={(*still).then_some("")}
                data-resized={is_resized.then_some("")}
                data-dragging={moving.map(|_| "")}
                data-lit={is_lit.then_some("")}
                {onmouseover}
                onmouseleave={highlight.leave()}
                {onfocusin}
                onfocusout={highlight.blur()}
                {onkeydown}
                {onpointerdown}
                {onpointermove}
                {onpointerup}
                {onpointercancel}
            >
                <Background layout={Rc::clone(&layout)} model={Rc::clone(model)} />
                <g class="edges" aria-hidden="true">{ edges }</g>
                <g role="listbox" aria-label="Memory cells">{ cells }</g>
                // They stand by number, so that they move when the order changes.
                <g role="listbox" aria-label="Lanes in order" aria-owns={in_order}>{ lanes }</g>
            </svg>
            <StageTable model={Rc::clone(model)} />
            <p class="unseen" role="status" aria-label="Stage action">{ &*said }</p>
        </div>
    }
}

/// What the bars of a phone take of the window's height, in CSS pixels.
const BARS: f64 = 240.0;

/// The height for a picture in a frame, in CSS pixels.
const FRAMED: f64 = 520.0;

/// The height for a picture on a phone: what the bars leave. In a low window
/// lanes are close to each other. A frame is as high as what is in it: there
/// the height is always the same.
fn narrow_room() -> f64 {
    let window = gloo_utils::window();
    let parent = window.parent().ok().flatten();
    if parent.is_some_and(|parent| parent != window) {
        return FRAMED;
    }
    let height = window.inner_height().ok();
    let height = height.and_then(|height| height.as_f64());
    height.map_or(USUAL.1, |height| (height - BARS).clamp(300.0, 640.0))
}

/// Moves the focus to an item.
fn focus(svg: &Element, item: Item) {
    let selector = format!("[data-item=\"{}\"] > [role=option]", item.name());
    let found = svg.query_selector(&selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<SvgElement>().ok()) {
        // It takes the focus whenever it is on the page.
        let _ = element.focus();
    }
}

/// Where a pointer is, in the units of the picture.
fn place_of(event: &PointerEvent, svg: &SvgElement) -> Point {
    let rect = svg.get_bounding_client_rect();
    Point::new(
        f64::from(event.client_x()) - rect.left(),
        f64::from(event.client_y()) - rect.top(),
    )
}

/// The item that an arrow key leads to.
fn neighbour(model: &StageModel, layout: &StageLayout, item: Item, key: &str) -> Option<Item> {
    let last = model.lanes.len().checked_sub(1)?;
    match (key, item) {
        ("Home", _) => return Some(Item::Lane(0)),
        ("End", _) => return Some(Item::Lane(last)),
        ("Enter" | " ", Item::Lane(index)) => return Some(Item::Cell(model.lanes[index].cell)),
        _ => {}
    }
    // Sideways from a lane: along its edge, and back.
    if model.planes.is_none() {
        match (key, item) {
            ("ArrowUp", Item::Lane(index)) => return index.checked_sub(1).map(Item::Lane),
            ("ArrowDown", Item::Lane(index)) => {
                return (index < last).then_some(Item::Lane(index + 1));
            }
            ("ArrowLeft" | "ArrowRight", Item::Lane(index)) => {
                let cell = model.lanes[index].cell;
                let is_left = layout.lanes[index].rect.x < layout.cells[cell].x;
                return (is_left == (key == "ArrowRight")).then_some(Item::Cell(cell));
            }
            ("ArrowLeft" | "ArrowRight", Item::Cell(cell)) => {
                let own = model.lanes.iter().enumerate().filter(|(index, lane)| {
                    let is_left = layout.lanes[*index].rect.x < layout.cells[cell].x;
                    lane.cell == cell && is_left == (key == "ArrowLeft")
                });
                return own.map(|(index, _)| Item::Lane(index)).next();
            }
            _ => {}
        }
    }
    let rect = |item: Item| match item {
        Item::Lane(index) => layout.lanes.get(index).map(|place| place.rect),
        Item::Cell(index) => layout.cells.get(index).copied(),
    };
    let middle = |rect: Rect| Point::new(rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
    let from = middle(rect(item)?);
    let (dx, dy) = match key {
        "ArrowUp" => (0.0, -1.0),
        "ArrowDown" => (0.0, 1.0),
        "ArrowLeft" => (-1.0, 0.0),
        "ArrowRight" => (1.0, 0.0),
        _ => return None,
    };
    let all = (0..model.lanes.len())
        .map(Item::Lane)
        .chain((0..model.cells.len()).map(Item::Cell));
    let ahead = all.filter_map(|other| {
        let to = middle(rect(other)?);
        let (x, y) = (to.x - from.x, to.y - from.y);
        let (along, across) = (x * dx + y * dy, (x * dy).abs() + (y * dx).abs());
        (other != item && along > 1.0).then_some((other, along + 4.0 * across))
    });
    ahead
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(other, _)| other)
}

#[derive(Properties, PartialEq)]
struct LaneEdgeProps {
    /// From the lane to its cell.
    route: Route,
    /// Whether data comes from memory only.
    reads: bool,
    state: super::svg::ChipState,
    group: Option<u32>,
    channel: Option<u8>,
    lit: bool,
    /// Whether a value comes back along it now.
    returns: bool,
}

/// The edge of a lane, and the value on its way back.
#[component]
fn LaneEdge(props: &LaneEdgeProps) -> Html {
    use super::svg::ChipState;
    let state = match props.state {
        ChipState::Waiting => EdgeState::Waiting,
        ChipState::Current | ChipState::Fault => EdgeState::Current,
        ChipState::Done => EdgeState::Done,
    };
    // The colour of an element's edge is that of its channel, of a lane's that
    // of its group.
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
            <Edge {route} {state} {tone} lit={props.lit} arrow={state == EdgeState::Current} />
            if props.returns {
                <Edge route={returned} state={EdgeState::Return} tone={Tone::Accent} arrow=true />
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct LaneItemProps {
    item: Item,
    lane: Rc<StageLane>,
    rect: Rect,
    size: f64,
    label_width: f64,
    result_width: f64,
    lit: bool,
    dragged: bool,
    /// Whether the one that is dragged would take its place in the order.
    target: bool,
    in_tab_order: bool,
    is_plane: bool,
    /// Whether its value comes from memory.
    reads: bool,
    /// Whether a head names the operation.
    operation_in_head: bool,
}

/// A lane that can be focused, lit and dragged; in a plane, an element of a
/// register.
#[component]
fn LaneItem(props: &LaneItemProps) -> Html {
    let LaneItemProps {
        lane, rect, size, ..
    } = props;
    let shape = match props.is_plane {
        false => html! {
            <Chip
                width={rect.width}
                height={rect.height}
                size={*size}
                label={lane.label.clone()}
                label_width={props.label_width}
                text={if props.operation_in_head { lane.operands.clone() } else { lane.operation.clone() }}
                result={lane.result.clone().map(AttrValue::from)}
                result_width={props.result_width}
                failed={lane.failed}
                group={lane.group}
                state={lane.state}
            />
        },
        true => {
            let value = match props.reads {
                true => lane.result.clone().unwrap_or_else(|| String::from("–")),
                false => lane.operation.clone(),
            };
            html! {
                <PlaneElement
                    width={rect.width}
                    height={rect.height}
                    size={*size}
                    text={value}
                    state={lane.state.name()}
                />
            }
        }
    };
    html! {
        <g
            class="item"
            ~style={translate(Point::new(rect.x, rect.y))}
            data-item={props.item.name()}
            data-lit={props.lit.then_some("")}
            data-dragged={props.dragged.then_some("")}
            data-target={props.target.then_some("")}
        >
            <g aria-hidden="true">{ shape }</g>
            <rect
                class="hit"
                width={px(rect.width)}
                height={px(rect.height)}
                rx="6"
                id={option_id(props.item)}
                role="option"
                aria-selected={props.lit.to_string()}
                aria-label={lane.words.clone()}
                aria-current={(lane.state == super::svg::ChipState::Current).then_some("step")}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                tabindex={if props.in_tab_order { "0" } else { "-1" }}
            >
                <title>{ &lane.words }</title>
            </rect>
        </g>
    }
}

/// The `id` of an item's option.
fn option_id(item: Item) -> String {
    format!("stage-{}", item.name().replace(' ', "-"))
}

#[derive(Properties, PartialEq)]
struct PlaneElementProps {
    width: f64,
    height: f64,
    size: f64,
    text: AttrValue,
    state: AttrValue,
    /// Whether several elements access its bytes.
    #[prop_or_default]
    shared: bool,
    /// The step at hand, if it wrote it.
    #[prop_or_default]
    step: Option<usize>,
}

/// An element of a register or of a record.
#[component]
fn PlaneElement(props: &PlaneElementProps) -> Html {
    let PlaneElementProps {
        width,
        height,
        size,
        ..
    } = *props;
    let room = width - if props.shared { 8.0 } else { 4.0 };
    let text_size = shrink(&props.text, room, size, Face::Mono);
    let text = fit(&props.text, room, text_size, Face::Mono);
    let key = props.step.map_or_else(String::new, |step| step.to_string());
    html! {
        <g class="chip element" data-state={props.state.clone()}>
            <rect class="box" width={px(width)} height={px(height)} rx="4" />
            if props.shared {
                { inner_frame(Rect::new(0.0, 0.0, width, height)) }
            }
            <g {key} class="value" data-flips={props.step.map(|_| "")}>
                <Text {text} x={width / 2.0} y={height / 2.0} size={text_size} anchor="middle" />
            </g>
        </g>
    }
}

/// The second frame of a cell that several elements access.
fn inner_frame(of: Rect) -> Html {
    const GAP: f64 = 2.5;
    html! {
        <rect
            class="shared"
            x={px(of.x + GAP)}
            y={px(of.y + GAP)}
            width={px(of.width - 2.0 * GAP)}
            height={px(of.height - 2.0 * GAP)}
            rx="2"
        />
    }
}

#[derive(Properties, PartialEq)]
struct CellItemProps {
    item: Item,
    cell: Rc<StageCell>,
    rect: Rect,
    density: CellDensity,
    size: f64,
    lit: bool,
    /// The step at hand, if it wrote the cell.
    step: Option<usize>,
    in_tab_order: bool,
    /// Whether it is a channel of a record, whose address stands beside it.
    is_plane: bool,
}

/// A memory cell that can be focused and lit.
#[component]
fn CellItem(props: &CellItemProps) -> Html {
    let CellItemProps { cell, rect, .. } = props;
    let lanes = match cell.lanes {
        1 => String::from("1 lane"),
        count => format!("{count} lanes"),
    };
    let waiting: Rc<[String]> = match cell.waiting_lanes {
        0 => Rc::default(),
        1 => Rc::from([format!("waiting: {}", cell.waiting)]),
        count => Rc::from([
            format!("waiting: {}", cell.waiting),
            format!("{count} waiting"),
        ]),
    };
    // One value is no trail.
    let trail: Rc<[String]> = match cell.trail.len() {
        0 | 1 => Rc::from([]),
        _ => Rc::clone(&cell.trail),
    };
    // Old and new, where there is room for both.
    let change = match &*cell.trail {
        [.., old, new] if props.step.is_some() => Some(format!("{old}→{new}")),
        _ => None,
    };
    let room = rect.width - 8.0;
    let change = change.filter(|text| text_width(text, props.size, Face::Mono) <= room);
    let shape = match props.is_plane {
        true => html! {
            <PlaneElement
                width={rect.width}
                height={rect.height}
                size={props.size}
                text={change.clone().unwrap_or_else(|| cell.value.clone())}
                state={cell.state.name()}
                shared={cell.group.is_some()}
                step={props.step}
            />
        },
        false => html! {
            <CellCard
                width={rect.width}
                height={rect.height}
                density={props.density}
                name={cell.name.clone()}
                value={cell.value.clone()}
                {trail}
                group={cell.group}
                about={lanes}
                event={Rc::clone(&cell.event)}
                {waiting}
                state={cell.state}
                step={props.step}
            />
        },
    };
    html! {
        <g
            class="item"
            ~style={translate(Point::new(rect.x, rect.y))}
            data-item={props.item.name()}
            data-lit={props.lit.then_some("")}
        >
            <g aria-hidden="true">{ shape }</g>
            <rect
                class="hit"
                width={px(rect.width)}
                height={px(rect.height)}
                rx="6"
                role="option"
                aria-selected={props.lit.to_string()}
                aria-label={cell.words.clone()}
                tabindex={if props.in_tab_order { "0" } else { "-1" }}
            >
                <title>{ &cell.words }</title>
            </rect>
        </g>
    }
}

#[derive(Properties, PartialEq)]
struct BackgroundProps {
    layout: Rc<StageLayout>,
    model: Rc<StageModel>,
}

/// Heads, lanes that do nothing, padding, and what holds overlapping cells.
#[component]
fn Background(props: &BackgroundProps) -> Html {
    let BackgroundProps { layout, model } = props;
    let heads = layout.heads.iter().map(|head| {
        html! {
            <Text
                text={head.text.clone()}
                x={head.at.x}
                y={head.at.y}
                size={HEAD_SIZE}
                face={Face::Sans}
                anchor={head.anchor}
                class={if head.tone == Tone::Plain { "dim" } else { "toned" }}
                tone={head.tone}
            />
        }
    });
    let idle = model.idle.iter().zip(&layout.idle).map(|(lanes, rect)| {
        html! { <IdleLine lanes={lanes.clone()} rect={*rect} /> }
    });
    let overlaps = layout.overlaps.iter().map(|(group, rect)| {
        html! {
            <rect
                class="overlap"
                data-tone={Tone::Group(*group).name()}
                x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="8"
            />
        }
    });
    let padding = layout.padding.iter().map(|(rect, kind)| {
        // Edges run below the rows: what is said of a column stands beside its
        // first one.
        let (text, y) = match kind {
            PaddingKind::Skipped => ("skipped", rect.y + rect.height / 2.0),
            PaddingKind::Missing(_) => ("off", rect.y + 10.0),
        };
        html! {
            <g class="padding">
                <rect x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="4" />
                <Text
                    {text}
                    x={rect.x + rect.width / 2.0}
                    {y}
                    size={(rect.height - 5.0).clamp(9.0, 11.0)}
                    face={Face::Sans}
                    anchor="middle"
                    class="dim"
                />
            </g>
        }
    });
    let rows = layout.rows.iter().map(|(text, at)| {
        html! {
            <Text text={text.clone()} x={at.x} y={at.y} size={layout.row_size} anchor="end" class="dim" />
        }
    });
    let (heads, idle, overlaps, padding, rows): (Html, Html, Html, Html, Html) = (
        heads.collect(),
        idle.collect(),
        overlaps.collect(),
        padding.collect(),
        rows.collect(),
    );
    html! {
        <g aria-hidden="true">
            { heads }{ idle }{ overlaps }{ padding }{ rows }
            if let Some(at) = layout.legend {
                { shared_legend(at) }
            }
        </g>
    }
}

/// What the double frame of a cell means.
fn shared_legend(at: Rect) -> Html {
    let sign = Rect::new(at.x, at.y + at.height / 2.0 - 6.0, 18.0, 12.0);
    let x = sign.right() + 6.0;
    let forms = [
        "several elements access it",
        "accessed by several",
        "by several",
    ];
    let (text, size) = fit_forms(&forms, at.right() - x, HEAD_SIZE, Face::Sans);
    html! {
        <g class="chip element">
            <rect class="box" x={px(sign.x)} y={px(sign.y)} width={px(sign.width)} height={px(sign.height)} rx="3" />
            { inner_frame(sign) }
            <Text {text} {x} y={at.y + at.height / 2.0} {size} face={Face::Sans} class="dim" />
        </g>
    }
}

#[derive(Properties, PartialEq)]
struct StickyHeadsProps {
    layout: Rc<StageLayout>,
}

/// The heads again, on top of those of the picture, where they stay while it
/// scrolls below them. No part of the picture, which is exported as it is.
#[component]
fn StickyHeads(props: &StickyHeadsProps) -> Html {
    let layout = &props.layout;
    let heads = layout.heads.iter().map(|head| {
        let shift = match head.anchor {
            "end" => "-100%",
            "middle" => "-50%",
            _ => "0",
        };
        let style = format!(
            "left:{}px;top:{}px;transform:translateX({shift})",
            px(head.at.x),
            px(head.at.y - 8.0)
        );
        let tone = (head.tone != Tone::Plain).then(|| head.tone.name());
        html! { <span ~style={style} data-tone={tone}>{ &head.text }</span> }
    });
    let heads: Html = heads.collect();
    let size = format!(
        "width:{}px;height:{}px;margin-bottom:-{}px",
        px(layout.width),
        px(layout.head_height - BELOW_HEADS),
        px(layout.head_height - BELOW_HEADS)
    );
    html! { <div class="stage-heads" aria-hidden="true" ~style={size}>{ heads }</div> }
}

/// What stays free below the heads, in CSS pixels: a row that is scrolled to
/// them is whole.
const BELOW_HEADS: f64 = 1.0;

#[derive(Properties, PartialEq)]
struct IdleLineProps {
    lanes: IdleLanes,
    rect: Rect,
}

/// `4–7 off: execution mask`
#[component]
fn IdleLine(props: &IdleLineProps) -> Html {
    let IdleLineProps { lanes, rect } = props;
    let whole = format!("{} off: {}", lanes.labels, lanes.reason);
    let brief = format!("{} off", lanes.labels);
    let (text, size) = fit_forms(&[&whole, &brief], rect.width, 11.5, Face::Sans);
    let is_cut = text != whole;
    html! {
        <g class="idle">
            if is_cut { <WholeText at={*rect} text={whole} /> }
            <Text {text} x={rect.x} y={rect.y + rect.height / 2.0} {size} face={Face::Sans} class="dim" />
        </g>
    }
}
