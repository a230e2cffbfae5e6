//! Measures elements on the screen.

use crate::components::resize::ResizeListener;
use web_sys::Element;
use yew::prelude::*;

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
