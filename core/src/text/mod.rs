//! Words and signs of the scenario text, and the sink that printers write to.
//!
//! The grammar is line by line, so the lexer keeps line ends as tokens; a
//! [`Cursor`] walks the tokens of one line and never leaves it.

mod cursor;
mod lex;
mod words;

pub use cursor::Cursor;
pub use lex::{Lexeme, LexemeKind, lex};
pub use words::{MAX_SUGGESTED, nearest, nearest_name};

use alloc::string::String;
use alloc::vec::Vec;

/// What a printed token is, for colouring; never a colour.
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
    /// A predicate.
    Predicate,
    /// A number.
    Number,
    /// The type of elements.
    Type,
    /// A directive such as `.decl`.
    Directive,
    /// A quoted text.
    Text,
    /// A comment.
    Comment,
    /// Brackets, dots, commas.
    Punctuation,
    /// Blank space.
    Space,
    /// What nothing is known of.
    Broken,
}

/// The part of an instruction that a token or a bit field belongs to. A text
/// token and a field with the same part light up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OperandKind {
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
    /// The surface.
    Surface,
    /// Offsets, addresses.
    Address,
    /// Offsets that are added to one address.
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
    /// The predicate that says whether memory was there.
    Status,
    /// When it issues: the scheduling fields.
    Schedule,
    /// Bits that readers ignore.
    Ignored,
    /// Blanks and punctuation that belong to nothing.
    None,
}

/// Where a printer puts its tokens.
pub trait Sink {
    /// Adds one token.
    fn token(&mut self, class: TokenClass, part: OperandKind, text: &str);

    /// Adds a decimal number.
    fn number(&mut self, part: OperandKind, value: u64) {
        // Most numbers are a single digit: the byte offset 0.
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
        self.token(TokenClass::Space, OperandKind::None, " ");
    }

    /// Adds punctuation.
    fn sign(&mut self, part: OperandKind, text: &str) {
        self.token(TokenClass::Punctuation, part, text);
    }
}

impl Sink for String {
    fn token(&mut self, _: TokenClass, _: OperandKind, text: &str) {
        self.push_str(text);
    }
}

/// One printed token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub class: TokenClass,
    /// What it belongs to.
    pub part: OperandKind,
    /// Its text.
    pub text: String,
}

impl Sink for Vec<Token> {
    fn token(&mut self, class: TokenClass, part: OperandKind, text: &str) {
        self.push(Token {
            class,
            part,
            text: String::from(text),
        });
    }
}

/// Writes `value` in decimal into `digits`. Printing is measured in millions
/// of instructions a second, which `core::fmt` does not reach.
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
pub fn hexadecimal(part: OperandKind, value: u64, sink: &mut impl Sink) {
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
            hexadecimal(OperandKind::None, value, &mut text);
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
