//! Splits bytes into elements and marks changes.

use lanewise_core::machine::Change;
use lanewise_core::number::{ElementType, low_mask, show};

/// Notation of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation {
    pub(crate) ty: ElementType,
    /// Hexadecimal bits instead of the type's own notation.
    pub(crate) hex: bool,
}

impl Notation {
    pub(crate) fn text(self, bits: u64) -> String {
        if self.hex {
            digits(bits, self.ty)
        } else {
            show(bits, self.ty)
        }
    }

    /// Column width, in characters, that fits most values.
    pub(crate) const fn width(self) -> usize {
        if self.hex {
            return 2 * self.ty.bytes() as usize;
        }
        match self.ty {
            ElementType::Ub => 3,
            ElementType::B => 4,
            ElementType::Uw => 5,
            ElementType::W => 6,
            ElementType::Hf | ElementType::Bf => 7,
            ElementType::F => 10,
            ElementType::Ud => 10,
            ElementType::D => 11,
            ElementType::Uq | ElementType::Q | ElementType::Df => 20,
        }
    }

    /// Length of an element's text in characters.
    pub(crate) fn characters(self, bits: u64) -> usize {
        let digits = |number: u64| number.checked_ilog10().unwrap_or(0) as usize + 1;
        match self.ty {
            _ if self.hex => 2 * usize::from(self.ty.bytes()),
            ElementType::Ub | ElementType::Uw | ElementType::Ud | ElementType::Uq => digits(bits),
            _ => show(bits, self.ty).chars().count(),
        }
    }
}

/// All hexadecimal digits of an element, without a prefix.
pub(crate) fn digits(bits: u64, ty: ElementType) -> String {
    let bits = bits & low_mask(ty.bits());
    format!("{bits:0width$x}", width = usize::from(ty.bytes()) * 2)
}

/// Displayed element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Current value.
    pub(crate) now: String,
    /// Value before the last step if the step wrote the element, even if
    /// unchanged.
    pub(crate) was: Option<String>,
    /// Whether the last step wrote an unchanged value.
    pub(crate) same: bool,
    /// Whether the last step read the element without changing it.
    pub(crate) read: bool,
    pub(crate) bits: u64,
}

/// Decodes up to 8 little-endian bytes.
pub(crate) fn little_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

/// Splits bytes that start at `address` into elements. `changes` are the
/// changes of the last step in this space, in order.
pub(crate) fn cut(bytes: &[u8], address: u64, notation: Notation, changes: &[Change]) -> Vec<Cell> {
    let size = usize::from(notation.ty.bytes());
    let mut at = address;
    bytes
        .chunks(size)
        .map(|chunk| {
            let bits = little_endian(chunk);
            let before = before(chunk, at, changes);
            let was = before.map(|bits| notation.text(bits));
            at = at.wrapping_add(chunk.len() as u64);
            Cell {
                now: notation.text(bits),
                was,
                same: before == Some(bits),
                read: false,
                bits,
            }
        })
        .collect()
}

/// Value of an element before the last step, if the step wrote to it.
fn before(now: &[u8], address: u64, changes: &[Change]) -> Option<u64> {
    let touched = |c: &&Change| c.touches(c.space, address, now.len() as u64);
    let mut old = None;
    // With several writes, the first one recorded the original value.
    for change in changes.iter().rev().filter(touched) {
        let bytes = old.get_or_insert_with(|| now.to_vec());
        for (i, byte) in (0..u64::from(change.bytes)).zip(change.old.to_le_bytes()) {
            let offset = change.address.wrapping_add(i).wrapping_sub(address);
            if let Some(slot) = usize::try_from(offset).ok().and_then(|o| bytes.get_mut(o)) {
                *slot = byte;
            }
        }
    }
    old.map(|bytes| little_endian(&bytes))
}
