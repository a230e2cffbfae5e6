//! A start value, edited: which `.init` line sets it, and how that line is
//! written anew, or one added, so that nothing else of the start changes.

mod line;
mod place;

use super::Program;
use crate::diagnostic::{Span, to_usize};
use crate::machine::SpaceId;
use crate::number::{ElementType, low_mask};
use crate::text::{Lexeme, LexemeKind, lex};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use line::Edits;
pub use place::parse_pointer_text;

/// A cell of the state: 1, 2, 4 or 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where.
    pub space: SpaceId,
    /// Its first byte.
    pub address: u64,
    /// How its value is read; masks and addresses are unsigned.
    pub ty: ElementType,
}

impl Cell {
    /// How many bytes it has.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.ty.bytes() as u64
    }
}

/// A text written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// Where the last change of it ends, in bytes.
    pub caret: usize,
}

/// A fill of memory up to so many elements is written out when one of them
/// changes; a longer one stays, and a line after it sets the cell again.
const WRITTEN_OUT: u64 = 64;

impl Program {
    /// Writes `text`, from which this program was read, anew such that a cell
    /// starts with these bits and nothing else changes. `spelling` is how the
    /// value was typed, kept where it means the same. `None` for a cell that no
    /// `.init` line can set.
    #[must_use]
    pub fn with_start(
        &self,
        text: &str,
        cell: Cell,
        bits: u64,
        spelling: &str,
    ) -> Option<Rewritten> {
        let mut lexemes = Vec::new();
        lex(text, &mut lexemes);
        lexemes.retain(|l| !matches!(l.kind, LexemeKind::Comment { .. }));
        let whole = CellPart {
            space: cell.space,
            address: cell.address,
            bytes: cell.bytes(),
            bits: bits & low_mask(cell.ty.bits()),
        };
        let mut edits = Edits::new(self, text, &lexemes, spelling, (cell.ty, whole));
        // Whose its bytes are, all bytes of an owner together.
        let mut owners: Vec<(Option<usize>, Vec<CellPart>)> = Vec::new();
        for i in 0..cell.bytes() {
            let owner = self.owner(cell.space, cell.address + i);
            let byte = whole.byte(i);
            match owners.iter_mut().find(|(known, _)| *known == owner) {
                Some((_, pieces)) => match pieces.last_mut() {
                    Some(last) if last.end() == byte.address => last.grow(byte),
                    _ => pieces.push(byte),
                },
                None => owners.push((owner, alloc::vec![byte])),
            }
        }
        for (owner, pieces) in owners {
            match owner {
                Some(index) => edits.change(index, &pieces)?,
                None => edits.add(None, &pieces)?,
            }
        }
        edits.finish()
    }

    /// The `.init` line, by its index, whose value a byte starts with.
    fn owner(&self, space: SpaceId, address: u64) -> Option<usize> {
        self.inits
            .iter()
            .rposition(|init| place::element_at(self, init, space, address).is_some())
    }
}

/// Bytes of a cell that one `.init` line sets, or none.
#[derive(Clone, Copy, Debug)]
struct CellPart {
    space: SpaceId,
    address: u64,
    bytes: u64,
    /// Their value, the first byte lowest.
    bits: u64,
}

impl CellPart {
    /// One byte of it.
    const fn byte(&self, at: u64) -> Self {
        Self {
            space: self.space,
            address: self.address + at,
            bytes: 1,
            bits: (self.bits >> (8 * at)) & 0xff,
        }
    }

    const fn end(&self) -> u64 {
        self.address + self.bytes
    }

    /// Takes what follows it.
    const fn grow(&mut self, next: Self) {
        self.bits |= next.bits << (8 * self.bytes);
        self.bytes += next.bytes;
    }

    /// `value`, which lies at `address`, with the bytes of the piece that it
    /// has.
    fn put_into(&self, value: u64, address: u64, bytes: u64) -> u64 {
        (0..self.bytes).fold(value, |value, i| {
            match (self.address + i).checked_sub(address) {
                Some(at) if at < bytes => {
                    let byte = (self.bits >> (8 * i)) & 0xff;
                    (value & !(0xff << (8 * at))) | (byte << (8 * at))
                }
                _ => value,
            }
        })
    }
}

/// A literal of these bits. `hex`: as bits; `spelling` where it means the same.
fn literal(bits: u64, ty: ElementType, hex: bool, spelling: &str) -> String {
    use crate::number::{parse_literal, show};
    let means = |text: &str| parse_literal(text, ty) == Ok(bits);
    // Among values without a sign, a minus would give all of them one.
    let signs = spelling.starts_with('-') && !ty.is_signed() && !ty.is_float();
    if !spelling.is_empty() && !signs && means(spelling) {
        return String::from(spelling);
    }
    let shown = show(bits, ty);
    if hex && !ty.is_float() {
        format!("{bits:#x}")
    } else if means(&shown) {
        shown
    } else {
        // A NaN with a payload.
        format!("0f{bits:0width$x}", width = usize::from(ty.bytes()) * 2)
    }
}

/// The words and signs of the line that holds a place, from it on.
fn rest_of_line(lexemes: &[Lexeme], at: u32) -> &[Lexeme] {
    let start = lexemes.partition_point(|l| l.span.start < at);
    let rest = &lexemes[start..];
    let end = rest.iter().position(|l| l.kind == LexemeKind::LineEnd);
    &rest[..end.unwrap_or(rest.len())]
}

/// Behind the end of the line that holds a place, and whether it has an end.
fn line_after(text: &str, lexemes: &[Lexeme], at: u32) -> (usize, bool) {
    let start = lexemes.partition_point(|l| l.span.start < at);
    match lexemes[start..]
        .iter()
        .find(|l| l.kind == LexemeKind::LineEnd)
    {
        Some(end) => (to_usize(end.span.end), true),
        None => (text.len(), text.is_empty()),
    }
}

/// The places of the values behind `=`, one by one, and of all of them.
fn value_places(text: &str, lexemes: &[Lexeme], target: Span) -> Option<(Vec<Span>, Span)> {
    let line = rest_of_line(lexemes, target.end);
    let (equals, values) = line.split_first()?;
    if equals.kind != LexemeKind::Punct('=') {
        return None;
    }
    let whole = values.first()?.span.to(values.last()?.span);
    let place = |part: &[Lexeme]| Some(part.first()?.span.to(part.last()?.span));
    let parts = values.split(|l| l.kind == LexemeKind::Punct(','));
    // A value is missing: there are none to replace one by one.
    let spans = parts.map(place).collect::<Option<Vec<Span>>>();
    debug_assert!(to_usize(whole.end) <= text.len());
    Some((spans.unwrap_or_default(), whole))
}
