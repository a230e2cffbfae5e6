//! The arithmetic: D = C + A × B for eight channels; sixteen are two halves.
//!
//! Elements of all precisions are unpacked to f32. This is exact for integers: sums
//! have at most 32 products of 16 bits, or 64 of 8 bits, so they are integers below
//! 2²². A single vectorizable loop of f32 multiplications and additions therefore
//! handles integers and floats. Floats are added in order of k after rounding each
//! product; multiplication and addition are never fused.

use super::{Precision, Shape};
use core::array::from_fn;

/// 64 dwords of an operand in rows of eight: eight channels of each register or row,
/// or the consecutive dwords of Src2.
pub type Registers = [[u32; 8]; 8];

/// One value per channel.
type PerChannel = [f32; 8];

/// Bias of integer sums. The spacing of f32 values is 1 there, so the low bits are the
/// sum in two's complement.
const ZERO: f32 = 12_582_912.0;

/// The bits of all NaN results, for the same results on all machines.
const NAN: u32 = 0x7fc0_0000;

/// Maximum number of products per channel and stage.
const MAX_OPS: usize = 8;

/// Computes the sums of eight channels: Src0, as bits of the sum type, plus the
/// product of Src2 and Src1. Rows past the repeat count are unspecified.
#[must_use]
pub fn multiply(shape: Shape, src0: &Registers, src1: &Registers, src2: &Registers) -> Registers {
    match shape.pair().ops() {
        2 => Sources::<2>::new(shape, src1, src2).multiply(src0),
        4 => Sources::<4>::new(shape, src1, src2).multiply(src0),
        _ => Stages::new(shape, src1, src2).multiply(src0),
    }
}

/// Sources for stage-by-stage multiplication.
pub type Stages = Sources<MAX_OPS>;

/// The unpacked sources of eight channels, with up to `OPS` products per stage.
///
/// Products are numbered 8·p + i. For integers, p is the index within a stage and i
/// the stage, which is the most efficient way to unpack; for floats, the numbers are
/// in order of k.
pub struct Sources<const OPS: usize> {
    src1: [[PerChannel; 8]; OPS],
    /// Indexed by p, row and i.
    src2: [[[f32; 8]; 8]; OPS],
    shape: Shape,
}

impl<const OPS: usize> Sources<OPS> {
    /// Unpacks Src1 and the combined Src2.
    #[must_use]
    #[inline]
    pub fn new(shape: Shape, src1: &Registers, src2: &Registers) -> Self {
        let pair = shape.pair();
        let mut this = Self {
            shape,
            src1: [[[0.0; 8]; 8]; OPS],
            src2: [[[0.0; 8]; 8]; OPS],
        };
        unpack(pair.w(), &src1_fields(shape, src1), &mut this.src1);
        unpack(pair.a(), &src2_fields(shape, src2), &mut this.src2);
        match pair.ops() {
            2 => this.put_in_order::<2>(),
            4 if pair.is_float() => this.put_in_order::<4>(),
            8 if pair.is_float() => this.put_in_order::<8>(),
            _ => {}
        }
        this
    }

    /// Interleaves the `EACH` products of each stage.
    #[inline]
    fn put_in_order<const EACH: usize>(&mut self) {
        let mut src1 = [[0.0; 8]; 64];
        let mut src2 = [[0.0; 64]; 8];
        let planes = self.src1.iter().zip(&self.src2).take(EACH);
        for (p, (weights, rows)) in planes.enumerate() {
            for (i, weight) in weights.iter().enumerate() {
                src1[i * EACH + p] = *weight;
            }
            for (to, from) in src2.iter_mut().zip(rows) {
                for (i, value) in from.iter().enumerate() {
                    to[i * EACH + p] = *value;
                }
            }
        }
        let all = self.src1.as_flattened_mut().iter_mut().zip(&src1);
        for (to, from) in all.take(8 * EACH) {
            *to = *from;
        }
        for (plane, rows) in self.src2.iter_mut().take(EACH).enumerate() {
            for (to, from) in rows.iter_mut().zip(&src2) {
                to.copy_from_slice(&from[8 * plane..8 * plane + 8]);
            }
        }
    }

    /// Multiplies all rows.
    #[inline]
    fn multiply(&self, src0: &Registers) -> Registers {
        if self.shape.sd() != 8 {
            return from_fn(|r| {
                let row = u8::try_from(r).expect("there are eight rows");
                (0..self.shape.sd()).fold(src0[r], |sums, d| self.stage(row, d, &sums))
            });
        }
        let float = self.shape.pair().is_float();
        let mut sums = match float {
            true => src0.map(|row| row.map(f32::from_bits)),
            false => [[ZERO; 8]; 8],
        };
        // Four rows at a time, to load weights once and for independent sums.
        let (blocks, _) = sums.as_chunks_mut::<4>();
        let used = usize::from(self.shape.rc().div_ceil(4));
        for (b, block) in blocks.iter_mut().enumerate().take(used) {
            let planes = usize::from(self.shape.pair().ops());
            for (src1, src2) in self.src1.iter().zip(&self.src2).take(planes) {
                let (rows, _) = src2.as_chunks::<4>();
                let [k, l, m, n] = &rows[b];
                let rows = k.iter().zip(l).zip(m.iter().zip(n));
                for (weights, ((k, l), (m, n))) in src1.iter().zip(rows) {
                    for (sums, a) in block.iter_mut().zip([k, l, m, n]) {
                        add(sums, weights, *a);
                    }
                }
            }
        }
        let mut dst = *src0;
        for (dst, sum) in dst.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
            *dst = match float {
                true => float_bits(*sum),
                false => dst.wrapping_add(integer_bits(*sum)),
            };
        }
        dst
    }

    /// Computes the sums of a row after stage `d` from those before it.
    #[must_use]
    pub fn stage(&self, row: u8, d: u8, before: &[u32; 8]) -> [u32; 8] {
        let float = self.shape.pair().is_float();
        let ops = self.shape.pair().ops();
        let mut sums = match float {
            true => before.map(f32::from_bits),
            false => [ZERO; 8],
        };
        for j in 0..ops {
            let (p, i) = match float {
                true => ((d * ops + j) / 8, (d * ops + j) % 8),
                false => (j, d),
            };
            let (p, i) = (usize::from(p), usize::from(i));
            let a = self.src2[p][usize::from(row)][i];
            add(&mut sums, &self.src1[p][i], a);
        }
        match float {
            true => sums.map(float_bits),
            false => from_fn(|c| before[c].wrapping_add(integer_bits(sums[c]))),
        }
    }
}

#[inline]
fn add(sums: &mut PerChannel, weights: &PerChannel, a: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight * a;
    }
}

/// The bits of a sum of floats.
#[inline]
pub(super) fn float_bits(sum: f32) -> u32 {
    if sum.is_nan() { NAN } else { sum.to_bits() }
}

/// The bits of an integer sum biased by [`ZERO`].
#[inline]
fn integer_bits(sum: f32) -> u32 {
    sum.to_bits().wrapping_sub(ZERO.to_bits())
}

/// Src1 fields by stage and channel, in the low bits.
fn src1_fields(shape: Shape, src1: &Registers) -> Registers {
    let stages = shape.pair().src1_operands();
    let width = u32::from(shape.pair().ops() * shape.pair().w().bits());
    let mut fields = [[0; 8]; 8];
    for (d, field) in (0_u8..).zip(fields.iter_mut()) {
        let register = &src1[usize::from(d / stages)];
        *field = register.map(|dword| dword >> (u32::from(d % stages) * width));
    }
    fields
}

/// Src2 fields by row and stage, in the low bits.
fn src2_fields(shape: Shape, src2: &Registers) -> Registers {
    let width = u32::from(shape.pair().ops() * shape.pair().a().bits());
    match (shape.sd(), width) {
        (8, 32) => return *src2,
        (8, 16) => return split::<2>(src2),
        (8, _) => return split::<4>(src2),
        _ => {}
    }
    let mut fields = [[0; 8]; 8];
    let mut dwords = src2.as_flattened().iter();
    let (mut dword, mut left) = (0, 0);
    // Rows are contiguous, regardless of the depth.
    for row in fields.iter_mut().take(usize::from(shape.rc())) {
        for field in row.iter_mut().take(usize::from(shape.sd())) {
            if left == 0 {
                dword = *dwords.next().expect("64 fields occupy at most 64 dwords");
                left = 32;
            }
            *field = dword;
            // A field can be a whole dword.
            dword = dword.unbounded_shr(width);
            left -= width;
        }
    }
    fields
}

/// Splits each dword into `PER` fields.
fn split<const PER: usize>(src2: &Registers) -> Registers {
    let mut fields = [[0; 8]; 8];
    let (parts, _) = fields.as_flattened_mut().as_chunks_mut::<PER>();
    for (part, dword) in parts.iter_mut().zip(src2.as_flattened()) {
        *part = from_fn(|i| dword >> (i * (32 / PER)));
    }
    fields
}

/// Unpacks fields into values: the first elements, the second elements, and so on.
fn unpack(precision: Precision, fields: &Registers, out: &mut [[PerChannel; 8]]) {
    let bits = u32::from(precision.bits());
    match precision {
        Precision::Bf => spread(fields, bits, out, bfloat),
        Precision::Hf => spread(fields, bits, out, half),
        Precision::Tf32 => spread(fields, bits, out, tf32),
        Precision::Bf8 => spread(fields, bits, out, bfloat8),
        Precision::Hf8 => spread(fields, bits, out, half8),
        Precision::E2m1 => spread(fields, bits, out, float4),
        _ if precision.is_signed() => spread(fields, bits, out, |high| signed(high, bits)),
        _ => spread(fields, bits, out, |high| unsigned(high, bits)),
    }
}

/// Passes each element to `value` in the upper bits.
#[inline]
fn spread(fields: &Registers, bits: u32, out: &mut [[PerChannel; 8]], value: impl Fn(u32) -> f32) {
    for (j, plane) in (1..).zip(out.iter_mut()) {
        // Saturate for elements beyond the field.
        let up = 32_u32.saturating_sub(bits * j);
        let fields = fields.as_flattened();
        for (out, field) in plane.as_flattened_mut().iter_mut().zip(fields) {
            *out = value(field << up);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 8 bits")]
fn signed(high: u32, bits: u32) -> f32 {
    (high.cast_signed() >> (32 - bits)) as f32
}

#[expect(clippy::cast_precision_loss, reason = "at most 8 bits")]
fn unsigned(high: u32, bits: u32) -> f32 {
    (high >> (32 - bits)).cast_signed() as f32
}

fn bfloat(high: u32) -> f32 {
    f32::from_bits(high & 0xffff_0000)
}

/// Truncates to the upper 19 bits (assumed; Intel's CPU emulation multiplies all 32).
fn tf32(high: u32) -> f32 {
    f32::from_bits(high & 0xffff_e000)
}

/// The finite value of a float with `EXPONENT` bits of exponent, also if it is subnormal.
fn finite<const EXPONENT: u32>(high: u32) -> f32 {
    // Multiplication, unlike adding the difference of the biases to the exponent, also
    // handles subnormals.
    let scale = f32::from_bits((254 - ((1 << (EXPONENT - 1)) - 1)) << 23);
    let magnitude = f32::from_bits((high & 0x7fff_ffff) >> (8 - EXPONENT)) * scale;
    f32::from_bits(magnitude.to_bits() | high & 0x8000_0000)
}

/// Converts a half, including subnormals, infinities and NaNs.
fn half(high: u32) -> f32 {
    let endless = if high & 0x7c00_0000 == 0x7c00_0000 {
        0x7f80_0000
    } else {
        0
    };
    f32::from_bits(finite::<5>(high & 0xffff_0000).to_bits() | endless)
}

fn bfloat8(high: u32) -> f32 {
    half(high & 0xff00_0000)
}

fn half8(high: u32) -> f32 {
    match high & 0x7f00_0000 {
        0x7f00_0000 => f32::from_bits(NAN),
        _ => finite::<4>(high & 0xff00_0000),
    }
}

fn float4(high: u32) -> f32 {
    finite::<2>(high & 0xf000_0000)
}

/// The value of one element, given in the low bits.
#[must_use]
pub fn value(precision: Precision, element: u32) -> f32 {
    let bits = u32::from(precision.bits());
    let high = element << (32 - bits);
    match precision {
        Precision::Bf => bfloat(high),
        Precision::Hf => half(high),
        Precision::Tf32 => tf32(high),
        Precision::Bf8 => bfloat8(high),
        Precision::Hf8 => half8(high),
        Precision::E2m1 => float4(high),
        _ if precision.is_signed() => signed(high, bits),
        _ => unsigned(high, bits),
    }
}
