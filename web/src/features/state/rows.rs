//! Grid rows: their length, the rows in view, and the rows to compute.

use std::ops::Range;

/// Supported row lengths in bytes: eight, four or two dwords.
pub(crate) const ROW_BYTES: [usize; 3] = [32, 16, 8];

/// Rows of a grid in view (columns, for a warp). A grid scrolls to them when it
/// mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowsInView {
    /// First visible row and row count.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Number of programmatic scrolls; the grid scrolls when it changes.
    pub(crate) scrolls: u32,
}

impl RowsInView {
    /// Starts at the first row, assuming `count` visible rows until they are
    /// counted.
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

    /// Records the user's scroll position and the number of visible rows.
    pub(crate) const fn scrolled(&mut self, first: usize, count: usize) {
        (self.first, self.count) = (first, count);
    }

    /// Scrolls a row to the top.
    pub(crate) const fn scroll_to(&mut self, first: usize) {
        self.first = first;
        self.scrolls = self.scrolls.wrapping_add(1);
    }

    /// Scrolls to a row, leaving a third of the view above it.
    pub(crate) const fn scroll_near(&mut self, row: usize) {
        self.scroll_to(row.saturating_sub(self.count / 3));
    }

    /// Scrolls to a row unless it is in view.
    pub(crate) fn show(&mut self, row: usize) {
        if !self.range().contains(&row) {
            self.scroll_near(row);
        }
    }
}

/// Font size of grid values.
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

    /// Character width in pixels: measured in a common monospaced font and
    /// rounded up.
    pub(crate) const fn character_width(self) -> f64 {
        match self {
            Self::Px11 => 6.65,
            Self::Px12 => 7.25,
            Self::Px13 => 7.85,
        }
    }
}

/// Row layout for a given width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowFit {
    /// Row length in bytes: one of [`ROW_BYTES`].
    pub(crate) bytes: usize,
    /// Font size of the values.
    pub(crate) type_size: TypeSize,
}

impl RowFit {
    /// Longest rows that fit into `width` pixels, if every `unit` bytes need
    /// `characters` characters plus `gap` pixels. Prefers smaller type to
    /// shorter rows. Rows of eight dwords must have room for `most`, the
    /// longest value of the type, so that stepping never changes the layout.
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

/// Rows or columns to compute: those of `total` in `near`, plus that of the
/// inspected cell, which may have focus.
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
    fn rows_are_as_long_as_values_permit() {
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
    fn row_of_the_inspected_cell_is_always_computed() {
        let rows = |chosen, total| rows_with_chosen(10..13, chosen, total).collect::<Vec<_>>();
        assert_eq!(rows(None, 100), [10, 11, 12]);
        assert_eq!(rows(Some(11), 100), [10, 11, 12]);
        assert_eq!(rows(Some(2), 100), [2, 10, 11, 12]);
        assert_eq!(rows(Some(13), 100), [10, 11, 12, 13]);
        assert_eq!(rows(Some(50), 12), [10, 11], "the row does not exist");
        assert_eq!(rows(Some(5), 8), [5]);
    }
}
