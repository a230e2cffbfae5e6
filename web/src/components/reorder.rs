//! Puts a lane into another place of the order: it is dragged there, or Alt
//! and an arrow key move it by one. The stage and Outcomes have this in common;
//! each says at which place the pointer is, and which way its lanes run.

use lanewise_core::isa::Unit;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// A lane of an instruction. Its place in the order is no name for it: the run
/// may go on to another instruction, and the order may become another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderedUnit {
    /// The index of the instruction in the program.
    pub(crate) instruction: usize,
    pub(crate) unit: Unit,
}

/// A lane takes another place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneMove {
    pub(crate) lane: OrderedUnit,
    /// Its new place, from 0.
    pub(crate) to: usize,
}

/// A lane that is held by the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    /// Its place in the order, from 0.
    pub(crate) from: usize,
    /// The place that it would take now.
    pub(crate) to: usize,
    /// Where the pointer took hold of it, and where it is now, in CSS pixels.
    pub(crate) start: (f64, f64),
    pub(crate) now: (f64, f64),
}

/// How far a pointer moves before it drags rather than presses, in CSS pixels.
const SLACK: f64 = 4.0;

impl Held {
    pub(crate) const fn new(from: usize, start: (f64, f64)) -> Self {
        Self {
            from,
            to: from,
            start,
            now: start,
        }
    }

    /// Whether it has left its place.
    pub(crate) fn is_moving(&self) -> bool {
        let (dx, dy) = (self.now.0 - self.start.0, self.now.1 - self.start.1);
        self.to != self.from || dx.hypot(dy) > SLACK
    }

    /// The same with the pointer elsewhere, at a place of the order or at none.
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

/// Which way lanes that can be moved run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// One below the other: Alt and a sideways key is left to the browser.
    Down,
    /// One beside the other, in lines.
    Across,
}

/// The place to which Alt and an arrow key move a lane out of `count`: `None`
/// for other keys; the same place at either end.
fn place_by_key(key: &str, direction: Direction, from: usize, count: usize) -> Option<usize> {
    match (key, direction) {
        ("ArrowUp", _) | ("ArrowLeft", Direction::Across) => Some(from.saturating_sub(1)),
        ("ArrowDown", _) | ("ArrowRight", Direction::Across) => {
            Some((from + 1).min(count.saturating_sub(1)))
        }
        _ => None,
    }
}

/// The lane that is held, and what moves lanes.
#[derive(Clone, PartialEq)]
pub(crate) struct Reorder {
    held: UseStateHandle<Option<(OrderedUnit, Held)>>,
    direction: Direction,
    /// The lanes in their order.
    lanes: Rc<[OrderedUnit]>,
    on_move: Callback<LaneMove>,
}

/// What moves lanes, which are given in their order.
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

/// What is held, if these lanes have it at the place where it was taken: a run
/// that goes on may have come to another instruction, and the order may have
/// become another one.
fn held_in(held: Option<(OrderedUnit, Held)>, lanes: &[OrderedUnit]) -> Option<Held> {
    let (lane, held) = held?;
    (lanes.get(held.from) == Some(&lane) && held.to < lanes.len()).then_some(held)
}

impl Reorder {
    /// The lane that is held, if it is.
    pub(crate) fn held(&self) -> Option<Held> {
        held_in(*self.held, &self.lanes)
    }

    /// A pointer is pressed on the lane of a place and holds it; `around` gets
    /// what the pointer does from now on.
    pub(crate) fn grab(&self, event: &PointerEvent, around: &Element, from: usize, at: (f64, f64)) {
        let Some(lane) = self.lanes.get(from) else {
            return;
        };
        let is_press = event.button() == 0 && event.is_primary();
        // Refused for a pointer that is gone already: then there is no drag.
        if is_press && around.set_pointer_capture(event.pointer_id()).is_ok() {
            self.held.set(Some((*lane, Held::new(from, at))));
        }
    }

    /// The pointer moves, to a place of the order or to none.
    pub(crate) fn drag(&self, now: (f64, f64), place: impl FnOnce() -> Option<usize>) {
        if let Some((lane, held)) = *self.held {
            self.held.set(Some((lane, held.moved(now, place()))));
        }
    }

    /// The pointer lets go: the lane takes its new place. What was held.
    pub(crate) fn release(&self) -> Option<Held> {
        let held = self.held();
        self.held.set(None);
        let held = held?;
        self.move_to(held.from, held.to);
        Some(held)
    }

    /// Nothing is held any more, and nothing moves; whether something was held.
    pub(crate) fn cancel(&self) -> bool {
        let was_held = self.held.is_some();
        self.held.set(None);
        was_held
    }

    /// A key is pressed on the lane of a place; whether it moves lanes.
    pub(crate) fn move_by_key(&self, event: &KeyboardEvent, from: usize) -> bool {
        let is_alone = !event.ctrl_key() && !event.meta_key() && !event.shift_key();
        let to = place_by_key(&event.key(), self.direction, from, self.lanes.len());
        // A lane that the pointer holds is at the place where it was taken until it is let go.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_dragged_once_the_pointer_has_left_it() {
        let held = Held::new(1, (50.0, 28.0));
        let near = held.moved((52.0, 29.0), Some(2));
        assert_eq!((near.to, near.is_moving()), (1, false));
        let far = near.moved((52.0, 69.0), Some(3));
        assert_eq!((far.to, far.is_moving()), (3, true));
        // Beside all places it keeps the last one, and it may come back.
        assert_eq!(far.moved((500.0, 69.0), None).to, 3);
        let back = far.moved((51.0, 28.0), Some(1));
        assert_eq!(back.to, 1);
    }

    #[test]
    fn a_lane_is_held_by_what_it_is() {
        let lanes_of = |instruction, lanes: &[u8]| -> Vec<OrderedUnit> {
            let unit = |lane| Unit {
                eu: 0,
                lane,
                channel: None,
            };
            let lanes = lanes.iter().map(|lane| OrderedUnit {
                instruction,
                unit: unit(*lane),
            });
            lanes.collect()
        };
        let lanes = lanes_of(0, &[0, 1, 2, 3]);
        let held = Held::new(1, (0.0, 0.0)).moved((0.0, 50.0), Some(3));
        let taken = Some((lanes[1], held));
        assert_eq!(held_in(taken, &lanes), Some(held));
        // Of another instruction, though it has a lane 1 at that place too.
        assert_eq!(held_in(taken, &lanes_of(1, &[0, 1, 2, 3])), None);
        assert_eq!(held_in(taken, &lanes_of(0, &[1, 0, 2, 3])), None);
        assert_eq!(held_in(taken, &lanes_of(0, &[0, 1])), None);
        assert_eq!(held_in(taken, &[]), None);
        assert_eq!(held_in(None, &lanes), None);
    }

    #[test]
    fn keys_move_by_one_and_stop_at_the_ends() {
        use Direction::{Across, Down};
        let to = |key, direction, from| place_by_key(key, direction, from, 4);
        for direction in [Down, Across] {
            assert_eq!(to("ArrowUp", direction, 2), Some(1));
            assert_eq!(to("ArrowUp", direction, 0), Some(0));
            assert_eq!(to("ArrowDown", direction, 2), Some(3));
            assert_eq!(to("ArrowDown", direction, 3), Some(3));
            assert_eq!(to("Enter", direction, 2), None);
        }
        assert_eq!(to("ArrowLeft", Across, 2), Some(1));
        assert_eq!(to("ArrowRight", Across, 2), Some(3));
        // The browser goes back and forward by these.
        assert_eq!(to("ArrowLeft", Down, 2), None);
        assert_eq!(to("ArrowRight", Down, 2), None);
    }
}
