//! Lane order during a drag.

use super::layout::LanePlace;
use super::svg::Rect;
use crate::components::reorder::Held;

/// Dragged lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drag {
    pub(crate) held: Held,
    pub(crate) arrangement: Arrangement,
}

/// Arrangement of the order in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Vertical list, perhaps in two columns: the other lanes make room.
    Queue,
    /// Planes of lanes: elements keep their register position, and the dragged
    /// lane takes the place in the order of the one below it.
    Planes,
}

impl Drag {
    /// Place at which a lane is shown during the drag.
    pub(crate) fn shown_at(&self, index: usize) -> usize {
        let Held { from, to, .. } = self.held;
        if self.arrangement == Arrangement::Planes {
            index
        } else if index == from {
            to
        } else if from < index && index <= to {
            index - 1
        } else if to <= index && index < from {
            index + 1
        } else {
            index
        }
    }

    /// Position of the dragged lane.
    pub(crate) fn rect(&self, places: &[LanePlace]) -> Rect {
        let Held {
            from, start, now, ..
        } = self.held;
        let rect = places[from].rect;
        Rect {
            x: rect.x + now.0 - start.0,
            y: rect.y + now.1 - start.1,
            ..rect
        }
    }
}

/// Place with the nearest centre.
pub(crate) fn nearest(
    (to_x, to_y): (f64, f64),
    places: &[LanePlace],
    arrangement: Arrangement,
) -> Option<usize> {
    // In a list, the horizontal distance matters only across columns.
    let across = match arrangement {
        Arrangement::Queue => 8.0,
        Arrangement::Planes => 1.0,
    };
    let distance = |place: &LanePlace| {
        let rect = place.rect;
        let x = rect.x + rect.width / 2.0 - to_x;
        let y = rect.y + rect.height / 2.0 - to_y;
        (x / across).hypot(y)
    };
    let places = places.iter().enumerate();
    let by_distance = places.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    by_distance.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::stage::svg::{Point, Route};

    fn places() -> Vec<LanePlace> {
        let place = |row: usize| {
            let rect = Rect::new(10.0, 20.0 * row as f64, 100.0, 16.0);
            LanePlace {
                rect,
                route: Route::Curve {
                    from: rect.right_middle(),
                    to: Point::default(),
                },
            }
        };
        (0..5).map(place).collect()
    }

    #[test]
    fn other_lanes_make_room() {
        let places = places();
        let drag = |to: f64| {
            let arrangement = Arrangement::Queue;
            let now = (52.0, to);
            let held = Held::new(1, (50.0, 28.0)).moved(now, nearest(now, &places, arrangement));
            Drag { held, arrangement }
        };
        let down = drag(69.0);
        assert_eq!(down.held.to, 3);
        let shown: Vec<usize> = (0..5).map(|index| down.shown_at(index)).collect();
        assert_eq!(shown, [0, 3, 1, 2, 4]);
        let shown: Vec<usize> = (0..5).map(|index| drag(-90.0).shown_at(index)).collect();
        assert_eq!(shown, [1, 0, 2, 3, 4]);
        // Every place is taken exactly once.
        for to in 0..5 {
            let held = Held { to, ..down.held };
            let drag = Drag { held, ..down };
            let mut shown: Vec<usize> = (0..5).map(|index| drag.shown_at(index)).collect();
            shown.sort_unstable();
            assert_eq!(shown, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn plane_elements_keep_their_position() {
        // Lane by lane, R and G side by side; G is last in the order.
        let place = |index: usize| {
            let (row, column) = (index % 2, index / 2);
            let rect = Rect::new(60.0 * column as f64, 20.0 * row as f64, 50.0, 16.0);
            LanePlace {
                rect,
                route: Route::Curve {
                    from: rect.right_middle(),
                    to: Point::default(),
                },
            }
        };
        let places: Vec<_> = (0..4).map(place).collect();
        let (arrangement, now) = (Arrangement::Planes, (22.0, 6.0));
        let held = Held::new(3, (80.0, 28.0)).moved(now, nearest(now, &places, arrangement));
        let drag = Drag { held, arrangement };
        assert_eq!(held.to, 0);
        assert_eq!(
            (0..4).map(|i| drag.shown_at(i)).collect::<Vec<_>>(),
            [0, 1, 2, 3]
        );
        assert_eq!(drag.rect(&places), Rect::new(2.0, -2.0, 50.0, 16.0));
    }
}
