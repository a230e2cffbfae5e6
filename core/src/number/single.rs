//! Arithmetic of 32-bit floats, rounded once to nearest even.

use super::{OddDouble, Rounding};
use core::ops::{Add, Mul, Neg, Sub};

/// A 32-bit float. Sums and products are rounded as the exact ones would be.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Single(f32);

impl Single {
    /// Positive zero.
    pub const ZERO: Self = Self(0.0);
    /// The least positive number that is not subnormal.
    pub const LEAST_NORMAL: Self = Self(f32::MIN_POSITIVE);

    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(f32::from_bits(bits))
    }

    /// The bits; those of the canonical quiet NaN for any NaN.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        match self.0.is_nan() {
            true => 0x7fc0_0000,
            false => self.0.to_bits(),
        }
    }

    #[inline]
    #[must_use]
    pub const fn is_nan(self) -> bool {
        self.0.is_nan()
    }

    /// Absolute value.
    #[inline]
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The number, or zero with its sign if its absolute value is below `least`.
    #[inline]
    #[must_use]
    pub const fn flushed(self, least: Self) -> Self {
        match self.0.abs() < least.0 {
            true => Self(0.0_f32.copysign(self.0)),
            false => self,
        }
    }

    /// The nearest number from 0 to 1; 0 for NaN.
    #[inline]
    #[must_use]
    pub const fn saturated(self) -> Self {
        match self.0 {
            value if value > 1.0 => Self(1.0),
            value if value >= 0.0 => self,
            _ => Self::ZERO,
        }
    }

    /// `self * factor + term`, rounded once.
    #[inline]
    #[must_use]
    pub fn mul_add(self, factor: Self, term: Self) -> Self {
        let [a, b, c] = [self, factor, term].map(|value| OddDouble::from(value.0));
        Self(a.mul_add(b, c).into())
    }

    /// Rounds to an integer; a zero result keeps the sign.
    #[must_use]
    pub fn integral(self, rounding: Rounding) -> Self {
        Self(OddDouble::from(self.0).integral(rounding).into())
    }
}

impl Add for Single {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Neg for Single {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sub for Single {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Single {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{ElementType, FloatFormat, Random, Real};

    #[test]
    fn results_are_those_of_exact_arithmetic() {
        let mut random = Random::new(11);
        let special = [0, 1, 0x007f_ffff, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000];
        for _ in 0..200_000 {
            let mut element = || {
                let bits = random.bits();
                let sign = bits & 0x8000_0000;
                match bits >> 60 {
                    0 => special[usize::try_from(bits >> 32 & 0xff).unwrap() % 6] | sign,
                    1..=7 => bits >> 28 & 0x7fff_ffff | sign,
                    // Close exponents, so that sums cancel and tie often.
                    _ => (bits >> 32) & 0x01ff_f00f | 0x3e00_0000 | sign,
                }
            };
            let bits @ [a, b, c] = [(); 3].map(|()| element());
            let fast = bits.map(|bits| Single::from_bits(u32::try_from(bits).unwrap()));
            let exact = bits.map(|bits| Real::from_bits(bits, FloatFormat::F32));
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
                let exact = exact.to_bits(FloatFormat::F32, Rounding::NearestEven);
                assert_eq!(
                    u64::from(fast.to_bits()),
                    exact,
                    "{index}: {a:#x} {b:#x} {c:#x}"
                );
            }
            let least = Single::LEAST_NORMAL;
            let is_subnormal = ElementType::F.float_format().unwrap().is_subnormal(a);
            let flushed = if is_subnormal { a & 0x8000_0000 } else { a };
            let kept = fast[0].flushed(least);
            assert!(
                fast[0].is_nan() || u64::from(kept.to_bits()) == flushed,
                "{a:#x}"
            );
            let clamped = match exact[0] {
                value if value.is_nan() || value < Real::ZERO => 0,
                value if value > Real::ONE => 0x3f80_0000,
                _ => a,
            };
            assert_eq!(u64::from(fast[0].saturated().to_bits()), clamped, "{a:#x}");
        }
    }
}
