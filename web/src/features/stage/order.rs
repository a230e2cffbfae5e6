//! The order of the lanes while one of them is dragged.

use super::layout::LanePlace;
use super::svg::{Point, Rect};

/// A lane that is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drag {
    /// Its place in the order.
    pub(crate) from: usize,
    /// The place that it would take now.
    pub(crate) to: usize,
    /// Where the pointer took hold of it, and where it is now.
    pub(crate) start: Point,
    pub(crate) now: Point,
    pub(crate) arrangement: Arrangement,
}

/// How places in the order are arranged in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// One below the other, perhaps in two columns: the others make room.
    Queue,
    /// Planes of lanes: each element stays where it is in its register, and
    /// the dragged one takes the place in the order of the one below it.
    Planes,
}

/// How far a pointer moves before it drags rather than presses.
const SLACK: f64 = 4.0;

impl Drag {
    pub(crate) const fn new(from: usize, start: Point, arrangement: Arrangement) -> Self {
        Self {
            from,
            to: from,
            start,
            now: start,
            arrangement,
        }
    }

    /// Whether it has left its place.
    pub(crate) fn is_moving(&self) -> bool {
        let (dx, dy) = (self.now.x - self.start.x, self.now.y - self.start.y);
        self.to != self.from || dx.hypot(dy) > SLACK
    }

    /// The same drag, with the pointer at another place.
    pub(crate) fn moved(self, now: Point, places: &[LanePlace]) -> Self {
        let dragged = Self { now, ..self };
        let to = match dragged.is_moving() {
            true => nearest(now, places, self.arrangement).unwrap_or(self.to),
            false => self.from,
        };
        Self { to, ..dragged }
    }

    /// The place at which a lane is shown meanwhile.
    pub(crate) fn shown_at(&self, index: usize) -> usize {
        if self.arrangement == Arrangement::Planes {
            index
        } else if index == self.from {
            self.to
        } else if self.from < index && index <= self.to {
            index - 1
        } else if self.to <= index && index < self.from {
            index + 1
        } else {
            index
        }
    }

    /// Where the dragged lane is drawn.
    pub(crate) fn rect(&self, places: &[LanePlace]) -> Option<Rect> {
        let rect = places.get(self.from)?.rect;
        Some(Rect {
            x: rect.x + self.now.x - self.start.x,
            y: rect.y + self.now.y - self.start.y,
            ..rect
        })
    }
}

/// The place whose middle is nearest.
fn nearest(to: Point, places: &[LanePlace], arrangement: Arrangement) -> Option<usize> {
    // In a queue across only where it is a matter of another column.
    let across = match arrangement {
        Arrangement::Queue => 8.0,
        Arrangement::Planes => 1.0,
    };
    let distance = |place: &LanePlace| {
        let rect = place.rect;
        let x = rect.x + rect.width / 2.0 - to.x;
        let y = rect.y + rect.height / 2.0 - to.y;
        (x / across).hypot(y)
    };
    let places = places.iter().enumerate();
    let by_distance = places.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    by_distance.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::stage::svg::Route;

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
    fn the_others_make_room() {
        let places = places();
        let drag = Drag::new(1, Point::new(50.0, 28.0), Arrangement::Queue);
        assert!(!drag.moved(Point::new(52.0, 29.0), &places).is_moving());
        let down = drag.moved(Point::new(52.0, 69.0), &places);
        assert_eq!((down.to, down.is_moving()), (3, true));
        let shown: Vec<usize> = (0..5).map(|index| down.shown_at(index)).collect();
        assert_eq!(shown, [0, 3, 1, 2, 4]);
        let up = drag.moved(Point::new(52.0, -90.0), &places);
        let shown: Vec<usize> = (0..5).map(|index| up.shown_at(index)).collect();
        assert_eq!(shown, [1, 0, 2, 3, 4]);
        // Every place is taken once, wherever it goes.
        for to in 0..5 {
            let drag = Drag { to, ..drag };
            let mut shown: Vec<usize> = (0..5).map(|index| drag.shown_at(index)).collect();
            shown.sort_unstable();
            assert_eq!(shown, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn elements_of_planes_stay_where_they_are() {
        // Lane by lane, R and G beside each other; in the order G comes last.
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
        let drag = Drag::new(3, Point::new(80.0, 28.0), Arrangement::Planes);
        let moved = drag.moved(Point::new(22.0, 6.0), &places);
        assert_eq!(moved.to, 0);
        assert_eq!(
            (0..4).map(|i| moved.shown_at(i)).collect::<Vec<_>>(),
            [0, 1, 2, 3]
        );
        assert_eq!(moved.rect(&places), Some(Rect::new(2.0, -2.0, 50.0, 16.0)));
    }
}
