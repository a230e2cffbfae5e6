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
