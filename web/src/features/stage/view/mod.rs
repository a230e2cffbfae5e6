//! Stage of lanes and cells on the page.
//!
//! [`Stage`] measures the available space and lays everything out; [`picture`]
//! draws and handles hover, focus and reordering.

mod background;
mod cell;
mod item;
mod lane;
mod picture;
mod plane_element;

use super::follow::use_reveal;
use super::layout::{StageLayout, USUAL};
use super::model::StageModel;
use super::size::{use_narrow_height, use_resized};
use super::svg::px;
use crate::components::media::use_media_query;
use crate::components::read_only::use_read_only;
use crate::components::reorder::LaneMove;
use crate::components::resize::use_size;
use crate::features::screen::COMPACT;
use background::StickyHeads;
use picture::StagePicture;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct StageProps {
    pub(crate) model: Rc<StageModel>,
    /// Whether the edited text has errors, so that the picture is outdated.
    #[prop_or_default]
    pub(crate) stale: bool,
    /// Whether to disable motion because steps follow in quick succession.
    #[prop_or_default]
    pub(crate) still: bool,
    pub(crate) on_move: Callback<LaneMove>,
    /// Reorder announcement.
    pub(crate) announcement: AttrValue,
}

/// Width below which the picture has its natural height and scrolls with its
/// surroundings.
const PHONE: f64 = 520.0;

/// Scrolled into view with each step: the cell, and with precedence the lane.
/// The selector targets the hit rectangle, because Firefox does not scroll far
/// enough to a group.
const TOUCHED: [&str; 2] = [
    "[data-item^=cell]:has([data-state=current], [data-state=failed], [data-state=fault]) > .hit",
    "[data-item^=lane]:has([data-state=current], [data-state=fault]) > .hit",
];

/// Picture of an instruction that accesses memory: lanes, cells, and the
/// accesses between them.
#[component]
pub(crate) fn Stage(props: &StageProps) -> Html {
    let StageProps {
        model,
        stale,
        still,
        on_move,
        announcement,
    } = props;
    let read_only = use_read_only();
    let pane = use_node_ref();
    let svg = use_node_ref();
    let size = use_size(&pane);
    let (width, height) = size.map_or(USUAL, |(width, height)| {
        (f64::from(width), f64::from(height))
    });
    let narrow_height = use_narrow_height();
    let scrolls_with_page = use_media_query(COMPACT) && width < PHONE;
    let room = if scrolls_with_page {
        narrow_height
    } else {
        height
    };
    let layout = use_memo((Rc::clone(model), width, room), |(model, width, room)| {
        StageLayout::of(model, *width, *room)
    });
    let is_resized = use_resized(svg.clone(), (width, room));
    let scrolls = scrolls_with_page || layout.height > height;
    let follows = model.step > 0 && scrolls;
    let revealed = follows.then_some((model.step, layout.width, layout.height, height));
    use_reveal(svg.clone(), revealed, &TOUCHED);
    // Slightly above the centre if there is space to spare.
    let lift = if scrolls_with_page {
        0.0
    } else {
        ((height - layout.height) * 0.35).max(0.0)
    };
    html! {
        <div
            ref={pane}
            class="stage-picture"
            ~style={format!("--heads:{}px", px(layout.head_height))}
            data-scrolls-with-page={scrolls_with_page.then_some("")}
            data-stale={stale.then_some("")}
        >
            if scrolls {
                <StickyHeads layout={Rc::clone(&layout)} />
            }
            <StagePicture
                {svg}
                model={Rc::clone(model)}
                {layout}
                {lift}
                can_reorder={model.can_reorder() && !stale && !read_only}
                still={*still}
                {is_resized}
                {on_move}
                {announcement}
            />
        </div>
    }
}
