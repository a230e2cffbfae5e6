//! The specification of an instruction, as data for readers.

use super::check::OperandSpans;
use super::construct::SourceConstruct;
use super::schema::Syntax;
use super::target::Family;
use crate::bits::{DecodeError, Visitor};
use crate::contradictions::Contradiction;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::rules::{self, Provenance};
use crate::text::OperandKind;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Which spelling a printer uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The documents'.
    Document,
    /// The real assembler's.
    Assembler,
}

/// A statement about an instruction, with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Documented, observed or assumed.
    pub mark: Provenance,
    /// The statement.
    pub text: &'static str,
}

/// A row of an instruction's operation table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationRow {
    /// The code in the encoding.
    pub code: u64,
    /// The document's name.
    pub name: &'static str,
    /// The real assembler's name.
    pub assembler: &'static str,
    /// What the new value is.
    pub formula: &'static str,
    /// Operand types, in words.
    pub types: &'static str,
    /// What is returned.
    pub returns: &'static str,
    /// The message types that carry it; empty where the document lists none.
    pub messages: &'static str,
}

/// An example that is shown as documentation and run as a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// A whole scenario with one instruction.
    pub scenario: &'static str,
    /// The instruction in the document's style.
    pub document: &'static str,
    /// The instruction in the assembler's style.
    pub assembler: &'static str,
    /// Its encoding in hexadecimal.
    pub bytes: &'static str,
    /// Values at the end: a place as in `.init`, and its elements.
    pub end: &'static [(&'static str, &'static str)],
}

/// Bits by which an encoding is known for an instruction's, among the first
/// eight bytes, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode {
    mask: u64,
    value: u64,
}

impl Opcode {
    /// The first byte, or the first two.
    #[must_use]
    pub const fn bytes(bytes: &[u8]) -> Self {
        match bytes {
            [first] => Self {
                mask: 0xff,
                value: *first as u64,
            },
            [first, second, ..] => Self {
                mask: 0xffff,
                value: *first as u64 | (*second as u64) << 8,
            },
            [] => Self { mask: 0, value: 1 },
        }
    }

    /// A first byte, and another byte at a distance from it.
    #[must_use]
    pub const fn bytes_at(first: u8, distance: u32, byte: u8) -> Self {
        Self {
            mask: 0xff | 0xff << (8 * distance),
            value: first as u64 | (byte as u64) << (8 * distance),
        }
    }

    /// A first byte, and bits of the second one.
    #[must_use]
    pub const fn bits_of_second(first: u8, mask: u8, bits: u8) -> Self {
        Self {
            mask: 0xff | (mask as u64) << 8,
            value: first as u64 | (bits as u64) << 8,
        }
    }

    /// The first byte.
    #[must_use]
    pub const fn first_byte(self) -> u8 {
        self.value.to_le_bytes()[0]
    }

    /// Visits the whole bytes from the first one on.
    ///
    /// # Errors
    /// When a decoder finds others.
    pub(super) fn layout_leading<V: Visitor>(self, v: &mut V) -> Result<(), DecodeError> {
        v.fixed(OperandKind::Opcode, "Opcode", 8, self.value & 0xff)?;
        if self.mask & 0xff00 == 0xff00 {
            v.fixed(OperandKind::Opcode, "Sub-opcode", 8, self.value >> 8 & 0xff)?;
        }
        Ok(())
    }

    /// The highest `width` bits of a 64-bit word.
    #[must_use]
    pub const fn high(width: u32, value: u64) -> Self {
        Self {
            mask: !0 << (64 - width),
            value: value << (64 - width),
        }
    }

    /// `bits`, the first eight bytes of an encoding, made to begin with it.
    #[must_use]
    pub const fn set(self, bits: u64) -> u64 {
        bits & !self.mask | self.value
    }

    /// Visits its bits: the first bytes of an encoding one by one, or the
    /// highest bits of a word at once.
    ///
    /// # Errors
    /// When a decoder finds others.
    pub(super) fn layout<V: Visitor>(self, v: &mut V) -> Result<(), DecodeError> {
        if self.mask & 1 == 0 {
            let width = self.mask.leading_ones();
            let bits = self.value >> (64 - width);
            return v.fixed(OperandKind::Opcode, "opcode", width, bits);
        }
        v.fixed(OperandKind::Opcode, "Opcode", 8, self.value & 0xff)?;
        if self.mask > 0xff {
            v.fixed(OperandKind::Opcode, "Sub-opcode", 8, self.value >> 8)?;
        }
        Ok(())
    }

    /// Whether an encoding that starts with `first`, zeros after its end, is
    /// of this form; `bytes` is how many there are.
    #[must_use]
    pub const fn matches(self, first: u64, bytes: usize) -> bool {
        let there = if bytes >= 8 {
            u64::MAX
        } else {
            (1 << (bytes * 8)) - 1
        };
        first & self.mask == self.value && self.mask & there == self.mask
    }

    /// Its bits as hexadecimal digits in the order in which they are written:
    /// byte by byte for bytes, the word's first digits for a word.
    #[must_use]
    pub fn digits(self) -> String {
        if self.mask & 1 == 1 {
            let bytes = self.value.to_le_bytes();
            let count = if self.mask > 0xff { 2 } else { 1 };
            return bytes
                .iter()
                .take(count)
                .map(|b| format!("{b:02x}"))
                .collect();
        }
        // Whole digits, the bits behind the opcode in the last one as zeros.
        let digits = self.mask.leading_ones().div_ceil(4);
        format!("{:x}…", self.value >> (64 - 4 * digits))
    }
}

/// The specification of an instruction, for readers.
#[derive(Debug)]
pub struct Spec {
    /// The document's name.
    pub name: &'static str,
    /// Mnemonics, lower case: the assembler's spelling first.
    pub mnemonics: &'static [&'static str],
    /// Which machines have it.
    pub family: Family,
    /// The bits by which its encodings are known, one for each form.
    pub opcodes: &'static [Opcode],
    /// Capability: the two EUs of a fused pair run it together, so that a
    /// program with one runs on both unless it has `.threads`.
    pub fused: bool,
    /// Capability: its effects are accesses of lanes, which are serialized one
    /// after another in an order that `.order` may choose.
    pub lane_queue: bool,
    /// What it does, in two sentences.
    pub summary: &'static str,
    /// The document that it is taken from.
    pub source: &'static str,
    /// The schema of its line.
    pub syntax: Syntax,
    /// The operations; empty where there is only one.
    pub operations: fn() -> Vec<OperationRow>,
    /// What compilers make it of, form by form.
    pub constructs: fn() -> Vec<SourceConstruct>,
    /// The pseudo-code, one line each, in our words.
    pub pseudo_code: &'static [&'static str],
    /// Rules and choices.
    pub facts: &'static [Fact],
    /// Contradictions that concern it.
    pub contradictions: &'static [&'static Contradiction],
    /// Examples.
    pub examples: &'static [Example],
}

impl Spec {
    /// Its mnemonic as a style writes it.
    #[must_use]
    pub fn mnemonic(&self, style: Style) -> &'static str {
        match (style, self.mnemonics, self.family) {
            (Style::Assembler, [first, ..], Family::Visa) => first,
            _ => self.name,
        }
    }

    /// Its line in both styles, the assembler's first; one where they agree.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let styles = [Style::Assembler, Style::Document];
        let mut lines = styles.map(|style| self.syntax.line(self, style)).to_vec();
        lines.dedup();
        lines
    }

    /// Notes that mnemonic or suffix are not spelled as the real assembler
    /// reads them. `same`: the suffix is; `own` is its spelling, and
    /// `written` the part with the suffix and the whole text.
    pub fn note_spelling(
        &self,
        same: bool,
        own: &str,
        written: (OperandKind, &str),
        spans: &OperandSpans,
        out: &mut Diagnostics,
    ) {
        let (part, text) = written;
        let mnemonic = self.mnemonic(Style::Assembler);
        let opcode = spans.of(OperandKind::Opcode);
        if opcode.of(text) == mnemonic && same {
            return;
        }
        let span = opcode.to(spans.of(part));
        let what = format!("`{}`", span.of(text));
        let help = format!("there it is {mnemonic}.{own}");
        out.push(Diagnostic::new(&rules::DOCUMENT_SPELLING, span, what).help(help));
    }
}
