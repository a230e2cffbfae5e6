//! Latched operands of a matrix instruction.

use super::{Precision, Shape, Supply, dot};
use crate::isa::ThreadSet;
use crate::number::{ElementType, show};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;
use half::{bf16, f16};

pub use super::dot::Registers;

/// Dwords by row (or register) and channel, for channels 0 to 7 and 8 to 15.
pub type Halves = [Registers; 2];

/// Maximum number of bytes of an operand: 8 registers of 64 bytes.
const MAX_BYTES: usize = 512;

/// The types of Src0, Dst and the running sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types {
    /// Type of the 32-bit running sums: F, or D or UD like Dst.
    pub sum: ElementType,
    /// Type of Src0: D, UD, F, or bf or hf with half as many bytes per row.
    pub src0: ElementType,
    /// Type of Dst.
    pub dst: ElementType,
}

impl Types {
    /// The same type for all three: D, UD or F.
    #[must_use]
    pub const fn all(ty: ElementType) -> Self {
        Self {
            sum: ty,
            src0: ty,
            dst: ty,
        }
    }
}

/// Widens an element of Src0 to a sum.
#[must_use]
pub fn widen(bits: u32, ty: ElementType) -> u32 {
    let [low, high, ..] = bits.to_le_bytes();
    match ty {
        ElementType::Bf => bf16::from_le_bytes([low, high]).to_f32().to_bits(),
        ElementType::Hf => f16::from_le_bytes([low, high]).to_f32().to_bits(),
        _ => bits,
    }
}

/// Narrows a sum to an element of Dst, rounding bf and hf to nearest even (assumed).
/// All NaN results have the same bits.
#[must_use]
pub fn narrow(sum: u32, ty: ElementType) -> u32 {
    let value = f32::from_bits(sum);
    match ty {
        ElementType::Bf if value.is_nan() => 0x7fc0,
        ElementType::Hf if value.is_nan() => 0x7e00,
        ElementType::Bf => u32::from(bf16::from_f32(value).to_bits()),
        ElementType::Hf => u32::from(f16::from_f32(value).to_bits()),
        _ => sum,
    }
}

/// Reads elements of up to 8 rows with `read`, which copies bytes from the start of
/// the operand.
pub(super) fn read_rows(
    rows: u8,
    channels: u8,
    ty: ElementType,
    read: impl FnOnce(&mut [u8]),
) -> Halves {
    let mut bytes = [0; MAX_BYTES];
    let size = usize::from(ty.bytes());
    let row = usize::from(channels) * size;
    read(&mut bytes[..usize::from(rows) * row]);
    let mut halves = [[[0; 8]; 8]; 2];
    for (h, half) in halves
        .iter_mut()
        .enumerate()
        .take(usize::from(channels / 8))
    {
        for (r, cells) in half.iter_mut().enumerate().take(usize::from(rows)) {
            let start = r * row + h * 8 * size;
            if size == 4 {
                *cells = dwords(&bytes[start..start + 32]);
            } else {
                *cells = from_fn(|c| {
                    let at = start + c * size;
                    widen(u32::from_le_bytes([bytes[at], bytes[at + 1], 0, 0]), ty)
                });
            }
        }
    }
    halves
}

/// Converts rows to bytes of elements of a type and passes them to `write`.
pub(super) fn write_rows(
    sums: &Halves,
    rows: Range<u8>,
    channels: u8,
    ty: ElementType,
    write: impl FnOnce(&[u8]),
) {
    let mut bytes = [0; MAX_BYTES];
    let size = usize::from(ty.bytes());
    let row = usize::from(channels) * size;
    let (first, last) = (usize::from(rows.start), usize::from(rows.end));
    for (h, half) in sums.iter().enumerate().take(usize::from(channels / 8)) {
        for (r, cells) in half[first..last].iter().enumerate() {
            let start = r * row + h * 8 * size;
            let out = &mut bytes[start..start + 8 * size];
            if size == 4 {
                for (out, sum) in out.as_chunks_mut().0.iter_mut().zip(cells) {
                    *out = sum.to_le_bytes();
                }
            } else {
                for (out, sum) in out.as_chunks_mut().0.iter_mut().zip(cells) {
                    let [low, high, ..] = narrow(*sum, ty).to_le_bytes();
                    *out = [low, high];
                }
            }
        }
    }
    write(&bytes[..(last - first) * row]);
}

/// Reads the dwords of Src2 with `read`.
pub(super) fn read_src2(bytes: u16, read: impl FnOnce(&mut [u8])) -> Registers {
    let mut all = [0; 256];
    read(&mut all[..usize::from(bytes)]);
    from_fn(|r| dwords(&all[r * 32..r * 32 + 32]))
}

fn dwords(bytes: &[u8]) -> [u32; 8] {
    let (cells, _) = bytes.as_chunks::<4>();
    from_fn(|c| u32::from_le_bytes(cells[c]))
}

/// Operands of one EU. Registers past the end of an operand are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EuOperands {
    /// Src0 by row and channel, widened to the type of the sums; +0 if null.
    pub src0: Halves,
    /// Src1 by register and channel.
    pub src1: Halves,
    /// The dwords of Src2; if shared, combined from both EUs by the formula.
    pub src2: Registers,
}

impl EuOperands {
    /// The sums of all rows and channels.
    #[must_use]
    pub fn sums(&self, shape: Shape) -> Halves {
        let mut sums = self.src0;
        for (half, src1) in sums
            .iter_mut()
            .zip(&self.src1)
            .take(usize::from(shape.channels() / 8))
        {
            *half = dot::multiply(shape, half, src1, &self.src2);
        }
        sums
    }
}

/// All operands, latched when the instruction issues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixOperands {
    /// The issuing threads.
    pub threads: ThreadSet,
    /// Execution size, precisions, depth and repeat count.
    pub shape: Shape,
    /// The types of Src0, Dst and the sums.
    pub types: Types,
    /// The supply of Src2, if it is shared.
    pub supply: Option<Supply>,
    /// Operands of each EU: one or two.
    pub eus: Vec<EuOperands>,
}

/// An element of Src1 or Src2; see [`super::Layout`] for its placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Precision of the bits.
    pub precision: Precision,
    /// The value, in the low bits.
    pub bits: u32,
}

impl Element {
    /// The exact value.
    #[must_use]
    pub fn value(&self) -> f32 {
        dot::value(self.precision, self.bits)
    }

    /// The value as text.
    #[must_use]
    pub fn text(&self) -> String {
        match self.precision {
            Precision::Bf => show(u64::from(self.bits), ElementType::Bf),
            Precision::Hf => show(u64::from(self.bits), ElementType::Hf),
            _ if self.precision.is_float() => {
                show(u64::from(self.value().to_bits()), ElementType::F)
            }
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

fn element_bits(dword: u32, first_bit: u16, precision: Precision) -> u32 {
    dword >> (first_bit % 32) & (u32::MAX >> (32 - u32::from(precision.bits())))
}

impl MatrixOperands {
    /// Number of EUs.
    #[must_use]
    pub fn eu_count(&self) -> u8 {
        self.threads.count()
    }

    fn eu(&self, eu: u8) -> &EuOperands {
        &self.eus[usize::from(eu)]
    }

    /// Element k of a channel of Src1 on one EU: `B[k][channel]`.
    ///
    /// # Panics
    /// If the EU, element or channel does not exist.
    #[must_use]
    pub fn src1(&self, eu: u8, k: u8, channel: u8) -> Element {
        let pair = self.shape.pair();
        let (d, j) = (k / pair.ops(), k % pair.ops());
        let (m, n) = (d / pair.src1_operands(), d % pair.src1_operands());
        let within = (n * pair.ops() + j) * pair.w().bits();
        let (half, channel) = (usize::from(channel / 8), usize::from(channel % 8));
        let dword = self.eu(eu).src1[half][usize::from(m)][channel];
        Element {
            precision: pair.w(),
            bits: element_bits(dword, u16::from(within), pair.w()),
        }
    }

    /// Element k of a row of an EU's Src2, combined if shared:
    /// `A[row][k]`.
    ///
    /// # Panics
    /// If the EU, row or element does not exist.
    #[must_use]
    pub fn src2(&self, eu: u8, row: u8, k: u8) -> Element {
        let a = self.shape.pair().a();
        let at = (u16::from(row) * u16::from(self.shape.k()) + u16::from(k)) * u16::from(a.bits());
        let dword = self.eu(eu).src2.as_flattened()[usize::from(at / 32)];
        Element {
            precision: a,
            bits: element_bits(dword, at, a),
        }
    }

    /// The initial sum of an element, `C[row][channel]`: the widened Src0.
    ///
    /// # Panics
    /// If the EU, row or channel does not exist.
    #[must_use]
    pub fn src0(&self, eu: u8, row: u8, channel: u8) -> u32 {
        let half = &self.eu(eu).src0[usize::from(channel / 8)];
        half[usize::from(row)][usize::from(channel % 8)]
    }

    /// Dst of one EU as bits of its type, by row and channel.
    ///
    /// # Panics
    /// If the EU does not exist.
    #[must_use]
    pub fn dst(&self, eu: u8) -> Halves {
        let sums = self.eu(eu).sums(self.shape);
        sums.map(|half| half.map(|row| row.map(|sum| narrow(sum, self.types.dst))))
    }
}
