//! Text layout of grid cells: which text, how many lines, and font size.

use lanewise_core::isa::visa::matrix::layout::MatrixRole;

/// Supported numbers of lines per cell.
pub(crate) const LINES: [usize; 3] = [1, 2, 4];

/// Text of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellText {
    /// Element values in decimal.
    Values,
    /// Element bits in hexadecimal.
    Digits,
}

/// Pair of values for the two texts of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellTexts<T> {
    pub(crate) values: T,
    pub(crate) digits: T,
}

impl<T> CellTexts<T> {
    pub(crate) const fn of(&self, text: CellText) -> &T {
        match text {
            CellText::Values => &self.values,
            CellText::Digits => &self.digits,
        }
    }
}

/// Longest line of any cell of a grid in characters, by [`LINES`]. Lines with
/// several values count one more, so that the values of two cells are as far
/// apart as those of one. `None` if the texts do not split evenly into that
/// many lines.
pub(crate) type LineWidths = [CellTexts<Option<usize>>; 3];

/// Smallest legible font size in CSS pixels; wider text is truncated.
pub(crate) const LEAST_TYPE: f64 = 8.0;

/// Maximum font size.
const MOST_TYPE: f64 = 12.0;

/// Text of a cell and its font size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TextMode {
    pub(super) text: CellText,
    pub(super) size: f64,
}

/// Maximum font size at which a line of characters fits into a cell.
pub(super) fn widest_type(cell_width: f64, chars: usize) -> f64 {
    const EM: f64 = 0.605;
    (cell_width - 1.5) / (chars.max(1) as f64 * EM)
}

impl TextMode {
    /// Chooses bits in the register view, otherwise values; for A and B, bits
    /// also if only they fit. Truncates if neither fits. `cell` is the width
    /// and height of a cell with this many lines.
    pub(super) fn new(
        widths: &LineWidths,
        role: MatrixRole,
        by_register: bool,
        cell: (f64, f64),
        lines: usize,
    ) -> Self {
        let at = LINES.iter().position(|count| *count == lines);
        let widths = widths[at.expect("a cell has its text in one of these counts of lines")];
        let (width, height) = cell;
        let most = (height / lines as f64).clamp(LEAST_TYPE, MOST_TYPE);
        let size = |text: CellText| {
            let room = widths
                .of(text)
                .map_or(0.0, |chars| widest_type(width, chars));
            room.min(most)
        };
        let is_source = matches!(role, MatrixRole::A | MatrixRole::B);
        let can_read = |text| size(text) >= LEAST_TYPE;
        let wants_digits = by_register || (is_source && !can_read(CellText::Values));
        let text = if wants_digits && can_read(CellText::Digits) {
            CellText::Digits
        } else {
            CellText::Values
        };
        Self {
            text,
            size: size(text).max(LEAST_TYPE),
        }
    }
}

/// Minimum number of lines in which the cells of a matrix are legible at a font
/// size. If `values` is set, values must be legible, in at most two lines.
pub(super) fn lines_needed(
    widths: &LineWidths,
    role: MatrixRole,
    by_register: bool,
    cell_width: f64,
    size: f64,
    values: bool,
) -> Option<usize> {
    let fits = |at: usize, text: CellText| {
        widths[at]
            .of(text)
            .is_some_and(|chars| widest_type(cell_width, chars) >= size)
    };
    let is_source = matches!(role, MatrixRole::A | MatrixRole::B);
    let texts: &[CellText] = match (by_register, is_source) {
        (true, _) => &[CellText::Digits],
        (false, true) if values => &[CellText::Values],
        (false, true) => &[CellText::Values, CellText::Digits],
        // Numbers are not broken.
        (false, false) => return Some(1),
    };
    let most = if values { 2 } else { LINES.len() };
    let found = (0..most).find(|at| texts.iter().any(|text| fits(*at, *text)));
    found.map(|at| LINES[at])
}

/// Splits a text into lines with equal numbers of values or digits.
pub(super) fn broken(text: &str, kind: CellText, lines: usize) -> Vec<String> {
    let even = |count: usize| count.is_multiple_of(lines).then_some(count / lines);
    match kind {
        _ if lines == 1 => vec![text.to_owned()],
        CellText::Values => {
            let values: Vec<&str> = text.split(' ').collect();
            let of_a_line = even(values.len()).unwrap_or(values.len());
            values
                .chunks(of_a_line)
                .map(|line| line.join(" "))
                .collect()
        }
        CellText::Digits => {
            let digits: Vec<char> = text.chars().collect();
            let of_a_line = even(digits.len()).unwrap_or(digits.len()).max(1);
            let of_chars = |line: &[char]| line.iter().collect();
            digits.chunks(of_a_line).map(of_chars).collect()
        }
    }
}

/// Longest line of a cell's texts in characters.
pub(super) fn line_widths(texts: &CellTexts<String>, elements: usize) -> LineWidths {
    let lengths = || texts.values.split(' ').map(|value| value.chars().count());
    LINES.map(|lines| {
        let of_values = elements.is_multiple_of(lines).then(|| {
            let of_a_line = elements / lines;
            let mut widest = 0;
            let mut lengths = lengths();
            for _ in 0..lines {
                let line: usize = lengths.by_ref().take(of_a_line).sum();
                let gaps = if of_a_line > 1 { of_a_line } else { 0 };
                widest = widest.max(line + gaps);
            }
            widest
        });
        let count = texts.digits.chars().count();
        let of_digits = (lines == 1 || count.is_multiple_of(lines)).then(|| count.div_ceil(lines));
        CellTexts {
            values: of_values,
            digits: of_digits,
        }
    })
}

/// Element-wise maximum of two widths.
pub(super) fn widest(a: &LineWidths, b: &LineWidths) -> LineWidths {
    [0, 1, 2].map(|at| {
        let wider = |text| {
            let both = a[at].of(text).zip(*b[at].of(text));
            both.map(|(a, b)| a.max(b))
        };
        CellTexts {
            values: wider(CellText::Values),
            digits: wider(CellText::Digits),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths_of(
        values: &str,
        digits: &str,
        elements: usize,
    ) -> [(Option<usize>, Option<usize>); 3] {
        let texts = CellTexts {
            values: values.to_owned(),
            digits: digits.to_owned(),
        };
        line_widths(&texts, elements).map(|widths| (widths.values, widths.digits))
    }

    #[test]
    fn texts_break_between_elements() {
        assert_eq!(broken("1 -2 3 4", CellText::Values, 2), ["1 -2", "3 4"]);
        assert_eq!(broken("01fe0304", CellText::Digits, 2), ["01fe", "0304"]);
        assert_eq!(broken("17", CellText::Values, 1), ["17"]);
        let widths = widths_of("1 -2 3 4", "01fe0304", 4);
        let first = [(Some(9), Some(8)), (Some(5), Some(4)), (Some(2), Some(2))];
        assert_eq!(widths, first, "a gap to the next cell");
        let number = widths_of("1064", "00000428", 1);
        assert_eq!(number[1], (None, Some(4)), "a number is not broken");
    }

    #[test]
    fn lines_needed_is_minimal() {
        let texts = CellTexts {
            values: String::from("-1 -1 -1 -1"),
            digits: String::from("ffffffff"),
        };
        let widths = line_widths(&texts, 4);
        let needed =
            |width, values| lines_needed(&widths, MatrixRole::B, false, width, 9.0, values);
        assert_eq!(needed(70.0, false), Some(1));
        assert_eq!(needed(46.0, false), Some(1), "the bits");
        assert_eq!(needed(46.0, true), Some(2));
        assert_eq!(needed(33.0, false), Some(2));
        assert_eq!(needed(10.0, false), None);
    }
}
