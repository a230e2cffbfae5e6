//! The matrix instructions: execution ([`multiply_add`]),
//! element precisions ([`precision`]) and placement ([`layout`]), latched
//! operands ([`operands`]), arithmetic ([`dot`]), traces of single elements and
//! stages ([`trace`]), the suffix ([`text`]), rules ([`rules`]), and the EU of a
//! fused pair that supplies each register of Src2 ([`supply`]).
//!
//! Sources: DPAS.md; DPASW.md for the supply.

pub mod construct;
pub mod dot;
pub mod layout;
pub mod multiply_add;
pub mod operands;
pub mod precision;
pub mod rules;
mod suffix;
pub mod supply;
pub mod text;
pub mod trace;

pub use layout::Layout;
pub use multiply_add::{MultiplyAdd, Variant};
pub use operands::MatrixOperands;
pub use precision::{Precision, PrecisionPair};
pub use supply::{Source, Supply};
pub use text::MatrixSuffix;

use crate::isa::Fact;

/// The parameters that determine element placement: execution size, precisions,
/// systolic depth and repeat count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    channels: u8,
    pair: PrecisionPair,
    sd: u8,
    rc: u8,
}

impl Shape {
    /// Creates a shape that can run: execution size 8 or 16, a legal pair of
    /// precisions, depth 1, 2, 4 or 8, and repeat count 1 to 8.
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

    /// Bytes of a register: one dword per channel.
    #[must_use]
    pub const fn grf_bytes(self) -> u8 {
        self.channels * 4
    }

    #[must_use]
    pub const fn pair(self) -> PrecisionPair {
        self.pair
    }

    /// The systolic depth: stages per repeat.
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

    /// Number of Src1 registers read on each EU.
    #[must_use]
    pub const fn src1_registers(self) -> u8 {
        self.sd.div_ceil(self.pair.src1_operands())
    }

    /// Bytes of one row of Src2: K elements, at most 32.
    #[must_use]
    pub const fn row_bytes(self) -> u8 {
        self.sd * (self.pair.ops() * self.pair.a().bits() / 8)
    }

    /// Bytes of Src2: contiguous rows.
    #[must_use]
    pub const fn src2_bytes(self) -> u16 {
        self.row_bytes() as u16 * self.rc as u16
    }
}

// Statements common to both matrix instructions.

/// The pseudo-code; `src2` is the first line, which says where Src2 comes from.
#[must_use]
pub const fn pseudo_code(src2: &'static str) -> [&'static str; 8] {
    [
        src2,
        "k = 0; for each repeat r below RC:",
        "  temp = Src0.R[r], or 0 if Src0 is null",
        "  for each depth stage d below SD:",
        "    for each channel i:",
        "      temp.DW[i] += OPS_PER_CHAN products of Src1 (stage d, channel i) and Src2 (from k)",
        "    k = k + OPS_PER_CHAN",
        "  Dst.R[r] = temp",
    ]
}

/// Integer arithmetic.
pub const INTEGERS: Fact = Fact::observed(
    "Integer sums wrap at 32 bits. Elements narrower than 8 bits are packed from the lowest bits up.",
);

/// Floating-point arithmetic.
pub const FLOATS: Fact = Fact::observed(
    "Floats: each product is rounded to F and added in order of k, rounding to nearest even and preserving subnormals, like Intel's CPU emulation. The document does not specify an order; another order can change the last bits. A NaN result is 0x7fc00000 (assumed).",
);

/// Time at which operands are read.
pub const READ_FIRST: Fact = Fact::assumed(
    "All operands are read before Dst is written, since the document defines D = C + A × B. Taken literally, the pseudo-code would let later rows see earlier results if Dst overlaps a source.",
);
