//! The operations of ATOM and the sizes they take: which pairs are legal,
//! what each chip can encode and how it calls it.

use super::chip::Chip;
use crate::bits::{Code, Naming};
use crate::isa::OperationRow;
use crate::isa::rmw::{Rmw, Subnormals, Width};
use crate::number::ElementType;
use alloc::string::String;
use alloc::vec::Vec;

/// What an ATOM does to its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// M + Rb.
    Add,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// Counts up to Rb, then starts at 0 again.
    Inc,
    /// Counts down to 0, then starts at Rb again.
    Dec,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Rb.
    Exch,
    /// Nobody outside says; taken as INC of 64 bits.
    SafeAdd,
    /// Rc where M equals Rb. Has an opcode of its own.
    Cas,
}

/// What is known of an operation.
struct Row {
    operation: Operation,
    /// Its four bits; the opcode's twelve of CAS.
    code: u16,
    name: &'static str,
    sizes: &'static [Size],
    formula: &'static str,
}

const WORDS: &[Size] = &[Size::U32, Size::S32, Size::U64];
const ORDERED: &[Size] = &[Size::U32, Size::S32, Size::U64, Size::S64, Size::F16x2];

/// The table of the document, in the order of the codes.
static TABLE: [Row; 11] = [
    Row {
        operation: Operation::Add,
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
    Row {
        operation: Operation::Min,
        code: 1,
        name: "MIN",
        sizes: ORDERED,
        formula: "min(M, Rb)",
    },
    Row {
        operation: Operation::Max,
        code: 2,
        name: "MAX",
        sizes: ORDERED,
        formula: "max(M, Rb)",
    },
    Row {
        operation: Operation::Inc,
        code: 3,
        name: "INC",
        sizes: &[Size::U32],
        formula: "M >= Rb ? 0 : M + 1",
    },
    Row {
        operation: Operation::Dec,
        code: 4,
        name: "DEC",
        sizes: &[Size::U32],
        formula: "M == 0 or M > Rb ? Rb : M - 1",
    },
    Row {
        operation: Operation::And,
        code: 5,
        name: "AND",
        sizes: WORDS,
        formula: "M & Rb",
    },
    Row {
        operation: Operation::Or,
        code: 6,
        name: "OR",
        sizes: WORDS,
        formula: "M | Rb",
    },
    Row {
        operation: Operation::Xor,
        code: 7,
        name: "XOR",
        sizes: WORDS,
        formula: "M ^ Rb",
    },
    Row {
        operation: Operation::Exch,
        code: 8,
        name: "EXCH",
        sizes: WORDS,
        formula: "Rb",
    },
    Row {
        operation: Operation::SafeAdd,
        code: 10,
        name: "SAFEADD",
        sizes: &[Size::U64],
        formula: "M >= Rb ? 0 : M + 1 (assumed)",
    },
    Row {
        operation: Operation::Cas,
        code: 0xeef,
        name: "CAS",
        sizes: WORDS,
        formula: "M == Rb ? Rc : M",
    },
];

impl Operation {
    fn row(self) -> &'static Row {
        let [add, ..] = &TABLE;
        TABLE.iter().find(|r| r.operation == self).unwrap_or(add)
    }

    /// Its name, in capitals.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The operation of a name, whatever its case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|r| name.eq_ignore_ascii_case(r.name));
        row.map(|r| r.operation)
    }

    /// All names, in the order of the codes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|r| r.name)
    }

    /// Its code: four bits, or the whole opcode of CAS.
    #[must_use]
    pub fn code(self) -> u64 {
        u64::from(self.row().code)
    }

    /// The sizes that it takes.
    #[must_use]
    pub fn sizes(self) -> &'static [Size] {
        self.row().sizes
    }

    /// How many data operands it takes: Rb, and Rc for CAS.
    #[must_use]
    pub const fn operands(self) -> u8 {
        if matches!(self, Self::Cas) { 2 } else { 1 }
    }

    /// The arithmetic, with Rb as its operand (CAS: Rc, compared with Rb).
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
            // SAFEADD is said to increment the put pointer of a circular
            // queue, and nothing more: the model is INC (assumed).
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

impl Code for Operation {
    fn to_bits(self) -> u64 {
        self.code()
    }
    fn from_bits(bits: u64) -> Option<Self> {
        // CAS has no code here.
        let row = TABLE.iter().find(|r| u64::from(r.code) == bits);
        row.map(|r| r.operation).filter(|_| bits < 16)
    }
    fn meaning(self, _: &dyn Naming) -> String {
        String::from(self.name())
    }
}

/// The operation table, for readers.
#[must_use]
pub fn operation_table() -> Vec<OperationRow> {
    let row = |row: &Row| OperationRow {
        code: u64::from(row.code),
        name: row.name,
        assembler: row.name,
        formula: row.formula,
        types: match row.operation {
            Operation::Add => "U32 S32 U64 F32.FTZ.RN F16x2 (SM52+) F64.RN (SM60+)",
            Operation::Min | Operation::Max => "U32 S32 U64 S64 F16x2 (SM52+)",
            Operation::Inc | Operation::Dec => "U32",
            Operation::SafeAdd => "U64",
            _ => "U32 S32 U64",
        },
        returns: "old",
    };
    TABLE.iter().map(row).collect()
}

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

    const fn subnormals(self, chip: Chip) -> Subnormals {
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

impl Code for Size {
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
    fn meaning(self, _: &dyn Naming) -> String {
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
pub enum Written {
    /// As one of the sizes.
    Size(Size),
    /// `.U128` or `.128`: named, and illegal.
    U128,
}

/// Every spelling of a size.
pub const SPELLINGS: [(&str, Written); 13] = [
    (".U32", Written::Size(Size::U32)),
    (".32", Written::Size(Size::U32)),
    (".S32", Written::Size(Size::S32)),
    (".U64", Written::Size(Size::U64)),
    (".64", Written::Size(Size::U64)),
    (".S64", Written::Size(Size::S64)),
    (".F32.FTZ.RN", Written::Size(Size::F32)),
    (".F16x2.FTZ.RN", Written::Size(Size::F16x2)),
    (".F16x2.RN", Written::Size(Size::F16x2)),
    (".F64.RN", Written::Size(Size::F64)),
    (".U128", Written::U128),
    (".128", Written::U128),
    ("", Written::Size(Size::U32)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_one_to_one() {
        for row in &TABLE {
            assert_eq!(Operation::named(row.name), Some(row.operation));
            let back = Operation::from_bits(u64::from(row.code));
            assert_eq!(back, (row.code < 16).then_some(row.operation));
        }
        assert_eq!(Operation::from_bits(9), None);
        assert_eq!(Operation::from_bits(11), None);
        for size in Size::ALL {
            assert_eq!(Size::from_bits(size.to_bits()), Some(size));
            for chip in Chip::ALL.into_iter().filter(|c| *c >= size.first_chip()) {
                let spelt = SPELLINGS.iter().find(|(s, _)| *s == size.suffix(chip));
                assert_eq!(spelt.map(|s| s.1), Some(Written::Size(size)));
            }
        }
        assert_eq!(Size::from_bits(7), None);
    }
}
