//! The operations of ATOM and RED with their supported sizes.

use super::chip::Chip;
use super::size::Size;
use crate::bits::{BitField, SymbolResolver};
use crate::isa::OperationRow;
use crate::isa::rmw::Rmw;
use alloc::string::String;
use alloc::vec::Vec;

/// Properties of an operation.
struct OperationInfo {
    operation: SassOperation,
    /// The four-bit code, or the twelve-bit opcode of CAS.
    code: u16,
    name: &'static str,
    /// The PTX suffix; `None` if PTX does not have the operation.
    ptx: Option<&'static str>,
    sizes: &'static [Size],
    /// The sizes in words.
    types: &'static str,
    formula: &'static str,
}

macro_rules! operations {
    ($($operation:ident $code:literal $name:literal $ptx:expr, $sizes:expr, $types:literal, $formula:literal;)*) => {
        /// Operation of an ATOM or RED. M is the value of the cell.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SassOperation {
            $(#[doc = $formula] $operation,)*
        }

        impl SassOperation {
            /// All of them, in the order of the codes.
            pub const ALL: &'static [Self] = &[$(Self::$operation),*];
        }

        /// The table of the document, in the order of the codes.
        static TABLE: &[OperationInfo] = &[$(OperationInfo {
            operation: SassOperation::$operation,
            code: $code,
            name: $name,
            ptx: $ptx,
            sizes: $sizes,
            types: $types,
            formula: $formula,
        },)*];
    };
}

const SUMS: &[Size] = &[
    Size::U32,
    Size::S32,
    Size::U64,
    Size::F32,
    Size::F16x2,
    Size::F64,
];
const ORDERED: &[Size] = &[Size::U32, Size::S32, Size::U64, Size::S64, Size::F16x2];
const WORDS: &[Size] = &[Size::U32, Size::S32, Size::U64];

operations! {
    Add 0 "ADD" Some("add"), SUMS, "U32 S32 U64 F32.FTZ.RN F16x2 (SM52+) F64.RN (SM60+)", "M + Rb";
    Min 1 "MIN" Some("min"), ORDERED, "U32 S32 U64 S64 F16x2 (SM52+)", "min(M, Rb)";
    Max 2 "MAX" Some("max"), ORDERED, "U32 S32 U64 S64 F16x2 (SM52+)", "max(M, Rb)";
    Inc 3 "INC" Some("inc"), &[Size::U32], "U32", "M >= Rb ? 0 : M + 1";
    Dec 4 "DEC" Some("dec"), &[Size::U32], "U32", "M == 0 or M > Rb ? Rb : M - 1";
    And 5 "AND" Some("and"), WORDS, "U32 S32 U64", "M & Rb";
    Or 6 "OR" Some("or"), WORDS, "U32 S32 U64", "M | Rb";
    Xor 7 "XOR" Some("xor"), WORDS, "U32 S32 U64", "M ^ Rb";
    Exch 8 "EXCH" Some("exch"), WORDS, "U32 S32 U64", "Rb";
    // Not publicly documented; run as a 64-bit INC.
    SafeAdd 10 "SAFEADD" None, &[Size::U64], "U64", "M >= Rb ? 0 : M + 1 (assumed)";
    // Has its own opcode.
    Cas 0xeef "CAS" Some("cas"), WORDS, "U32 S32 U64", "M == Rb ? Rc : M";
}

impl SassOperation {
    /// Whether ptxas emits RED for the operation and size if the result is unused;
    /// otherwise, it emits ATOM with RZ.
    #[must_use]
    pub const fn becomes_red(self, size: Size) -> bool {
        use SassOperation::{Add, Cas, Exch, Max, Min, SafeAdd};
        match size {
            _ if matches!(self, Exch | Cas | SafeAdd) => false,
            Size::U32 => true,
            Size::S32 => matches!(self, Add | Min | Max),
            Size::U64 | Size::F32 | Size::F16x2 | Size::F64 => matches!(self, Add),
            Size::S64 => false,
        }
    }

    /// The PTX suffixes of the operation and size, such as `add.u32`; `None` if ptxas
    /// rejects the combination for these chips.
    #[must_use]
    pub fn ptx(self, size: Size) -> Option<(&'static str, &'static str)> {
        let name = self.row().ptx?;
        let ty = match (self, size) {
            (Self::And | Self::Or | Self::Xor | Self::Exch | Self::Cas, Size::U32) => "b32",
            (Self::And | Self::Or | Self::Xor | Self::Exch | Self::Cas, Size::U64) => "b64",
            (Self::Add | Self::Min | Self::Max | Self::Inc | Self::Dec, Size::U32) => "u32",
            (Self::Add | Self::Min | Self::Max, Size::S32) => "s32",
            (Self::Add | Self::Min | Self::Max, Size::U64) => "u64",
            (Self::Min | Self::Max, Size::S64) => "s64",
            (Self::Add, Size::F32) => "f32",
            (Self::Add, Size::F64) => "f64",
            (Self::Add, Size::F16x2) => "noftz.f16x2",
            _ => return None,
        };
        Some((name, ty))
    }

    fn row(self) -> &'static OperationInfo {
        let row = &TABLE[self as usize];
        debug_assert_eq!(
            row.operation, self,
            "rows are in the order of the operations"
        );
        row
    }

    /// Its name, in capitals.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Finds an operation by name, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|r| name.eq_ignore_ascii_case(r.name));
        row.map(|r| r.operation)
    }

    /// The four-bit code, or the whole opcode of CAS.
    #[must_use]
    pub fn code(self) -> u64 {
        u64::from(self.row().code)
    }

    /// The supported sizes.
    #[must_use]
    pub fn sizes(self) -> &'static [Size] {
        self.row().sizes
    }

    /// Number of data operands: Rb, and Rc for CAS.
    #[must_use]
    pub const fn operands(self) -> u8 {
        if matches!(self, Self::Cas) { 2 } else { 1 }
    }

    /// The arithmetic. Rb is the operand; CAS compares with Rb and stores Rc.
    #[must_use]
    pub const fn rmw(self, size: Size, chip: Chip) -> Rmw {
        let subnormals = size.subnormals(chip);
        match (self, size) {
            (Self::Add, Size::F32) => Rmw::FlushedFloatAdd,
            (Self::Add, Size::F16x2) => Rmw::PairAdd(subnormals),
            (Self::Add, Size::F64) => Rmw::FloatAdd,
            (Self::Add, _) => Rmw::Add,
            (Self::Min, Size::F16x2) => Rmw::PairMin(subnormals),
            (Self::Min, Size::S32 | Size::S64) => Rmw::SignedMin,
            (Self::Min, _) => Rmw::Min,
            (Self::Max, Size::F16x2) => Rmw::PairMax(subnormals),
            (Self::Max, Size::S32 | Size::S64) => Rmw::SignedMax,
            (Self::Max, _) => Rmw::Max,
            // SAFEADD is only described as incrementing the put pointer of a circular
            // queue; it is modeled as INC (assumed).
            (Self::Inc | Self::SafeAdd, _) => Rmw::IncrementTo,
            (Self::Dec, _) => Rmw::DecrementFrom,
            (Self::And, _) => Rmw::And,
            (Self::Or, _) => Rmw::Or,
            (Self::Xor, _) => Rmw::Xor,
            (Self::Exch, _) => Rmw::Exchange,
            (Self::Cas, _) => Rmw::CompareExchange,
        }
    }
}

impl BitField for SassOperation {
    fn to_bits(self) -> u64 {
        self.code()
    }
    fn from_bits(bits: u64) -> Option<Self> {
        // CAS has an opcode instead of a code.
        let mut coded = TABLE.iter().filter(|row| row.code < 16);
        let row = coded.find(|row| u64::from(row.code) == bits);
        row.map(|row| row.operation)
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(self.name())
    }
}

/// Operation-table rows for `operations` that return `returns`.
#[must_use]
pub fn table(operations: &[SassOperation], returns: &'static str) -> Vec<OperationRow> {
    let row = |operation: &SassOperation| {
        let row = operation.row();
        OperationRow {
            code: u64::from(row.code),
            name: row.name,
            assembler: row.name,
            formula: row.formula,
            types: row.types,
            returns,
            messages: "",
        }
    };
    operations.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::sass::size::{SPELLINGS, SizeSpelling};

    #[test]
    fn codes_and_names_are_one_to_one() {
        for row in TABLE {
            assert_eq!(row.operation.name(), row.name);
            assert_eq!(SassOperation::named(row.name), Some(row.operation));
            let back = SassOperation::from_bits(u64::from(row.code));
            assert_eq!(back, (row.code < 16).then_some(row.operation));
        }
        assert_eq!(SassOperation::from_bits(9), None);
        assert_eq!(SassOperation::from_bits(11), None);
        for &size in Size::ALL {
            assert_eq!(Size::from_bits(size.to_bits()), Some(size));
            for chip in Chip::ALL.into_iter().filter(|c| *c >= size.first_chip()) {
                let spelt = SPELLINGS.iter().find(|(s, _)| *s == size.suffix(chip));
                assert_eq!(spelt.map(|s| s.1), Some(SizeSpelling::Size(size)));
            }
        }
        assert_eq!(Size::from_bits(7), None);
    }
}
