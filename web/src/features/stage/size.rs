//! How large an element is on the screen.

use crate::components::resize::ResizeListener;
use web_sys::Element;
use yew::prelude::*;

/// Whether a picture is drawn into another room than before: then its parts are
/// at once where they belong, and do not move there.
#[hook]
pub(crate) fn use_resized(picture: NodeRef, room: (f64, f64)) -> bool {
    let drawn = use_state_eq(|| room);
    let setter = drawn.setter();
    use_effect_with(room, move |room| {
        if let Some(picture) = picture.cast::<Element>() {
            // Has the browser lay it out as it is, before that ends.
            picture.get_bounding_client_rect();
        }
        setter.set(*room);
    });
    *drawn != room
}

/// The room of a pane for a picture in it, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PaneRoom {
    /// The width of the pane, with what a scroll bar takes of it.
    pub(crate) pane: f64,
    /// The width of the box that the picture is in.
    pub(crate) width: f64,
    /// From the picture's top to the end of the pane, or of the window where
    /// the pane is longer.
    pub(crate) height: f64,
}

/// The room of the pane around a box for the picture that ends it; `None`
/// until it is known.
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
                    // A pane that is not shown keeps what it had.
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
    // As much space beside the picture as to its left, and no more below it.
    let side = inner.left() - box_.left();
    let below = (box_.bottom() - inner.bottom()).clamp(0.0, side);
    let height = f64::from(pane.client_height()).min(window) - top - below;
    (outer.width() > 0.0).then(|| PaneRoom {
        pane: outer.width(),
        width: f64::from(around.client_width()) - 2.0 * side,
        height,
    })
}
