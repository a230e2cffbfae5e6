//! Measured positions of lanes and cells.

use crate::components::media::matches_media;
use crate::dom::find_all;
use lanewise_answer::access::AccessModel;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Where the picture has its natural height and scrolls with the page, as in
/// `web/style/stage.css`.
const PHONE: &str = "(max-width: 519.98px)";

/// Box of an element in CSS pixels, relative to the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    fn of(element: &HtmlElement) -> Self {
        Self {
            x: element.offset_left().into(),
            y: element.offset_top().into(),
            width: element.offset_width().into(),
            height: element.offset_height().into(),
        }
    }

    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.y + self.height
    }

    pub(super) fn centre(self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// Measured boxes. Empty until the first layout.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Boxes {
    /// By place in the order; those of planes by index.
    pub(super) lanes: Vec<Rect>,
    /// One for each cell of the model.
    pub(super) cells: Vec<Rect>,
    /// Whole lists of lanes and of cells.
    pub(super) lane_list: Rect,
    pub(super) cell_list: Rect,
    /// Whether the picture or the page scrolls.
    pub(super) scrolls: bool,
}

impl Boxes {
    /// `None` for a hidden picture.
    pub(super) fn measure(content: &HtmlElement, model: &AccessModel) -> Option<Self> {
        if content.offset_width() == 0 {
            return None;
        }
        let boxes = |selector| find_all(content, selector).iter().map(Rect::of).collect();
        let mut lanes: Vec<Rect> = boxes(".stage-lanes [role=option]");
        if model.planes.is_none() {
            // Places are filled down, then across.
            lanes.sort_by(|a, b| (a.x, a.y).partial_cmp(&(b.x, b.y)).expect("not NaN"));
        }
        let lists: Vec<Rect> = boxes(".stage-lanes, .stage-cells");
        let scroller = content.parent_element()?;
        Some(Self {
            lanes,
            cells: boxes(".stage-cells [role=option]"),
            lane_list: *lists.first()?,
            cell_list: *lists.last()?,
            scrolls: scroller.scroll_height() > scroller.client_height() || matches_media(PHONE),
        })
    }

    /// Place of the lane with the nearest centre.
    pub(super) fn nearest_lane(&self, to: (f64, f64), model: &AccessModel) -> Option<usize> {
        // In a list, the horizontal distance matters only between columns.
        let across = if model.planes.is_some() { 1.0 } else { 8.0 };
        let distance = |rect: &Rect| {
            let (x, y) = rect.centre();
            ((x - to.0) / across).hypot(y - to.1)
        };
        let places = self.lanes.iter().enumerate();
        let by_distance = places.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        let (index, _) = by_distance?;
        match model.planes {
            Some(_) => Some(model.lanes.get(index)?.place),
            None => Some(index),
        }
    }
}

pub(super) fn pointer_in(element: &Element, event: &PointerEvent) -> (f64, f64) {
    let rect = element.get_bounding_client_rect();
    (
        f64::from(event.client_x()) - rect.left(),
        f64::from(event.client_y()) - rect.top(),
    )
}
