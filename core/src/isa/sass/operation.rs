//! The operations of ATOM and RED with their supported sizes.

use super::chip::Chip;
use super::size::Size;
use crate::bits::{BitField, SymbolResolver};
use crate::isa::OperationRow;
use crate::isa::rmw::Rmw;
use alloc::string::String;
use alloc::vec::Vec;

/// Operation of an ATOM or RED. M is the value of the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SassOperation {
    /// M + Rb.
    Add,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// Counts up to Rb, then wraps to 0.
    Inc,
    /// Counts down to 0, then wraps to Rb.
    Dec,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Rb.
    Exch,
    /// Not publicly documented; run as a 64-bit INC.
    SafeAdd,
    /// Rc if M equals Rb. Has its own opcode.
    Cas,
}

/// Properties of an operation.
struct OperationInfo {
    operation: SassOperation,
    /// The four-bit code, or the twelve-bit opcode of CAS.
    code: u16,
    name: &'static str,
    sizes: &'static [Size],
    formula: &'static str,
}

const WORDS: &[Size] = &[Size::U32, Size::S32, Size::U64];
const ORDERED: &[Size] = &[Size::U32, Size::S32, Size::U64, Size::S64, Size::F16x2];

/// The table of the document, in the order of the codes.
static TABLE: [OperationInfo; 11] = [
    OperationInfo {
        operation: SassOperation::Add,
        code: 0,
        name: "ADD",
        sizes: &[
            Size::U32,
            Size::S32,
            Size::U64,
            Size::F32,
            Size::F16x2,
            Size::F64,
        ],
        formula: "M + Rb",
    },
    OperationInfo {
        operation: SassOperation::Min,
        code: 1,
        name: "MIN",
        sizes: ORDERED,
        formula: "min(M, Rb)",
    },
    OperationInfo {
        operation: SassOperation::Max,
        code: 2,
        name: "MAX",
        sizes: ORDERED,
        formula: "max(M, Rb)",
    },
    OperationInfo {
        operation: SassOperation::Inc,
        code: 3,
        name: "INC",
        sizes: &[Size::U32],
        formula: "M >= Rb ? 0 : M + 1",
    },
    OperationInfo {
        operation: SassOperation::Dec,
        code: 4,
        name: "DEC",
        sizes: &[Size::U32],
        formula: "M == 0 or M > Rb ? Rb : M - 1",
    },
    OperationInfo {
        operation: SassOperation::And,
        code: 5,
        name: "AND",
        sizes: WORDS,
        formula: "M & Rb",
    },
    OperationInfo {
        operation: SassOperation::Or,
        code: 6,
        name: "OR",
        sizes: WORDS,
        formula: "M | Rb",
    },
    OperationInfo {
        operation: SassOperation::Xor,
        code: 7,
        name: "XOR",
        sizes: WORDS,
        formula: "M ^ Rb",
    },
    OperationInfo {
        operation: SassOperation::Exch,
        code: 8,
        name: "EXCH",
        sizes: WORDS,
        formula: "Rb",
    },
    OperationInfo {
        operation: SassOperation::SafeAdd,
        code: 10,
        name: "SAFEADD",
        sizes: &[Size::U64],
        formula: "M >= Rb ? 0 : M + 1 (assumed)",
    },
    OperationInfo {
        operation: SassOperation::Cas,
        code: 0xeef,
        name: "CAS",
        sizes: WORDS,
        formula: "M == Rb ? Rc : M",
    },
];

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
    pub const fn ptx(self, size: Size) -> Option<(&'static str, &'static str)> {
        let name = match self {
            Self::Add => "add",
            Self::Min => "min",
            Self::Max => "max",
            Self::Inc => "inc",
            Self::Dec => "dec",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Exch => "exch",
            Self::Cas => "cas",
            Self::SafeAdd => return None,
        };
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

    /// All of them, in the order of the codes.
    pub const ALL: [Self; 11] = [
        Self::Add,
        Self::Min,
        Self::Max,
        Self::Inc,
        Self::Dec,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Exch,
        Self::SafeAdd,
        Self::Cas,
    ];

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
        // Code 9 is undefined, so SAFEADD is the tenth row; CAS has no code.
        let index = match bits {
            0..=8 => bits,
            10 => 9,
            _ => return None,
        };
        let row = TABLE.get(usize::try_from(index).ok()?);
        row.map(|r| r.operation)
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
            types: match row.operation {
                SassOperation::Add => "U32 S32 U64 F32.FTZ.RN F16x2 (SM52+) F64.RN (SM60+)",
                SassOperation::Min | SassOperation::Max => "U32 S32 U64 S64 F16x2 (SM52+)",
                SassOperation::Inc | SassOperation::Dec => "U32",
                SassOperation::SafeAdd => "U64",
                _ => "U32 S32 U64",
            },
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
        for row in &TABLE {
            assert_eq!(row.operation.name(), row.name);
            assert_eq!(SassOperation::named(row.name), Some(row.operation));
            let back = SassOperation::from_bits(u64::from(row.code));
            assert_eq!(back, (row.code < 16).then_some(row.operation));
        }
        assert_eq!(SassOperation::from_bits(9), None);
        assert_eq!(SassOperation::from_bits(11), None);
        for size in Size::ALL {
            assert_eq!(Size::from_bits(size.to_bits()), Some(size));
            for chip in Chip::ALL.into_iter().filter(|c| *c >= size.first_chip()) {
                let spelt = SPELLINGS.iter().find(|(s, _)| *s == size.suffix(chip));
                assert_eq!(spelt.map(|s| s.1), Some(SizeSpelling::Size(size)));
            }
        }
        assert_eq!(Size::from_bits(7), None);
    }
}
