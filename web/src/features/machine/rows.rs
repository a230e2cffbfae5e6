//! The rows of a grid: how long they are, which of them are worked out, and
//! which are in view.

use std::ops::Range;

/// How many bytes a row of a grid may have: eight dwords, four, or two.
pub(crate) const ROW_BYTES: [usize; 3] = [32, 16, 8];

/// Which rows of a grid are in view; of a warp, which columns. A grid that is
/// mounted is scrolled to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowsInView {
    /// The first, and how many.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// How often they were chosen here and not by scrolling: the grid is scrolled
    /// to them then.
    pub(crate) scrolls: u32,
}

impl RowsInView {
    /// The first rows; `count` as long as nobody has counted them.
    pub(crate) const fn new(count: usize) -> Self {
        Self {
            first: 0,
            count,
            scrolls: 0,
        }
    }

    pub(crate) const fn range(self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Takes note of where a reader has scrolled to, and of how many rows fit.
    pub(crate) const fn scrolled(&mut self, first: usize, count: usize) {
        (self.first, self.count) = (first, count);
    }

    /// Scrolls so that a row is the first.
    pub(crate) const fn scroll_to(&mut self, first: usize) {
        self.first = first;
        self.scrolls = self.scrolls.wrapping_add(1);
    }

    /// Scrolls to a row, with a third of what is in view before it.
    pub(crate) const fn scroll_near(&mut self, row: usize) {
        self.scroll_to(row.saturating_sub(self.count / 3));
    }

    /// Brings a row into view, unless it is there.
    pub(crate) fn show(&mut self, row: usize) {
        if !self.range().contains(&row) {
            self.scroll_near(row);
        }
    }
}

/// The size of the type of a grid's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeSize {
    Px11,
    Px12,
    Px13,
}

impl TypeSize {
    pub(crate) const fn pixels(self) -> u8 {
        match self {
            Self::Px11 => 11,
            Self::Px12 => 12,
            Self::Px13 => 13,
        }
    }

    /// The width of a character in pixels: measured in a common monospaced
    /// font, and rounded up.
    pub(crate) const fn character_width(self) -> f64 {
        match self {
            Self::Px11 => 6.65,
            Self::Px12 => 7.25,
            Self::Px13 => 7.85,
        }
    }
}

/// The rows of a grid that fit into a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowFit {
    /// Bytes of a row: one of [`ROW_BYTES`].
    pub(crate) bytes: usize,
    /// The type of the values.
    pub(crate) type_size: TypeSize,
}

impl RowFit {
    /// The longest rows that fit into `width` pixels, if every `unit` bytes
    /// need `characters` and `gap` pixels, in smaller type rather than shorter.
    /// Eight dwords need what the longest values of the type take, `most`, so
    /// that no step changes that.
    pub(crate) fn of(width: f64, unit: usize, characters: usize, most: usize, gap: f64) -> Self {
        use TypeSize::{Px11, Px12, Px13};

        const CANDIDATES: [(usize, TypeSize); 8] = [
            (32, Px13),
            (32, Px12),
            (32, Px11),
            (16, Px13),
            (16, Px12),
            (16, Px11),
            (8, Px13),
            (8, Px12),
        ];
        let fits = |(bytes, type_size): &(usize, TypeSize)| {
            let characters = match *bytes {
                32 => characters.max(most),
                _ => characters,
            };
            let room = characters as f64 * type_size.character_width() + gap;
            (bytes / unit) as f64 * room <= width
        };
        let (bytes, type_size) = CANDIDATES.into_iter().find(fits).unwrap_or((8, Px11));
        Self { bytes, type_size }
    }
}

/// The rows, or columns, of a grid that are worked out: of `total` those in
/// `near`, and that of the chosen cell, since the focus may be in it.
pub(crate) fn rows_with_chosen(
    near: Range<usize>,
    chosen: Option<usize>,
    total: usize,
) -> impl Iterator<Item = usize> {
    let near = near.start.min(total)..near.end.min(total);
    let chosen = chosen.filter(|row| *row < total);
    let before = chosen.filter(|row| *row < near.start);
    let after = chosen.filter(|row| *row >= near.end);
    before.into_iter().chain(near).chain(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_long_as_their_values_let_them_be() {
        let fit = |width, characters| {
            let RowFit { bytes, type_size } = RowFit::of(width, 4, characters, 10, 6.0);
            (bytes, type_size.pixels())
        };
        assert_eq!(fit(700.0, 8), (32, 13));
        assert_eq!(fit(640.0, 8), (32, 12));
        assert_eq!(fit(600.0, 8), (32, 11));
        assert_eq!(fit(500.0, 2), (16, 13), "values may become longer");
        assert_eq!(fit(400.0, 10), (16, 13), "unsigned");
        assert_eq!(fit(320.0, 11), (16, 11), "signed, in small type");
        assert_eq!(fit(300.0, 11), (8, 13));
        assert_eq!(fit(100.0, 11), (8, 11), "nothing fits");
        assert_eq!(RowFit::of(400.0, 8, 20, 20, 6.0).bytes, 16, "two quadwords");
    }

    #[test]
    fn the_row_of_the_chosen_cell_is_always_among_them() {
        let rows = |chosen, total| rows_with_chosen(10..13, chosen, total).collect::<Vec<_>>();
        assert_eq!(rows(None, 100), [10, 11, 12]);
        assert_eq!(rows(Some(11), 100), [10, 11, 12]);
        assert_eq!(rows(Some(2), 100), [2, 10, 11, 12]);
        assert_eq!(rows(Some(13), 100), [10, 11, 12, 13]);
        assert_eq!(rows(Some(50), 12), [10, 11], "there is no such row");
        assert_eq!(rows(Some(5), 8), [5]);
    }
}
