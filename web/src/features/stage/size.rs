//! How large an element is on the screen.

use crate::components::resize::ResizeListener;
use gloo_events::EventListener;
use web_sys::Element;
use yew::prelude::*;

/// What of the height of a phone's window is not the picture's, in CSS pixels: the
/// bars, the lines above the picture, and the result below it.
const BARS: f64 = 290.0;

/// The height for a picture in a frame, in CSS pixels.
const FRAMED: f64 = 520.0;

/// The height for a picture on a phone, in CSS pixels: what is left of the
/// window, now and whenever that changes. In a low window lanes are close to
/// each other. A frame is as high as what is in it: there the height is always
/// the same.
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
    // Not the window's inner height: that is another one whenever a phone hides
    // its own bar.
    let height = gloo_utils::document_element().client_height();
    (f64::from(height) - BARS).clamp(300.0, 640.0)
}

/// Whether the size of a picture's room has just changed. Then its parts are at
/// once where they belong, rather than moving there.
#[hook]
pub(crate) fn use_resized(picture: NodeRef, room: (f64, f64)) -> bool {
    let drawn = use_state_eq(|| room);
    let setter = drawn.setter();
    use_effect_with(room, move |room| {
        if let Some(picture) = picture.cast::<Element>() {
            // To ask for a rectangle has the browser lay the picture out while it
            // still is without motion.
            picture.get_bounding_client_rect();
        }
        setter.set(*room);
    });
    *drawn != room
}

/// The room of a pane for a picture in it, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PaneRoom {
    /// The width of the pane, scroll bar included.
    pub(crate) pane: f64,
    /// The width that the picture may have.
    pub(crate) width: f64,
    /// From the picture's top to the bottom of the pane, or of the window where
    /// the pane is higher than the window.
    pub(crate) height: f64,
}

/// The room for a picture in its pane. `picture` is the last part of the box
/// `around`, which is in the pane. `None` until it is measured.
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
                    // A pane that is not shown keeps its last room.
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

/// `None` for a pane that is not shown.
fn pane_room(pane: &Element, around: &Element, picture: &Element) -> Option<PaneRoom> {
    let outer = pane.get_bounding_client_rect();
    let inner = picture.get_bounding_client_rect();
    let box_ = around.get_bounding_client_rect();
    let window = gloo_utils::window().inner_height().ok()?.as_f64()?;
    let top = inner.top() - outer.top() + f64::from(pane.scroll_top());
    // The space to the left of the picture is left free to its right too, and
    // at most as much below it.
    let side = inner.left() - box_.left();
    let below = (box_.bottom() - inner.bottom()).clamp(0.0, side);
    let height = f64::from(pane.client_height()).min(window) - top - below;
    (outer.width() > 0.0).then(|| PaneRoom {
        pane: outer.width(),
        width: f64::from(around.client_width()) - 2.0 * side,
        height,
    })
}
