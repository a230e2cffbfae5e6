//! Bytes cut into elements, with what changed.

use lanewise_core::machine::Change;
use lanewise_core::number::{ElementType, low_mask, show};

/// How an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation {
    /// The type of the elements.
    pub(crate) ty: ElementType,
    /// Bits in hexadecimal rather than the type's own notation.
    pub(crate) hex: bool,
}

impl Notation {
    /// The text of an element.
    pub(crate) fn text(self, bits: u64) -> String {
        if self.hex {
            digits(bits, self.ty)
        } else {
            show(bits, self.ty)
        }
    }

    /// Room for most values, in characters.
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

    /// The characters of an element's text.
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

/// How many bytes a row of a grid may have: eight dwords, four, or two.
pub(crate) const ROW_BYTES: [usize; 3] = [32, 16, 8];

/// Where a grid is scrolled to: a row; of a warp, a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScrollTarget {
    /// It is the first in view.
    First(usize),
    /// It is in view, with some before it.
    InView(usize),
}

impl ScrollTarget {
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::First(index) | Self::InView(index) => index,
        }
    }
}

/// The size of the type of a grid's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeSize {
    Px11,
    Px12,
    Px13,
}

impl TypeSize {
    pub(crate) const fn pixels(self) -> u8 {
        match self {
            Self::Px11 => 11,
            Self::Px12 => 12,
            Self::Px13 => 13,
        }
    }

    /// The width of a character in pixels: measured in a common monospaced
    /// font, and rounded up.
    pub(crate) const fn character_width(self) -> f64 {
        match self {
            Self::Px11 => 6.65,
            Self::Px12 => 7.25,
            Self::Px13 => 7.85,
        }
    }
}

/// The rows of a grid that fit into a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowFit {
    /// Bytes of a row: one of [`ROW_BYTES`].
    pub(crate) bytes: usize,
    /// The type of the values.
    pub(crate) type_size: TypeSize,
}

impl RowFit {
    /// The longest rows that fit into `width` pixels, if every `unit` bytes
    /// need `characters` and `gap` pixels, in smaller type rather than shorter.
    /// Eight dwords need what the longest values of the type take, `most`, so
    /// that no step changes that.
    pub(crate) fn of(width: f64, unit: usize, characters: usize, most: usize, gap: f64) -> Self {
        use TypeSize::{Px11, Px12, Px13};
        const CANDIDATES: [(usize, TypeSize); 8] = [
            (32, Px13),
            (32, Px12),
            (32, Px11),
            (16, Px13),
            (16, Px12),
            (16, Px11),
            (8, Px13),
            (8, Px12),
        ];
        let fits = |(bytes, type_size): &(usize, TypeSize)| {
            let characters = match *bytes {
                32 => characters.max(most),
                _ => characters,
            };
            let room = characters as f64 * type_size.character_width() + gap;
            (bytes / unit) as f64 * room <= width
        };
        let (bytes, type_size) = CANDIDATES.into_iter().find(fits).unwrap_or((8, Px11));
        Self { bytes, type_size }
    }
}

/// One element on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Its value.
    pub(crate) now: String,
    /// Its value before the last step, if that wrote it, even with the same
    /// value.
    pub(crate) was: Option<String>,
    /// Whether the last step wrote the value that was there.
    pub(crate) same: bool,
    /// Whether the last step read it and left it as it was.
    pub(crate) read: bool,
    /// Its bits.
    pub(crate) bits: u64,
}

/// Little-endian bytes as a number.
pub(crate) fn little_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

/// Cuts bytes that start at `address` into elements. `changes` are those of
/// the last step in this space, in order.
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

/// What stood in an element before the last step, if that wrote to it.
fn before(now: &[u8], address: u64, changes: &[Change]) -> Option<u64> {
    let touched = |c: &&Change| c.touches(c.space, address, now.len() as u64);
    let mut old = None;
    // The first write of several saw what was there before.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_long_as_their_values_let_them_be() {
        let fit = |width, characters| {
            let RowFit { bytes, type_size } = RowFit::of(width, 4, characters, 10, 6.0);
            (bytes, type_size.pixels())
        };
        assert_eq!(fit(700.0, 8), (32, 13));
        assert_eq!(fit(640.0, 8), (32, 12));
        assert_eq!(fit(600.0, 8), (32, 11));
        assert_eq!(fit(500.0, 2), (16, 13), "values may become longer");
        assert_eq!(fit(400.0, 10), (16, 13), "unsigned");
        assert_eq!(fit(320.0, 11), (16, 11), "signed, in small type");
        assert_eq!(fit(300.0, 11), (8, 13));
        assert_eq!(fit(100.0, 11), (8, 11), "nothing fits");
        assert_eq!(RowFit::of(400.0, 8, 20, 20, 6.0).bytes, 16, "two quadwords");
    }
}
