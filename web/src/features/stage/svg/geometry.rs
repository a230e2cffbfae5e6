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

/// Curve of an edge, with horizontal ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) from: Point,
    pub(crate) to: Point,
}

impl Route {
    /// Path data.
    pub(crate) fn path(self) -> String {
        let Self { from, to } = self;
        format!("M{} {}{}", px(from.x), px(from.y), curve(from, to))
    }

    /// Path data of the arrow head.
    pub(crate) fn head(self) -> String {
        let Self {
            from,
            to: Point { x, y },
        } = self;
        let back = if from.x <= x { x - 7.0 } else { x + 7.0 };
        format!(
            "M{} {}L{} {}L{} {}Z",
            px(x),
            px(y),
            px(back),
            px(y - 4.0),
            px(back),
            px(y + 4.0)
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
    fn numbers_are_short() {
        assert_eq!(px(1.0), "1");
        assert_eq!(px(1.004), "1");
        assert_eq!(px(-0.001), "0");
        assert_eq!(px(12.345), "12.35");
    }
}
