//! Read-modify-write arithmetic, once, for every atomic instruction.
//!
//! Operations here say what happens to bits; which operand of an instruction
//! plays which role is the instruction's business.

use crate::number::{low_mask, sign_extend};
use half::f16;

/// Width of the cell that an atomic works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
}

impl Width {
    /// 16, 32 or 64.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::W16 => 16,
            Self::W32 => 32,
            Self::W64 => 64,
        }
    }

    /// 2, 4 or 8.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::W16 => 2,
            Self::W32 => 4,
            Self::W64 => 8,
        }
    }
}

/// What an atomic does to its cell. `a` is the operand; `b` is used by the
/// two that compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rmw {
    /// old + a, wrapping.
    Add,
    /// old − a, wrapping.
    Sub,
    /// old + 1, wrapping.
    Increment,
    /// old − 1, wrapping.
    Decrement,
    /// The smaller, unsigned.
    Min,
    /// The larger, unsigned.
    Max,
    /// The smaller, signed.
    SignedMin,
    /// The larger, signed.
    SignedMax,
    /// a.
    Exchange,
    /// a where old equals b bit for bit, else old.
    CompareExchange,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller float; a number wins over a NaN, of two NaNs a stays, a
    /// tie keeps old, subnormals are kept.
    FloatMin,
    /// The larger float, likewise.
    FloatMax,
    /// a where old equals b as IEEE numbers (−0 = +0, NaN never equal), else
    /// old.
    FloatCompareExchange,
    /// old + a, rounded to nearest even, subnormals kept.
    FloatAdd,
    /// old − a, likewise.
    FloatSub,
}

impl Rmw {
    /// The new value of a cell that holds `old`. Bits of the operands above
    /// the width are ignored; the result has none.
    #[must_use]
    #[inline(always)]
    pub fn apply(self, width: Width, old: u64, a: u64, b: u64) -> u64 {
        let bits = width.bits();
        let mask = low_mask(bits);
        let (old, a, b) = (old & mask, a & mask, b & mask);
        let signed = |value| sign_extend(value, bits);
        let new = match self {
            Self::Add => old.wrapping_add(a),
            Self::Sub => old.wrapping_sub(a),
            Self::Increment => old.wrapping_add(1),
            Self::Decrement => old.wrapping_sub(1),
            Self::Min => old.min(a),
            Self::Max => old.max(a),
            Self::SignedMin if signed(a) < signed(old) => a,
            Self::SignedMax if signed(a) > signed(old) => a,
            Self::SignedMin | Self::SignedMax => old,
            Self::Exchange => a,
            Self::CompareExchange if old == b => a,
            Self::CompareExchange => old,
            Self::And => old & a,
            Self::Or => old | a,
            Self::Xor => old ^ a,
            Self::FloatMin => pick(width, old, a, |old, a| a < old),
            Self::FloatMax => pick(width, old, a, |old, a| a > old),
            Self::FloatCompareExchange if float(width, old) == float(width, b) => a,
            Self::FloatCompareExchange => old,
            Self::FloatAdd => sum(width, old, a, 1.0),
            Self::FloatSub => sum(width, old, a, -1.0),
        };
        new & mask
    }

    /// Whether operands and cell are floating-point numbers.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::FloatMin
                | Self::FloatMax
                | Self::FloatCompareExchange
                | Self::FloatAdd
                | Self::FloatSub
        )
    }
}

/// The value of a cell's bits. Halves and floats are exact as doubles, so
/// comparisons of the doubles are comparisons of the numbers.
fn float(width: Width, bits: u64) -> f64 {
    let [a, b, c, d, ..] = bits.to_le_bytes();
    match width {
        Width::W16 => f16::from_le_bytes([a, b]).to_f64(),
        Width::W32 => f64::from(f32::from_le_bytes([a, b, c, d])),
        Width::W64 => f64::from_bits(bits),
    }
}

fn pick(width: Width, old: u64, a: u64, better: impl Fn(f64, f64) -> bool) -> u64 {
    let (was, operand) = (float(width, old), float(width, a));
    if was.is_nan() || better(was, operand) {
        a
    } else {
        old
    }
}

/// `old + sign * a`, rounded once. The double sum of two halves is exact; that
/// of two floats rounds twice without harm, since 53 ≥ 2 × 24 + 2.
///
/// Which NaN a host's addition gives differs from compiler to compiler, so it
/// is settled here: old if it is one, else a, made quiet; inf − inf is the
/// positive quiet NaN.
fn sum(width: Width, old: u64, a: u64, sign: f64) -> u64 {
    use crate::number::{ElementType, from_f64};
    let (was, operand) = (float(width, old), float(width, a));
    let (ty, quiet, infinity) = match width {
        Width::W16 => (ElementType::Hf, 0x0200, 0x7c00),
        Width::W32 => (ElementType::F, 0x0040_0000, 0x7f80_0000),
        Width::W64 => (ElementType::Df, 1 << 51, 0x7ff << 52),
    };
    if was.is_nan() {
        return old | quiet;
    }
    if operand.is_nan() {
        return a | quiet;
    }
    let value = was + sign * operand;
    if value.is_nan() {
        infinity | quiet
    } else {
        from_f64(value, ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_the_width() {
        assert_eq!(Rmw::Add.apply(Width::W16, 0xffff, 0xabcd_0002, 0), 1);
        assert_eq!(Rmw::Decrement.apply(Width::W32, 0, 0, 0), 0xffff_ffff);
        assert_eq!(Rmw::Sub.apply(Width::W64, 0, 1, 0), u64::MAX);
        assert_eq!(Rmw::SignedMin.apply(Width::W16, 1, 0xffff, 0), 0xffff);
        assert_eq!(Rmw::Min.apply(Width::W16, 1, 0xffff, 0), 1);
        assert_eq!(Rmw::CompareExchange.apply(Width::W16, 7, 9, 0x1_0007), 9);
    }

    #[test]
    fn floats_follow_the_stated_rules() {
        let nan = 0x7fc0_0001;
        let one = 0x3f80_0000;
        let (zero, minus_zero) = (0, 0x8000_0000);
        for op in [Rmw::FloatMin, Rmw::FloatMax] {
            assert_eq!(op.apply(Width::W32, nan, one, 0), one);
            assert_eq!(op.apply(Width::W32, one, nan, 0), one);
            assert_eq!(op.apply(Width::W32, nan, nan + 1, 0), nan + 1);
            assert_eq!(op.apply(Width::W32, zero, minus_zero, 0), zero);
            assert_eq!(op.apply(Width::W32, minus_zero, zero, 0), minus_zero);
        }
        let swap = Rmw::FloatCompareExchange;
        assert_eq!(swap.apply(Width::W32, minus_zero, one, zero), one);
        assert_eq!(swap.apply(Width::W32, nan, one, nan), nan);
        assert_eq!(Rmw::FloatAdd.apply(Width::W32, 1, 1, 0), 2);
        assert_eq!(Rmw::FloatAdd.apply(Width::W32, nan, !0, 0), nan);
        assert_eq!(Rmw::FloatAdd.apply(Width::W16, 1, 0xfc01, 0), 0xfe01);
        assert_eq!(Rmw::FloatSub.apply(Width::W16, 0x7c00, 0x7c00, 0), 0x7e00);
        assert_eq!(Rmw::FloatSub.apply(Width::W16, 0x3c00, 0x3c00, 0), 0);
    }
}
