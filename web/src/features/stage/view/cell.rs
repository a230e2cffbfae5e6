//! Memory cell in the picture.

use super::item::StageItem;
use super::plane_element::{PlaneElement, room};
use crate::features::stage::model::StageCell;
use crate::features::stage::svg::{
    CellCard, CellDensity, CellState, Face, LEAST_SIZE, Point, Rect, px, text_width, translate,
};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct CellItemProps {
    pub(super) item: StageItem,
    pub(super) cell: Rc<StageCell>,
    pub(super) rect: Rect,
    pub(super) density: CellDensity,
    pub(super) size: f64,
    pub(super) highlighted: bool,
    /// The last step, if it wrote the cell.
    pub(super) step: Option<usize>,
    pub(super) in_tab_order: bool,
    /// Whether the cell is a channel of a record, with its address beside it.
    pub(super) is_plane: bool,
}

/// Value of a channel. If the name of a fault does not fit, a symbol refers to
/// the line below.
fn plane_value(props: &CellItemProps) -> AttrValue {
    let CellItemProps { cell, rect, .. } = props;
    let room = room(rect.width, cell.group.is_some());
    let is_cut = text_width(&cell.value, LEAST_SIZE, Face::Mono) > room;
    if cell.state == CellState::Fault && is_cut {
        return AttrValue::Static("✗");
    }
    cell.value.clone().into()
}

/// Memory cell that can be focused and highlighted.
#[component]
pub(super) fn CellItem(props: &CellItemProps) -> Html {
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
    // A single value is not a trail.
    let trail: Rc<[String]> = match cell.trail.len() {
        0 | 1 => Rc::from([]),
        _ => Rc::clone(&cell.trail),
    };
    let before = match &*cell.trail {
        [.., old, _] if props.step.is_some() => Some(AttrValue::from(old.clone())),
        _ => None,
    };
    let shape = if props.is_plane {
        html! {
            <PlaneElement
                width={rect.width}
                height={rect.height}
                size={props.size}
                text={plane_value(props)}
                {before}
                state={cell.state.name()}
                shared={cell.group.is_some()}
                step={props.step}
            />
        }
    } else {
        html! {
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
        }
    };
    html! {
        <g
            class="item"
            ~style={translate(Point::new(rect.x, rect.y))}
            data-item={props.item.to_string()}
            data-lit={props.highlighted.then_some("")}
        >
            <g aria-hidden="true">{ shape }</g>
            <rect
                class="hit"
                width={px(rect.width)}
                height={px(rect.height)}
                rx="6"
                role="option"
                aria-selected={props.highlighted.to_string()}
                aria-label={cell.words.clone()}
                tabindex={if props.in_tab_order { "0" } else { "-1" }}
            >
                <title>{ &cell.words }</title>
            </rect>
        </g>
    }
}
