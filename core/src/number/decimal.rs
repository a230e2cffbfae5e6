//! Decimal text to a binary float of any format, rounded once, to nearest
//! even.
//!
//! Exact integers instead of the standard library's parser: its table of
//! powers takes 10 KB that no compression shrinks, and it knows no bf16.

use alloc::vec;
use alloc::vec::Vec;

/// A binary float format.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bits of the fraction.
    pub(super) fraction: u32,
    /// Bits of the exponent.
    pub(super) exponent: u32,
}

impl Format {
    pub(super) const fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of positive infinity.
    pub(super) const fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }
}

/// Beyond these, any of the formats holds infinity, or zero.
const FARTHEST: i64 = 400;

/// More digits than decide about a rounding; the rest only says "a bit more".
const DIGITS: usize = 800;

/// Nine decimal digits, the most that a limb takes.
const CHUNK: u32 = 1_000_000_000;

/// The bits of a number like `12.5e-3`, without a sign; those of infinity if
/// it is too large. `None` if it is no such number.
pub(super) fn read(text: &str, format: Format) -> Option<u64> {
    let (number, power) = match text.split_once(['e', 'E']) {
        Some((number, power)) => (number, read_power(power)?),
        None => (text, 0),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = || whole.bytes().chain(part.bytes());
    if whole.is_empty() || !digits().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut limbs = Vec::new();
    let (mut kept, mut dropped, mut more) = (0, 0_i64, false);
    for digit in digits().map(|b| b - b'0') {
        if kept < DIGITS {
            multiply(&mut limbs, 10, u32::from(digit));
            kept += usize::from(!limbs.is_empty());
        } else {
            dropped += 1;
            more |= digit != 0;
        }
    }
    let spans = i64::try_from(part.len()).unwrap_or(i64::MAX);
    let power = power.saturating_sub(spans).saturating_add(dropped);
    let first = power.saturating_add(i64::try_from(kept).unwrap_or(0));
    if limbs.is_empty() || first < -FARTHEST {
        return Some(0);
    }
    if first > FARTHEST {
        return Some(format.infinity());
    }
    Some(scale(limbs, power, more, format))
}

fn read_power(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() {
        return None;
    }
    let power = digits.bytes().try_fold(0_i64, |power, b| {
        let digit = b.is_ascii_digit().then(|| i64::from(b - b'0'))?;
        Some(power.saturating_mul(10).saturating_add(digit))
    })?;
    Some(if text.starts_with('-') { -power } else { power })
}

/// `limbs` × 10^`power`, and a bit more if `more`, rounded.
fn scale(mut limbs: Vec<u32>, power: i64, mut more: bool, format: Format) -> u64 {
    let mut shift = 0;
    for chunk in chunks(power) {
        multiply(&mut limbs, chunk, 0);
    }
    if power < 0 {
        // Room for the bits of any format below what the division takes away.
        let room = usize::try_from(-power / 9 + 4).unwrap_or(0);
        shift = i64::try_from(room * 32).unwrap_or(0);
        limbs = [vec![0; room], limbs].concat();
        for chunk in chunks(-power) {
            more |= divide(&mut limbs, chunk) != 0;
        }
    }
    round(&limbs, shift, more, format)
}

/// 10^`power` as factors of a limb each; none for a negative power.
fn chunks(power: i64) -> impl Iterator<Item = u32> {
    let power = u32::try_from(power).unwrap_or(0);
    let whole = usize::try_from(power / 9).unwrap_or(0);
    core::iter::repeat_n(CHUNK, whole).chain([10_u32.pow(power % 9)])
}

/// `limbs` / 2^`shift`, and a bit more if `more`, rounded to nearest even.
fn round(limbs: &[u32], shift: i64, more: bool, format: Format) -> u64 {
    let fraction = i64::from(format.fraction);
    let used = limbs.iter().rposition(|limb| *limb != 0);
    let length = used.map_or(0, |at| {
        let zeros = limbs.get(at).map_or(0, |limb| limb.leading_zeros());
        32 * i64::try_from(at + 1).unwrap_or(0) - i64::from(zeros)
    });
    let exponent = length - 1 - shift;
    // The weight of the result's last bit: subnormals share the smallest.
    let last = exponent.max(1 - format.bias()) - fraction;
    let cut = last + shift;
    let bit = |i: i64| {
        let limb = usize::try_from(i / 32).ok().and_then(|at| limbs.get(at));
        let within = u32::try_from(i % 32).unwrap_or(0);
        u64::from(limb.map_or(0, |limb| limb >> within & 1))
    };
    let kept = (cut.max(0)..length)
        .rev()
        .fold(0, |kept, i| kept << 1 | bit(i));
    let kept = kept << u32::try_from(-cut).unwrap_or(0);
    let half = cut > 0 && bit(cut - 1) == 1;
    let beyond = more || (0..cut - 1).any(|i| bit(i) == 1);
    let rounded = kept + u64::from(half && (beyond || kept & 1 == 1));
    // The first bit of a normal number adds one to the exponent's field.
    let field = u64::try_from(last + fraction + format.bias() - 1).unwrap_or(0);
    let bits = (field << format.fraction) + rounded;
    bits.min(format.infinity())
}

/// `limbs` × `by` + `plus`.
pub(super) fn multiply(limbs: &mut Vec<u32>, by: u32, plus: u32) {
    let mut carry = plus;
    for limb in limbs.iter_mut() {
        let product = u64::from(*limb) * u64::from(by) + u64::from(carry);
        (*limb, carry) = (low(product), low(product >> 32));
    }
    if carry > 0 {
        limbs.push(carry);
    }
}

/// `limbs` / `by`; returns the remainder.
pub(super) fn divide(limbs: &mut [u32], by: u32) -> u64 {
    let by = u64::from(by);
    let mut rest = 0;
    for limb in limbs.iter_mut().rev() {
        let dividend = rest << 32 | u64::from(*limb);
        (*limb, rest) = (low(dividend / by), dividend % by);
    }
    rest
}

fn low(value: u64) -> u32 {
    u32::try_from(value & 0xffff_ffff).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Random;
    use half::f16;
    use std::format;
    use std::string::String;

    const F64: Format = Format {
        fraction: 52,
        exponent: 11,
    };
    const F32: Format = Format {
        fraction: 23,
        exponent: 8,
    };
    const F16: Format = Format {
        fraction: 10,
        exponent: 5,
    };

    fn agrees(text: &str) {
        let double = text.parse::<f64>().unwrap();
        assert_eq!(read(text, F64), Some(double.to_bits()), "{text}");
        let single = text.parse::<f32>().unwrap();
        assert_eq!(read(text, F32), Some(u64::from(single.to_bits())), "{text}");
    }

    #[test]
    fn the_standard_library_agrees() {
        for text in [
            "0",
            "1",
            "1.",
            "0.1",
            "1e23",
            "9007199254740993",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "2.2250738585072011e-308",
            "1e-45",
            "7.006492321624085e-46",
            "7.0064923216240862e-46",
            "3.4028235677973366e38",
            "16777217",
            "000.00012300e+5",
            "1e999999999999999999999",
            "1e-999999999999",
        ] {
            agrees(text);
        }
        agrees(&format!("{}e-900", "9".repeat(900)));
        agrees(&format!("0.{}1", "0".repeat(310)));
        // A tie, and a digit far behind it that breaks it.
        let tie = format!(
            "1.00000000000000011102230246251565404236316680908203125{}",
            "0".repeat(900)
        );
        agrees(&tie);
        agrees(&format!("{tie}1"));
        let mut random = Random::new(7);
        for _ in 0..4000 {
            let (bits, kind) = (random.bits(), random.bits() % 3);
            let text: String = match kind {
                0 => format!("{:e}", f64::from_bits(bits >> 1).min(f64::MAX)),
                1 => format!("{}.{}e{}", bits % 1000, bits >> 20, bits as i8 / 2),
                _ => format!("{}", f32::from_bits(bits as u32 >> 1).min(f32::MAX)),
            };
            agrees(&text);
        }
    }

    #[test]
    fn halves_come_back_and_are_rounded_once() {
        for bits in 0..0x7c00_u16 {
            let text = format!("{}", f16::from_bits(bits).to_f64());
            assert_eq!(read(&text, F16), Some(u64::from(bits)));
        }
        // Just above a tie of halves, and a tie for doubles.
        assert_eq!(read("1.00048828125000000000001", F16), Some(0x3c01));
        assert_eq!(read("1.00048828125", F16), Some(0x3c00));
        assert_eq!(read("65519", F16), Some(0x7bff));
        assert_eq!(read("65520", F16), Some(0x7c00));
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in [
            "", ".", "e5", "1e", "1e+", "1e5x", "1.2.3", "x", "1_0", "-1", "1e--5",
        ] {
            assert_eq!(read(text, F64), None, "{text}");
        }
    }
}
