//! Lexer and cursor for the scenario text, edits of texts, and the token sink of the
//! printers.
//!
//! The grammar is line-based, so line ends are lexemes, and a [`Cursor`] stays within
//! one line.

mod cursor;
mod edit;
mod lex;
mod words;

pub use cursor::Cursor;
pub use edit::{LineEdit, Rewritten, difference};
pub use lex::{Lexeme, LexemeKind, lex};
pub use words::{MAX_SUGGESTED, capitalized, counted, nearest, nearest_name};

use alloc::string::String;
use alloc::vec::Vec;

/// Class of a printed token, for highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// The instruction's name.
    Mnemonic,
    /// An operation, width, channel or precision that follows the name.
    Suffix,
    /// Mask control, predicate signs and other keywords.
    Keyword,
    /// A variable or register.
    Variable,
    /// A surface, or another memory.
    Surface,
    Predicate,
    Number,
    /// The type of elements.
    Type,
    /// A directive such as `.decl`.
    Directive,
    /// A quoted text.
    Text,
    Comment,
    /// Brackets, dots, commas.
    Punctuation,
    /// Blank space.
    Space,
    /// Unknown text.
    Broken,
}

/// Syntax part of an instruction. Text tokens and encoding fields of the same part are
/// highlighted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SyntaxPart {
    /// The opcode and mnemonic.
    Opcode,
    /// The operation suffix.
    Operation,
    /// The data width suffix.
    Width,
    /// The execution size.
    ExecSize,
    /// The mask control.
    Mask,
    /// The predicate or guard.
    Predicate,
    Surface,
    /// Offsets or addresses.
    Address,
    /// Offsets from a common address.
    Offsets,
    /// The first source.
    Src0,
    /// The second source.
    Src1,
    /// The third source.
    Src2,
    /// The fourth source.
    Src3,
    /// The destination.
    Dst,
    /// The second destination: carry or borrow.
    Carry,
    /// The label or labels of a branch.
    Label,
    /// The name of a function.
    Name,
    /// One of the coordinates or sizes of an image or block.
    Coordinate(u8),
    /// One of the descriptors of a message and the sizes that go with them.
    Descriptor(u8),
    /// How caches treat an access.
    Cache,
    /// Enabled channels.
    Channels,
    /// Precisions of the matrix operands.
    Precision,
    /// Systolic depth.
    Depth,
    /// Repeat count.
    Repeat,
    /// The predicate that reports residency.
    Status,
    /// One of the predicates that a SASS instruction reads as operands.
    Condition(u8),
    /// The scheduling fields.
    Schedule,
    /// Ignored bits.
    Ignored,
    /// Blanks and punctuation.
    None,
}

/// Receiver of printed tokens.
pub trait Sink {
    /// Adds one token.
    fn token(&mut self, class: TokenClass, part: SyntaxPart, text: &str);

    /// Adds a decimal number.
    fn number(&mut self, part: SyntaxPart, value: u64) {
        // Fast path for single digits, such as the byte offset 0.
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let short = usize::try_from(value).ok().and_then(|v| DIGITS.get(v));
        let mut digits = [0; 20];
        let text = match short {
            Some(digit) => digit,
            None => decimal(value, &mut digits),
        };
        self.token(TokenClass::Number, part, text);
    }

    /// Adds one blank.
    fn space(&mut self) {
        self.token(TokenClass::Space, SyntaxPart::None, " ");
    }

    /// Adds punctuation.
    fn punct(&mut self, part: SyntaxPart, text: &str) {
        self.token(TokenClass::Punctuation, part, text);
    }
}

impl Sink for String {
    fn token(&mut self, _: TokenClass, _: SyntaxPart, text: &str) {
        self.push_str(text);
    }
}

/// One printed token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Token class.
    pub class: TokenClass,
    pub part: SyntaxPart,
    pub text: String,
}

impl Sink for Vec<Token> {
    fn token(&mut self, class: TokenClass, part: SyntaxPart, text: &str) {
        self.push(Token {
            class,
            part,
            text: String::from(text),
        });
    }
}

/// Formats `value` in decimal. Much faster than `core::fmt`, since millions of
/// instructions per second are printed.
pub fn decimal(mut value: u64, digits: &mut [u8; 20]) -> &str {
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (value % 10).to_le_bytes()[0];
        value /= 10;
        if value == 0 {
            break;
        }
    }
    core::str::from_utf8(&digits[first..]).expect("digits are ASCII")
}

/// Adds a number as `0x…`, without leading zeros.
pub fn hexadecimal(part: SyntaxPart, value: u64, sink: &mut impl Sink) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = *b"0x0000000000000000";
    let count = 16 - crate::diagnostic::to_usize((value | 1).leading_zeros() / 4);
    for (i, digit) in text.iter_mut().skip(2).take(count).rev().enumerate() {
        *digit = DIGITS[usize::from((value >> (4 * i)).to_le_bytes()[0] & 15)];
    }
    let text = core::str::from_utf8(&text[..2 + count]).expect("digits are ASCII");
    sink.token(TokenClass::Number, part, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimals_have_no_leading_zeros() {
        for value in [0, 1, 15, 16, 0x12345, u64::MAX] {
            let mut text = String::new();
            hexadecimal(SyntaxPart::None, value, &mut text);
            assert_eq!(text, alloc::format!("{value:#x}"));
        }
    }

    #[test]
    fn decimals_reach_the_largest_number() {
        let mut digits = [0; 20];
        assert_eq!(decimal(0, &mut digits), "0");
        assert_eq!(decimal(u64::MAX, &mut digits), "18446744073709551615");
    }
}
