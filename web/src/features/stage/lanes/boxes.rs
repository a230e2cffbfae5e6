//! Measured positions of lanes and cells.

use super::super::model::StageModel;
use crate::components::media::matches_media;
use crate::components::reorder::OrderedUnit;
use crate::components::resize::use_measured;
use crate::features::highlight::ByteRange;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
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
    fn measure(content: &HtmlElement, model: &StageModel) -> Option<Self> {
        if content.offset_width() == 0 {
            return None;
        }
        let [lane_list, cell_list] = [".stage-lanes", ".stage-cells"].map(|class| {
            let list = content.query_selector(class).ok().flatten();
            list.and_then(|list| list.dyn_into::<HtmlElement>().ok())
        });
        let (lane_list, cell_list) = (lane_list?, cell_list?);
        let mut lanes = options(&lane_list);
        if model.planes.is_none() {
            // Places are filled down, then across.
            lanes.sort_by(|a, b| (a.x, a.y).partial_cmp(&(b.x, b.y)).expect("not NaN"));
        }
        let scroller = content.parent_element()?;
        Some(Self {
            lanes,
            cells: options(&cell_list),
            lane_list: Rect::of(&lane_list),
            cell_list: Rect::of(&cell_list),
            scrolls: scroller.scroll_height() > scroller.client_height() || matches_media(PHONE),
        })
    }

    /// Place of the lane with the nearest centre.
    pub(super) fn nearest_lane(
        &self,
        (to_x, to_y): (f64, f64),
        model: &StageModel,
    ) -> Option<usize> {
        let is_planes = model.planes.is_some();
        // In a list, the horizontal distance matters only between columns.
        let across = if is_planes { 1.0 } else { 8.0 };
        let distance = |rect: &Rect| {
            let (x, y) = rect.centre();
            ((x - to_x) / across).hypot(y - to_y)
        };
        let places = self.lanes.iter().enumerate();
        let by_distance = places.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        let (index, _) = by_distance?;
        Some(if is_planes {
            model.lanes.get(index)?.place
        } else {
            index
        })
    }
}

/// Boxes of a list's options in document order.
fn options(list: &HtmlElement) -> Vec<Rect> {
    let Ok(found) = list.query_selector_all("[role=option]") else {
        return Vec::new();
    };
    let all = (0..found.length()).filter_map(|index| found.item(index)?.dyn_into().ok());
    all.map(|element: HtmlElement| Rect::of(&element)).collect()
}

pub(super) fn pointer_in(element: &Element, event: &PointerEvent) -> (f64, f64) {
    let rect = element.get_bounding_client_rect();
    (
        f64::from(event.client_x()) - rect.left(),
        f64::from(event.client_y()) - rect.top(),
    )
}

/// Boxes of the picture, measured after the layout of another set of lanes and
/// cells and whenever the picture is resized; a step moves nothing.
#[hook]
pub(super) fn use_boxes(
    content: &NodeRef,
    model: &Rc<StageModel>,
    in_order: &Rc<[OrderedUnit]>,
) -> Rc<Boxes> {
    let ranges: Vec<ByteRange> = model.cells.iter().map(|cell| cell.range).collect();
    let model = Rc::clone(model);
    let boxes = use_measured(content, (Rc::clone(in_order), ranges), move |content| {
        Boxes::measure(content, &model).map(Rc::new)
    });
    boxes.unwrap_or_default()
}
