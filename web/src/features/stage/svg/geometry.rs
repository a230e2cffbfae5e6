//! Geometry of the stage in user units: CSS pixels at natural size.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
}

/// Axis-aligned rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    pub(crate) const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub(crate) const fn right(self) -> f64 {
        self.x + self.width
    }

    pub(crate) const fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// Centre of the left side.
    pub(crate) const fn left_middle(self) -> Point {
        Point::new(self.x, self.y + self.height / 2.0)
    }

    /// Centre of the right side.
    pub(crate) const fn right_middle(self) -> Point {
        Point::new(self.right(), self.y + self.height / 2.0)
    }

    /// Whether the rectangles share area; touching sides do not count.
    #[cfg(test)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// Whether the rectangle is entirely within `outer`.
    #[cfg(test)]
    pub(crate) fn is_within(self, outer: Self) -> bool {
        self.x >= outer.x
            && self.y >= outer.y
            && self.right() <= outer.right()
            && self.bottom() <= outer.bottom()
    }
}

/// Formats a number for SVG, rounded to hundredths.
pub(crate) fn px(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Avoids negative zero.
    format!("{}", rounded + 0.0)
}

/// Style that moves a group. Unlike the `transform` attribute, it can be
/// animated.
pub(crate) fn translate(to: Point) -> String {
    format!("transform:translate({}px,{}px)", px(to.x), px(to.y))
}

/// Route of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Route {
    /// Curve with horizontal ends.
    Curve { from: Point, to: Point },
    /// Below rows of boxes: down from the first box to its track, along the
    /// track to `leave`, in a curve to `enter` on the track of the other row,
    /// and along that up to the other box.
    Below {
        from: Point,
        leave: Point,
        enter: Point,
        to: Point,
    },
}

impl Route {
    /// Start and end.
    pub(crate) const fn ends(self) -> (Point, Point) {
        match self {
            Self::Curve { from, to } | Self::Below { from, to, .. } => (from, to),
        }
    }

    /// The same route in the opposite direction.
    pub(crate) const fn reversed(self) -> Self {
        match self {
            Self::Curve { from, to } => Self::Curve { from: to, to: from },
            Self::Below {
                from,
                leave,
                enter,
                to,
            } => Self::Below {
                from: to,
                leave: enter,
                enter: leave,
                to: from,
            },
        }
    }

    /// Path data.
    pub(crate) fn path(self) -> String {
        match self {
            Self::Curve { from, to } => {
                format!("M{} {}{}", px(from.x), px(from.y), curve(from, to))
            }
            Self::Below {
                from,
                leave,
                enter,
                to,
            } => format!(
                "M{} {}V{}H{}{}H{}V{}",
                px(from.x),
                px(from.y),
                px(leave.y),
                px(leave.x),
                curve(leave, enter),
                px(to.x),
                px(to.y)
            ),
        }
    }

    /// Path data of the arrow head.
    pub(crate) fn head(self) -> String {
        let (from, Point { x, y }) = self.ends();
        let [left, right] = match self {
            // Along the curve's final direction.
            Self::Curve { .. } => {
                let back = if from.x <= x { -7.0 } else { 7.0 };
                [-4.0, 4.0].map(|aside| Point::new(x + back, y + aside))
            }
            Self::Below { .. } => [-4.0, 4.0].map(|aside| Point::new(x + aside, y + 6.0)),
        };
        format!(
            "M{} {}L{} {}L{} {}Z",
            px(x),
            px(y),
            px(left.x),
            px(left.y),
            px(right.x),
            px(right.y)
        )
    }
}

/// Path command of a curve with horizontal ends.
fn curve(from: Point, to: Point) -> String {
    let reach = (to.x - from.x) * 0.5;
    format!(
        "C{} {} {} {} {} {}",
        px(from.x + reach),
        px(from.y),
        px(to.x - reach),
        px(to.y),
        px(to.x),
        px(to.y)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_rectangles_do_not_overlap() {
        let one = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!(!one.overlaps(Rect::new(10.0, 0.0, 5.0, 5.0)));
        assert!(one.overlaps(Rect::new(9.5, 9.5, 5.0, 5.0)));
        assert!(Rect::new(1.0, 1.0, 9.0, 9.0).is_within(one));
        assert!(!Rect::new(1.0, 1.0, 9.5, 9.0).is_within(one));
    }

    #[test]
    fn reversed_route_starts_at_the_end() {
        let way = Route::Below {
            from: Point::new(10.0, 20.0),
            leave: Point::new(60.0, 26.0),
            enter: Point::new(90.0, 56.0),
            to: Point::new(130.0, 50.0),
        };
        assert_eq!(way.path(), "M10 20V26H60C75 26 75 56 90 56H130V50");
        assert_eq!(way.head(), "M130 50L126 56L134 56Z");
        let back = way.reversed();
        assert_eq!(back.path(), "M130 50V56H90C75 56 75 26 60 26H10V20");
        assert_eq!(back.reversed(), way);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(px(1.0), "1");
        assert_eq!(px(1.004), "1");
        assert_eq!(px(-0.001), "0");
        assert_eq!(px(12.345), "12.35");
    }
}
