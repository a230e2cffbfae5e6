//! The operands of a DPASW as they are before it, on both EUs.

use super::supply::Source;
use super::{Precision, Shape, Supply, dot};
use crate::number::{ElementType, show};
use alloc::string::{String, ToString};

pub use super::dot::Registers;

/// Bytes of an operand's registers; longer and shorter ones are cut and filled.
pub(crate) fn from_bytes(bytes: &[u8; 256]) -> Registers {
    let mut registers = [[0; 8]; 8];
    let (dwords, _) = bytes.as_chunks::<4>();
    for (register, dword) in registers.as_flattened_mut().iter_mut().zip(dwords) {
        *register = u32::from_le_bytes(*dword);
    }
    registers
}

/// The bytes of registers.
pub(crate) fn to_bytes(registers: &Registers) -> [u8; 256] {
    let mut bytes = [0; 256];
    let (dwords, _) = bytes.as_chunks_mut::<4>();
    for (dword, register) in dwords.iter_mut().zip(registers.as_flattened()) {
        *dword = register.to_le_bytes();
    }
    bytes
}

/// All operands, latched: what a matrix product reads. Registers past the
/// operands' ends are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operands {
    /// Precisions, depth and repeat count.
    pub shape: Shape,
    /// The type of Dst and Src0.
    pub ty: ElementType,
    /// Src0 of each EU, by row and channel; +0 for the null operand.
    pub src0: [Registers; 2],
    /// Src1 of each EU, by register and channel.
    pub src1: [Registers; 2],
    /// Src2, combined from both EUs by the formula.
    pub src2: Registers,
}

/// An element of Src1 or Src2, and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// What its bits mean.
    pub precision: Precision,
    /// Its bits, in the low bits.
    pub bits: u32,
    /// The EU and the register of its operand that it comes from.
    pub source: Source,
    /// Its lowest bit within that register.
    pub first_bit: u8,
}

impl Element {
    /// Its value: exact.
    #[must_use]
    pub fn value(&self) -> f32 {
        dot::value(self.precision, self.bits)
    }

    /// Its value as text.
    #[must_use]
    pub fn text(&self) -> String {
        match self.precision {
            Precision::Bf => show(u64::from(self.bits), ElementType::Bf),
            Precision::Hf => show(u64::from(self.bits), ElementType::Hf),
            _ => integer(self.value()).to_string(),
        }
    }
}

/// The integer that an f32 holds exactly.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an element, or a product of two, of at most 8 bits each"
)]
pub(super) const fn integer(value: f32) -> i32 {
    value as i32
}

fn element_bits(register: Option<&[u32; 8]>, first_bit: u8, precision: Precision) -> u32 {
    let dword = register.and_then(|r| r.get(usize::from(first_bit / 32)));
    let bits = dword.map_or(0, |dword| dword >> (first_bit % 32));
    bits & (u32::MAX >> (32 - u32::from(precision.bits())))
}

impl Operands {
    /// Element k of a channel of Src1 on one EU: `B[k][channel]`.
    #[must_use]
    pub fn src1(&self, eu: u8, k: u8, channel: u8) -> Element {
        let pair = self.shape.pair();
        let (d, j) = (k / pair.ops(), k % pair.ops());
        let (m, n) = (d / pair.src1_operands(), d % pair.src1_operands());
        let within = (n * pair.ops() + j) * pair.w().bits();
        let first_bit = (channel % 8) * 32 + within % 32;
        let registers = self.src1.get(usize::from(eu));
        let register = registers.and_then(|r| r.get(usize::from(m)));
        Element {
            precision: pair.w(),
            bits: element_bits(register, first_bit, pair.w()),
            source: Source { eu, register: m },
            first_bit,
        }
    }

    /// Element k of a row of the combined Src2: `A[row][k]`. Also which of its
    /// combined registers that is in.
    #[must_use]
    pub fn src2(&self, row: u8, k: u8) -> (Element, u8) {
        let a = self.shape.pair().a();
        let at = (u16::from(row) * u16::from(self.shape.k()) + u16::from(k)) * u16::from(a.bits());
        let [first_bit, register] = at.to_le_bytes();
        let source = Supply::new(self.shape).source(register);
        let element = Element {
            precision: a,
            bits: element_bits(self.src2.get(usize::from(register)), first_bit, a),
            source: source.unwrap_or(Source { eu: 0, register }),
            first_bit,
        };
        (element, register)
    }

    /// Src0 of an element: `C[row][channel]`.
    #[must_use]
    pub fn src0(&self, eu: u8, row: u8, channel: u8) -> u32 {
        let rows = self.src0.get(usize::from(eu));
        let row = rows.and_then(|rows| rows.get(usize::from(row)));
        row.and_then(|row| row.get(usize::from(channel)))
            .copied()
            .unwrap_or(0)
    }

    /// Dst of one EU, by row and channel.
    #[must_use]
    pub fn dst(&self, eu: u8) -> Registers {
        let [src0, src1] = match eu {
            0 => [&self.src0[0], &self.src1[0]],
            _ => [&self.src0[1], &self.src1[1]],
        };
        dot::multiply(self.shape, src0, src1, &self.src2)
    }
}
