//! Fast arithmetic of floats of at most 32 bits.

use super::{ElementType, Rounding, from_f64, to_f64};
use core::ops::{Add, Mul, Neg, Sub};

/// A double rounded to odd: of the two doubles around an inexact sum, the one whose last
/// bit is set. Rounding it to a type of at most 32 bits gives the same result as rounding
/// the exact sum, because a double has more than two extra bits.
///
/// Products of floats of at most 32 bits are exact.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct OddDouble(f64);

impl OddDouble {
    /// Positive zero.
    pub const ZERO: Self = Self(0.0);
    pub const ONE: Self = Self(1.0);

    /// Converts an element of a float type of at most 32 bits.
    #[inline]
    #[must_use]
    pub fn from_bits(bits: u64, ty: ElementType) -> Self {
        Self(to_f64(bits, ty))
    }

    /// Converts an integer of at most 53 bits.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a double has 53 bits")]
    pub const fn from_integer(value: i64) -> Self {
        Self(value as f64)
    }

    /// Truncates to an integer. Values beyond 63 bits saturate, NaN becomes 0.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "truncation is wanted")]
    pub const fn to_integer(self) -> i64 {
        self.0 as i64
    }

    /// Rounds to the bits of a float type, to nearest even.
    #[inline]
    #[must_use]
    pub fn to_bits(self, ty: ElementType) -> u64 {
        from_f64(self.0, ty)
    }

    /// Rounds to the bits of a float type. The zero that is the sum of a number and its
    /// negative is positive, also when rounding down.
    #[inline]
    #[must_use]
    pub fn rounded(self, ty: ElementType, rounding: Rounding) -> u64 {
        let nearest = self.to_bits(ty);
        if rounding == Rounding::NearestEven {
            return nearest;
        }
        let found = to_f64(nearest, ty);
        let is_wrong = match rounding {
            Rounding::NearestEven => false,
            Rounding::Up => found < self.0,
            Rounding::Down => found > self.0,
            Rounding::TowardZero => found.abs() > self.0.abs(),
        };
        // The neighbor farther from zero, or nearer, has the next bits.
        match found.abs() < self.0.abs() {
            true => nearest + u64::from(is_wrong),
            false => nearest - u64::from(is_wrong),
        }
    }

    /// Whether the number is NaN.
    #[inline]
    #[must_use]
    pub const fn is_nan(self) -> bool {
        self.0.is_nan()
    }

    /// Absolute value.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// `self * factor + term`.
    #[inline]
    #[must_use]
    pub fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    /// Rounds to an integer; a zero result keeps the sign.
    #[must_use]
    pub fn integral(self, rounding: Rounding) -> Self {
        Self(match rounding {
            Rounding::NearestEven => libm::rint(self.0),
            Rounding::Up => libm::ceil(self.0),
            Rounding::Down => libm::floor(self.0),
            Rounding::TowardZero => libm::trunc(self.0),
        })
    }
}

impl From<f32> for OddDouble {
    #[inline]
    fn from(value: f32) -> Self {
        Self(value.into())
    }
}

impl From<OddDouble> for f32 {
    /// Rounds to nearest even.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to nearest even is wanted"
    )]
    fn from(value: OddDouble) -> Self {
        value.0 as Self
    }
}

impl Add for OddDouble {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let sum = a + b;
        // The rounding error of the sum, exactly (Knuth's TwoSum); NaN if it is infinite.
        let b_part = sum - a;
        let error = (a - (sum - b_part)) + (b - b_part);
        // NaN is neither.
        let is_inexact = (error < 0.0) | (error > 0.0);
        let too_large = (error < 0.0) == (sum > 0.0);
        let bits = sum.to_bits();
        let odd = bits.wrapping_sub(u64::from(too_large)) | 1;
        Self(f64::from_bits(if is_inexact { odd } else { bits }))
    }
}

impl Neg for OddDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sub for OddDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for OddDouble {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Random, Real};

    #[test]
    fn results_are_rounded_once() {
        let mut random = Random::new(7);
        let types = [ElementType::F, ElementType::Hf, ElementType::Bf];
        let ties = [
            0,
            0x3f80_0000,
            0x3f80_0001,
            0xbf80_0000,
            0x7f7f_ffff,
            0x7f80_0000,
            1,
        ];
        for round in 0..400_000 {
            let ty = types[round % types.len()];
            let format = ty.float_format().unwrap();
            let mut element = || {
                let bits = random.bits();
                // Close exponents, so that sums cancel and tie often.
                let near = (bits >> 32) & 0x81ff_ffff | (bits & 7) << 25 | 0x3800_0000;
                let bits = match bits & 0x30 {
                    0 => ties[usize::try_from(bits >> 8 & 0xff).unwrap() % ties.len()],
                    0x10 => bits >> 32,
                    _ => near & !(0xffff >> (bits >> 8 & 15)),
                };
                bits >> (32 - ty.bits())
            };
            let [a, b, c] = [(); 3].map(|()| element());
            let fast = [a, b, c].map(|bits| OddDouble::from_bits(bits, ty));
            let exact = [a, b, c].map(|bits| Real::from_bits(bits, format));
            let pairs = [
                (fast[0] + fast[1], exact[0] + exact[1]),
                (fast[0] - fast[1], exact[0] - exact[1]),
                (fast[0] * fast[1], exact[0] * exact[1]),
                (
                    fast[0].mul_add(fast[1], fast[2]),
                    exact[0].mul_add(exact[1], exact[2]),
                ),
                (
                    fast[0].integral(Rounding::Up),
                    exact[0].integral(Rounding::Up),
                ),
                (
                    fast[0].integral(Rounding::NearestEven),
                    exact[0].integral(Rounding::NearestEven),
                ),
            ];
            for (index, (fast, exact)) in pairs.into_iter().enumerate() {
                for to in types {
                    let format = to.float_format().unwrap();
                    let exact = exact.to_bits(format, Rounding::NearestEven);
                    let same =
                        fast.to_bits(to) == exact || fast.is_nan() && exact == format.quiet_nan();
                    assert!(
                        same,
                        "{index}, {ty:?} to {to:?}: {a:#x} {b:#x} {c:#x} gives {fast:?}, not {exact:#x}"
                    );
                }
            }
            for rounding in [Rounding::Up, Rounding::Down, Rounding::TowardZero] {
                for (fast, exact) in pairs {
                    let (found, exact) =
                        (fast.rounded(ty, rounding), exact.to_bits(format, rounding));
                    let is_zero = rounding == Rounding::Down && fast == OddDouble::ZERO;
                    assert!(found == exact || is_zero, "{rounding:?} {ty:?}: {fast:?}");
                }
            }
            assert_eq!(
                fast[0].partial_cmp(&fast[1]),
                exact[0].partial_cmp(&exact[1])
            );
        }
    }
}
