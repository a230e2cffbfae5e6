//! The specification of an instruction, as data.

use super::check::OperandSpans;
use super::construct::SourceConstruct;
use super::family::{Family, Style};
use super::schema::Syntax;
use crate::bits::{DecodeError, Visitor};
use crate::contradictions::Contradiction;
use crate::diagnostic::Diagnostics;
use crate::rules::{self, Provenance};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A statement about an instruction with its provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Documented, observed or assumed.
    pub mark: Provenance,
    /// The statement.
    pub text: &'static str,
}

impl Fact {
    /// A fact of the documents.
    #[must_use]
    pub const fn documented(text: &'static str) -> Self {
        let mark = Provenance::Documented;
        Self { mark, text }
    }

    /// A fact that the real tools show.
    #[must_use]
    pub const fn observed(text: &'static str) -> Self {
        let mark = Provenance::Observed;
        Self { mark, text }
    }

    /// An assumption.
    #[must_use]
    pub const fn assumed(text: &'static str) -> Self {
        let mark = Provenance::Assumed;
        Self { mark, text }
    }
}

/// A row of an instruction's operation table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationRow {
    /// Code in the encoding.
    pub code: u64,
    /// The document's name.
    pub name: &'static str,
    /// The real assembler's name.
    pub assembler: &'static str,
    /// Formula of the new value.
    pub formula: &'static str,
    /// Operand types, in words.
    pub types: &'static str,
    /// The returned value, in words.
    pub returns: &'static str,
    /// Hardware message types; empty if the document lists none.
    pub messages: &'static str,
}

/// An example that is shown as documentation and run as a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
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

/// Opcode bits of an encoding, within the first eight bytes, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode {
    mask: u64,
    value: u64,
}

impl Opcode {
    /// An opcode in the first one or two bytes.
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

    /// An opcode of two bytes: the first byte, and one at a distance from it.
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

    #[must_use]
    pub const fn first_byte(self) -> u8 {
        self.value.to_le_bytes()[0]
    }

    /// How many whole bytes it takes from the first one on.
    #[must_use]
    pub const fn leading_bytes(self) -> usize {
        if self.mask & 0xff00 == 0xff00 { 2 } else { 1 }
    }

    /// Visits the whole bytes from the first one on.
    ///
    /// # Errors
    /// When a decoder finds others.
    pub(super) fn layout_leading<V: Visitor>(self, v: &mut V) -> Result<(), DecodeError> {
        v.fixed(SyntaxPart::Opcode, "Opcode", 8, self.value & 0xff)?;
        if self.leading_bytes() == 2 {
            v.fixed(SyntaxPart::Opcode, "Sub-opcode", 8, self.value >> 8 & 0xff)?;
        }
        Ok(())
    }

    /// An opcode in the highest `width` bits of a 64-bit word.
    #[must_use]
    pub const fn high(width: u32, value: u64) -> Self {
        Self {
            mask: !0 << (64 - width),
            value: value << (64 - width),
        }
    }

    /// Sets the opcode in `bits`, the first eight bytes of an encoding.
    #[must_use]
    pub const fn set(self, bits: u64) -> u64 {
        bits & !self.mask | self.value
    }

    /// Visits the opcode: the first bytes one by one, or the highest bits of a word at
    /// once.
    ///
    /// # Errors
    /// If a decoder finds another opcode.
    pub(super) fn layout<V: Visitor>(self, v: &mut V) -> Result<(), DecodeError> {
        if self.mask & 1 == 0 {
            let width = self.mask.leading_ones();
            let bits = self.value >> (64 - width);
            return v.fixed(SyntaxPart::Opcode, "opcode", width, bits);
        }
        self.layout_leading(v)
    }

    /// Whether an encoding has this opcode. `first` contains its first eight bytes,
    /// padded with zeros, and `bytes` is its length.
    #[must_use]
    pub const fn matches(self, first: u64, bytes: usize) -> bool {
        let there = if bytes >= 8 {
            u64::MAX
        } else {
            (1 << (bytes * 8)) - 1
        };
        first & self.mask == self.value && self.mask & there == self.mask
    }

    /// The opcode in hexadecimal: bytes in order, or the first digits of a word.
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
        // Whole digits, with zeros for the bits after the opcode.
        let digits = self.mask.leading_ones().div_ceil(4);
        format!("{:x}…", self.value >> (64 - 4 * digits))
    }
}

/// The specification of an instruction. Two are equal if they are the same one.
#[derive(Debug)]
pub struct Spec {
    /// The document's name.
    pub name: &'static str,
    /// Mnemonics in lower case, the assembler's spelling first.
    pub mnemonics: &'static [&'static str],
    /// Instruction-set family.
    pub family: Family,
    /// Opcodes, one for each form.
    pub opcodes: &'static [Opcode],
    /// Whether both EUs of a fused pair execute it together. A program with such an
    /// instruction runs on both EUs by default.
    pub fused: bool,
    /// Whether its effects are accesses of lanes, serialized in an order that `.order`
    /// can choose.
    pub lane_queue: bool,
    /// Summary in two sentences.
    pub summary: &'static str,
    /// The document that specifies it.
    pub source: &'static str,
    /// Syntax schema.
    pub syntax: Syntax,
    /// The operation table; empty if there is only one operation.
    pub operations: fn() -> Vec<OperationRow>,
    /// Source constructs that compile to it, by form.
    pub constructs: fn() -> Vec<SourceConstruct>,
    /// Pseudo-code lines, in our own words.
    pub pseudo_code: &'static [&'static str],
    /// Documented rules, observations and assumptions.
    pub facts: &'static [Fact],
    pub contradictions: &'static [&'static Contradiction],
    pub examples: &'static [Example],
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Spec {}

impl Spec {
    /// IDs of the contradictions of [`Self::contradictions`] that are true in `found`.
    #[must_use]
    pub fn contradictions_among(&self, found: &[(&'static str, bool)]) -> Vec<&'static str> {
        let is_listed = |id| self.contradictions.iter().any(|known| known.id == id);
        let concerns = found.iter().filter(|(id, holds)| *holds && is_listed(*id));
        concerns.map(|(id, _)| *id).collect()
    }

    /// The mnemonic in a style.
    #[must_use]
    pub fn mnemonic(&self, style: Style) -> &'static str {
        match (style, self.mnemonics, self.family) {
            (Style::Assembler, [first, ..], Family::Visa) => first,
            _ => self.name,
        }
    }

    /// The spelling of a text of the instruction.
    #[must_use]
    pub fn style_of(&self, text: &str) -> Style {
        let is_document = match self.family {
            Family::Visa => text.contains(self.name),
            Family::Sass => text.trim_end().ends_with(';'),
        };
        match is_document {
            true => Style::Document,
            false => Style::Assembler,
        }
    }

    /// The letter of a part in the summary of a row of the SASS opcode table.
    #[must_use]
    pub const fn letter(&self, part: SyntaxPart) -> &'static str {
        match part {
            SyntaxPart::Src0 => "a",
            SyntaxPart::Src1 => "b",
            SyntaxPart::Src2 => "c",
            SyntaxPart::Src3 => "n",
            SyntaxPart::Condition(0) => "p",
            SyntaxPart::Condition(1) => "q",
            SyntaxPart::Condition(_) => "r",
            SyntaxPart::Carry => "u",
            SyntaxPart::Status => "v",
            SyntaxPart::Name => "s",
            _ => "d",
        }
    }

    /// The syntax lines in both styles, the assembler's first; only one if they agree.
    #[must_use]
    pub fn lines(&'static self) -> Vec<String> {
        if let Some(op) = super::sass::op::of_spec(self) {
            let pieces = op.pieces(&Default::default()).into_iter();
            return Vec::from([pieces.map(|piece| piece.text).collect()]);
        }
        let styles = [Style::Assembler, Style::Document];
        let mut lines = styles.map(|style| self.syntax.line(self, style)).to_vec();
        lines.dedup();
        lines
    }

    /// Notes a mnemonic or suffix that the real assembler spells differently. `same`
    /// says whether the suffix is spelled its way, `own` is its spelling, and `written`
    /// is the part of the suffix and the whole text.
    pub fn note_spelling(
        &self,
        same: bool,
        own: &str,
        written: (SyntaxPart, &str),
        spans: &OperandSpans,
        out: &mut Diagnostics,
    ) {
        let (part, text) = written;
        let mnemonic = self.mnemonic(Style::Assembler);
        let opcode = spans.of(SyntaxPart::Opcode);
        if opcode.of(text) == mnemonic && same {
            return;
        }
        let span = opcode.to(spans.of(part));
        let what = format!("nonstandard spelling `{}`", span.of(text));
        let help = format!("Intel's assembler writes {mnemonic}.{own}");
        out.advise(&rules::DOCUMENT_SPELLING, span, what, help);
    }
}
