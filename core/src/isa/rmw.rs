//! Read-modify-write arithmetic of the atomic instructions.
//!
//! Operations are defined on bits; instructions map their operands to the roles.

use super::mbarrier::Arrival;
use crate::number::{ElementType, from_f64, low_mask, sign_extend, to_f64};

/// Width of the cell of an atomic.
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

/// Read-modify-write operation. `a` is the operand; `b` is used by the two
/// comparing operations.
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
    /// a if old equals b bitwise, else old.
    CompareExchange,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller float; a number beats a NaN, two NaNs give a, a tie keeps old,
    /// subnormals are preserved.
    FloatMin,
    /// The larger float, likewise.
    FloatMax,
    /// a if old equals b as IEEE numbers (−0 = +0, NaN is never equal), else old.
    FloatCompareExchange,
    /// old + a, rounded to nearest even, subnormals preserved.
    FloatAdd,
    /// old − a, likewise.
    FloatSub,
    /// [`Self::FloatMin`] of bfloat16 numbers.
    BfMin,
    /// [`Self::FloatMax`] of bfloat16 numbers.
    BfMax,
    /// [`Self::FloatCompareExchange`] of bfloat16 numbers.
    BfCompareExchange,
    /// [`Self::FloatAdd`] of bfloat16 numbers.
    BfAdd,
    /// [`Self::FloatSub`] of bfloat16 numbers.
    BfSub,
    /// old + 1, but 0 if old ≥ a; unsigned.
    IncrementTo,
    /// old − 1, but a if old is 0 or greater than a; unsigned.
    DecrementFrom,
    /// old + a for each 32 bits of the cell, as floats: subnormal operands and sums are flushed to zeros of
    /// the same sign, and every NaN becomes 0x7fffffff.
    FlushedFloatAdd,
    /// old + a for each 16 bits of the cell, rounded to nearest even; every NaN becomes
    /// 0x7fff.
    PairAdd(Subnormals),
    /// The smaller of each half: a number beats a NaN, −0 is less than +0, and two
    /// NaNs give 0x7fff.
    PairMin(Subnormals),
    /// The larger of each half, likewise.
    PairMax(Subnormals),
    /// [`Self::PairAdd`] of bfloat16 numbers, subnormals preserved.
    BfPairAdd,
    /// [`Self::PairMin`] of bfloat16 numbers, likewise.
    BfPairMin,
    /// [`Self::PairMax`] of bfloat16 numbers, likewise.
    BfPairMax,
    /// An arrival at a barrier object; one that it cannot count has no effect.
    Arrive(Arrival),
}

/// Treatment of subnormal halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subnormals {
    /// Preserved.
    Kept,
    /// Flushed to zeros of the same sign, as operands and as results.
    Flushed,
}

impl Rmw {
    /// The addend of an operation that only adds, modulo the width.
    #[must_use]
    pub fn addend(self, width: Width, a: u64) -> Option<u64> {
        let addend = match self {
            Self::Add => a,
            Self::Sub => a.wrapping_neg(),
            Self::Increment => 1,
            Self::Decrement => u64::MAX,
            _ => return None,
        };
        Some(addend & low_mask(width.bits()))
    }

    /// Computes the new value of a cell with value `old`. Operand bits above the width
    /// are ignored and cleared in the result.
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
            Self::CompareExchange | Self::FloatCompareExchange | Self::BfCompareExchange => {
                match self.compares_equal(width, old, b) {
                    Some(true) => a,
                    _ => old,
                }
            }
            Self::And => old & a,
            Self::Or => old | a,
            Self::Xor => old ^ a,
            Self::FloatMin | Self::BfMin => pick(self.float_type(width), old, a, |old, a| a < old),
            Self::FloatMax | Self::BfMax => pick(self.float_type(width), old, a, |old, a| a > old),
            Self::FloatAdd | Self::BfAdd => sum(self.float_type(width), old, a, 1.0),
            Self::FloatSub | Self::BfSub => sum(self.float_type(width), old, a, -1.0),
            Self::IncrementTo if old >= a => 0,
            Self::IncrementTo => old + 1,
            Self::DecrementFrom if old == 0 || old > a => a,
            Self::DecrementFrom => old - 1,
            Self::FlushedFloatAdd => flushed_sum(old, a) | flushed_sum(old >> 32, a >> 32) << 32,
            Self::PairAdd(subnormals) => pair(old, a, subnormals, |was, a| {
                half_sum(was, a, ElementType::Hf)
            }),
            Self::PairMin(subnormals) => pair(old, a, subnormals, |was, a| {
                half_pick(was, a, ElementType::Hf, |was, a| a < was)
            }),
            Self::PairMax(subnormals) => pair(old, a, subnormals, |was, a| {
                half_pick(was, a, ElementType::Hf, |was, a| a > was)
            }),
            Self::BfPairAdd => pair(old, a, Subnormals::Kept, |was, a| {
                half_sum(was, a, ElementType::Bf)
            }),
            Self::BfPairMin => pair(old, a, Subnormals::Kept, |was, a| {
                half_pick(was, a, ElementType::Bf, |was, a| a < was)
            }),
            Self::BfPairMax => pair(old, a, Subnormals::Kept, |was, a| {
                half_pick(was, a, ElementType::Bf, |was, a| a > was)
            }),
            Self::Arrive(arrival) => arrival.of(old, a).unwrap_or(old),
        };
        new & mask
    }

    /// Whether `old` equals `b` in a comparing operation; `None` for all others.
    #[must_use]
    pub fn compares_equal(self, width: Width, old: u64, b: u64) -> Option<bool> {
        let mask = low_mask(width.bits());
        match self {
            Self::CompareExchange => Some(old & mask == b & mask),
            Self::FloatCompareExchange | Self::BfCompareExchange => {
                let float = |bits| to_f64(bits, self.float_type(width));
                Some(float(old) == float(b))
            }
            _ => None,
        }
    }

    /// The type of the cell of an operation on floats.
    const fn float_type(self, width: Width) -> ElementType {
        match (self, width) {
            (
                Self::BfMin | Self::BfMax | Self::BfCompareExchange | Self::BfAdd | Self::BfSub,
                _,
            ) => ElementType::Bf,
            (_, Width::W16) => ElementType::Hf,
            (_, Width::W32) => ElementType::F,
            (_, Width::W64) => ElementType::Df,
        }
    }

    /// The type of a cell of `bytes` bytes, if it is one float.
    #[must_use]
    pub const fn cell_type(self, bytes: u8) -> Option<ElementType> {
        let width = match bytes {
            2 => Width::W16,
            4 => Width::W32,
            8 => Width::W64,
            _ => return None,
        };
        let is_vector = matches!((self, bytes), (Self::FlushedFloatAdd, 8));
        if self.is_float() && !self.is_pair() && !is_vector {
            Some(self.float_type(width))
        } else {
            None
        }
    }

    /// Whether the first data operand is compared and the second stored.
    #[must_use]
    pub const fn is_compare_exchange(self) -> bool {
        matches!(
            self,
            Self::CompareExchange | Self::FloatCompareExchange | Self::BfCompareExchange
        )
    }

    /// Whether it works on bits rather than on a number.
    #[must_use]
    pub const fn is_bitwise(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Xor)
    }

    /// Whether a cell contains separate halves.
    #[must_use]
    pub const fn is_pair(self) -> bool {
        matches!(
            self,
            Self::PairAdd(_)
                | Self::PairMin(_)
                | Self::PairMax(_)
                | Self::BfPairAdd
                | Self::BfPairMin
                | Self::BfPairMax
        )
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
                | Self::BfMin
                | Self::BfMax
                | Self::BfCompareExchange
                | Self::BfAdd
                | Self::BfSub
                | Self::FlushedFloatAdd
                | Self::PairAdd(_)
                | Self::PairMin(_)
                | Self::PairMax(_)
                | Self::BfPairAdd
                | Self::BfPairMin
                | Self::BfPairMax
        )
    }
}

fn pick(ty: ElementType, old: u64, a: u64, better: impl Fn(f64, f64) -> bool) -> u64 {
    let (was, operand) = (to_f64(old, ty), to_f64(a, ty));
    if was.is_nan() || better(was, operand) {
        a
    } else {
        old
    }
}

/// `old + sign * a`, correctly rounded. The double sum of two halves is exact;
/// double rounding is innocuous for narrower types, since 53 ≥ 2 × 24 + 2.
///
/// The NaN of a host addition depends on the compiler, so it is defined here: the
/// quieted old if it is a NaN, else the quieted a; inf − inf is the positive quiet
/// NaN.
fn sum(ty: ElementType, old: u64, a: u64, sign: f64) -> u64 {
    let format = ty.float_format().expect("the type is a float type");
    let (was, operand) = (to_f64(old, ty), to_f64(a, ty));
    if was.is_nan() {
        return old | format.quiet_nan();
    }
    if operand.is_nan() {
        return a | format.quiet_nan();
    }
    from_f64(was + sign * operand, ty)
}

/// Flushes a subnormal float to zero of the same sign.
const fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

/// The sum of two floats, as in NVIDIA's FADD.FTZ.RN.
fn flushed_sum(old: u64, a: u64) -> u64 {
    let part = |bits: u64| {
        let [a, b, c, d, ..] = bits.to_le_bytes();
        f32::from_bits(flush(u32::from_le_bytes([a, b, c, d])))
    };
    let sum = part(old) + part(a);
    u64::from(if sum.is_nan() {
        0x7fff_ffff
    } else {
        flush(sum.to_bits())
    })
}

/// Applies `f` to each 16 bits.
fn pair(old: u64, a: u64, subnormals: Subnormals, f: impl Fn(u16, u16) -> u16) -> u64 {
    let flush = |bits: u16| match subnormals {
        Subnormals::Flushed if bits & 0x7c00 == 0 => bits & 0x8000,
        _ => bits,
    };
    let half = |bits: u64, place: u32| u16::try_from(bits >> (16 * place) & 0xffff);
    (0..4).fold(0, |cell, place| {
        let [was, a] = [old, a].map(|bits| half(bits, place).expect("16 bits"));
        cell | u64::from(flush(f(flush(was), flush(a)))) << (16 * place)
    })
}

/// The NaN result of operations on halves.
const HALF_NAN: u16 = 0x7fff;

/// The sum of two halves, exact as a double, rounded once. All NaN results are the
/// same.
fn half_sum(was: u16, a: u16, ty: ElementType) -> u16 {
    let sum = to_f64(was.into(), ty) + to_f64(a.into(), ty);
    if sum.is_nan() {
        HALF_NAN
    } else {
        u16::try_from(from_f64(sum, ty)).expect("it has 16 bits")
    }
}

/// `a` if it is better, in an order in which −0 precedes +0.
fn half_pick(was: u16, a: u16, ty: ElementType, better: impl Fn(i32, i32) -> bool) -> u16 {
    let key = |bits: u16| {
        let magnitude = i32::from(bits & 0x7fff);
        if bits & 0x8000 == 0 {
            magnitude
        } else {
            -1 - magnitude
        }
    };
    let [was_nan, is_nan] = [was, a].map(|bits| to_f64(bits.into(), ty).is_nan());
    match (was_nan, is_nan) {
        (true, true) => HALF_NAN,
        (true, false) => a,
        (false, false) if better(key(was), key(a)) => a,
        _ => was,
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

    #[test]
    fn bfloats_follow_the_same_rules() {
        let apply = |op: Rmw, old, a| op.apply(Width::W16, old, a, 0);
        assert_eq!(apply(Rmw::BfAdd, 0x3f80, 0x3f80), 0x4000, "1 + 1");
        assert_eq!(apply(Rmw::BfAdd, 0x3f80, 0x3b80), 0x3f80, "a tie to even");
        assert_eq!(apply(Rmw::BfAdd, 0x3f81, 0x3b80), 0x3f82, "a tie to even");
        assert_eq!(apply(Rmw::BfAdd, 1, 1), 2, "subnormals");
        assert_eq!(apply(Rmw::BfSub, 0x7f80, 0x7f80), 0x7fc0, "inf - inf");
        assert_eq!(apply(Rmw::BfAdd, 0x7f81, 0x3f80), 0x7fc1, "a quieted NaN");
        assert_eq!(apply(Rmw::BfMin, 0x7fc0, 0x3f80), 0x3f80);
        assert_eq!(apply(Rmw::BfMax, 0xbf80, 0xc000), 0xbf80);
        let swap = |old, b| Rmw::BfCompareExchange.apply(Width::W16, old, 0x3f80, b);
        assert_eq!((swap(0x8000, 0), swap(0x7fc0, 0x7fc0)), (0x3f80, 0x7fc0));
    }

    #[test]
    fn comparisons_report_equality() {
        let bits = |old, b| Rmw::CompareExchange.compares_equal(Width::W16, old, b);
        assert_eq!((bits(7, 0x1_0007), bits(7, 8)), (Some(true), Some(false)));
        let floats = |old, b| Rmw::FloatCompareExchange.compares_equal(Width::W32, old, b);
        assert_eq!(floats(0x8000_0000, 0), Some(true), "−0 = +0");
        assert_eq!(floats(0x7fc0_0000, 0x7fc0_0000), Some(false), "NaN");
        assert_eq!(Rmw::Add.compares_equal(Width::W32, 1, 1), None);
    }

    #[test]
    fn counters_stay_within_their_bound() {
        let inc = |old, a| Rmw::IncrementTo.apply(Width::W32, old, a, 0);
        assert_eq!([inc(0, 2), inc(1, 2), inc(2, 2), inc(3, 2)], [1, 2, 0, 0]);
        assert_eq!(inc(0xffff_ffff, 0xffff_ffff), 0);
        let dec = |old, a| Rmw::DecrementFrom.apply(Width::W32, old, a, 0);
        assert_eq!([dec(0, 2), dec(1, 2), dec(2, 2), dec(3, 2)], [2, 0, 1, 2]);
        assert_eq!(Rmw::IncrementTo.apply(Width::W64, u64::MAX, u64::MAX, 0), 0);
    }

    #[test]
    fn flushing_preserves_sign_and_nans_are_canonical() {
        let add = |old, a| Rmw::FlushedFloatAdd.apply(Width::W32, old, a, 0);
        assert_eq!(add(0x8000_0001, 0x8000_0000), 0x8000_0000);
        assert_eq!(add(1, 0x3f80_0000), 0x3f80_0000);
        assert_eq!(add(0x0080_0001, 0x8080_0000), 0, "a subnormal sum");
        assert_eq!(add(0x7fc0_0000, 0), 0x7fff_ffff);
        assert_eq!(add(0x7f80_0000, 0xff80_0000), 0x7fff_ffff);
    }

    #[test]
    fn halves_are_independent() {
        use Subnormals::{Flushed, Kept};
        let add = |s, old, a| Rmw::PairAdd(s).apply(Width::W32, old, a, 0);
        assert_eq!(add(Kept, 0x0001_7bff, 0x0001_7bff), 0x0002_7c00);
        assert_eq!(add(Flushed, 0x0001_8001, 0x3c00_8001), 0x3c00_8000);
        assert_eq!(add(Kept, 0x7e00_7c00, 0x0000_fc00), 0x7fff_7fff);
        let min = |old, a| Rmw::PairMin(Kept).apply(Width::W32, old, a, 0);
        assert_eq!(min(0x0000_7e00, 0x8000_3c00), 0x8000_3c00);
        let max = |old, a| Rmw::PairMax(Kept).apply(Width::W32, old, a, 0);
        assert_eq!(max(0x8000_fe00, 0x0000_7e01), 0x0000_7fff);
        assert_eq!(max(0xc000_bc00, 0xbc00_c000), 0xbc00_bc00);
    }
}
