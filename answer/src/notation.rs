//! Notation of elements.

use alloc::format;
use alloc::string::String;
use lanewise_core::number::{ElementType, low_mask, show};

/// Notation of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    pub ty: ElementType,
    /// Hexadecimal bits instead of the type's own notation.
    pub hex: bool,
}

impl Notation {
    #[must_use]
    pub fn text(self, bits: u64) -> String {
        match (self.hex, self.ty.bytes()) {
            (false, _) => show(bits, self.ty),
            // Bytes are a dump, without prefixes.
            (true, 1) => digits(bits, self.ty),
            (true, _) => format!("0x{}", digits(bits, self.ty)),
        }
    }

    /// Column width, in characters, that fits most values.
    #[must_use]
    pub const fn width(self) -> usize {
        if self.hex {
            let bytes = self.ty.bytes() as usize;
            return if bytes == 1 { 2 } else { 2 + 2 * bytes };
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
}

/// All hexadecimal digits of an element, without a prefix.
#[must_use]
pub fn digits(bits: u64, ty: ElementType) -> String {
    let bits = bits & low_mask(ty.bits());
    format!("{bits:0width$x}", width = usize::from(ty.bytes()) * 2)
}
