//! The precisions of Src1 (W) and Src2 (A), and which pairs are legal.
//!
//! Source: DPAS.md, "all operand precisions" and "All legal combinations".

use crate::bits::{BitField, SymbolResolver};
use crate::isa::visa::platform::Features;
use alloc::format;
use alloc::string::String;

/// Precision of the elements of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Unsigned, 1 bit.
    U1,
    /// Signed, 1 bit.
    S1,
    /// Unsigned, 2 bits.
    U2,
    /// Signed, 2 bits.
    S2,
    /// Unsigned, 4 bits.
    U4,
    /// Signed, 4 bits.
    S4,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    S8,
    /// bfloat16.
    Bf,
    /// Half float.
    Hf,
    /// 1-5-2, the upper byte of a half.
    Bf8,
    /// tf32: the upper 19 bits of a float. DPAS.md gives it the code 0x0b; the
    /// real tool reads and writes 0x0c.
    Tf32,
    /// 1-4-3, without infinities.
    Hf8,
    /// 1-2-1, without infinities and NaNs.
    E2m1,
}

impl Precision {
    /// All of them with their codes and names, in the order of the codes.
    ///
    /// Source: DPAS.md; IGC, visa/include/visa_igc_common_header.h, for those that later
    /// platforms add.
    const TABLE: [(Self, u8, &'static str); 14] = [
        (Self::U1, 1, "u1"),
        (Self::S1, 2, "s1"),
        (Self::U2, 3, "u2"),
        (Self::S2, 4, "s2"),
        (Self::U4, 5, "u4"),
        (Self::S4, 6, "s4"),
        (Self::U8, 7, "u8"),
        (Self::S8, 8, "s8"),
        (Self::Bf, 9, "bf"),
        (Self::Hf, 10, "hf"),
        (Self::Bf8, 11, "bf8"),
        (Self::Tf32, 12, "tf32"),
        (Self::Hf8, 14, "hf8"),
        (Self::E2m1, 15, "e2m1"),
    ];

    /// Precisions that can run in some pair, integers first.
    pub const RUNNABLE: [Self; 12] = [
        Self::U2,
        Self::S2,
        Self::U4,
        Self::S4,
        Self::U8,
        Self::S8,
        Self::Bf,
        Self::Hf,
        Self::Tf32,
        Self::Bf8,
        Self::Hf8,
        Self::E2m1,
    ];

    /// [`Self::RUNNABLE`] before PVC: integers, bf and hf.
    pub const BEFORE_TF32: [Self; 8] =
        *(Self::RUNNABLE.first_chunk()).expect("there are more than 8 precisions");

    fn row(self) -> (Self, u8, &'static str) {
        let found = Self::TABLE.into_iter().find(|(p, ..)| *p == self);
        found.expect("the table has every precision")
    }

    /// Name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// Finds a precision by name, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::TABLE.into_iter();
        all.find(|(.., known)| known.eq_ignore_ascii_case(name))
            .map(|(precision, ..)| precision)
    }

    /// Bits of an element in a register; tf32 leaves the lowest 13 of 32 bits unused.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::U1 | Self::S1 => 1,
            Self::U2 | Self::S2 => 2,
            Self::U4 | Self::S4 | Self::E2m1 => 4,
            Self::U8 | Self::S8 | Self::Bf8 | Self::Hf8 => 8,
            Self::Bf | Self::Hf => 16,
            Self::Tf32 => 32,
        }
    }

    /// Whether elements are floating-point numbers.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Bf | Self::Hf | Self::Tf32) || self.is_narrow_float()
    }

    /// Whether elements are floating-point numbers of 8 or 4 bits.
    #[must_use]
    pub const fn is_narrow_float(self) -> bool {
        matches!(self, Self::Bf8 | Self::Hf8 | Self::E2m1)
    }

    /// Whether a platform with matrices has the precision.
    #[must_use]
    pub const fn is_on(self, features: &Features) -> bool {
        match self {
            Self::Tf32 => features.tf32,
            Self::Bf8 | Self::Hf8 | Self::E2m1 => features.narrow_floats,
            _ => true,
        }
    }

    /// Whether elements are signed integers.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::S1 | Self::S2 | Self::S4 | Self::S8)
    }
}

impl BitField for Precision {
    fn to_bits(self) -> u64 {
        u64::from(self.row().1)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        let mut all = Self::TABLE.into_iter();
        all.find(|(_, code, _)| u64::from(*code) == bits)
            .map(|(precision, ..)| precision)
    }

    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let sign = match self {
            _ if self.is_float() => "float",
            _ if self.is_signed() => "signed",
            _ => "unsigned",
        };
        format!("{}: {sign}, {} bits", self.name(), self.bits())
    }
}

/// OPS_PER_CHAN as in DPAS.md, also for illegal pairs: 1 if Src1 is tf32 (in the
/// text, omitted in the pseudo-code), 2 if it has 16 bits, 4 if either source has 8
/// bits, and 8 otherwise.
#[must_use]
pub const fn ops_per_chan(w: Precision, a: Precision) -> u8 {
    match (w.bits(), a.bits()) {
        (32, _) => 1,
        (16, _) => 2,
        (8, _) | (_, 8) => 4,
        _ => 8,
    }
}

/// Column of the document's table, by bits of an element of Src2 × OPS_PER_CHAN: 32,
/// 16 or 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// A row of Src2 fills a register.
    Whole,
    /// A row of Src2 fills half a register.
    Half,
    /// A row of Src2 fills a quarter of a register.
    Quarter,
}

impl Column {
    /// All columns from left to right.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Half, Self::Quarter];

    /// The heading of the column.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Whole => "bf, hf; 8-bit & OPS_PER_CHAN=4; 4-bit & OPS_PER_CHAN=8",
            Self::Half => "4-bit & OPS_PER_CHAN=4; 2-bit & OPS_PER_CHAN=8",
            Self::Quarter => "2-bit & OPS_PER_CHAN=4",
        }
    }
}

/// A legal pair of precisions: both integers of 2, 4 or 8 bits, both floats of 8 bits, or
/// twice the same float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrecisionPair {
    w: Precision,
    a: Precision,
}

impl PrecisionPair {
    /// Creates a pair; `None` if it is illegal.
    #[must_use]
    pub fn new(w: Precision, a: Precision) -> Option<Self> {
        let integer = |p: Precision| !p.is_float() && p.bits() > 1;
        let byte_float = |p: Precision| p.is_float() && p.bits() == 8;
        let floats = w == a && w.is_float() || byte_float(w) && byte_float(a);
        (integer(w) && integer(a) || floats).then_some(Self { w, a })
    }

    /// The precision of Src1.
    #[must_use]
    pub const fn w(self) -> Precision {
        self.w
    }

    /// The precision of Src2.
    #[must_use]
    pub const fn a(self) -> Precision {
        self.a
    }

    /// Whether all operands are floating-point.
    #[must_use]
    pub const fn is_float(self) -> bool {
        self.w.is_float()
    }

    /// OPS_PER_CHAN: products added per channel and stage.
    #[must_use]
    pub const fn ops(self) -> u8 {
        ops_per_chan(self.w, self.a)
    }

    /// SRC1_OPERANDS_PER_CHAN: stages per dword of Src1.
    #[must_use]
    pub const fn src1_operands(self) -> u8 {
        32 / (self.ops() * self.w.bits())
    }

    /// The column in the document's table.
    #[must_use]
    pub const fn column(self) -> Column {
        match self.ops() * self.a.bits() {
            32 => Column::Whole,
            16 => Column::Half,
            _ => Column::Quarter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn there_are_44_legal_pairs_and_each_has_a_column() {
        let all = || Precision::TABLE.into_iter().map(|(p, ..)| p);
        let pairs: Vec<PrecisionPair> = all()
            .flat_map(|w| all().filter_map(move |a| PrecisionPair::new(w, a)))
            .collect();
        assert_eq!(pairs.len(), 44);
        for pair in pairs {
            let bits = pair.ops() * pair.a().bits();
            assert!([8, 16, 32].contains(&bits), "{pair:?}");
            assert!([1, 2, 4].contains(&pair.src1_operands()), "{pair:?}");
        }
    }

    #[test]
    fn codes_and_names_round_trip() {
        for (precision, code, name) in Precision::TABLE {
            assert_eq!(Precision::from_bits(u64::from(code)), Some(precision));
            assert_eq!(precision.to_bits(), u64::from(code));
            assert_eq!(Precision::named(&name.to_uppercase()), Some(precision));
        }
        for code in [0, 13, 16, 255] {
            assert_eq!(Precision::from_bits(code), None);
        }
    }
}
