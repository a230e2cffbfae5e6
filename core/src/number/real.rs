//! Floating-point arithmetic that is exact until the result is rounded once, to any
//! format.

use super::FloatFormat;
use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
    TowardZero,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RealClass {
    Zero,
    /// A zero sum of numbers with opposite signs; its sign depends on the rounding mode.
    CancelledZero,
    Finite,
    Infinite,
    Nan,
}

/// Unrounded sum, product, quotient or root of floating-point numbers.
///
/// Sums and products of two or three numbers keep enough bits to be rounded correctly:
/// the lowest bit of the magnitude is sticky, and at least 62 bits are above it.
#[derive(Clone, Copy, Debug)]
pub struct Real {
    class: RealClass,
    negative: bool,
    /// The value is `magnitude` × 2^`exponent`.
    exponent: i32,
    /// Nonzero and below 2^127 if finite.
    magnitude: u128,
}

/// Most significant bit of an aligned magnitude; the sum of two stays below 2^127.
const TOP: i32 = 125;

/// `magnitude` >> `shift` with a sticky lowest bit.
const fn shift_right(magnitude: u128, shift: u32) -> u128 {
    if shift > 127 {
        return 1;
    }
    let kept = magnitude >> shift;
    if kept << shift == magnitude {
        kept
    } else {
        kept | 1
    }
}

/// `magnitude` >> `shift`, rounded. The magnitude is below 2^127.
const fn round_shift(magnitude: u128, shift: u32, negative: bool, rounding: Rounding) -> u128 {
    let (kept, rest, half) = match shift {
        0 => return magnitude,
        1..=127 => {
            let kept = magnitude >> shift;
            (kept, magnitude - (kept << shift), 1 << (shift - 1))
        }
        // Less than half of the last bit.
        _ => (0, magnitude, u128::MAX),
    };
    let up = match rounding {
        Rounding::NearestEven => rest > half || rest == half && kept & 1 == 1,
        Rounding::Up => rest != 0 && !negative,
        Rounding::Down => rest != 0 && negative,
        Rounding::TowardZero => false,
    };
    if up { kept + 1 } else { kept }
}

impl Real {
    /// Not a number.
    pub const NAN: Self = Self::special(RealClass::Nan, false);
    pub const ONE: Self = Self {
        magnitude: 1,
        ..Self::special(RealClass::Finite, false)
    };
    /// Positive zero.
    pub const ZERO: Self = Self::special(RealClass::Zero, false);

    const fn special(class: RealClass, negative: bool) -> Self {
        Self {
            class,
            negative,
            exponent: 0,
            magnitude: 0,
        }
    }

    /// `magnitude` × 2^`exponent`; can be a signed zero.
    const fn finite(negative: bool, exponent: i32, magnitude: u128) -> Self {
        Self {
            class: if magnitude == 0 {
                RealClass::Zero
            } else {
                RealClass::Finite
            },
            negative,
            exponent,
            magnitude,
        }
    }

    /// Converts an integer of at most 126 bits.
    #[must_use]
    pub const fn from_integer(value: i128) -> Self {
        Self::finite(value < 0, 0, value.unsigned_abs())
    }

    /// Converts the bits of a format.
    #[must_use]
    pub fn from_bits(bits: u64, format: FloatFormat) -> Self {
        let negative = bits & format.sign() != 0;
        let fraction = bits & ((1 << format.fraction()) - 1);
        let size = bits & (format.sign() - 1);
        if size >= format.infinity() {
            let is_infinite = size == format.infinity() && size != format.quiet_nan();
            return match is_infinite {
                true => Self::special(RealClass::Infinite, negative),
                false => Self::NAN,
            };
        }
        let field = bits & format.exponent_mask();
        let hidden = u64::from(field != 0) << format.fraction();
        let field = i32::try_from((field >> format.fraction()).max(1));
        let exponent = field.expect("an exponent has at most 11 bits") - format.bias();
        let exponent = exponent - format.fraction().cast_signed();
        Self::finite(negative, exponent, u128::from(hidden | fraction))
    }

    /// Rounds to the bits of a format; every NaN becomes the canonical quiet NaN.
    #[must_use]
    pub fn to_bits(self, format: FloatFormat, rounding: Rounding) -> u64 {
        let sign = |negative| if negative { format.sign() } else { 0 };
        let size = match self.class {
            RealClass::Nan => return format.quiet_nan(),
            RealClass::CancelledZero => return sign(rounding == Rounding::Down),
            RealClass::Zero => 0,
            RealClass::Infinite => format.infinity(),
            RealClass::Finite => self.finite_bits(format, rounding),
        };
        sign(self.negative) | size
    }

    /// Rounded bits of a finite number, without the sign.
    fn finite_bits(self, format: FloatFormat, rounding: Rounding) -> u64 {
        let fraction = format.fraction().cast_signed();
        let leading = self.exponent + self.magnitude.ilog2().cast_signed();
        // Exponent of the last bit; subnormals share the smallest.
        let last = leading.max(1 - format.bias()) - fraction;
        let dropped = last - self.exponent;
        let kept = match u32::try_from(dropped) {
            Ok(dropped) => round_shift(self.magnitude, dropped, self.negative, rounding),
            Err(_) => self.magnitude << dropped.unsigned_abs(),
        };
        // The implicit bit of a normal number increments the exponent field.
        let field = u64::try_from(last + fraction + format.bias() - 1);
        let field = field.expect("the smallest exponent has the field 0");
        let kept = u64::try_from(kept).expect("a fraction has at most 53 bits");
        if field >= 1 << format.exponent() {
            return Self::overflow(self.negative, format, rounding);
        }
        let bits = (field << format.fraction()) + kept;
        if bits >= format.infinity() {
            return Self::overflow(self.negative, format, rounding);
        }
        bits
    }

    /// The overflow result: infinity or the largest finite number.
    const fn overflow(negative: bool, format: FloatFormat, rounding: Rounding) -> u64 {
        let infinite = match rounding {
            Rounding::NearestEven => true,
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::TowardZero => false,
        };
        format.infinity() - if infinite { 0 } else { 1 }
    }

    /// The value rounded to a format.
    #[must_use]
    pub fn rounded(self, format: FloatFormat, rounding: Rounding) -> Self {
        Self::from_bits(self.to_bits(format, rounding), format)
    }

    /// Truncates to an integer. Values beyond 126 bits saturate, NaN becomes 0.
    #[must_use]
    pub fn to_integer(self) -> i128 {
        let whole = self.integral(Rounding::TowardZero);
        let limit = || if self.negative { i128::MIN } else { i128::MAX };
        match whole.class {
            RealClass::Nan | RealClass::Zero | RealClass::CancelledZero => 0,
            RealClass::Infinite => limit(),
            RealClass::Finite => {
                let leading = whole.magnitude.ilog2().cast_signed() + whole.exponent;
                if leading >= 126 {
                    return limit();
                }
                let size = whole.magnitude << whole.exponent.unsigned_abs();
                let size = i128::try_from(size).expect("the size has at most 126 bits");
                if self.negative { -size } else { size }
            }
        }
    }

    /// Whether the number is NaN.
    #[must_use]
    pub const fn is_nan(self) -> bool {
        matches!(self.class, RealClass::Nan)
    }

    const fn is_zero(self) -> bool {
        matches!(self.class, RealClass::Zero | RealClass::CancelledZero)
    }

    const fn is_infinite(self) -> bool {
        matches!(self.class, RealClass::Infinite)
    }

    /// Absolute value.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self {
            negative: false,
            ..self
        }
    }

    /// Rounds to an integer; a zero result keeps the sign.
    #[must_use]
    pub const fn integral(self, rounding: Rounding) -> Self {
        if !matches!(self.class, RealClass::Finite) || self.exponent >= 0 {
            return self;
        }
        let shift = self.exponent.unsigned_abs();
        let kept = round_shift(self.magnitude, shift, self.negative, rounding);
        Self::finite(self.negative, 0, kept)
    }

    /// `self * factor + term`.
    #[must_use]
    pub fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    /// Square root; −0 for −0.
    #[must_use]
    pub fn sqrt(self) -> Self {
        if self.is_zero() || self.is_nan() {
            return self;
        }
        if self.negative || self.is_infinite() {
            return if self.negative { Self::NAN } else { self };
        }
        let (mut magnitude, mut exponent) = self.aligned();
        if exponent % 2 != 0 {
            magnitude = shift_right(magnitude, 1);
            exponent += 1;
        }
        let root = magnitude.isqrt();
        let inexact = u128::from(root * root != magnitude);
        Self::finite(false, exponent / 2, root | inexact)
    }

    /// Applies a function of doubles. The result is not correctly rounded, but accurate
    /// enough that formats of up to 32 bits almost always are.
    #[must_use]
    pub fn map_f64(self, f: impl Fn(f64) -> f64) -> Self {
        let double = f64::from_bits(self.to_bits(FloatFormat::F64, Rounding::NearestEven));
        Self::from_bits(f(double).to_bits(), FloatFormat::F64)
    }

    /// Magnitude and exponent with the leading bit at [`TOP`].
    const fn aligned(self) -> (u128, i32) {
        let shift = TOP - self.magnitude.ilog2().cast_signed();
        let magnitude = if shift >= 0 {
            self.magnitude << shift.unsigned_abs()
        } else {
            shift_right(self.magnitude, shift.unsigned_abs())
        };
        (magnitude, self.exponent - shift)
    }

    /// Reduced to a magnitude of at most 63 bits.
    const fn narrowed(self) -> (u128, i32) {
        let excess = self.magnitude.ilog2().saturating_sub(62);
        let magnitude = shift_right(self.magnitude, excess);
        (magnitude, self.exponent + excess.cast_signed())
    }

    /// Sum of two finite numbers.
    fn finite_sum(self, other: Self) -> Self {
        let ((mut a, mut a_exponent), (mut b, mut b_exponent)) = (self.aligned(), other.aligned());
        let (mut a_negative, mut b_negative) = (self.negative, other.negative);
        if (a_exponent, a) < (b_exponent, b) {
            core::mem::swap(&mut a, &mut b);
            core::mem::swap(&mut a_exponent, &mut b_exponent);
            core::mem::swap(&mut a_negative, &mut b_negative);
        }
        let b = shift_right(b, a_exponent.abs_diff(b_exponent));
        if a_negative == b_negative {
            Self::finite(a_negative, a_exponent, a + b)
        } else if a == b {
            Self::special(RealClass::CancelledZero, false)
        } else {
            Self::finite(a_negative, a_exponent, a - b)
        }
    }
}

impl Neg for Real {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            negative: !self.negative,
            ..self
        }
    }
}

impl Add for Real {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let opposite = self.negative != other.negative;
        match (self.class, other.class) {
            (RealClass::Finite, RealClass::Finite) => self.finite_sum(other),
            (RealClass::Nan, _) | (_, RealClass::Nan) => Self::NAN,
            (RealClass::Infinite, RealClass::Infinite) if opposite => Self::NAN,
            (RealClass::Infinite, _) => self,
            (_, RealClass::Infinite) => other,
            (RealClass::Finite, _) => self,
            (_, RealClass::Finite) => other,
            (RealClass::Zero, RealClass::Zero) if !opposite => self,
            _ => Self::special(RealClass::CancelledZero, false),
        }
    }
}

impl Sub for Real {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Real {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let negative = self.negative != other.negative;
        if self.is_nan() || other.is_nan() {
            return Self::NAN;
        }
        if self.is_zero() || other.is_zero() {
            return match self.is_infinite() || other.is_infinite() {
                true => Self::NAN,
                false => Self::special(RealClass::Zero, negative),
            };
        }
        if self.is_infinite() || other.is_infinite() {
            return Self::special(RealClass::Infinite, negative);
        }
        let ((a, a_exponent), (b, b_exponent)) = (self.narrowed(), other.narrowed());
        Self::finite(negative, a_exponent + b_exponent, a * b)
    }
}

impl Div for Real {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let negative = self.negative != other.negative;
        let both = |is: fn(Self) -> bool| is(self) && is(other);
        if self.is_nan() || other.is_nan() || both(Self::is_zero) || both(Self::is_infinite) {
            return Self::NAN;
        }
        if self.is_infinite() || other.is_zero() {
            return Self::special(RealClass::Infinite, negative);
        }
        if self.is_zero() || other.is_infinite() {
            return Self::special(RealClass::Zero, negative);
        }
        let ((a, a_exponent), (b, b_exponent)) = (self.aligned(), other.narrowed());
        let (quotient, rest) = (a / b, a % b);
        let inexact = u128::from(rest != 0);
        Self::finite(negative, a_exponent - b_exponent, quotient | inexact)
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

/// IEEE comparison: −0 equals +0, NaN is unordered.
impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_infinite() && other.is_infinite() {
            return Some(other.negative.cmp(&self.negative));
        }
        let difference = *self - *other;
        Some(match difference.class {
            RealClass::Zero | RealClass::CancelledZero => Ordering::Equal,
            _ if difference.negative => Ordering::Less,
            _ => Ordering::Greater,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Random, to_f64};
    use FloatFormat::{Bf16, F16, F32, F64};
    use Rounding::{Down, NearestEven, TowardZero, Up};

    fn double(value: f64) -> Real {
        Real::from_bits(value.to_bits(), F64)
    }

    fn single(value: f32) -> Real {
        Real::from_bits(value.to_bits().into(), F32)
    }

    /// Bits with similar exponents, so that sums cancel often.
    fn random_single(random: &mut Random) -> f32 {
        let bits = random.bits();
        let near = (bits >> 32) & 0x807f_ffff | (120 + (bits & 15)) << 23;
        let bits = if bits & 16 == 0 { near } else { bits >> 32 };
        f32::from_bits(u32::try_from(bits).unwrap())
    }

    #[test]
    fn results_are_those_of_the_processor() {
        let mut random = Random::new(5);
        for _ in 0..200_000 {
            let [a, b, c] = [(); 3].map(|()| random_single(&mut random));
            let [x, y, z] = [a, b, c].map(single);
            let pairs = [
                (x + y, a + b),
                (x - y, a - b),
                (x * y, a * b),
                (x / y, a / b),
                (x.sqrt(), a.sqrt()),
                (x.mul_add(y, z), a.mul_add(b, c)),
                (x.integral(Down), a.floor()),
                (x.integral(Up), a.ceil()),
                (x.integral(NearestEven), a.round_ties_even()),
                (x.integral(TowardZero), a.trunc()),
            ];
            for (index, (real, expected)) in pairs.into_iter().enumerate() {
                let bits = real.to_bits(F32, NearestEven);
                let bits = f32::from_bits(u32::try_from(bits).unwrap());
                let same =
                    bits.to_bits() == expected.to_bits() || bits.is_nan() && expected.is_nan();
                assert!(
                    same,
                    "{index}: {a:?} {b:?} {c:?} gives {bits:?}, not {expected:?}"
                );
            }
            assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b), "{a:?} {b:?}");
        }
        for _ in 0..200_000 {
            let [a, b, c] = [(); 3].map(|()| f64::from_bits(random.bits() >> 2 | 1 << 61));
            let fused = double(a).mul_add(double(-b), double(c));
            assert_eq!(fused.to_bits(F64, NearestEven), a.mul_add(-b, c).to_bits());
            let quotient = (double(a) / double(b)).to_bits(F64, NearestEven);
            assert_eq!(quotient, (a / b).to_bits());
        }
    }

    #[test]
    fn directions_differ_where_a_result_is_inexact() {
        let third = Real::ONE / Real::from_integer(3);
        assert_eq!(third.to_bits(F32, NearestEven), 0x3eaa_aaab);
        assert_eq!(third.to_bits(F32, TowardZero), 0x3eaa_aaaa);
        assert_eq!(third.to_bits(F16, Up), 0x3556);
        assert_eq!((-third).to_bits(F16, Up), 0xb555);
        assert_eq!((-third).to_bits(F16, Down), 0xb556);
        let large = Real::from_integer(1 << 100);
        assert_eq!(large.to_bits(F16, NearestEven), 0x7c00);
        assert_eq!(large.to_bits(F16, Down), 0x7bff);
        assert_eq!((-large).to_bits(F16, Up), 0xfbff);
        let tiny = single(f32::from_bits(1));
        assert_eq!(tiny.to_bits(F16, Up), 1);
        assert_eq!(tiny.to_bits(F16, NearestEven), 0);
        let zero = tiny - tiny;
        assert_eq!(zero.to_bits(F32, NearestEven), 0);
        assert_eq!(zero.to_bits(F32, Down), 0x8000_0000);
        // Half of the smallest subnormal, and a little more.
        let half = double(2_f64.powi(-134));
        assert_eq!(half.to_bits(Bf16, NearestEven), 0);
        assert_eq!((half + double(1e-300)).to_bits(Bf16, NearestEven), 1);
        assert_eq!(
            to_f64(
                third.to_bits(F64, NearestEven),
                super::super::ElementType::Df
            ),
            1.0 / 3.0
        );
    }

    #[test]
    fn integers_are_cut_toward_zero_and_bounded() {
        for (value, integer) in [
            (-2.75, -2),
            (0.999, 0),
            (1e9, 1_000_000_000),
            (f64::INFINITY, i128::MAX),
            (-1e300, i128::MIN),
            (f64::NAN, 0),
        ] {
            assert_eq!(double(value).to_integer(), integer, "{value}");
        }
        let wide = Real::from_integer(i128::from(u64::MAX));
        assert_eq!(wide.to_integer(), i128::from(u64::MAX));
        assert_eq!(wide.to_bits(F64, NearestEven), 2_f64.powi(64).to_bits());
    }
}
