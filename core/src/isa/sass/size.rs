//! The sizes of ATOM: what each chip can encode, how it calls them, and how
//! they may be written.

use super::chip::Chip;
use crate::bits::{BitField, SymbolResolver};
use crate::isa::rmw::{Subnormals, Width};
use crate::number::ElementType;
use alloc::string::String;
use alloc::vec::Vec;

/// The size and type of the cell, by its three bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// 32 bits, unsigned: the default.
    U32,
    /// 32 bits, signed.
    S32,
    /// 64 bits, unsigned.
    U64,
    /// A float; subnormals are zeros, rounded to nearest even.
    F32,
    /// Code 4: two halves, each by itself, from SM52 on. On SM50 the code has
    /// the name `.U128`, which is illegal.
    F16x2,
    /// 64 bits, signed.
    S64,
    /// A double, from SM60 on.
    F64,
}

impl Size {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 7] = [
        Self::U32,
        Self::S32,
        Self::U64,
        Self::F32,
        Self::F16x2,
        Self::S64,
        Self::F64,
    ];

    /// The suffix by which a chip calls it; none for the default.
    #[must_use]
    pub const fn suffix(self, chip: Chip) -> &'static str {
        match (self, chip) {
            (Self::U32, _) => "",
            (Self::S32, _) => ".S32",
            (Self::U64, _) => ".U64",
            (Self::F32, _) => ".F32.FTZ.RN",
            (Self::F16x2, Chip::Sm50) => ".U128",
            (Self::F16x2, Chip::Sm52 | Chip::Sm53) => ".F16x2.FTZ.RN",
            (Self::F16x2, _) => ".F16x2.RN",
            (Self::S64, _) => ".S64",
            (Self::F64, _) => ".F64.RN",
        }
    }

    /// The first chip that can encode it.
    #[must_use]
    pub const fn first_chip(self) -> Chip {
        match self {
            Self::F16x2 => Chip::Sm52,
            Self::F64 => Chip::Sm60,
            _ => Chip::Sm50,
        }
    }

    /// Width of the cell.
    #[must_use]
    pub const fn width(self) -> Width {
        match self {
            Self::U64 | Self::S64 | Self::F64 => Width::W64,
            _ => Width::W32,
        }
    }

    /// What happens to subnormal halves.
    #[must_use]
    pub const fn subnormals(self, chip: Chip) -> Subnormals {
        match (self, chip) {
            (Self::F16x2, Chip::Sm50 | Chip::Sm52 | Chip::Sm53) => Subnormals::Flushed,
            _ => Subnormals::Kept,
        }
    }

    /// The element type in which cells and operands are shown.
    #[must_use]
    pub const fn shown_as(self) -> ElementType {
        match self {
            Self::U32 | Self::F16x2 => ElementType::Ud,
            Self::S32 => ElementType::D,
            Self::U64 => ElementType::Uq,
            Self::F32 => ElementType::F,
            Self::S64 => ElementType::Q,
            Self::F64 => ElementType::Df,
        }
    }
}

impl BitField for Size {
    fn to_bits(self) -> u64 {
        match self {
            Self::U32 => 0,
            Self::S32 => 1,
            Self::U64 => 2,
            Self::F32 => 3,
            Self::F16x2 => 4,
            Self::S64 => 5,
            Self::F64 => 6,
        }
    }
    fn from_bits(bits: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(bits).ok()?).copied()
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let name = match self {
            Self::U32 => "U32",
            Self::F16x2 => "F16x2",
            // From SM60 on the long names are those of all chips.
            other => other.suffix(Chip::Sm60).trim_start_matches('.'),
        };
        String::from(name)
    }
}

/// How a size may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeSpelling {
    /// As one of the sizes.
    Size(Size),
    /// `.U128` or `.128`: named, and illegal.
    U128,
}

/// The spellings that a suffix may have, without the dot, for its schema.
#[must_use]
pub fn words() -> Vec<(&'static str, String)> {
    let spellings = SPELLINGS.iter();
    let words = spellings.filter_map(|(spelling, _)| spelling.strip_prefix('.'));
    words
        .map(|word| (word, String::from("size of the cell")))
        .collect()
}

/// Every spelling of a size.
pub const SPELLINGS: [(&str, SizeSpelling); 13] = [
    (".U32", SizeSpelling::Size(Size::U32)),
    (".32", SizeSpelling::Size(Size::U32)),
    (".S32", SizeSpelling::Size(Size::S32)),
    (".U64", SizeSpelling::Size(Size::U64)),
    (".64", SizeSpelling::Size(Size::U64)),
    (".S64", SizeSpelling::Size(Size::S64)),
    (".F32.FTZ.RN", SizeSpelling::Size(Size::F32)),
    (".F16x2.FTZ.RN", SizeSpelling::Size(Size::F16x2)),
    (".F16x2.RN", SizeSpelling::Size(Size::F16x2)),
    (".F64.RN", SizeSpelling::Size(Size::F64)),
    (".U128", SizeSpelling::U128),
    (".128", SizeSpelling::U128),
    ("", SizeSpelling::Size(Size::U32)),
];
