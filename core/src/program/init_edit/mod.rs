//! Edits initial values: rewrites the `.init` line that sets a cell, or adds one,
//! without affecting the rest of the initial state.

mod line;
mod place;

use super::Program;
use crate::diagnostic::{Span, to_u32, to_usize};
use crate::machine::SpaceId;
use crate::number::{self, ElementType, low_mask, parse_literal};
use crate::text::{Lexeme, LexemeKind, Rewritten, lex};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use line::Edits;
pub(crate) use line::{init_place, new_line};
pub use place::parse_pointer_text;

/// A cell of the state: 1, 2, 4 or 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub space: SpaceId,
    /// Address of the first byte.
    pub address: u64,
    /// Type of the value; masks and addresses are unsigned.
    pub ty: ElementType,
}

impl Cell {
    /// Size in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.ty.bytes() as u64
    }
}

/// Maximum number of elements for which a memory fill is expanded to a list when one
/// of them changes. A longer fill is kept and followed by a line for the cell.
const WRITTEN_OUT: u64 = 64;

impl Program {
    /// Rewrites `text`, from which this program was parsed, so that a cell starts with
    /// `bits` and nothing else changes. `spelling` is the value as typed and is kept if
    /// it has the same meaning. `None` for a cell that `.init` cannot set.
    #[must_use]
    pub fn with_start(
        &self,
        text: &str,
        cell: Cell,
        bits: u64,
        spelling: &str,
    ) -> Option<Rewritten> {
        if let Some(rewritten) = self.with_buffer_cell(text, cell, bits) {
            return Some(rewritten);
        }
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
        // The bytes of the cell, grouped by the line that sets them.
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
        Some(edits.finish())
    }

    /// Rewrites the `.buffer` line of a cell, if the buffer is short and no `.init` line
    /// sets the cell.
    fn with_buffer_cell(&self, text: &str, cell: Cell, bits: u64) -> Option<Rewritten> {
        let buffer = self.launch.as_ref()?.buffer_at(cell.address)?;
        let mut owned = (0..cell.bytes()).map(|i| self.owner(cell.space, cell.address + i));
        let is_short = buffer.elements <= WRITTEN_OUT;
        if cell.space != SpaceId::VIRTUAL || !is_short || owned.any(|owner| owner.is_some()) {
            return None;
        }
        let mut bytes = alloc::vec![0; usize::try_from(buffer.bytes()).ok()?];
        let start = self.start.space(SpaceId::VIRTUAL);
        start.read(buffer.address, &mut bytes);
        let offset = usize::try_from(cell.address - buffer.address).ok()?;
        let changed = bytes.get_mut(offset..offset + usize::from(cell.ty.bytes()))?;
        for (byte, new) in changed.iter_mut().zip(bits.to_le_bytes()) {
            *byte = new;
        }
        // An `.init` line may set other elements.
        for (i, byte) in (0..).zip(bytes.iter_mut()) {
            if self.owner(SpaceId::VIRTUAL, buffer.address + i).is_some() {
                *byte = 0;
            }
        }
        buffer.with_bytes(text, &bytes).ok()
    }

    /// Index of the `.init` line that determines the initial value of a byte.
    fn owner(&self, space: SpaceId, address: u64) -> Option<usize> {
        self.inits
            .iter()
            .rposition(|init| place::element_at(self, init, space, address).is_some())
    }
}

/// Bytes of a cell that are set by the same `.init` line, or by none.
#[derive(Clone, Copy, Debug)]
struct CellPart {
    space: SpaceId,
    address: u64,
    bytes: u64,
    /// Their value, little-endian.
    bits: u64,
}

impl CellPart {
    /// A single byte.
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

    /// Appends the following bytes.
    const fn grow(&mut self, next: Self) {
        self.bits |= next.bits << (8 * self.bytes);
        self.bytes += next.bytes;
    }

    /// Replaces the bytes of `value`, located at `address`, that overlap the part.
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

/// Formats bits as a literal: hexadecimal with `hex`, or `spelling` if it has the
/// same meaning.
pub(super) fn literal(bits: u64, ty: ElementType, hex: bool, spelling: &str) -> String {
    // A minus sign among unsigned values would change the type of the list.
    let signs = spelling.starts_with('-') && !ty.is_signed() && !ty.is_float();
    if !spelling.is_empty() && !signs && parse_literal(spelling, ty) == Ok(bits) {
        return String::from(spelling);
    }
    match hex && !ty.is_float() {
        true => format!("{bits:#x}"),
        false => number::literal(bits, ty),
    }
}

/// The lexemes of a line from a position.
fn rest_of_line(lexemes: &[Lexeme], at: u32) -> &[Lexeme] {
    let start = lexemes.partition_point(|l| l.span.start < at);
    let rest = &lexemes[start..];
    let end = rest.iter().position(|l| l.kind == LexemeKind::LineEnd);
    &rest[..end.unwrap_or(rest.len())]
}

/// The end of the line at a position, and whether it has a line break.
fn line_after(text: &str, lexemes: &[Lexeme], at: u32) -> (u32, bool) {
    let start = lexemes.partition_point(|l| l.span.start < at);
    match lexemes[start..]
        .iter()
        .find(|l| l.kind == LexemeKind::LineEnd)
    {
        Some(end) => (end.span.end, true),
        None => (to_u32(text.len()), text.is_empty()),
    }
}

/// The spans of the single values after `=`, and of all of them.
fn value_places(text: &str, lexemes: &[Lexeme], target: Span) -> Option<(Vec<Span>, Span)> {
    let line = rest_of_line(lexemes, target.end);
    let (equals, values) = line.split_first()?;
    if equals.kind != LexemeKind::Punct('=') {
        return None;
    }
    let whole = values.first()?.span.to(values.last()?.span);
    let place = |part: &[Lexeme]| Some(part.first()?.span.to(part.last()?.span));
    let parts = values.split(|l| l.kind == LexemeKind::Punct(','));
    // With a missing value, single values cannot be replaced.
    let spans = parts.map(place).collect::<Option<Vec<Span>>>();
    debug_assert!(to_usize(whole.end) <= text.len());
    Some((spans.unwrap_or_default(), whole))
}
