//! Arithmetic of the vISA base instructions on element bits, independent of operands
//! and the machine.
//!
//! Sources: visa_2_datatypes.md for conversions and saturation,
//! visa_4_visa_header.md for `%cr0`, the pages of the instructions.

mod compare;
pub(super) mod facts;
mod ops;

pub use compare::Relation;
pub use ops::AluOp;

use super::vector::Modifier;
use crate::diagnostic::to_usize;
use crate::isa::Fact;
use crate::number::{
    ElementType, FloatFormat, Native, Nearest, OddDouble, Real, Rounding, low_mask, low_qword,
    set_bits, show, sign_extend,
};
use alloc::string::{String, ToString};
use num_traits::{AsPrimitive, PrimInt, SaturatingMul, Signed, WrappingAdd, WrappingMul};
use ops::{AluRow, GROUP, OnBits, OnDoubles, OnIntegers, OnNearest, OnReals};

/// Element bits, one per lane.
pub type LaneBits = [u64; 32];

/// Floating-point mode: the value of `%cr0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatMode(pub u32);

impl FloatMode {
    /// Rounding mode: bits 4 and 5.
    #[must_use]
    pub const fn rounding(self) -> Rounding {
        match self.0 >> 4 & 3 {
            0 => Rounding::NearestEven,
            1 => Rounding::Up,
            2 => Rounding::Down,
            _ => Rounding::TowardZero,
        }
    }

    /// Whether subnormal numbers of a type are preserved rather than flushed to zero.
    #[must_use]
    pub const fn keeps_denormals(self, ty: ElementType) -> bool {
        let bit = match ty {
            ElementType::Df => 6,
            ElementType::F | ElementType::Bf => 7,
            ElementType::Hf => 10,
            _ => return true,
        };
        self.0 >> bit & 1 == 1
    }

    /// The least absolute value that is not flushed to zero.
    fn least<F: Native>(self) -> Nearest<F> {
        match self.keeps_denormals(F::TYPE) {
            true => Nearest::zero(),
            false => Nearest::least_normal(),
        }
    }

    /// Whether floats are computed in ALT mode, which is not modeled.
    const fn is_alternate(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Type and modifier of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AluSource {
    /// Type of its elements.
    pub ty: ElementType,
    /// Applied to the elements before they are used.
    pub modifier: Modifier,
}

/// The reason that an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AluError {
    /// The operation does not support the types.
    #[error("`{0}` does not support these types")]
    Types(&'static str),
    /// The number of sources does not match the operation.
    #[error("wrong number of sources for `{0}`")]
    Sources(&'static str),
    /// The documents do not say to what the operation saturates.
    #[error("`.sat` of `{0}` is not modeled")]
    Saturation(&'static str),
    /// `%cr0` selects ALT mode.
    #[error("ALT mode of `%cr0` is not modeled")]
    AlternateMode,
    /// Integer division by zero, whose result is undefined.
    #[error("division by zero in lane {lane}")]
    DivisionByZero {
        /// The first affected lane.
        lane: u8,
    },
}

impl AluSource {
    /// A source without a modifier.
    #[must_use]
    pub const fn plain(ty: ElementType) -> Self {
        Self {
            ty,
            modifier: Modifier::NONE,
        }
    }

    /// The value of integer bits with the modifier applied; a signed one wraps at its width.
    #[inline]
    #[must_use]
    pub fn integer(self, bits: u64) -> i128 {
        self.integers()(bits)
    }

    /// The values of integer bits with the modifier applied. Signed ones wrap: minus the smallest
    /// is the smallest again. Intel's compiler relies on it where it makes a modifier of a
    /// negation or absolute value.
    #[inline]
    fn integers<T: Integer>(self) -> impl Fn(u64) -> T {
        let (width, is_signed) = (self.ty.bits(), self.ty.is_signed());
        let wraps = is_signed && self.modifier != Modifier::NONE;
        move |bits| {
            let value: T = sign_extend(bits, width).into();
            let value = match is_signed {
                true => value,
                false => value & ones(width),
            };
            let value = if self.modifier.is_absolute() {
                value.abs()
            } else {
                value
            };
            let value = match self.modifier {
                modifier if modifier.is_logical() => !value,
                modifier if modifier.is_negative() => -value,
                _ => value,
            };
            match wraps {
                true => sign_extend(value.as_(), width).into(),
                false => value,
            }
        }
    }

    /// Text of element bits with the modifier applied.
    #[must_use]
    pub fn modified_text(self, bits: u64) -> String {
        if self.ty.is_float() {
            return show(self.signed(bits), self.ty);
        }
        let value = self.integer(bits);
        match self.modifier.is_logical() {
            true => show(low_qword(value) & low_mask(self.ty.bits()), self.ty),
            false => value.to_string(),
        }
    }

    /// Float bits with the modifier applied to the sign.
    #[inline]
    fn signed(self, bits: u64) -> u64 {
        let (cleared, flipped) = self.sign_masks();
        bits & !cleared ^ flipped
    }

    /// The bits of a float that its modifier clears, and those that it then flips.
    #[inline]
    fn sign_masks(self) -> (u64, u64) {
        let sign = 1 << (self.ty.bits() - 1);
        let masks = (self.modifier.is_absolute(), self.modifier.is_negative());
        (
            if masks.0 { sign } else { 0 },
            if masks.1 { sign } else { 0 },
        )
    }
}

/// How a result fits the type of its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitting {
    /// The destination holds the exact result.
    Exact,
    /// A conversion loses digits.
    Rounded,
    /// The result is out of range; the nearest value is written.
    Clamped,
    /// The result is out of range; its low bits are written.
    Wrapped,
    /// The result is subnormal; zero is written.
    Flushed,
}

/// A result before it is rounded, saturated or wrapped to the type of its destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfitted {
    /// The value as text.
    pub text: String,
    pub fitting: Fitting,
}

/// Types and modes for the arithmetic of some operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AluContext {
    sources: [ElementType; 4],
    destination: ElementType,
    saturate: bool,
    mode: FloatMode,
}

impl AluContext {
    /// Sum, exact in the low bits, or its saturation.
    fn sum<T: Integer>(&self, a: T, b: T) -> T {
        match self.saturate {
            true => a.saturating_add(b),
            false => a.wrapping_add(&b),
        }
    }

    /// Product, exact in the low bits, or its saturation.
    fn product<T: Integer>(&self, a: T, b: T) -> T {
        match self.saturate {
            true => a.saturating_mul(&b),
            false => a.wrapping_mul(&b),
        }
    }

    /// Shift count: 5 bits, or 6 for 64-bit destinations.
    fn count<T: Integer>(&self, count: T) -> u32 {
        low_dword(count.as_()) & (self.destination.bits().max(32) - 1)
    }

    /// Bits of a value at the width of the operation, 32 or 64.
    fn unsigned<T: Integer>(&self, value: T) -> T {
        let bits = self.sources[0].bits().max(self.destination.bits());
        value & ones(bits.max(32))
    }

    /// The low 32 bits of a value.
    fn dword<T: Integer>(&self, value: T) -> u32 {
        low_dword(value.as_())
    }

    /// Bits of a value at the width of src0.
    fn element<T: Integer>(&self, value: T) -> T {
        value & ones(self.sources[0].bits())
    }

    /// Rotates a value of src0 left.
    fn rotated<T: Integer>(&self, value: T, count: T) -> T {
        let bits = to_usize(self.sources[0].bits());
        let count = to_usize(self.dword(count)) % bits;
        let value = self.element(value);
        value << count | value >> (bits - count)
    }

    /// Bits of src2 starting at `offset`, sign-extended for signed types.
    fn field(&self, value: i64, offset: i64, width: i64) -> i64 {
        if width == 0 {
            return 0;
        }
        if offset + width >= 32 {
            return value >> offset;
        }
        let field = (value >> offset) & ((1 << width) - 1);
        let negative = self.sources[2].is_signed() && field >> (width - 1) == 1;
        field - (i64::from(negative) << width)
    }

    /// Rounds a number to the type of the destination.
    fn rounded(&self, value: Real) -> Real {
        let format = self.destination.float_format();
        let format = format.expect("an operation on floats has a float destination");
        value.rounded(format, self.mode.rounding())
    }

    /// Rounds a float by adding random bits below the last digit that is kept, then cutting
    /// off; subnormals are kept (SRND.md). Sums above all finite numbers become infinite
    /// (assumed).
    fn rounded_at_random(&self, bits: u64, random: u64) -> u64 {
        let format = |ty| {
            float_format(AluOp::Srnd, ty)
                .expect("`path` checks the types")
                .0
        };
        let (from, to) = (format(self.sources[0]), format(self.destination));
        let dropped = low_mask(from.fraction() - to.fraction());
        let nearest = |bits| Real::from_bits(bits, from).to_bits(to, Rounding::NearestEven);
        if bits & !from.sign() >= from.infinity() {
            return nearest(bits);
        }
        let sum = (bits + (random & dropped)) & !dropped;
        match nearest(sum) {
            infinite if infinite & !to.sign() == to.infinity() => infinite,
            // Subnormal results have fewer digits.
            _ => Real::from_bits(sum, from).to_bits(to, Rounding::TowardZero),
        }
    }

    /// Whether a value is out of range for the destination.
    fn overflows<T: Integer>(&self, value: T) -> bool {
        let (low, high) = range(self.destination);
        !(low..=high).contains(&value)
    }
}

/// Numbers that integer operations compute with.
trait Integer:
    PrimInt + Signed + WrappingAdd + WrappingMul + SaturatingMul + From<i64> + AsPrimitive<u64>
{
}

impl Integer for i64 {}
impl Integer for i128 {}

/// A number whose low `count` bits are ones, for types that have more.
fn ones<T: Integer>(count: u32) -> T {
    (T::one() << to_usize(count)) - T::one()
}

/// Leading zeros of a dword; all ones for 0.
const fn first_high(dword: u32) -> u32 {
    match dword {
        0 => u32::MAX,
        _ => dword.leading_zeros(),
    }
}

/// The value, or its complement if bit 0 of `term` is set.
fn pick<T: Integer>(value: T, term: u32) -> T {
    if term & 1 == 1 { value } else { !value }
}

/// The bits of a product, or a product and a sum, from bit 32 on.
fn high(value: i128) -> i64 {
    (value >> 32).as_()
}

/// Sum of the products of four bytes, signed where src1 or src2 is.
fn dot4(types: &AluContext, b: i64, c: i64) -> i64 {
    let [_, b_type, c_type, _] = types.sources;
    let byte = |value: i64, ty: ElementType, index: u32| {
        let bits = value >> (8 * index) & 0xff;
        if ty.is_signed() && bits > 127 {
            bits - 256
        } else {
            bits
        }
    };
    (0..4)
        .map(|index| byte(b, b_type, index) * byte(c, c_type, index))
        .sum()
}

/// The low 32 bits.
#[must_use]
pub fn low_dword(bits: u64) -> u32 {
    let [a, b, c, d, ..] = bits.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Smallest and largest value of an integer type.
fn range<T: Integer>(ty: ElementType) -> (T, T) {
    let bits = ty.bits();
    match ty.is_signed() {
        true => (!ones::<T>(bits - 1), ones(bits - 1)),
        false => (T::zero(), ones(bits)),
    }
}

/// Format in which an operation accesses elements of a type, and the position of its
/// lowest bit. `fcvt` stores formats in integer types.
fn float_format(op: AluOp, ty: ElementType) -> Option<(FloatFormat, u32)> {
    match (op, ty) {
        (AluOp::Fcvt | AluOp::Srnd, ElementType::Ub) => Some((FloatFormat::Bf8, 0)),
        (AluOp::Fcvt, ElementType::B) => Some((FloatFormat::Hf8, 0)),
        (AluOp::Fcvt, ElementType::Ud) => Some((FloatFormat::Tf32, 13)),
        _ => ty.float_format().map(|format| (format, 0)),
    }
}

/// Evaluation strategy.
#[derive(Clone, Copy, Debug)]
enum AluPath {
    /// Copies float bits and applies the modifier.
    Copy,
    Integer(OnIntegers<i128>),
    /// Integers of at most 32 bits.
    SmallInteger(OnIntegers<i64>),
    Real(OnReals),
    Bits(OnBits),
    /// Floats of at most 32 bits, unless rounded down, which changes the sign of some zeros;
    /// conversions between floats and integers of at most 32 bits.
    Double(OnDoubles),
    /// 32-bit floats, rounded to nearest even.
    NearestSingle(OnNearest<f32>),
    /// 64-bit floats, rounded to nearest even.
    NearestDouble(OnNearest<f64>),
}

/// An operation on concrete types, resolved once per instruction and applied to its
/// lanes.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator {
    op: AluOp,
    row: &'static AluRow,
    path: AluPath,
    sources: [AluSource; 4],
    types: AluContext,
    /// The result of a division by zero, unless it faults.
    by_zero: Option<u64>,
}

impl AluOp {
    /// Number of sources; the truth table of [`AluOp::Bfn`] is the fourth.
    #[must_use]
    pub const fn sources(self) -> usize {
        self.row().sources
    }

    /// Name in messages: the mnemonic, if any.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it operates on bits rather than numbers.
    const fn is_bitwise(self) -> bool {
        self.row().bitwise
    }

    /// The operation that computes the second result, for instructions with two results.
    #[must_use]
    pub const fn second(self) -> Option<Self> {
        self.row().second
    }

    /// Facts about the instruction.
    #[must_use]
    pub const fn facts(self) -> &'static [Fact] {
        self.row().facts
    }
}

/// An operation on concrete types, in any floating-point mode.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The evaluation in the mode 0, which rounds to nearest even.
    evaluator: Evaluator,
    /// The strategy for rounding up or toward zero.
    directed: AluPath,
    /// The strategy for rounding down, where the zero of `a - a` is negative.
    down: AluPath,
    /// Whether a type is a float.
    is_float: bool,
    /// Whether ALT mode, which is for 32-bit floats, changes it.
    alternates: bool,
}

impl Operation {
    /// Resolves an operation.
    ///
    /// # Errors
    /// If the operation does not support the types.
    pub fn new(
        op: AluOp,
        sources: &[AluSource],
        destination: ElementType,
        saturate: bool,
    ) -> Result<Self, AluError> {
        let row = op.row();
        if sources.len() != row.sources {
            return Err(AluError::Sources(row.name));
        }
        let first = sources.first().ok_or(AluError::Sources(row.name))?;
        let mut all = [*first; 4];
        for (to, from) in all.iter_mut().zip(sources) {
            *to = *from;
        }
        let types = AluContext {
            sources: all.map(|source| source.ty),
            destination,
            saturate,
            mode: FloatMode(0),
        };
        if saturate && matches!(op, AluOp::Fcvt | AluOp::Srnd) {
            return Err(AluError::Saturation(row.name));
        }
        let path = |rounding| path(op, sources, &types, rounding).ok_or(AluError::Types(row.name));
        let evaluator = Evaluator {
            op,
            row,
            path: path(Rounding::NearestEven)?,
            sources: all,
            types,
            by_zero: None,
        };
        let mut involved = types.sources.into_iter().chain([destination]);
        let is_single = |ty| ty == ElementType::F;
        Ok(Self {
            evaluator,
            directed: path(Rounding::TowardZero)?,
            down: path(Rounding::Down)?,
            is_float: involved.clone().any(ElementType::is_float),
            alternates: involved.any(is_single) && !matches!(evaluator.path, AluPath::Copy),
        })
    }

    /// The evaluation in a mode, which integers do not depend on.
    ///
    /// # Errors
    /// If it is ALT mode, for floats.
    #[inline]
    pub fn in_mode(&self, mode: impl FnOnce() -> FloatMode) -> Result<Evaluator, AluError> {
        let mut evaluator = self.evaluator;
        if !self.is_float {
            return Ok(evaluator);
        }
        let mode = mode();
        evaluator.types.mode = mode;
        match mode.rounding() {
            Rounding::NearestEven => {}
            Rounding::Up | Rounding::TowardZero => evaluator.path = self.directed,
            Rounding::Down => evaluator.path = self.down,
        }
        match mode.is_alternate() && self.alternates {
            true => Err(AluError::AlternateMode),
            false => Ok(evaluator),
        }
    }

    /// Makes a division by zero yield `bits` instead of a fault.
    #[must_use]
    pub const fn with_division_by_zero(mut self, bits: u64) -> Self {
        self.evaluator.by_zero = Some(bits);
        self
    }
}

impl Evaluator {
    /// Resolves an operation in a floating-point mode.
    ///
    /// # Errors
    /// If the operation does not support the types, or `%cr0` selects ALT mode for floats.
    pub fn new(
        op: AluOp,
        sources: &[AluSource],
        destination: ElementType,
        saturate: bool,
        mode: FloatMode,
    ) -> Result<Self, AluError> {
        Operation::new(op, sources, destination, saturate)?.in_mode(|| mode)
    }

    /// Computes the lanes in the mask `enabled`; the others are not defined.
    ///
    /// # Errors
    /// If an integer is divided by zero, or sources are missing.
    pub fn apply(
        &self,
        operands: &[LaneBits],
        enabled: u32,
        out: &mut LaneBits,
    ) -> Result<(), AluError> {
        if operands.len() != self.row.sources {
            return Err(AluError::Sources(self.row.name));
        }
        match self.path {
            AluPath::Copy => {
                let signed = |source: AluSource| move |bits| source.signed(bits);
                self.lanes(operands, enabled, out, 0, signed, |[bits, ..]| *bits);
            }
            AluPath::Integer(f) if self.types.destination.is_float() => {
                let fit = |value| self.fit_real(Real::from_integer(value));
                return self.on_integers(f, operands, enabled, out, fit);
            }
            AluPath::Integer(f) => {
                return self.on_integers(f, operands, enabled, out, self.fit_integers());
            }
            AluPath::SmallInteger(f) => {
                return self.on_integers(f, operands, enabled, out, self.fit_integers());
            }
            AluPath::Real(f) => {
                let real = |source| move |bits| self.real(source, bits);
                let compute = |values: &[Real; 4]| self.fit_real(f(values, &self.types));
                self.lanes(operands, enabled, out, Real::ZERO, real, compute);
            }
            AluPath::Bits(f) => {
                let compute = |bits: &[u64; 4]| f(bits, &self.types);
                self.lanes(operands, enabled, out, 0, |_| |bits| bits, compute);
            }
            AluPath::Double(f) => self.on_doubles(f, operands, enabled, out),
            AluPath::NearestSingle(f) => self.on_nearest(f, operands, enabled, out),
            AluPath::NearestDouble(f) => self.on_nearest(f, operands, enabled, out),
        }
        Ok(())
    }

    /// The result of one lane before it is fitted to the destination; `None` for operations
    /// on bits, which always fit, and for a division by zero. The lane must have passed
    /// [`Self::apply`].
    #[must_use]
    pub fn unfitted(&self, operands: &[LaneBits], lane: usize) -> Option<Unfitted> {
        let pairs = self.sources.iter().zip(operands);
        let destination = self.types.destination;
        let exact = match self.path {
            AluPath::Copy | AluPath::Bits(_) => return None,
            _ if self.op.is_bitwise() => return None,
            AluPath::Integer(_) | AluPath::SmallInteger(_) => {
                let value = self.exact_integer(operands, lane)?;
                if !destination.is_float() {
                    let (low, high) = range(destination);
                    let fitting = match (low..=high).contains(&value) {
                        true => Fitting::Exact,
                        false if self.types.saturate => Fitting::Clamped,
                        false => Fitting::Wrapped,
                    };
                    let text = value.to_string();
                    return Some(Unfitted { text, fitting });
                }
                Real::from_integer(value)
            }
            path => {
                let float = self.row.float;
                let f = match path {
                    AluPath::Real(f) => f,
                    _ => float.expect("the operation has arithmetic on floats").0,
                };
                let mut values = [Real::ZERO; 4];
                for (value, (source, bits)) in values.iter_mut().zip(pairs) {
                    *value = match float_format(self.op, source.ty) {
                        Some(_) => self.real(*source, bits[lane]),
                        None => Real::from_integer(source.integer(bits[lane])),
                    };
                }
                f(&values, &self.types)
            }
        };
        let text = show(
            exact.to_bits(FloatFormat::F64, Rounding::NearestEven),
            ElementType::Df,
        );
        let fitting = self.fitting(exact);
        Some(Unfitted { text, fitting })
    }

    /// How a number fits the destination.
    fn fitting(&self, exact: Real) -> Fitting {
        let destination = self.types.destination;
        let Some((format, shift)) = float_format(self.op, destination) else {
            let (low, high) = range(destination);
            let integer = exact.to_integer();
            return match () {
                () if exact.is_nan() || !(low..=high).contains(&integer) => Fitting::Clamped,
                () if Real::from_integer(integer) == exact => Fitting::Exact,
                () => Fitting::Rounded,
            };
        };
        if self.types.saturate && !(Real::ZERO <= exact && exact <= Real::ONE) {
            return Fitting::Clamped;
        }
        let bits = self.round_real(exact);
        if self.fit_real(exact) != bits {
            return Fitting::Flushed;
        }
        // Rounding of arithmetic in one type is not worth a mention.
        let converts = self.types.sources[0] != destination;
        let written = Real::from_bits(bits >> shift, format);
        match converts && !exact.is_nan() && written != exact {
            true => Fitting::Rounded,
            false => Fitting::Exact,
        }
    }

    /// Computes lane by lane; `read` converts the bits of a source to values.
    #[inline]
    fn lanes<T: Copy, V: Fn(u64) -> T>(
        &self,
        operands: &[LaneBits],
        enabled: u32,
        out: &mut LaneBits,
        zero: T,
        read: impl Fn(AluSource) -> V,
        compute: impl Fn(&[T; 4]) -> u64,
    ) {
        for (group, out) in groups_mut(out, enabled) {
            let first = group * GROUP;
            let enabled = enabled >> first & ((1 << GROUP) - 1);
            let count = to_usize(u32::BITS - enabled.leading_zeros());
            let mut values = [[zero; 4]; GROUP];
            for (index, (source, bits)) in self.sources.iter().zip(operands).enumerate() {
                let value = read(*source);
                let bits = &bits.as_chunks::<GROUP>().0[group];
                for (values, bits) in values.iter_mut().zip(bits).take(count) {
                    values[index] = value(*bits);
                }
            }
            for lane in set_bits(enabled) {
                out[lane] = compute(&values[lane]);
            }
        }
    }

    /// Computes the groups of lanes up to the last one in `enabled`, source by source.
    #[inline]
    fn on_integers<T: Integer>(
        &self,
        f: OnIntegers<T>,
        operands: &[LaneBits],
        enabled: u32,
        out: &mut LaneBits,
        fit: impl Fn(T) -> u64,
    ) -> Result<(), AluError> {
        for (group, out) in groups_mut(out, enabled) {
            let mut values = [[T::zero(); GROUP]; 4];
            self.read_integers(operands, group, &mut values);
            let [_, divisors, ..] = values;
            f(&mut values, &self.types);
            for (bits, value) in out.iter_mut().zip(&values[0]) {
                *bits = fit(*value);
            }
            let first = group * GROUP;
            for lane in set_bits(enabled >> first).take_while(|lane| *lane < GROUP) {
                if self.divides() && divisors[lane].is_zero() {
                    out[lane] = self.by_zero.ok_or(AluError::DivisionByZero {
                        lane: u8::try_from(first + lane).expect("there are 32 lanes"),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Reads the values of a group of lanes of integer sources.
    #[inline]
    fn read_integers<T: Integer>(
        &self,
        operands: &[LaneBits],
        group: usize,
        values: &mut [[T; GROUP]; 4],
    ) {
        for ((values, source), bits) in values.iter_mut().zip(&self.sources).zip(operands) {
            let value = source.integers();
            for (to, bits) in values.iter_mut().zip(&bits.as_chunks::<GROUP>().0[group]) {
                *to = value(*bits);
            }
        }
    }

    /// The exact result of a lane, unless it divides by zero.
    fn exact_integer(&self, operands: &[LaneBits], lane: usize) -> Option<i128> {
        match (self.row.integer, self.row.narrow) {
            (Some((f, _)), _) => self.exact(f, operands, lane),
            (None, narrow) => self.exact(narrow?, operands, lane),
        }
    }

    fn exact<T: Integer + Into<i128>>(
        &self,
        f: OnIntegers<T>,
        operands: &[LaneBits],
        lane: usize,
    ) -> Option<i128> {
        let (group, lane) = (lane / GROUP, lane % GROUP);
        let mut values = [[T::zero(); GROUP]; 4];
        self.read_integers(operands, group, &mut values);
        if self.divides() && values[1][lane].is_zero() {
            return None;
        }
        f(&mut values, &self.types);
        Some(values[0][lane].into())
    }

    /// Whether it divides integers.
    fn divides(&self) -> bool {
        matches!(self.op, AluOp::Div | AluOp::Mod)
    }

    /// As [`Self::on_integers`], for floats of at most 32 bits.
    fn on_doubles(&self, f: OnDoubles, operands: &[LaneBits], enabled: u32, out: &mut LaneBits) {
        for (group, out) in groups_mut(out, enabled) {
            let mut values = [[OddDouble::ZERO; GROUP]; 4];
            for ((values, source), bits) in values.iter_mut().zip(&self.sources).zip(operands) {
                let pairs = values.iter_mut().zip(&bits.as_chunks::<GROUP>().0[group]);
                // The compiler specializes both loops for the usual types.
                match source.ty {
                    ElementType::F => self.read_doubles(ElementType::F, *source, pairs),
                    ElementType::Hf => self.read_doubles(ElementType::Hf, *source, pairs),
                    ty => self.read_doubles(ty, *source, pairs),
                }
            }
            f(&mut values, &self.types);
            let pairs = out.iter_mut().zip(&values[0]);
            match self.types.destination {
                ElementType::F => self.fit_doubles(ElementType::F, pairs),
                ElementType::Hf => self.fit_doubles(ElementType::Hf, pairs),
                ty => self.fit_doubles(ty, pairs),
            }
        }
    }

    #[inline]
    fn read_doubles<'v>(
        &self,
        ty: ElementType,
        source: AluSource,
        pairs: impl Iterator<Item = (&'v mut OddDouble, &'v u64)>,
    ) {
        let source = AluSource { ty, ..source };
        for (value, bits) in pairs {
            *value = match ty.is_float() {
                true => OddDouble::from_bits(self.flushed(source.signed(*bits), ty), ty),
                false => OddDouble::from_integer(low_qword(source.integer(*bits)).cast_signed()),
            };
        }
    }

    #[inline]
    fn fit_doubles<'v>(
        &self,
        ty: ElementType,
        pairs: impl Iterator<Item = (&'v mut u64, &'v OddDouble)>,
    ) {
        if !ty.is_float() {
            let (low, high) = range(ty);
            for (bits, value) in pairs {
                let value = i128::from(value.to_integer()).clamp(low, high);
                *bits = low_qword(value) & low_mask(ty.bits());
            }
            return;
        }
        let rounding = self.rounding(ty.float_format());
        for (bits, value) in pairs {
            let value = match self.types.saturate {
                true if value.is_nan() || *value < OddDouble::ZERO => OddDouble::ZERO,
                true if *value > OddDouble::ONE => OddDouble::ONE,
                _ => *value,
            };
            *bits = self.flushed(value.rounded(ty, rounding), ty);
        }
    }

    /// As [`Self::on_doubles`], for floats rounded to nearest even.
    fn on_nearest<F: Native>(
        &self,
        f: OnNearest<F>,
        operands: &[LaneBits],
        enabled: u32,
        out: &mut LaneBits,
    ) {
        let least = self.types.mode.least();
        for (group, out) in groups_mut(out, enabled) {
            let mut values = [[Nearest::zero(); GROUP]; 4];
            for ((values, source), bits) in values.iter_mut().zip(&self.sources).zip(operands) {
                let (cleared, flipped) = source.sign_masks();
                for (value, bits) in values.iter_mut().zip(&bits.as_chunks::<GROUP>().0[group]) {
                    *value = Nearest::from_bits(bits & !cleared ^ flipped).flushed(least);
                }
            }
            f(&mut values, &self.types);
            if self.types.saturate {
                values[0] = values[0].map(Nearest::saturated);
            }
            for (bits, value) in out.iter_mut().zip(&values[0]) {
                *bits = value.flushed(least).to_bits();
            }
        }
    }

    /// The value of float bits with the modifier applied.
    fn real(&self, source: AluSource, bits: u64) -> Real {
        let (format, shift) = float_format(self.op, source.ty).expect("floats are on this path");
        let bits = source.signed(bits);
        let bits = match (self.op, source.ty) {
            // To tf32, subnormals are flushed; fcvt keeps those of other formats (FCVT.md).
            (AluOp::Fcvt, ElementType::F) if format.is_subnormal(bits) => bits & format.sign(),
            (AluOp::Fcvt, _) => bits,
            _ => self.flushed(bits, source.ty),
        };
        Real::from_bits(bits >> shift, format)
    }

    /// Float bits, with subnormals flushed to zero if the mode requires it.
    #[inline]
    fn flushed(&self, bits: u64, ty: ElementType) -> u64 {
        flushed(bits, ty, self.types.mode)
    }

    /// Saturates or wraps integers to the type of the destination.
    #[inline]
    fn fit_integers<T: Integer>(&self) -> impl Fn(T) -> u64 {
        let destination = self.types.destination;
        let (low, high) = range(destination);
        let mask = low_mask(destination.bits());
        let saturate = self.types.saturate;
        move |value| {
            let value = match saturate {
                true => value.clamp(low, high),
                false => value,
            };
            value.as_() & mask
        }
    }

    fn fit_real(&self, value: Real) -> u64 {
        let bits = self.round_real(value);
        match self.op {
            AluOp::Fcvt => bits,
            _ => self.flushed(bits, self.types.destination),
        }
    }

    /// As [`Self::fit_real`], but preserves subnormal numbers.
    fn round_real(&self, value: Real) -> u64 {
        let AluContext {
            destination,
            saturate,
            ..
        } = self.types;
        let Some((format, shift)) = float_format(self.op, destination) else {
            let (low, high) = range(destination);
            let value = value.to_integer().clamp(low, high);
            return low_qword(value) & low_mask(destination.bits());
        };
        let value = match saturate {
            true if value.is_nan() || value < Real::ZERO => Real::ZERO,
            true if value > Real::ONE => Real::ONE,
            _ => value,
        };
        value.to_bits(format, self.rounding(Some(format))) << shift
    }

    /// The rounding to a format.
    fn rounding(&self, format: Option<FloatFormat>) -> Rounding {
        match format {
            // Narrow formats always preserve subnormals.
            Some(FloatFormat::F16 | FloatFormat::F32 | FloatFormat::F64) => {
                self.types.mode.rounding()
            }
            _ => Rounding::NearestEven,
        }
    }
}

/// The groups of lanes up to the last one in `enabled`, by index.
fn groups_mut(
    lanes: &mut LaneBits,
    enabled: u32,
) -> impl Iterator<Item = (usize, &mut [u64; GROUP])> {
    let count = to_usize(u32::BITS - enabled.leading_zeros());
    let (groups, _) = lanes.as_chunks_mut();
    groups.iter_mut().take(count.div_ceil(GROUP)).enumerate()
}

#[inline]
fn flushed(bits: u64, ty: ElementType, mode: FloatMode) -> u64 {
    match ty.float_format() {
        Some(format) if !mode.keeps_denormals(ty) && format.is_subnormal(bits) => {
            bits & format.sign()
        }
        _ => bits,
    }
}

/// The evaluation strategy for the types; `None` if unsupported.
fn path(
    op: AluOp,
    sources: &[AluSource],
    types: &AluContext,
    rounding: Rounding,
) -> Option<AluPath> {
    let row = op.row();
    let destination = types.destination;
    let all = |is: &dyn Fn(ElementType) -> bool| sources.iter().all(|source| is(source.ty));
    let is_float = |ty| float_format(op, ty).is_some();
    let is_integer = |ty: ElementType| !ty.is_float();
    if op == AluOp::Fcvt {
        let known = |a, b| {
            matches!(
                (a, b),
                (ElementType::Hf, ElementType::Ub | ElementType::B)
                    | (ElementType::F, ElementType::Ud)
            )
        };
        let source = types.sources[0];
        let converts = known(source, destination) || known(destination, source);
        return converts.then_some(AluPath::Real(row.real?));
    }
    if let Some(bits) = row.bits {
        // Sources cannot have modifiers; src1 has the bits of its type.
        let is_known = matches!(
            (types.sources[0], destination),
            (ElementType::F, ElementType::Hf) | (ElementType::Hf, ElementType::Ub)
        );
        let is_plain = sources
            .iter()
            .all(|source| source.modifier == Modifier::NONE);
        return (is_known && is_plain).then_some(AluPath::Bits(bits));
    }
    let converts = op == AluOp::Mov;
    let is_small = |ty: ElementType| ty.is_float() && ty.bits() <= 32;
    let small_integers = all(&|ty| is_integer(ty) && ty.bits() <= 32);
    let to_float = is_float(destination) && destination != ElementType::Bf;
    if converts && small_integers && to_float {
        return Some(AluPath::Double(row.float?.1));
    }
    if all(&is_integer) && (converts || is_integer(destination)) {
        if destination == ElementType::Bf {
            return None;
        }
        return match (row.integer, row.narrow) {
            (Some((_, f)), _) | (None, Some(f)) if small_integers && destination.bits() <= 32 => {
                Some(AluPath::SmallInteger(f))
            }
            (integer, _) => Some(AluPath::Integer(integer?.0)),
        };
    }
    if !all(&is_float) || !(converts || is_float(destination)) {
        return None;
    }
    // bf can be combined with f only.
    let mut involved = sources.iter().map(|source| source.ty).chain([destination]);
    let has_bf = involved.clone().any(|ty| ty == ElementType::Bf);
    let no_partner = involved.any(|ty| !matches!(ty, ElementType::Bf | ElementType::F));
    let logical = sources.iter().any(|source| source.modifier.is_logical());
    if has_bf && no_partner || logical {
        return None;
    }
    if converts && types.sources[0] == destination && !types.saturate {
        return Some(AluPath::Copy);
    }
    if converts && is_integer(destination) && destination.bits() <= 32 {
        return Some(AluPath::Double(row.float?.1));
    }
    let are = |ty| all(&|source| source == ty) && destination == ty;
    let is_nearest = rounding == Rounding::NearestEven;
    let small = all(&is_small) && is_small(destination);
    Some(match row.float {
        Some((_, _, f, _)) if is_nearest && are(ElementType::F) => AluPath::NearestSingle(f),
        Some((.., f)) if is_nearest && are(ElementType::Df) => AluPath::NearestDouble(f),
        Some((_, f, ..)) if small && rounding != Rounding::Down => AluPath::Double(f),
        Some((f, ..)) => AluPath::Real(f),
        None => AluPath::Real(row.real?),
    })
}

#[cfg(test)]
mod tests;
