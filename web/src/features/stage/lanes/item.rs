//! Lanes and cells as items that can be hovered and focused.

use super::boxes::Boxes;
use crate::dom::{arrow, data_at};
use crate::features::highlight::Highlight;
use lanewise_answer::access::AccessModel;
use std::fmt;
use yew::prelude::*;

/// Lane or cell, by index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageItem {
    Lane(usize),
    Cell(usize),
}

/// Value of `data-item`: `lane-3`.
impl fmt::Display for StageItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lane(index) => write!(f, "lane-{index}"),
            Self::Cell(index) => write!(f, "cell-{index}"),
        }
    }
}

impl StageItem {
    pub(super) fn of_event(event: &Event) -> Option<Self> {
        let key: String = data_at(&event.target_dyn_into()?, "data-item")?;
        let (kind, index) = key.split_once('-')?;
        let index = index.parse().ok()?;
        match kind {
            "lane" => Some(Self::Lane(index)),
            "cell" => Some(Self::Cell(index)),
            _ => None,
        }
    }

    /// Highlight of the item under the pointer or focus; `None` if the picture does not
    /// have it.
    pub(super) fn highlight(self, model: &AccessModel) -> Option<Highlight> {
        match self {
            Self::Lane(index) => Some(Highlight::Lane(model.lanes.get(index)?.unit)),
            Self::Cell(index) => Some(Highlight::Bytes(model.cells.get(index)?.range)),
        }
    }

    pub(super) fn id(self) -> String {
        format!("stage-{self}")
    }

    pub(super) fn place(self, model: &AccessModel) -> Option<usize> {
        match self {
            Self::Lane(index) => model.lanes.get(index).map(|lane| lane.place),
            Self::Cell(_) => None,
        }
    }
}

/// All lanes and cells.
pub(super) fn items(model: &AccessModel) -> impl Iterator<Item = StageItem> {
    let cells = (0..model.cells.len()).map(StageItem::Cell);
    (0..model.lanes.len()).map(StageItem::Lane).chain(cells)
}

/// Item to which an arrow key moves.
pub(super) fn neighbour(
    model: &AccessModel,
    boxes: &Boxes,
    item: StageItem,
    key: &str,
) -> Option<StageItem> {
    use StageItem::{Cell, Lane};
    let order = model.order();
    let at_place = |place: usize| order.get(place).copied().map(Lane);
    match (key, item) {
        ("Home", _) => return at_place(0),
        ("End", _) => return order.last().copied().map(Lane),
        ("Enter" | " ", Lane(index)) => return Some(Cell(model.lanes.get(index)?.cell)),
        _ => {}
    }
    let rect = |item: StageItem| match item {
        Lane(index) if model.planes.is_some() => boxes.lanes.get(index).copied(),
        Lane(_) => boxes.lanes.get(item.place(model)?).copied(),
        Cell(index) => boxes.cells.get(index).copied(),
    };
    // Sideways from a lane: along its edge and back.
    let is_left_of = |lane: usize, cell: usize| {
        let boxes = rect(Lane(lane)).zip(rect(Cell(cell)));
        boxes.is_none_or(|(lane, cell)| lane.x < cell.x)
    };
    if model.planes.is_none() {
        match (key, item) {
            ("ArrowUp", Lane(_)) => return at_place(item.place(model)?.checked_sub(1)?),
            ("ArrowDown", Lane(_)) => return at_place(item.place(model)? + 1),
            ("ArrowLeft" | "ArrowRight", Lane(index)) => {
                let cell = model.lanes.get(index)?.cell;
                return (is_left_of(index, cell) == (key == "ArrowRight")).then_some(Cell(cell));
            }
            ("ArrowLeft" | "ArrowRight", Cell(cell)) => {
                let is_beside = |index: &usize| {
                    let is_own = model.lanes[*index].cell == cell;
                    is_own && is_left_of(*index, cell) == (key == "ArrowLeft")
                };
                return order.into_iter().find(is_beside).map(Lane);
            }
            _ => {}
        }
    }
    let from = rect(item)?.centre();
    let (right, down) = arrow(key)?;
    let (dx, dy) = (f64::from(right), f64::from(down));
    let ahead = items(model).filter_map(|other| {
        let to = rect(other)?.centre();
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let (along, across) = (x * dx + y * dy, (x * dy).abs() + (y * dx).abs());
        (other != item && along > 1.0).then_some((other, along + 4.0 * across))
    });
    let (nearest, _) = ahead.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some(nearest)
}
