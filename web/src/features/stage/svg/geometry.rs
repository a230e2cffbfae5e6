//! Places and sizes on a stage, in user units: CSS pixels at natural size.

/// A place.
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

/// An upright rectangle.
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

    /// The middle of its left side.
    pub(crate) const fn left_middle(self) -> Point {
        Point::new(self.x, self.y + self.height / 2.0)
    }

    /// The middle of its right side.
    pub(crate) const fn right_middle(self) -> Point {
        Point::new(self.right(), self.y + self.height / 2.0)
    }

    /// Whether the two share an area; touching sides do not.
    #[cfg(test)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// Whether it lies in `outer` as a whole.
    #[cfg(test)]
    pub(crate) fn is_within(self, outer: Self) -> bool {
        self.x >= outer.x
            && self.y >= outer.y
            && self.right() <= outer.right()
            && self.bottom() <= outer.bottom()
    }
}

/// A number as SVG writes it, to a hundredth of a unit.
pub(crate) fn px(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // No minus before a zero.
    format!("{}", rounded + 0.0)
}

/// The value of a `style` attribute that moves a group to a place. A style
/// rather than the attribute `transform`, so that a change of it can be
/// animated.
pub(crate) fn translate(to: Point) -> String {
    format!("transform:translate({}px,{}px)", px(to.x), px(to.y))
}

/// A path from one place to another that leaves and arrives horizontally.
pub(crate) fn curve(from: Point, to: Point) -> String {
    let reach = (to.x - from.x) * 0.5;
    format!(
        "M{} {}C{} {} {} {} {} {}",
        px(from.x),
        px(from.y),
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
    fn rectangles_that_touch_do_not_overlap() {
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
