//! Products of matrices whose elements are in the registers of all lanes of a warp.
//!
//! The PTX ISA documents which lane has which element (`mma`, `ldmatrix`, `movmatrix`), and the
//! arithmetic of integers and bits. The row of `HMMA` in the opcode table describes that of floats.

use super::SassInstruction;
use super::expression::{NAN, NAN_HALF, clamped};
use super::operand::{LaneValues, SassSource, SourcePlace, read_register};
use super::words::{NumberType, SassModifiers, Word};
use crate::diagnostic::to_usize;
use crate::isa::IssueContext;
use crate::isa::sass::chip::Chip;
use crate::isa::sass::warp::LANES;
use crate::machine::Machine;
use crate::number::{FloatFormat, Real, Rounding, low_mask, low_qword};
use alloc::vec::Vec;

/// Elements of a matrix product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixKind {
    /// Integers of 8 or 4 bits, whose products are added to 32-bit integers.
    Integers,
    /// Bits, whose matches are counted.
    Bits,
    /// 16-bit floats or TF32.
    Floats,
    Doubles,
}

/// Columns of the result.
const COLUMNS: u32 = 8;

/// Lanes that share a row of A, or a column of B.
const LANES_OF_ROW: u32 = 4;

/// Rows of a matrix of 8 × 8 elements of 16 bits.
const ROWS: usize = 8;

/// Words of the shapes, with the rows of the result and the depth of the product.
const SHAPES: [(Word, u32, u32); 15] = [
    (Word::M8n8k4, 8, 4),
    (Word::M8n8k4Long, 8, 4),
    (Word::M8n8k16, 8, 16),
    (Word::M8n8k32, 8, 32),
    (Word::M8n8k128, 8, 128),
    (Word::M16n8k4, 16, 4),
    (Word::M16n8k8, 16, 8),
    (Word::M16n8k16, 16, 16),
    (Word::M16n8k32, 16, 32),
    (Word::M16n8k64, 16, 64),
    (Word::M16n8k128, 16, 128),
    (Word::M16n8k256, 16, 256),
    (Word::M16n8k4Long, 16, 4),
    (Word::M16n8k8Long, 16, 8),
    (Word::M16n8k16Long, 16, 16),
];

/// 2^128.
const BEYOND_FLOATS: f64 = f64::from_bits((1023 + 128) << 52);

/// Sizes of a matrix product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixShape {
    rows: u32,
    /// In elements.
    depth: u32,
    /// Bits of an element of A and B; all bits of a register are one element.
    bits: u32,
    /// Bits of an element of the result.
    result_bits: u32,
    /// Bits of a group of elements that are side by side: a register, or two.
    group_bits: u32,
}

impl MatrixShape {
    /// The shape that the words name.
    #[must_use]
    pub fn of(m: &SassModifiers, kind: MatrixKind) -> Option<Self> {
        let (_, rows, depth) = SHAPES.into_iter().find(|(word, ..)| m.has(*word))?;
        let first = m.types[0].unwrap_or(NumberType::F16);
        let second = m.types[1].unwrap_or(first);
        let exists = match kind {
            MatrixKind::Integers => second.bits == first.bits,
            // Only halves are added to halves.
            MatrixKind::Floats => first.bits == 32 || !m.has(Word::Tf32) && !m.has(Word::Bf16),
            MatrixKind::Bits | MatrixKind::Doubles => true,
        };
        if !exists {
            return None;
        }
        let (bits, depth, result_bits) = match kind {
            MatrixKind::Integers => (first.bits, depth, 32),
            MatrixKind::Bits => (32, depth / 32, 32),
            MatrixKind::Floats if m.has(Word::Tf32) => (32, depth, first.bits),
            MatrixKind::Floats => (16, depth, first.bits),
            MatrixKind::Doubles => (64, depth, 64),
        };
        let group_bits = bits.max(32);
        let shape = Self {
            rows,
            depth,
            bits,
            result_bits,
            group_bits,
        };
        depth
            .is_multiple_of(LANES_OF_ROW * shape.group())
            .then_some(shape)
    }

    /// Elements of a group.
    const fn group(self) -> u32 {
        self.group_bits / self.bits
    }

    /// Registers of A, B and the result in each lane.
    #[must_use]
    pub const fn registers(self) -> [u32; 3] {
        let groups = self.depth / (LANES_OF_ROW * self.group());
        let registers = groups * (self.group_bits / 32);
        let results = self.results() * self.result_bits / 32;
        [registers * (self.rows / 8), registers, results]
    }

    /// Elements of the result in each lane.
    const fn results(self) -> u32 {
        self.rows * COLUMNS / LANES as u32
    }

    /// The element of A at a row and a depth.
    fn element_of_a(self, a: &Fragment, row: u32, depth: u32) -> u64 {
        let [group, lane, within] = self.place(depth);
        let group = group * (self.rows / 8) + row / 8;
        self.element(a, row % 8 * LANES_OF_ROW + lane, group, within)
    }

    /// The element of B at a depth and a column.
    fn element_of_b(self, b: &Fragment, depth: u32, column: u32) -> u64 {
        let [group, lane, within] = self.place(depth);
        self.element(b, column * LANES_OF_ROW + lane, group, within)
    }

    /// The group of elements, the lane of its row or column and the place in the group.
    const fn place(self, depth: u32) -> [u32; 3] {
        let group = depth / self.group();
        [
            group / LANES_OF_ROW,
            group % LANES_OF_ROW,
            depth % self.group(),
        ]
    }

    fn element(self, fragment: &Fragment, lane: u32, group: u32, within: u32) -> u64 {
        let bit = group * self.group_bits + within * self.bits;
        fragment.bits(lane, bit, self.bits)
    }
}

/// The registers of an operand in all lanes.
struct Fragment(Vec<LaneValues>);

impl Fragment {
    fn read(source: &SassSource, count: u32, machine: &Machine, thread: u8) -> Self {
        let registers = (0..u16::try_from(count).expect("16 at most")).map(|index| {
            let mut values = [0; LANES as usize];
            if let SourcePlace::Register(first) = source.place {
                read_register(machine, thread, first.next(index), false, &mut values);
            }
            values
        });
        Self(registers.collect())
    }

    /// Bits of the registers of a lane; they do not straddle registers, except for 64 bits.
    fn bits(&self, lane: u32, first: u32, count: u32) -> u64 {
        let word = |index: usize| self.0[index][to_usize(lane)];
        let index = to_usize(first / 32);
        match count {
            64 => word(index) | word(index + 1) << 32,
            _ => word(index) >> (first % 32) & low_mask(count),
        }
    }
}

impl SassInstruction {
    /// Results of a matrix product: values of the pairs of registers of the destination.
    pub(super) fn multiply_matrices(
        &self,
        kind: MatrixKind,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Vec<LaneValues> {
        let m = &self.modifiers;
        // Others are not executed.
        let Some(shape) = MatrixShape::of(m, kind) else {
            return Vec::new();
        };
        let [a, b, result] = shape.registers();
        let read = |place: usize, count| {
            Fragment::read(&self.sources[place], count, context.machine, thread)
        };
        let (a, b, c) = (read(0, a), read(1, b), read(2, result));
        let chip = context.symbols.sass.chip;
        let mut values = [[0; LANES as usize]].repeat(to_usize(result.div_ceil(2)));
        for lane in 0..u32::from(LANES) {
            for index in 0..shape.results() {
                let row = lane / LANES_OF_ROW + index / 2 * 8;
                let column = lane % LANES_OF_ROW * 2 + index % 2;
                let pairs = (0..shape.depth).map(|depth| {
                    [
                        shape.element_of_a(&a, row, depth),
                        shape.element_of_b(&b, depth, column),
                    ]
                });
                let bit = index * shape.result_bits;
                let c = c.bits(lane, bit, shape.result_bits);
                let value = match kind {
                    MatrixKind::Integers => sum_of_integers(m, pairs, c),
                    MatrixKind::Bits => sum_of_bits(m, pairs, c),
                    MatrixKind::Floats => sum_of_floats(m, chip, &pairs.collect::<Vec<_>>(), c),
                    MatrixKind::Doubles => sum_of_doubles(pairs, c),
                };
                values[to_usize(bit / 64)][to_usize(lane)] |= value << (bit % 64);
            }
        }
        values
    }

    /// The transposed matrix of 16-bit elements.
    pub(super) fn transpose(&self, machine: &Machine, thread: u8) -> LaneValues {
        let source = Fragment::read(&self.sources[0], 1, machine, thread);
        let element = |row: u32, column: u32| {
            let lane = row * LANES_OF_ROW + column / 2;
            source.bits(lane, column % 2 * 16, 16)
        };
        let mut values = [0; LANES as usize];
        for (lane, value) in (0..).zip(&mut values) {
            let (row, column) = (lane % LANES_OF_ROW * 2, lane / LANES_OF_ROW);
            *value = element(row, column) | element(row + 1, column) << 16;
        }
        values
    }

    /// Matrices that a memory instruction moves; 0 if it moves none.
    pub(super) const fn matrices(&self) -> u8 {
        let m = &self.modifiers;
        match (m.has(Word::M88) || m.has(Word::Mt88), m.has(Word::Two)) {
            (false, _) => 0,
            (true, true) => 2,
            (true, false) if m.has(Word::Four) => 4,
            (true, false) => 1,
        }
    }

    /// Whether it moves the columns of a matrix.
    pub(super) const fn moves_columns(&self) -> bool {
        self.modifiers.has(Word::Mt88)
    }

    /// The lane whose address is that of the row of an access to a matrix, the offset in the row,
    /// and the register and its half, in bytes.
    pub(super) fn matrix_place(&self, lane: u8, element: u8) -> MatrixPlace {
        let (group, within) = (lane / 4, lane % 4);
        let (matrix, row, offset, half) = match self.moves_columns() {
            false => (element, group, within * 4, 0),
            true => (
                element / 2,
                within * 2 + element % 2,
                group * 2,
                element % 2,
            ),
        };
        MatrixPlace {
            addressing_lane: usize::from(matrix) * ROWS + usize::from(row),
            offset: offset.into(),
            register: matrix.into(),
            byte: half * 2,
        }
    }
}

/// Where an element of a matrix is, in memory and in registers.
pub(super) struct MatrixPlace {
    /// The lane with the address of its row.
    pub(super) addressing_lane: usize,
    /// Offset in the row, in bytes.
    pub(super) offset: u64,
    /// Register of the lane.
    pub(super) register: u16,
    /// Offset in the register, in bytes.
    pub(super) byte: u8,
}

/// Without `.SAT`, the sum wraps.
fn sum_of_integers(m: &SassModifiers, pairs: impl Iterator<Item = [u64; 2]>, c: u64) -> u64 {
    let [a, b] = m.types.map(|ty| ty.unwrap_or(NumberType::S32));
    let products = pairs.map(|[x, y]| a.value(x) * b.value(y));
    let sum = products.sum::<i128>() + NumberType::S32.value(c);
    match m.has(Word::Sat) {
        true => clamped(sum, NumberType::S32) & low_mask(32),
        false => low_qword(sum) & low_mask(32),
    }
}

fn sum_of_bits(m: &SassModifiers, pairs: impl Iterator<Item = [u64; 2]>, c: u64) -> u64 {
    let matches = pairs.map(|[a, b]| match m.has(Word::Xor) {
        true => a ^ b,
        false => a & b,
    });
    let count = matches
        .map(|bits| u64::from(bits.count_ones()))
        .sum::<u64>();
    (count + c) & low_mask(32)
}

/// Fused multiply-adds in the order of the depth.
fn sum_of_doubles(pairs: impl Iterator<Item = [u64; 2]>, c: u64) -> u64 {
    let real = |bits| Real::from_bits(bits, FloatFormat::F64);
    pairs.fold(c, |sum, [a, b]| {
        let exact = real(a).mul_add(real(b), real(sum));
        exact.to_bits(FloatFormat::F64, Rounding::NearestEven)
    })
}

/// A number as an integer times a power of two.
#[derive(Clone, Copy)]
struct SumTerm {
    significand: i64,
    /// Exponent of the last bit.
    last: i32,
    /// Exponent that aligns it with others: that of the first bit, or of the smallest normal
    /// number.
    leading: i32,
}

impl SumTerm {
    fn of(bits: u64, format: FloatFormat) -> Self {
        let fraction = format.fraction();
        let field = (bits & format.exponent_mask()) >> fraction;
        let hidden = u64::from(field != 0) << fraction;
        let magnitude = (bits & low_mask(fraction) | hidden).cast_signed();
        let exponent = i32::try_from(field.max(1)).expect("8 bits") - format.bias();
        Self {
            significand: if bits & format.sign() == 0 {
                magnitude
            } else {
                -magnitude
            },
            last: exponent - fraction.cast_signed(),
            leading: match magnitude {
                0 => 1 - FloatFormat::F32.bias(),
                _ => exponent,
            },
        }
    }

    const fn times(self, other: Self) -> Self {
        Self {
            significand: self.significand * other.significand,
            last: self.last + other.last,
            leading: self.leading + other.leading,
        }
    }

    /// In units of 2^`last`, without the bits below.
    fn cut_off(self, last: i32) -> i64 {
        let bits = self.last - last;
        match u32::try_from(bits) {
            _ if self.significand == 0 => 0,
            Ok(bits) => self.significand << bits,
            Err(_) if bits <= -64 => 0,
            Err(_) => self.significand / (1 << bits.unsigned_abs().min(62)),
        }
    }
}

/// Sums of blocks, one after the other.
fn sum_of_floats(m: &SassModifiers, chip: Chip, pairs: &[[u64; 2]], c: u64) -> u64 {
    let (format, bytes) = match (m.has(Word::Bf16), m.has(Word::Tf32)) {
        (true, _) => (FloatFormat::Bf16, 2),
        (_, true) => (FloatFormat::Tf32, 4),
        _ => (FloatFormat::F16, 2),
    };
    let result = m.types[0].and_then(|ty| ty.format);
    let result = result.unwrap_or(FloatFormat::F32);
    let tensor = chip.tensor();
    let blocks = pairs.chunks(tensor.block_bytes / bytes);
    blocks.fold(c, |c, block| {
        // A register holds the upper 19 bits of such a float; the others are ignored.
        let source = |bits: u64| match format {
            FloatFormat::Tf32 => bits >> 13,
            _ => bits,
        };
        let block = block.iter().map(|pair| pair.map(source));
        sum_of_block(format, block, c, result, tensor.fraction_bits)
    })
}

fn sum_of_block(
    format: FloatFormat,
    pairs: impl Iterator<Item = [u64; 2]> + Clone,
    c: u64,
    result: FloatFormat,
    fraction_bits: i32,
) -> u64 {
    let nan = match result {
        FloatFormat::F16 => NAN_HALF,
        _ => NAN,
    };
    let real = |bits| Real::from_bits(bits, format);
    let is_finite =
        |bits: u64, format: FloatFormat| bits & format.exponent_mask() != format.exponent_mask();
    let mut all = pairs.clone().flatten();
    if !(all.all(|bits| is_finite(bits, format)) && is_finite(c, result)) {
        // Infinities and NaN are those of the exact sum.
        let products = pairs.map(|[a, b]| real(a) * real(b));
        let sum = products.fold(Real::from_bits(c, result), |sum, product| sum + product);
        return match sum.is_nan() {
            true => nan,
            false => sum.to_bits(result, Rounding::NearestEven),
        };
    }
    let products = pairs.map(|[a, b]| SumTerm::of(a, format).times(SumTerm::of(b, format)));
    let terms: Vec<SumTerm> = products.chain([SumTerm::of(c, result)]).collect();
    let leading = terms.iter().map(|term| term.leading).max().unwrap_or(0);
    let last = leading - fraction_bits;
    let sum: i64 = terms.iter().map(|term| term.cut_off(last)).sum();
    let exponent = u64::try_from(FloatFormat::F64.bias() + last);
    let unit = exponent.expect("it is normal") << FloatFormat::F64.fraction();
    let sum = Real::from_integer(sum.into()) * Real::from_bits(unit, FloatFormat::F64);
    let rounding = match result {
        FloatFormat::F16 => Rounding::NearestEven,
        _ => Rounding::TowardZero,
    };
    let bits = sum.to_bits(result, rounding);
    let value = f64::from_bits(sum.to_bits(FloatFormat::F64, Rounding::NearestEven));
    match bits & result.sign() {
        // A sum of 2^128 or more is infinite, and one that is cut off to zero has no sign.
        sign if value.abs() >= BEYOND_FLOATS => sign | result.infinity(),
        sign if bits == sign => 0,
        _ => bits,
    }
}
