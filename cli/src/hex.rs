//! Hexadecimal parsing and printing.

use data_encoding::HEXLOWER;
use lanewise_core::diagnostic::{Diagnostic, Span, to_u32};
use lanewise_core::isa::{EncodingUnit, Target};
use lanewise_core::rules;

/// Appends little-endian bytes as a `0x` number.
pub(crate) fn push_word(bytes: &[u8], out: &mut String) {
    out.push_str("0x");
    for byte in bytes.iter().rev() {
        HEXLOWER.encode_append(&[*byte], out);
    }
}

/// Formats an encoding: bytes or a word.
pub(crate) fn encoding(bytes: &[u8], target: Target) -> String {
    let mut out = String::new();
    match target.facts().encoding_unit {
        EncodingUnit::Byte => HEXLOWER.encode_append(bytes, &mut out),
        EncodingUnit::Word => push_word(bytes, &mut out),
    }
    out
}

/// Parsed bytes with the source positions of their digits.
#[derive(Default)]
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    /// Start offset of the two digits of each byte.
    spans: Vec<usize>,
    end: usize,
    /// Whether the text is a word, whose last two digits are the first byte.
    reversed: bool,
}

impl Bytes {
    /// Reads pairs of digits, with optional blanks and `_` between pairs and an
    /// optional `0x` before each group.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), Diagnostic> {
        self.bytes.clear();
        self.spans.clear();
        self.end = text.len();
        self.reversed = false;
        let mut rest = text.as_bytes();
        let mut word_start = true;
        loop {
            let at = text.len() - rest.len();
            match rest {
                [] => return Ok(()),
                [b'_' | b' ' | b'\t' | b'\r' | b'\n', later @ ..] => {
                    word_start = true;
                    rest = later;
                }
                [b'0', b'x' | b'X', later @ ..] if word_start => {
                    word_start = false;
                    rest = later;
                }
                [first, later @ ..] => {
                    let high = digit(*first);
                    let low = later.split_first().and_then(|(low, later)| {
                        let low = digit(*low)?;
                        Some((low, later))
                    });
                    let (Some(high), Some((low, later))) = (high, low) else {
                        return Err(refuse(text, at, high.is_some()));
                    };
                    self.bytes.push(high << 4 | low);
                    self.spans.push(at);
                    word_start = false;
                    rest = later;
                }
            }
        }
    }

    /// Reads a 64-bit word: up to 16 digits with optional `_` and `0x`. Byte 0 is
    /// the least significant.
    pub(crate) fn read_word(&mut self, text: &str) -> Result<(), Diagnostic> {
        let digits = text.strip_prefix(['0']).unwrap_or("");
        let digits = digits.strip_prefix(['x', 'X']).unwrap_or(text);
        let before = text.len() - digits.len();
        let mut spans = Vec::with_capacity(16);
        let mut word = 0_u64;
        for (at, byte) in digits.bytes().enumerate().filter(|(_, b)| *b != b'_') {
            let Some(value) = digit(byte) else {
                let at = text.floor_char_boundary(before + at);
                let help = "write a word as hexadecimal digits: 0xed00000000470200";
                return Err(refuse(text, at, false).help(help));
            };
            if spans.len() == 16 {
                let span = to_span(before, text.len());
                let what = "a word has at most 16 hexadecimal digits";
                return Err(Diagnostic::new(&rules::HEX, span, what));
            }
            word = word << 4 | u64::from(value);
            spans.push(before + at);
        }
        if spans.is_empty() {
            let what = "expected hexadecimal digits";
            return Err(Diagnostic::new(&rules::HEX, to_span(0, text.len()), what));
        }
        self.bytes.clear();
        self.bytes.extend(word.to_le_bytes());
        self.end = text.len();
        self.reversed = true;
        // Position of the high digit of each byte; leading zeros are optional.
        let high = |byte: usize| spans.len().saturating_sub(2 * byte + 2);
        self.spans = (0..8).map(|byte| spans[high(byte)]).collect();
        Ok(())
    }

    /// Maps a byte range to a range of the text.
    pub(crate) fn span(&self, span: Span) -> Span {
        let place = |index: u32| {
            let index = usize::try_from(index).ok()?;
            self.spans.get(index).copied()
        };
        let start = place(span.start).unwrap_or(self.end);
        let last = span.end.checked_sub(1).filter(|last| *last >= span.start);
        if self.reversed {
            // The digits of a byte end where those of the next lower byte start.
            let from = last.and_then(place).unwrap_or(start);
            let below = span.start.checked_sub(1).and_then(place);
            return to_span(from, below.unwrap_or(self.end));
        }
        let end = match last {
            Some(last) => place(last).map_or(self.end, |at| at + 2),
            None => start,
        };
        to_span(start, end)
    }

    /// Maps the spans of a diagnostic from bytes to text.
    pub(crate) fn place(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let mut placed = diagnostic.clone();
        placed.span = self.span(diagnostic.span);
        // An edit of bytes does not apply to digits.
        placed.edit = None;
        placed
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Diagnostic for an invalid pair of digits at `at`.
fn refuse(text: &str, at: usize, half: bool) -> Diagnostic {
    let shown = text.get(at..).and_then(|rest| rest.chars().next());
    let shown = shown.unwrap_or('?');
    let what = if half {
        format!("expected two digits per byte, found only `{shown}`")
    } else {
        format!("{shown:?} is not a hexadecimal digit")
    };
    Diagnostic::new(&rules::HEX, to_span(at, at + shown.len_utf8()), what)
        .help("write each byte as two digits: 7d0003")
}

/// Converts a range to a span. Input is limited to far less than 4 GB.
pub(crate) fn to_span(start: usize, end: usize) -> Span {
    Span::new(to_u32(start), to_u32(end))
}
