//! Cell sizes: encoding, chip support and spellings.

use super::chip::Chip;
use crate::bits::{BitField, SymbolResolver};
use crate::isa::rmw::{Subnormals, Width};
use crate::number::ElementType;
use alloc::string::String;
use alloc::vec::Vec;

macro_rules! sizes {
    ($($(#[doc = $doc:literal])+ $size:ident $first:ident $width:ident $ty:ident;)*) => {
        /// Size and type of the cell; the number is its code of three bits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Size {
            $($(#[doc = $doc])+ $size,)*
        }

        impl Size {
            /// All of them, in the order of their codes.
            pub const ALL: &'static [Self] = &[$(Self::$size),*];

            /// The first chip that supports it.
            #[must_use]
            pub const fn first_chip(self) -> Chip {
                match self { $(Self::$size => Chip::$first,)* }
            }

            /// Width of the cell.
            #[must_use]
            pub const fn width(self) -> Width {
                match self { $(Self::$size => Width::$width,)* }
            }

            /// Type in which cells and operands are displayed.
            #[must_use]
            pub const fn display_type(self) -> ElementType {
                match self { $(Self::$size => ElementType::$ty,)* }
            }
        }
    };
}

sizes! {
    /// 32 bits, unsigned: the default.
    U32 Sm50 W32 Ud;
    /// 32 bits, signed.
    S32 Sm50 W32 D;
    /// 64 bits, unsigned.
    U64 Sm50 W64 Uq;
    /// A float: flushes subnormals, rounds to nearest even.
    F32 Sm50 W32 F;
    /// Two separate halves, from SM52. On SM50, the code is called `.U128` and is illegal.
    F16x2 Sm52 W32 Ud;
    /// 64 bits, signed.
    S64 Sm50 W64 Q;
    /// A double, from SM60.
    F64 Sm60 W64 Df;
}

impl Size {
    /// The chip's name of the suffix; empty for the default.
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

    /// Treatment of subnormal halves.
    #[must_use]
    pub const fn subnormals(self, chip: Chip) -> Subnormals {
        match (self, chip) {
            (Self::F16x2, Chip::Sm50 | Chip::Sm52 | Chip::Sm53) => Subnormals::Flushed,
            _ => Subnormals::Kept,
        }
    }
}

impl BitField for Size {
    fn to_bits(self) -> u64 {
        self as u64
    }
    fn from_bits(bits: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(bits).ok()?).copied()
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let name = match self {
            Self::U32 => "U32",
            Self::F16x2 => "F16x2",
            // The long names are the same on all chips from SM60.
            other => other.suffix(Chip::Sm60).trim_start_matches('.'),
        };
        String::from(name)
    }
}

/// Meaning of a size suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeSpelling {
    /// One of the sizes.
    Size(Size),
    /// `.U128` or `.128`, which are illegal.
    U128,
}

/// All legal spellings without the dot, for the schema.
#[must_use]
pub fn words() -> Vec<(&'static str, String)> {
    let spellings = SPELLINGS.iter();
    let words = spellings.filter_map(|(spelling, _)| spelling.strip_prefix('.'));
    words
        .map(|word| (word, String::from("size and type of the cells")))
        .collect()
}

/// All spellings of sizes.
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
