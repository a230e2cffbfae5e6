//! What the matrix instructions have in common: the instruction, its operands
//! and execution ([`multiply_add`]), the precisions of its elements
//! ([`precision`]), where each element lies ([`layout`]), the operands as they
//! are before it ([`operands`]), the arithmetic ([`dot`]), the account of one
//! element of Dst and of one stage ([`trace`]), the suffix ([`text`]), the rules
//! ([`rules`]), and which EU of a fused pair supplies which register of Src2
//! ([`supply`]).
//!
//! Sources: DPAS.md; DPASW.md for the supply.

pub mod construct;
pub mod dot;
pub mod layout;
pub mod multiply_add;
pub mod operands;
pub mod precision;
pub mod rules;
pub mod supply;
pub mod text;
pub mod trace;

pub use layout::Layout;
pub use multiply_add::{MatrixInstruction, MultiplyAdd, Variant};
pub use operands::MatrixOperands;
pub use precision::{Precision, PrecisionPair};
pub use supply::{Source, Supply};
pub use text::MatrixSuffix;

use crate::isa::Fact;
use crate::rules::Provenance;

/// What decides where elements lie: the execution size, the precisions, the
/// systolic depth and the repeat count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    channels: u8,
    pair: PrecisionPair,
    sd: u8,
    rc: u8,
}

impl Shape {
    /// A shape that can run: an execution size of 8 or 16, a legal pair of
    /// precisions, a depth of 1, 2, 4 or 8, a repeat count of 1 to 8.
    #[must_use]
    pub fn new(channels: u8, w: Precision, a: Precision, sd: u8, rc: u8) -> Option<Self> {
        let pair = PrecisionPair::new(w, a)?;
        let runs =
            matches!(channels, 8 | 16) && matches!(sd, 1 | 2 | 4 | 8) && (1..=8).contains(&rc);
        runs.then_some(Self {
            channels,
            pair,
            sd,
            rc,
        })
    }

    /// N, the channels of a row of Dst: the execution size.
    #[must_use]
    pub const fn channels(self) -> u8 {
        self.channels
    }

    /// Bytes of a register: one dword for every channel.
    #[must_use]
    pub const fn grf_bytes(self) -> u8 {
        self.channels * 4
    }

    /// The precisions.
    #[must_use]
    pub const fn pair(self) -> PrecisionPair {
        self.pair
    }

    /// The systolic depth: stages of each repeat.
    #[must_use]
    pub const fn sd(self) -> u8 {
        self.sd
    }

    /// M, the repeat count: rows of Dst, Src0 and Src2.
    #[must_use]
    pub const fn rc(self) -> u8 {
        self.rc
    }

    /// K, the products of each element of Dst: depth × OPS_PER_CHAN.
    #[must_use]
    pub const fn k(self) -> u8 {
        self.sd * self.pair.ops()
    }

    /// How many registers of Src1 the instruction reads on each EU.
    #[must_use]
    pub const fn src1_registers(self) -> u8 {
        self.sd.div_ceil(self.pair.src1_operands())
    }

    /// Bytes of one row of Src2: K elements, at most 32.
    #[must_use]
    pub const fn row_bytes(self) -> u8 {
        self.sd * (self.pair.ops() * self.pair.a().bits() / 8)
    }

    /// Bytes of Src2: its rows without a gap.
    #[must_use]
    pub const fn src2_bytes(self) -> u16 {
        self.row_bytes() as u16 * self.rc as u16
    }
}

// What the documents and tools say of both matrix instructions.

/// The pseudo-code, after a first line that says where Src2 comes from.
#[must_use]
pub const fn pseudo_code(src2: &'static str) -> [&'static str; 8] {
    [
        src2,
        "k = 0; for each repeat r below RC:",
        "  temp = Src0.R[r], or 0 where Src0 is null",
        "  for each depth stage d below SD:",
        "    for each channel i:",
        "      temp.DW[i] += OPS_PER_CHAN products of Src1 (stage d, channel i) and Src2 (from k)",
        "    k = k + OPS_PER_CHAN",
        "  Dst.R[r] = temp",
    ]
}

/// How integers add up.
pub const INTEGERS: Fact = Fact {
    mark: Provenance::Observed,
    text: "Sums of integers wrap at 32 bits. Elements of less than 8 bits lie lowest bits first.",
};

/// How floats add up.
pub const FLOATS: Fact = Fact {
    mark: Provenance::Observed,
    text: "Floats: each product is rounded to F and added in the order of k, to nearest even, subnormals kept, as Intel's CPU emulation does. The document fixes no order; another one may give other last bits. A result that is not a number is 0x7fc00000 (assumed).",
};

/// When operands are read.
pub const READ_FIRST: Fact = Fact {
    mark: Provenance::Assumed,
    text: "All operands are read before Dst is written: the document defines D = C + A × B. Read literally the pseudo-code would let later rows see earlier ones where Dst lies upon a source.",
};
