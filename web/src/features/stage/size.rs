//! Measures elements on the screen.

use crate::components::resize::ResizeListener;
use gloo_events::EventListener;
use web_sys::Element;
use yew::prelude::*;

/// Height in CSS pixels that a phone's window needs for bars, headings and the
/// result.
const BARS: f64 = 290.0;

/// Height in CSS pixels of a picture in an iframe.
const FRAMED: f64 = 520.0;

/// Height of a picture on a phone in CSS pixels: the remaining window height,
/// tracked on resize. In an iframe, whose height depends on its contents, the
/// height is constant.
#[hook]
pub(crate) fn use_narrow_height() -> f64 {
    let height = use_state_eq(narrow_height);
    {
        let setter = height.setter();
        use_effect_with((), move |()| {
            let window = gloo_utils::window();
            let listener = EventListener::new(&window, "resize", move |_| {
                setter.set(narrow_height());
            });
            move || drop(listener)
        });
    }
    *height
}

fn narrow_height() -> f64 {
    let window = gloo_utils::window();
    let parent = window.parent().ok().flatten();
    if parent.is_some_and(|parent| parent != window) {
        return FRAMED;
    }
    // Not `innerHeight`, which changes when a phone hides its toolbar.
    let height = gloo_utils::document_element().client_height();
    (f64::from(height) - BARS).clamp(300.0, 640.0)
}

/// Whether the available size has just changed. If so, skips the transition.
#[hook]
pub(crate) fn use_resized(picture: NodeRef, room: (f64, f64)) -> bool {
    let drawn = use_state_eq(|| room);
    let setter = drawn.setter();
    use_effect_with(room, move |room| {
        if let Some(picture) = picture.cast::<Element>() {
            // Reading a rectangle forces layout while transitions are still
            // off.
            picture.get_bounding_client_rect();
        }
        setter.set(*room);
    });
    *drawn != room
}

/// Space for a picture in its pane, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PaneRoom {
    /// Width of the pane, including the scroll bar.
    pub(crate) pane: f64,
    /// Available width.
    pub(crate) width: f64,
    /// From the top of the picture to the bottom of the pane, or of the window
    /// if the pane is taller.
    pub(crate) height: f64,
}

/// Space for a picture in its pane. `picture` is the last child of `around`,
/// which is in the pane. `None` until measured.
#[hook]
pub(crate) fn use_pane_room(around: NodeRef, picture: NodeRef) -> Option<PaneRoom> {
    let room = use_state_eq(|| None);
    {
        let room = room.clone();
        use_effect_with((around, picture), move |(around, picture)| {
            let parts = around.cast::<Element>().zip(picture.cast::<Element>());
            let listeners = parts.and_then(|(around, picture)| {
                let pane = around.closest(".pane").ok().flatten()?;
                let (of_box, of_pane) = (around.clone(), pane.clone());
                let measure = move || {
                    // A hidden pane keeps its last measurement.
                    if let Some(new) = pane_room(&of_pane, &of_box, &picture) {
                        room.set(Some(new));
                    }
                };
                measure();
                Some([
                    ResizeListener::new(&around, measure.clone()),
                    ResizeListener::new(&pane, measure),
                ])
            });
            move || drop(listeners)
        });
    }
    *room
}

/// `None` for a hidden pane.
fn pane_room(pane: &Element, around: &Element, picture: &Element) -> Option<PaneRoom> {
    let outer = pane.get_bounding_client_rect();
    let inner = picture.get_bounding_client_rect();
    let box_ = around.get_bounding_client_rect();
    let window = gloo_utils::window().inner_height().ok()?.as_f64()?;
    let top = inner.top() - outer.top() + f64::from(pane.scroll_top());
    // Mirror the left margin on the right, and at most as much below.
    let side = inner.left() - box_.left();
    let below = (box_.bottom() - inner.bottom()).clamp(0.0, side);
    let height = f64::from(pane.client_height()).min(window) - top - below;
    (outer.width() > 0.0).then(|| PaneRoom {
        pane: outer.width(),
        width: f64::from(around.client_width()) - 2.0 * side,
        height,
    })
}
