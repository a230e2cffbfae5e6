//! Reorders lanes, by dragging or with Alt and an arrow key. Shared by the
//! stage and Outcomes; each maps the pointer to a place in the order and sets
//! the direction in which its lanes run.

pub(crate) use lanewise_answer::results::{LaneMove, OrderedUnit};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Lane being dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    /// Original place in the order, from 0.
    pub(crate) from: usize,
    /// Place at which the lane would be dropped.
    pub(crate) to: usize,
    /// Pointer position at the start of the drag and now, in CSS pixels.
    pub(crate) start: (f64, f64),
    pub(crate) now: (f64, f64),
}

/// Drag threshold in CSS pixels.
const SLACK: f64 = 4.0;

impl Held {
    /// Whether the pointer has passed the drag threshold.
    pub(crate) fn is_moving(&self) -> bool {
        let (dx, dy) = (self.now.0 - self.start.0, self.now.1 - self.start.1);
        self.to != self.from || dx.hypot(dy) > SLACK
    }

    /// Place at which a lane is shown during the drag: the others make room.
    pub(crate) const fn shown_at(&self, index: usize) -> usize {
        let Self { from, to, .. } = *self;
        if index == from {
            to
        } else if from < index && index <= to {
            index - 1
        } else if to <= index && index < from {
            index + 1
        } else {
            index
        }
    }

    /// The drag after a pointer move, over a place in the order or outside all
    /// places.
    pub(crate) fn moved(self, now: (f64, f64), place: Option<usize>) -> Self {
        let moved = Self { now, ..self };
        let to = match (moved.is_moving(), place) {
            (true, Some(place)) => place,
            (true, None) => self.to,
            (false, _) => self.from,
        };
        Self { to, ..moved }
    }
}

/// Layout direction of reorderable lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Top to bottom: Alt with a horizontal arrow key is left to the browser.
    Down,
    /// Left to right, wrapping.
    Across,
}

/// Place to which Alt and an arrow key move a lane out of `count`: `None` for
/// other keys; unchanged at either end.
fn place_by_key(key: &str, direction: Direction, from: usize, count: usize) -> Option<usize> {
    match (key, direction) {
        ("ArrowUp", _) | ("ArrowLeft", Direction::Across) => Some(from.saturating_sub(1)),
        ("ArrowDown", _) | ("ArrowRight", Direction::Across) => {
            Some((from + 1).min(count.saturating_sub(1)))
        }
        _ => None,
    }
}

/// State and handlers of a reorderable lane list.
#[derive(Clone, PartialEq)]
pub(crate) struct Reorder {
    held: UseStateHandle<Option<(OrderedUnit, Held)>>,
    direction: Direction,
    /// Lanes in their current order.
    lanes: Rc<[OrderedUnit]>,
    on_move: Callback<LaneMove>,
}

/// Drag-and-drop and keyboard reordering of `lanes`.
#[hook]
pub(crate) fn use_reorder(
    direction: Direction,
    lanes: Rc<[OrderedUnit]>,
    on_move: Callback<LaneMove>,
) -> Reorder {
    let held = use_state_eq(|| None);
    {
        let held = held.clone();
        use_effect_with(Rc::clone(&lanes), move |lanes| {
            if held.is_some() && held_in(*held, lanes).is_none() {
                held.set(None);
            }
        });
    }
    Reorder {
        held,
        direction,
        lanes,
        on_move,
    }
}

/// The drag, if `lanes` still has the dragged lane at its original place. The
/// run may have reached another instruction, or the order may have changed.
fn held_in(held: Option<(OrderedUnit, Held)>, lanes: &[OrderedUnit]) -> Option<Held> {
    let (lane, held) = held?;
    (lanes.get(held.from) == Some(&lane) && held.to < lanes.len()).then_some(held)
}

impl Reorder {
    pub(crate) fn held(&self) -> Option<Held> {
        held_in(*self.held, &self.lanes)
    }

    /// Starts a drag of the lane at a place; `around` captures the pointer.
    pub(crate) fn grab(&self, event: &PointerEvent, around: &Element, from: usize, at: (f64, f64)) {
        let Some(lane) = self.lanes.get(from) else {
            return;
        };
        let is_press = event.button() == 0 && event.is_primary();
        // Capture fails if the pointer is already released: no drag starts.
        if is_press && around.set_pointer_capture(event.pointer_id()).is_ok() {
            let held = Held {
                from,
                to: from,
                start: at,
                now: at,
            };
            self.held.set(Some((*lane, held)));
        }
    }

    /// Handles a pointer move; `place` is `None` outside all places.
    pub(crate) fn drag(&self, now: (f64, f64), place: impl FnOnce() -> Option<usize>) {
        if let Some((lane, held)) = *self.held {
            self.held.set(Some((lane, held.moved(now, place()))));
        }
    }

    /// Ends the drag and moves the lane. Returns the drag that ended.
    pub(crate) fn release(&self) -> Option<Held> {
        let held = self.held();
        self.held.set(None);
        let held = held?;
        self.move_to(held.from, held.to);
        Some(held)
    }

    /// Cancels the drag without moving the lane. Returns whether there was one.
    pub(crate) fn cancel(&self) -> bool {
        let was_held = self.held.is_some();
        self.held.set(None);
        was_held
    }

    /// Handler of `pointercancel`, and of `lostpointercapture`: after a release, the drag
    /// has already ended.
    pub(crate) fn on_cancel(&self) -> Callback<PointerEvent> {
        let reorder = self.clone();
        Callback::from(move |_| {
            reorder.cancel();
        })
    }

    /// Handles a key press on the lane at a place. Returns whether the key
    /// moves lanes.
    pub(crate) fn move_by_key(&self, event: &KeyboardEvent, from: usize) -> bool {
        let is_alone = !event.ctrl_key() && !event.meta_key() && !event.shift_key();
        let to = place_by_key(&event.key(), self.direction, from, self.lanes.len());
        // A dragged lane stays at its original place until it is dropped.
        let to = to.filter(|_| event.alt_key() && is_alone && self.held.is_none());
        if let Some(to) = to {
            event.prevent_default();
            self.move_to(from, to);
        }
        to.is_some()
    }

    fn move_to(&self, from: usize, to: usize) {
        let lane = self.lanes.get(from).filter(|_| from != to);
        if let Some(lane) = lane {
            self.on_move.emit(LaneMove { lane: *lane, to });
        }
    }
}
