//! Lanes and cells as items that can be hovered and focused.

use super::boxes::Boxes;
use crate::dom::data_at;
use crate::features::highlight::{ByteRange, Highlight};
use crate::features::lanes::units::UnitKey;
use crate::features::stage::model::StageModel;
use crate::features::state::place::Place;
use lanewise_core::isa::Unit;
use std::fmt;
use std::str::FromStr;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Lane or cell, independent of the lane order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageItem {
    Lane(Unit),
    Cell(ByteRange),
}

/// Value of `data-item`: `lane 0.3`, `cell slm:40.4`.
impl fmt::Display for StageItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lane(unit) => write!(f, "lane {}", UnitKey(*unit)),
            Self::Cell(range) => {
                let place = Place::new(range.space, range.address);
                write!(f, "cell {place}.{}", range.bytes)
            }
        }
    }
}

impl FromStr for StageItem {
    type Err = ();

    fn from_str(key: &str) -> Result<Self, ()> {
        match key.split_once(' ').ok_or(())? {
            ("lane", unit) => unit.parse().map(|UnitKey(unit)| Self::Lane(unit)),
            ("cell", range) => {
                let (place, bytes) = range.split_once('.').ok_or(())?;
                let place: Place = place.parse().map_err(|_| ())?;
                let bytes = bytes.parse().map_err(|_| ())?;
                Ok(Self::Cell(ByteRange::new(
                    place.space,
                    place.address,
                    bytes,
                )))
            }
            _ => Err(()),
        }
    }
}

impl StageItem {
    /// Item that an event targets.
    pub(super) fn of_event(event: &Event) -> Option<Self> {
        data_at(&event.target_dyn_into()?, "data-item")
    }

    /// Highlight of the item under the pointer or focus.
    pub(super) const fn highlight(self) -> Highlight {
        match self {
            Self::Lane(unit) => Highlight::Lane(unit),
            Self::Cell(range) => Highlight::Memory(range),
        }
    }

    /// Id of the item's option.
    pub(super) fn option_id(self) -> String {
        format!("stage-{}", self.to_string().replace([' ', '.', ':'], "-"))
    }

    /// Place of a lane in the order.
    pub(super) fn order_index(self, model: &StageModel) -> Option<usize> {
        match self {
            Self::Lane(unit) => model.lanes.iter().position(|lane| lane.unit == unit),
            Self::Cell(_) => None,
        }
    }

    fn spot(self, model: &StageModel) -> Option<Spot> {
        match self {
            Self::Lane(_) => self.order_index(model).map(Spot::Lane),
            Self::Cell(range) => {
                let mut cells = model.cells.iter();
                cells.position(|cell| cell.range == range).map(Spot::Cell)
            }
        }
    }

    /// Whether the picture contains the item.
    pub(super) fn is_in(self, model: &StageModel) -> bool {
        self.spot(model).is_some()
    }

    /// Moves focus to the item of a picture.
    pub(super) fn focus(self, picture: &NodeRef) {
        let found = picture.cast::<Element>().and_then(|picture| {
            let selector = format!("[data-item=\"{self}\"]");
            picture.query_selector(&selector).ok().flatten()
        });
        if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            // Items in the document are focusable.
            let _ = element.focus();
        }
    }
}

/// Lane or cell by index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    Lane(usize),
    Cell(usize),
}

impl Spot {
    fn item(self, model: &StageModel) -> StageItem {
        match self {
            Self::Lane(index) => StageItem::Lane(model.lanes[index].unit),
            Self::Cell(index) => StageItem::Cell(model.cells[index].range),
        }
    }
}

/// Item to which an arrow key moves.
pub(super) fn neighbour(
    model: &StageModel,
    boxes: &Boxes,
    item: StageItem,
    key: &str,
) -> Option<StageItem> {
    let next = next_spot(model, boxes, item.spot(model)?, key)?;
    Some(next.item(model))
}

/// The same by index.
fn next_spot(model: &StageModel, boxes: &Boxes, item: Spot, key: &str) -> Option<Spot> {
    let last = model.lanes.len().checked_sub(1)?;
    match (key, item) {
        ("Home", _) => return Some(Spot::Lane(0)),
        ("End", _) => return Some(Spot::Lane(last)),
        ("Enter" | " ", Spot::Lane(index)) => return Some(Spot::Cell(model.lanes[index].cell)),
        _ => {}
    }
    let rect = |item: Spot| match item {
        Spot::Lane(index) => boxes.lanes.get(index).copied(),
        Spot::Cell(index) => boxes.cells.get(index).copied(),
    };
    // Sideways from a lane: along its edge and back.
    let is_left_of = |lane: usize, cell: usize| {
        let boxes = rect(Spot::Lane(lane)).zip(rect(Spot::Cell(cell)));
        boxes.is_none_or(|(lane, cell)| lane.x < cell.x)
    };
    if model.planes.is_none() {
        match (key, item) {
            ("ArrowUp", Spot::Lane(index)) => return index.checked_sub(1).map(Spot::Lane),
            ("ArrowDown", Spot::Lane(index)) => {
                return (index < last).then_some(Spot::Lane(index + 1));
            }
            ("ArrowLeft" | "ArrowRight", Spot::Lane(index)) => {
                let cell = model.lanes[index].cell;
                return (is_left_of(index, cell) == (key == "ArrowRight"))
                    .then_some(Spot::Cell(cell));
            }
            ("ArrowLeft" | "ArrowRight", Spot::Cell(cell)) => {
                let own = model.lanes.iter().enumerate().filter(|(index, lane)| {
                    lane.cell == cell && is_left_of(*index, cell) == (key == "ArrowLeft")
                });
                return own.map(|(index, _)| Spot::Lane(index)).next();
            }
            _ => {}
        }
    }
    let from = rect(item)?.centre();
    let (dx, dy) = match key {
        "ArrowUp" => (0.0, -1.0),
        "ArrowDown" => (0.0, 1.0),
        "ArrowLeft" => (-1.0, 0.0),
        "ArrowRight" => (1.0, 0.0),
        _ => return None,
    };
    let all = (0..model.lanes.len())
        .map(Spot::Lane)
        .chain((0..model.cells.len()).map(Spot::Cell));
    let ahead = all.filter_map(|other| {
        let to = rect(other)?.centre();
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let (along, across) = (x * dx + y * dy, (x * dy).abs() + (y * dx).abs());
        (other != item && along > 1.0).then_some((other, along + 4.0 * across))
    });
    ahead
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(other, _)| other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::machine::SpaceId;

    #[test]
    fn keys_are_unique() {
        let lane = |channel| Unit {
            eu: 1,
            lane: 13,
            channel,
        };
        for item in [
            StageItem::Lane(lane(None)),
            StageItem::Lane(lane(Some(2))),
            StageItem::Cell(ByteRange::new(SpaceId::SLM, 0x40, 4)),
            StageItem::Cell(ByteRange::new(SpaceId::surface(7), u64::MAX, 8)),
        ] {
            assert_eq!(item.to_string().parse(), Ok(item));
        }
        for key in ["", "lane", "lane x", "cell 6.64", "row 1"] {
            assert_eq!(key.parse::<StageItem>(), Err(()), "{key}");
        }
    }
}
