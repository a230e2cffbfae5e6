//! The operations of the vISA atomics, from table DWORD_ATOMIC_OP of
//! DWORD_ATOMIC.md, which SVM_ATOMIC.md repeats by number.

use crate::bits::{BitField, SymbolResolver};
use crate::isa::rmw::Rmw;
use crate::isa::rmw_exec::Update;
use alloc::string::String;

/// Operands read by an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceCount {
    /// None: src0 and src1 are the null variable.
    None,
    /// src0 only.
    One,
    /// src0 and src1.
    Two,
}

impl SourceCount {
    /// Number of operands.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::None => 0,
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

impl SourceCount {
    /// Whether src0 and src1 are read.
    #[must_use]
    pub const fn needs(self) -> (bool, bool) {
        match self {
            Self::None => (false, false),
            Self::One => (true, false),
            Self::Two => (true, true),
        }
    }
}

/// Interpretation of cell and operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Unsigned integers: type UD (UQ).
    Unsigned,
    /// Signed integers: type D (Q).
    Signed,
    /// Floats: type F.
    Float,
}

macro_rules! operations {
    ($($name:ident $code:literal $document:literal $assembler:literal $operands:ident
        $numbers:ident $rmw:ident $formula:literal;)*) => {
        /// An atomic operation; the number is its code in bits 4..0.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum VisaOperation {
            $(#[doc = $formula] $name = $code,)*
        }

        impl VisaOperation {
            /// All of them, by code.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The assembler's names with their codes.
            pub const CODES: &'static [(&'static str, u32)] = &[$(($assembler, $code)),*];

            /// Code in bits 4..0 of the operation byte.
            #[must_use]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The document's name, in capitals.
            #[must_use]
            pub const fn document_name(self) -> &'static str {
                match self { $(Self::$name => $document,)* }
            }

            /// The real assembler's name.
            #[must_use]
            pub const fn assembler_name(self) -> &'static str {
                match self { $(Self::$name => $assembler,)* }
            }

            /// Operands it reads.
            #[must_use]
            pub const fn operands(self) -> SourceCount {
                match self { $(Self::$name => SourceCount::$operands,)* }
            }

            /// Interpretation of the bits.
            #[must_use]
            pub const fn numbers(self) -> Numbers {
                match self { $(Self::$name => Numbers::$numbers,)* }
            }

            /// Formula of the new value, as in the document.
            #[must_use]
            pub const fn formula(self) -> &'static str {
                match self { $(Self::$name => $formula,)* }
            }

            /// Its arithmetic.
            #[must_use]
            pub const fn rmw(self) -> Rmw {
                match self { $(Self::$name => Rmw::$rmw,)* }
            }
        }
    };
}

operations! {
    Add     0x00 "ADD"     "add"     One  Unsigned Add       "new = old + src0";
    Sub     0x01 "SUB"     "sub"     One  Unsigned Sub       "new = old - src0";
    Inc     0x02 "INC"     "inc"     None Unsigned Increment "new = old + 1";
    Dec     0x03 "DEC"     "dec"     None Unsigned Decrement "new = old - 1";
    Min     0x04 "MIN"     "min"     One  Unsigned Min       "new = min(old, src0)";
    Max     0x05 "MAX"     "max"     One  Unsigned Max       "new = max(old, src0)";
    Xchg    0x06 "XCHG"    "xchg"    One  Unsigned Exchange  "new = src0";
    Cmpxchg 0x07 "CMPXCHG" "cmpxchg" Two  Unsigned CompareExchange "new = (old == src1) ? src0 : old";
    And     0x08 "AND"     "and"     One  Unsigned And       "new = old & src0";
    Or      0x09 "OR"      "or"      One  Unsigned Or        "new = old | src0";
    Xor     0x0a "XOR"     "xor"     One  Unsigned Xor       "new = old ^ src0";
    Imin    0x0b "IMIN"    "minsint" One  Signed   SignedMin "new = min(old, src0), signed";
    Imax    0x0c "IMAX"    "maxsint" One  Signed   SignedMax "new = max(old, src0), signed";
    Predec  0x0d "PREDEC"  "predec"  None Signed   Decrement "new = old - 1, returned";
    Fmax    0x10 "FMAX"    "fmax"    One  Float    FloatMax  "new = max(old, src0), float";
    Fmin    0x11 "FMIN"    "fmin"    One  Float    FloatMin  "new = min(old, src0), float";
    Fcmpwr  0x12 "FCMPWR"  "fcmpwr"  Two  Float    FloatCompareExchange "new = (src0 == old) ? src1 : old";
    Fadd    0x13 "FADD"    "fadd"    One  Float    FloatAdd  "new = old + src0, float";
    Fsub    0x14 "FSUB"    "fsub"    One  Float    FloatSub  "new = old - src0, float";
}

impl VisaOperation {
    /// The OpenCL C function that compiles to it, and the SPIR-V function in between;
    /// `None` if there is none.
    #[must_use]
    pub const fn source_functions(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Add => ("atomic_fetch_add", "__spirv_AtomicIAdd"),
            Self::Sub => ("atomic_fetch_sub", "__spirv_AtomicISub"),
            Self::Inc => ("atomic_inc", "__spirv_AtomicIIncrement"),
            Self::Dec => ("atomic_dec", "__spirv_AtomicIDecrement"),
            Self::Min => ("atomic_fetch_min", "__spirv_AtomicUMin"),
            Self::Max => ("atomic_fetch_max", "__spirv_AtomicUMax"),
            Self::Xchg => ("atomic_exchange", "__spirv_AtomicExchange"),
            Self::Cmpxchg => (
                "atomic_compare_exchange_strong",
                "__spirv_AtomicCompareExchange",
            ),
            Self::And => ("atomic_fetch_and", "__spirv_AtomicAnd"),
            Self::Or => ("atomic_fetch_or", "__spirv_AtomicOr"),
            Self::Xor => ("atomic_fetch_xor", "__spirv_AtomicXor"),
            Self::Imin => ("atomic_fetch_min", "__spirv_AtomicSMin"),
            Self::Imax => ("atomic_fetch_max", "__spirv_AtomicSMax"),
            Self::Fmax => ("atomic_fetch_max", "__spirv_AtomicFMaxEXT"),
            Self::Fmin => ("atomic_fetch_min", "__spirv_AtomicFMinEXT"),
            Self::Fadd => ("atomic_fetch_add", "__spirv_AtomicFAddEXT"),
            Self::Predec | Self::Fcmpwr | Self::Fsub => return None,
        })
    }

    /// Finds an operation by name in either spelling, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| {
            name.eq_ignore_ascii_case(op.assembler_name())
                || name.eq_ignore_ascii_case(op.document_name())
        })
    }

    /// Whether the documents list it; only the real assembler has `fadd` and `fsub`.
    #[must_use]
    pub const fn is_documented(self) -> bool {
        !matches!(self, Self::Fadd | Self::Fsub)
    }

    /// The read-modify-write. CMPXCHG compares with src1 and stores src0; FCMPWR
    /// compares with src0 and stores src1, as documented in the table and observed in
    /// native code.
    #[must_use]
    pub const fn update(self) -> Update {
        Update {
            rmw: self.rmw(),
            swapped: matches!(self, Self::Fcmpwr),
            returns_new: self.returns_new(),
        }
    }

    /// Whether the new value is returned, which only PREDEC does (table, column "Return
    /// Value").
    #[must_use]
    pub const fn returns_new(self) -> bool {
        matches!(self, Self::Predec)
    }
}

impl BitField for VisaOperation {
    fn to_bits(self) -> u64 {
        u64::from(self.code())
    }

    fn from_bits(bits: u64) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|operation| operation.to_bits() == bits)
    }

    fn meaning(self, _: &dyn SymbolResolver) -> String {
        alloc::format!("{}: {}", self.document_name(), self.formula())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip_and_gaps_are_undefined() {
        for op in VisaOperation::ALL {
            assert_eq!(VisaOperation::from_bits(op.to_bits()), Some(*op));
            assert_eq!(VisaOperation::named(op.document_name()), Some(*op));
            assert_eq!(VisaOperation::named(op.assembler_name()), Some(*op));
        }
        for gap in [0x0e, 0x0f, 0x15, 0x19, 0x1f] {
            assert_eq!(VisaOperation::from_bits(gap), None);
        }
    }
}
