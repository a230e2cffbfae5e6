use lanewise_core::diagnostic::{Span, to_u32};
use std::rc::Rc;

/// Line starts of a text, for converting byte offsets to editor coordinates:
/// UTF-16 code units, and lines with columns.
#[derive(Debug)]
pub(crate) struct LineIndex {
    text: Rc<str>,
    /// Byte and UTF-16 offset of the start of each line; the first is (0, 0).
    starts: Vec<(usize, u32)>,
}

impl LineIndex {
    pub(crate) fn new(text: Rc<str>) -> Self {
        let mut starts = vec![(0, 0)];
        let (mut byte, mut unit) = (0, 0);
        for line in text.split_inclusive('\n') {
            byte += line.len();
            unit += utf16_len(line);
            // The last line may lack a line end, and then no line follows.
            if line.ends_with('\n') {
                starts.push((byte, unit));
            }
        }
        Self { text, starts }
    }

    /// Number of lines; an empty text has one.
    pub(crate) const fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Line and column of a byte, both from 1, with the column in characters.
    pub(crate) fn line_column(&self, byte: usize) -> (u32, u32) {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|(start, _)| *start <= byte);
        let (start, _) = self.starts[line - 1];
        let column = self.text[start..byte].chars().count();
        (to_u32(line), to_u32(column) + 1)
    }

    /// UTF-16 offset of a byte, clamped to the end.
    pub(crate) fn utf16(&self, byte: usize) -> u32 {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|(start, _)| *start <= byte);
        let (start, units) = self.starts[line - 1];
        units + utf16_len(&self.text[start..byte])
    }

    /// UTF-16 offsets of the start and end of a span.
    pub(crate) fn utf16_range(&self, span: Span) -> (u32, u32) {
        (
            self.utf16(span.start as usize),
            self.utf16(span.end as usize),
        )
    }

    /// Byte of a UTF-16 offset, clamped to the end. An offset inside a
    /// surrogate pair maps to the next character.
    pub(crate) fn byte(&self, unit: u32) -> usize {
        let line = self.starts.partition_point(|(_, start)| *start <= unit);
        let (start, mut units) = self.starts[line - 1];
        let rest = &self.text[start..];
        let mut chars = rest.char_indices();
        let found = chars.find(|(_, c)| {
            let is_here = units >= unit;
            units += to_u32(c.len_utf16());
            is_here
        });
        start + found.map_or(rest.len(), |(byte, _)| byte)
    }
}

/// Length of a text in UTF-16 code units.
pub(super) fn utf16_len(text: &str) -> u32 {
    to_u32(if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(char::len_utf16).sum()
    })
}

/// Number of line ends in a text.
pub(super) fn line_ends(text: &str) -> u32 {
    to_u32(text.bytes().filter(|byte| *byte == b'\n').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_and_utf16_offsets_round_trip() {
        let text = "a\n🦀ä b\n\nend";
        let index = LineIndex::new(Rc::from(text));
        assert_eq!(index.line_count(), 4);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let unit = index.utf16(byte);
            assert_eq!(unit as usize, text[..byte].encode_utf16().count());
            assert_eq!(index.byte(unit), byte);
        }
        // Inside the surrogate pair, and beyond the end.
        assert_eq!(index.byte(3), text.find('ä').unwrap());
        assert_eq!(index.byte(1000), text.len());
        assert_eq!(index.utf16(1000), index.utf16(text.len()));
        assert_eq!(index.line_column(text.find('b').unwrap()), (2, 4));
        assert_eq!(index.line_column(text.len()), (4, 4));
    }

    #[test]
    fn empty_text_has_one_line() {
        let index = LineIndex::new(Rc::from(""));
        assert_eq!((index.line_count(), index.line_column(0)), (1, (1, 1)));
        assert_eq!((index.utf16(0), index.byte(0)), (0, 0));
    }
}
