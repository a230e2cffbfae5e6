//! The parts of a printf format (OpenCL C, 6.15.14): flags, width, precision, elements of a
//! vector, length, conversion.

use alloc::vec::Vec;

/// Greatest width and precision.
const MAX_WIDTH: usize = 4096;

/// A part of a format.
pub(super) enum Part<'f> {
    Text(&'f [u8]),
    /// `%%`.
    Percent,
    /// The text of a conversion and what it says.
    Conversion(&'f [u8], Conversion),
    /// An invalid conversion.
    Unknown(&'f [u8]),
}

/// Length of an integer, or of the elements of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    /// `hl`, for vectors: 4 bytes.
    Int,
    Long,
}

/// A conversion.
#[derive(Clone, Debug)]
pub(super) struct Conversion {
    pub(super) is_left: bool,
    pub(super) is_zero_padded: bool,
    pub(super) is_alternate: bool,
    /// Sign of non-negative numbers, if any.
    pub(super) plus: Option<u8>,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
    /// Number of elements of a vector.
    pub(super) elements: Option<u8>,
    length: Option<Length>,
    pub(super) letter: u8,
}

impl Conversion {
    /// Size of an integer in bytes.
    pub(super) const fn bytes(&self) -> u8 {
        match self.length {
            Some(Length::Char) => 1,
            Some(Length::Short) => 2,
            None | Some(Length::Int) => 4,
            Some(Length::Long) => 8,
        }
    }

    /// Pads `sign` and `text` to the width with blanks.
    pub(super) fn padded(&self, sign: &[u8], text: Vec<u8>) -> Vec<u8> {
        let blanks = self.width.saturating_sub(sign.len() + text.len());
        let blanks = core::iter::repeat_n(b' ', blanks);
        let text = sign.iter().copied().chain(text);
        match self.is_left {
            true => text.chain(blanks).collect(),
            false => blanks.chain(text).collect(),
        }
    }

    /// Pads a number to the width, with zeros behind its sign if the flag says so.
    pub(super) fn padded_number(&self, sign: &[u8], digits: Vec<u8>) -> Vec<u8> {
        if !self.is_zero_padded || self.is_left {
            return self.padded(sign, digits);
        }
        let zeros = self.width.saturating_sub(sign.len() + digits.len());
        let zeros = core::iter::repeat_n(b'0', zeros);
        sign.iter().copied().chain(zeros).chain(digits).collect()
    }
}

/// Splits a format into its parts.
pub(super) fn parts(format: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let text = rest.iter().position(|byte| *byte == b'%');
        let (before, from) = rest.split_at(text.unwrap_or(rest.len()));
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        rest = from;
        if rest.is_empty() {
            break;
        }
        let mut scanner = Scanner { rest: &rest[1..] };
        let conversion = scanner.conversion();
        let (text, after) = rest.split_at(rest.len() - scanner.rest.len());
        parts.push(match conversion {
            Some(_) if text == b"%%" => Part::Percent,
            Some(conversion) => Part::Conversion(text, conversion),
            None => Part::Unknown(text),
        });
        rest = after;
    }
    parts
}

struct Scanner<'f> {
    rest: &'f [u8],
}

impl Scanner<'_> {
    fn eat(&mut self, text: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit());
        let count = digits.count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        let value = digits.iter().fold(0_usize, |value, digit| {
            let value = value.saturating_mul(10);
            value.saturating_add(usize::from(digit - b'0'))
        });
        (count > 0).then_some(value.min(MAX_WIDTH))
    }

    /// Parses a conversion after its `%`, and consumes at least the letter.
    fn conversion(&mut self) -> Option<Conversion> {
        let mut conversion = Conversion {
            is_left: false,
            is_zero_padded: false,
            is_alternate: false,
            plus: None,
            width: 0,
            precision: None,
            elements: None,
            length: None,
            letter: 0,
        };
        loop {
            if self.eat(b"-") {
                conversion.is_left = true;
            } else if self.eat(b"0") {
                conversion.is_zero_padded = true;
            } else if self.eat(b"#") {
                conversion.is_alternate = true;
            } else if self.eat(b"+") {
                conversion.plus = Some(b'+');
            } else if self.eat(b" ") {
                conversion.plus = conversion.plus.or(Some(b' '));
            } else {
                break;
            }
        }
        conversion.width = self.number().unwrap_or(0);
        if self.eat(b".") {
            conversion.precision = Some(self.number().unwrap_or(0));
        }
        let mut is_valid = true;
        if self.eat(b"v") {
            let elements = self.number().and_then(|n| u8::try_from(n).ok());
            conversion.elements = elements.filter(|n| [2, 3, 4, 8, 16].contains(n));
            is_valid = conversion.elements.is_some();
        }
        let lengths: [(&[u8], Length); 4] = [
            (b"hh", Length::Char),
            (b"hl", Length::Int),
            (b"h", Length::Short),
            (b"l", Length::Long),
        ];
        let length = lengths.into_iter().find(|(text, _)| self.eat(text));
        conversion.length = length.map(|(_, length)| length);
        // A vector says how long its elements are, and only a vector has `hl`.
        is_valid &= match conversion.length {
            Some(Length::Int) => conversion.elements.is_some(),
            None => conversion.elements.is_none(),
            Some(_) => true,
        };
        let (letter, rest) = self.rest.split_first()?;
        self.rest = rest;
        conversion.letter = *letter;
        let letters: &[u8] = match (conversion.elements, conversion.length) {
            (None, None) => b"diouxXfFeEgGaAcsp%",
            (Some(_), _) => b"diouxXfFeEgGaA",
            (None, Some(Length::Long)) => b"diouxXfFeEgGaA",
            (None, Some(_)) => b"diouxX",
        };
        (is_valid && letters.contains(letter)).then_some(conversion)
    }
}
