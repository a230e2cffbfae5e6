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
    ElementType, FloatFormat, OddDouble, Real, Rounding, Single, low_mask, set_bits, show,
    sign_extend,
};
use alloc::string::{String, ToString};
use ops::{AluRow, GROUP, OnBits, OnDoubles, OnIntegers, OnReals, OnSingles};

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

    /// The least absolute value of a 32-bit float that is not flushed to zero.
    const fn least_single(self) -> Single {
        match self.keeps_denormals(ElementType::F) {
            true => Single::ZERO,
            false => Single::LEAST_NORMAL,
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

    /// The exact value of integer bits with the modifier applied.
    #[inline]
    #[must_use]
    pub fn integer(self, bits: u64) -> i128 {
        self.integers()(bits)
    }

    /// The exact values of integer bits with the modifier applied.
    #[inline]
    fn integers(self) -> impl Fn(u64) -> i128 {
        let (width, is_signed) = (self.ty.bits(), self.ty.is_signed());
        move |bits| {
            let value = match is_signed {
                true => i128::from(sign_extend(bits, width)),
                false => i128::from(bits & low_mask(width)),
            };
            let value = if self.modifier.is_absolute() {
                value.abs()
            } else {
                value
            };
            match self.modifier {
                modifier if modifier.is_logical() => !value,
                modifier if modifier.is_negative() => -value,
                _ => value,
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
    fn sum(&self, a: i128, b: i128) -> i128 {
        match self.saturate {
            true => a.saturating_add(b),
            false => a.wrapping_add(b),
        }
    }

    /// Product, exact in the low bits, or its saturation.
    fn product(&self, a: i128, b: i128) -> i128 {
        match self.saturate {
            true => a.saturating_mul(b),
            false => a.wrapping_mul(b),
        }
    }

    /// Shift count: 5 bits, or 6 for 64-bit destinations.
    fn count(&self, count: i128) -> i128 {
        count & i128::from(self.destination.bits().max(32) - 1)
    }

    /// Bits of a value at the width of the operation, 32 or 64.
    fn unsigned(&self, value: i128) -> i128 {
        let bits = self.sources[0].bits().max(self.destination.bits());
        value & i128::from(low_mask(bits.max(32)))
    }

    /// The low 32 bits of a value.
    fn dword(&self, value: i128) -> u32 {
        low_dword(low_qword(value))
    }

    /// Bits of a value at the width of src0.
    fn element(&self, value: i128) -> u64 {
        low_qword(value) & low_mask(self.sources[0].bits())
    }

    /// Rotates a value of src0 left.
    fn rotated(&self, value: i128, count: i128) -> i128 {
        let bits = self.sources[0].bits();
        let count = count.rem_euclid(i128::from(bits));
        let value = i128::from(self.element(value));
        value << count | value >> (i128::from(bits) - count)
    }

    /// Bits of src2 starting at `offset`, sign-extended for signed types.
    fn field(&self, value: i128, offset: i128, width: i128) -> i128 {
        if width == 0 {
            return 0;
        }
        if offset + width >= 32 {
            return value >> offset;
        }
        let field = (value >> offset) & ((1 << width) - 1);
        let negative = self.sources[2].is_signed() && field >> (width - 1) == 1;
        field - (i128::from(negative) << width)
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
    fn overflows(&self, value: i128) -> bool {
        let (low, high) = range(self.destination);
        !(low..=high).contains(&value)
    }
}

/// Leading zeros of a dword; all ones for 0.
fn first_high(dword: u32) -> i128 {
    i128::from(match dword {
        0 => u32::MAX,
        _ => dword.leading_zeros(),
    })
}

/// The value, or its complement if bit 0 of `term` is set.
const fn pick(value: i128, term: i128) -> i128 {
    if term & 1 == 1 { value } else { !value }
}

/// Sum of the products of four bytes, signed where src1 or src2 is.
fn dot4(types: &AluContext, b: i128, c: i128) -> i128 {
    let [_, b_type, c_type, _] = types.sources;
    let byte = |value: i128, ty: ElementType, index: u32| {
        let bits = low_qword(value >> (8 * index)) & 0xff;
        let bits = bits.cast_signed();
        i128::from(if ty.is_signed() && bits > 127 {
            bits - 256
        } else {
            bits
        })
    };
    (0..4)
        .map(|index| byte(b, b_type, index) * byte(c, c_type, index))
        .sum()
}

/// The low 64 bits of an integer.
#[must_use]
pub fn low_qword(value: i128) -> u64 {
    let low = value & i128::from(u64::MAX);
    u64::try_from(low).expect("64 bits")
}

/// The low 32 bits.
#[must_use]
pub fn low_dword(bits: u64) -> u32 {
    let [a, b, c, d, ..] = bits.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Smallest and largest value of an integer type.
fn range(ty: ElementType) -> (i128, i128) {
    let bits = ty.bits();
    match ty.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, i128::from(low_mask(bits))),
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
    Integer(OnIntegers),
    Real(OnReals),
    Bits(OnBits),
    /// Floats of at most 32 bits, unless rounded down, which changes the sign of some zeros;
    /// conversions between floats and integers of at most 32 bits.
    Double(OnDoubles),
    /// 32-bit floats, rounded to nearest even.
    Single(OnSingles),
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
                self.lanes(operands, enabled, out, 0, signed, |[bits, ..]| Some(*bits))
            }
            AluPath::Integer(f) => {
                let divides = matches!(self.op, AluOp::Div | AluOp::Mod);
                let fit = self.fit_integers();
                let compute = |values: &[i128; 4]| {
                    let defined = !divides || values[1] != 0;
                    defined.then(|| fit(f(values, &self.types)))
                };
                self.lanes(operands, enabled, out, 0, AluSource::integers, compute)
            }
            AluPath::Real(f) => {
                let real = |source| move |bits| self.real(source, bits);
                let compute = |values: &[Real; 4]| Some(self.fit_real(f(values, &self.types)));
                self.lanes(operands, enabled, out, Real::ZERO, real, compute)
            }
            AluPath::Bits(f) => {
                let compute = |bits: &[u64; 4]| Some(f(bits, &self.types));
                self.lanes(operands, enabled, out, 0, |_| |bits| bits, compute)
            }
            AluPath::Double(f) => {
                self.on_doubles(f, operands, enabled, out);
                Ok(())
            }
            AluPath::Single(f) => {
                self.on_singles(f, operands, enabled, out);
                Ok(())
            }
        }
    }

    /// The result of one lane before it is fitted to the destination; `None` for
    /// operations on bits, which always fit. The lane must have passed [`Self::apply`].
    #[must_use]
    pub fn unfitted(&self, operands: &[LaneBits], lane: usize) -> Option<Unfitted> {
        let pairs = || self.sources.iter().zip(operands);
        let destination = self.types.destination;
        let exact = match self.path {
            AluPath::Copy | AluPath::Bits(_) => return None,
            _ if self.op.is_bitwise() => return None,
            AluPath::Integer(f) => {
                let mut values = [0; 4];
                for (value, (source, bits)) in values.iter_mut().zip(pairs()) {
                    *value = source.integer(bits[lane]);
                }
                let value = f(&values, &self.types);
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
            AluPath::Real(f) => {
                let mut values = [Real::ZERO; 4];
                for (value, (source, bits)) in values.iter_mut().zip(pairs()) {
                    *value = self.real(*source, bits[lane]);
                }
                f(&values, &self.types)
            }
            AluPath::Double(_) | AluPath::Single(_) => {
                let (f, ..) = self
                    .row
                    .float
                    .expect("the operation has arithmetic on floats");
                let mut values = [Real::ZERO; 4];
                for (value, (source, bits)) in values.iter_mut().zip(pairs()) {
                    *value = match source.ty.is_float() {
                        true => self.real(*source, bits[lane]),
                        false => Real::from_integer(source.integer(bits[lane])),
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
        compute: impl Fn(&[T; 4]) -> Option<u64>,
    ) -> Result<(), AluError> {
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
                let result = compute(&values[lane]).or(self.by_zero);
                out[lane] = result.ok_or(AluError::DivisionByZero {
                    lane: u8::try_from(first + lane).expect("there are 32 lanes"),
                })?;
            }
        }
        Ok(())
    }

    /// Computes the groups of lanes up to the last one in `enabled`, source by source.
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

    /// As [`Self::on_doubles`], for 32-bit floats.
    fn on_singles(&self, f: OnSingles, operands: &[LaneBits], enabled: u32, out: &mut LaneBits) {
        let least = self.types.mode.least_single();
        for (group, out) in groups_mut(out, enabled) {
            let mut values = [[Single::ZERO; GROUP]; 4];
            for ((values, source), bits) in values.iter_mut().zip(&self.sources).zip(operands) {
                let (cleared, flipped) = source.sign_masks();
                for (value, bits) in values.iter_mut().zip(&bits.as_chunks::<GROUP>().0[group]) {
                    let bits = low_dword(bits & !cleared ^ flipped);
                    *value = Single::from_bits(bits).flushed(least);
                }
            }
            f(&mut values, &self.types);
            if self.types.saturate {
                values[0] = values[0].map(Single::saturated);
            }
            for (bits, value) in out.iter_mut().zip(&values[0]) {
                *bits = value.flushed(least).to_bits().into();
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

    /// Rounds, saturates or wraps integers to the type of the destination.
    #[inline]
    fn fit_integers(&self) -> impl Fn(i128) -> u64 {
        let destination = self.types.destination;
        let limits = (!destination.is_float()).then(|| range(destination));
        let mask = low_mask(destination.bits());
        move |value| match limits {
            None => self.fit_real(Real::from_integer(value)),
            Some((low, high)) if self.types.saturate => low_qword(value.clamp(low, high)) & mask,
            Some(_) => low_qword(value) & mask,
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
        let wide = !all(&|ty| ty.bits() <= 32) || destination.bits() > 32;
        let computes = !(row.narrow && wide) && destination != ElementType::Bf;
        return computes.then_some(AluPath::Integer(row.integer?));
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
    let is_single = |ty| ty == ElementType::F;
    let singles = all(&is_single) && is_single(destination);
    let doubles = all(&is_small) && is_small(destination);
    match row.float {
        Some((_, _, f)) if singles && rounding == Rounding::NearestEven => Some(AluPath::Single(f)),
        Some((_, f, _)) if doubles && rounding != Rounding::Down => Some(AluPath::Double(f)),
        Some((f, ..)) => Some(AluPath::Real(f)),
        None => Some(AluPath::Real(row.real?)),
    }
}

#[cfg(test)]
mod tests;
