//! The stage of lanes and cells on the page.
//!
//! [`Stage`] measures its room and places everything; [`picture`] draws it, and
//! has its parts hovered, focused and reordered.

mod background;
mod cell;
mod item;
mod lane;
mod picture;
mod plane_element;

use super::follow::use_reveal;
use super::layout::{StageLayout, USUAL};
use super::model::StageModel;
use super::size::use_resized;
use super::svg::px;
use crate::components::resize::use_size;
use crate::features::screen::is_compact;
use background::StickyHeads;
use picture::StagePicture;
use std::rc::Rc;
use yew::prelude::*;

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
    let pane = use_node_ref();
    let svg = use_node_ref();
    let size = use_size(&pane);
    let (width, height) = size.map_or(USUAL, |(width, height)| {
        (f64::from(width), f64::from(height))
    });
    // On a phone it scrolls with what is around it.
    let is_narrow = width < 520.0 && is_compact();
    let room = match is_narrow {
        true => narrow_room(),
        false => height,
    };
    let layout = use_memo((Rc::clone(model), width, room), |(model, width, room)| {
        StageLayout::of(model, *width, *room)
    });
    let is_resized = use_resized(svg.clone(), (width, room));
    let scrolls = is_narrow || layout.height > height;
    let follows = model.step > 0 && scrolls;
    let revealed = follows.then_some((model.step, layout.width, layout.height, height));
    use_reveal(svg.clone(), revealed, &TOUCHED);
    // Somewhat above the middle, where there is room to spare.
    let lift = if is_narrow {
        0.0
    } else {
        ((height - layout.height) * 0.35).max(0.0)
    };
    html! {
        <div
            ref={pane}
            class="stage-picture"
            ~style={format!("--heads:{}px", px(layout.head_height))}
            data-narrow={is_narrow.then_some("")}
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
                can_reorder={model.can_reorder && !stale}
                still={*still}
                {is_resized}
                {on_move}
            />
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
