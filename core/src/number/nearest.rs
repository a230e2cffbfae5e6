//! Arithmetic of floats of 32 and 64 bits, rounded once to nearest even.

use super::{ElementType, OddDouble, Rounding};
use core::ops::{Add, Mul, Neg, Sub};
use num_traits::float::FloatCore;

/// A float of the processor.
pub trait Native: FloatCore {
    /// The type of elements with this format.
    const TYPE: ElementType;

    fn from_bits(bits: u64) -> Self;

    /// The bits; those of the canonical quiet NaN for any NaN.
    fn to_bits(self) -> u64;

    /// `self * factor + term`, rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Rounds to an integer; a zero result keeps the sign.
    fn integral(self, rounding: Rounding) -> Self;
}

impl Native for f32 {
    const TYPE: ElementType = ElementType::F;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        match self.is_nan() {
            true => 0x7fc0_0000,
            false => Self::to_bits(self).into(),
        }
    }

    #[inline]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        let [a, b, c] = [self, factor, term].map(OddDouble::from);
        a.mul_add(b, c).into()
    }

    fn integral(self, rounding: Rounding) -> Self {
        OddDouble::from(self).integral(rounding).into()
    }
}

impl Native for f64 {
    const TYPE: ElementType = ElementType::Df;

    #[inline]
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        match self.is_nan() {
            true => 0x7ff8_0000_0000_0000,
            false => Self::to_bits(self),
        }
    }

    fn mul_add(self, factor: Self, term: Self) -> Self {
        libm::fma(self, factor, term)
    }

    fn integral(self, rounding: Rounding) -> Self {
        match rounding {
            Rounding::NearestEven => libm::rint(self),
            Rounding::Up => libm::ceil(self),
            Rounding::Down => libm::floor(self),
            Rounding::TowardZero => libm::trunc(self),
        }
    }
}

/// A float. Sums and products are rounded as the exact ones would be.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Nearest<F>(F);

impl<F: Native> Nearest<F> {
    /// Positive zero.
    #[inline]
    #[must_use]
    pub fn zero() -> Self {
        Self(F::zero())
    }

    /// The least positive number that is not subnormal.
    #[inline]
    #[must_use]
    pub fn least_normal() -> Self {
        Self(F::min_positive_value())
    }

    #[inline]
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(F::from_bits(bits))
    }

    /// The bits; those of the canonical quiet NaN for any NaN.
    #[inline]
    #[must_use]
    pub fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    #[inline]
    #[must_use]
    pub fn is_nan(self) -> bool {
        self.0.is_nan()
    }

    /// Absolute value.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The number, or zero with its sign if its absolute value is below `least`.
    #[inline]
    #[must_use]
    pub fn flushed(self, least: Self) -> Self {
        match self.0.abs() < least.0 {
            true => Self(self.0 * F::zero()),
            false => self,
        }
    }

    /// The nearest number from 0 to 1; 0 for NaN.
    #[inline]
    #[must_use]
    pub fn saturated(self) -> Self {
        match self.0 {
            value if value > F::one() => Self(F::one()),
            value if value >= F::zero() => self,
            _ => Self::zero(),
        }
    }

    /// `self * factor + term`, rounded once.
    #[inline]
    #[must_use]
    pub fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(self.0.mul_add(factor.0, term.0))
    }

    /// Rounds to an integer; a zero result keeps the sign.
    #[must_use]
    pub fn integral(self, rounding: Rounding) -> Self {
        Self(self.0.integral(rounding))
    }
}

impl<F: Native> Add for Nearest<F> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<F: Native> Neg for Nearest<F> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<F: Native> Sub for Nearest<F> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<F: Native> Mul for Nearest<F> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Random, Real, low_mask};

    #[test]
    fn results_are_those_of_exact_arithmetic() {
        compare::<f32>(0x3f80_0000, (0x3e00_0000, 0x01ff_f00f));
        compare::<f64>(0x3ff0 << 48, (0x3fc0 << 48, 0x003f_ff00_0000_00ff));
    }

    /// `close` are the bits that numbers of similar size share, and those in which they differ.
    fn compare<F: Native>(one: u64, close: (u64, u64)) {
        let mut random = Random::new(11);
        let format = F::TYPE.float_format().unwrap();
        let (sign, infinity) = (format.sign(), format.infinity());
        let subnormals = low_mask(format.fraction());
        let special = [0, 1, subnormals, one, infinity - 1, infinity];
        for _ in 0..200_000 {
            let mut element = || {
                let (bits, kind) = (random.bits(), random.bits());
                match kind >> 60 {
                    0 => special[usize::try_from(kind & 0xff).unwrap() % 6] | bits & sign,
                    1..=7 => bits & (sign | (sign - 1)),
                    // Their sums cancel and tie often.
                    _ => close.0 | bits & close.1 | bits & sign,
                }
            };
            let bits @ [a, b, c] = [(); 3].map(|()| element());
            let fast = bits.map(Nearest::<F>::from_bits);
            let exact = bits.map(|bits| Real::from_bits(bits, format));
            let pairs = [
                (fast[0] + fast[1], exact[0] + exact[1]),
                (fast[0] - fast[1], exact[0] - exact[1]),
                (fast[0] * fast[1], exact[0] * exact[1]),
                (
                    fast[0].mul_add(fast[1], fast[2]),
                    exact[0].mul_add(exact[1], exact[2]),
                ),
                (
                    fast[0].integral(Rounding::Down),
                    exact[0].integral(Rounding::Down),
                ),
            ];
            for (index, (fast, exact)) in pairs.into_iter().enumerate() {
                let exact = exact.to_bits(format, Rounding::NearestEven);
                assert_eq!(fast.to_bits(), exact, "{index}: {a:#x} {b:#x} {c:#x}");
            }
            let flushed = if format.is_subnormal(a) { a & sign } else { a };
            let kept = fast[0].flushed(Nearest::least_normal());
            assert!(fast[0].is_nan() || kept.to_bits() == flushed, "{a:#x}");
            let clamped = match exact[0] {
                value if value.is_nan() || value < Real::ZERO => 0,
                value if value > Real::ONE => one,
                _ => a,
            };
            assert_eq!(fast[0].saturated().to_bits(), clamped, "{a:#x}");
        }
    }
}
