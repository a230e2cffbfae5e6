//! What DPASW is made of: the precisions of its elements ([`precision`]), which
//! EU supplies which register of Src2 ([`supply`]), where each element lies
//! ([`layout`]), the operands as they are
//! before it ([`operands`]), the arithmetic ([`dot`]), the account of one
//! element of Dst ([`trace`]) and of one stage ([`trace_text`]), and the suffix
//! ([`text`]), the rules ([`rules`]) and the execution ([`run`]) of the
//! instruction.
//!
//! Sources: DPASW.md for the supply, DPAS.md for the rest.

pub mod dot;
pub mod layout;
pub mod operands;
pub mod precision;
pub mod rules;
pub mod run;
pub mod supply;
pub mod text;
pub mod trace;
pub mod trace_text;

pub use layout::Layout;
pub use operands::Operands;
pub use precision::{Pair, Precision};
pub use supply::{Source, Supply};
pub use text::Suffix;

use super::operand::RawOperand;
use super::vector::DirectOperand;
use crate::isa::SymbolTable;
use crate::machine::Machine;

/// The capability of a matrix multiply-add, Dst = Src0 + Src2 × Src1: what its
/// picture, its stages and those who rewrite it need. Got from
/// [`Semantics::matrix`](crate::isa::Semantics::matrix).
pub trait Matrix {
    /// Precisions, depth and repeat count, as they are written.
    fn suffix(&self) -> Suffix;

    /// Where its operands are.
    fn places(&self) -> MatrixPlaces;

    /// Its operands as a machine has them now; `None` if it cannot run.
    fn latched(&self, symbols: &SymbolTable, machine: &Machine) -> Option<Operands>;

    /// Which EU of a fused pair supplies which register of Src2; `None` if each
    /// reads its own, or if it cannot run.
    fn supply(&self) -> Option<Supply>;

    /// Where its elements lie; of a shared Src2 by the formula, or `by_table`
    /// where the document has one. `None` if it cannot run.
    fn element_layout(&self, symbols: &SymbolTable, by_table: bool) -> Option<Layout>;

    /// Precisions, depth and repeat count, if it can run with them.
    fn shape(&self) -> Option<Shape> {
        let suffix = self.suffix();
        Shape::new(suffix.w, suffix.a, suffix.sd, suffix.rc)
    }
}

/// The operands of a matrix multiply-add as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixPlaces {
    /// D, one row of channels a register.
    pub dst: RawOperand,
    /// C, the same.
    pub src0: RawOperand,
    /// B, one column a channel.
    pub src1: RawOperand,
    /// A, its rows one after another.
    pub src2: DirectOperand,
}

/// Channels of a DPASW: the execution size before PVC.
pub const CHANNELS: u8 = 8;

/// Bytes of a register before PVC, which has no DPASW.
pub const GRF: u8 = 32;

/// What decides where the elements of a DPASW lie: the precisions, the
/// systolic depth and the repeat count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    pair: Pair,
    sd: u8,
    rc: u8,
}

impl Shape {
    /// A shape that can run: a legal pair of precisions, a depth of 1, 2, 4 or
    /// 8, a repeat count of 1 to 8.
    #[must_use]
    pub fn new(w: Precision, a: Precision, sd: u8, rc: u8) -> Option<Self> {
        let pair = Pair::new(w, a)?;
        (matches!(sd, 1 | 2 | 4 | 8) && (1..=8).contains(&rc)).then_some(Self { pair, sd, rc })
    }

    /// The precisions.
    #[must_use]
    pub const fn pair(self) -> Pair {
        self.pair
    }

    /// The systolic depth: stages of each repeat.
    #[must_use]
    pub const fn sd(self) -> u8 {
        self.sd
    }

    /// The repeat count: rows of Dst, Src0 and Src2.
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

    /// Bytes of one row of Src2: K elements.
    #[must_use]
    pub const fn row_bytes(self) -> u8 {
        // At most 64 elements of 4 bits, or 32 of 8.
        self.sd * (self.pair.ops() * self.pair.a().bits() / 8)
    }
}
