//! Binary floats of any format as decimal text: the fewest digits that are
//! read back as the same bits, and of these the nearest.
//!
//! By the exact integers of [`decimal`](super::decimal), not by the standard
//! library's printers: they and their tables are 4 KB of the page, compressed.

use super::decimal::{Format, divide, multiply, read};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// No float of 64 bits needs more digits.
const MOST: usize = 17;

/// A positive, finite float that is not zero: its digits as a number, and the
/// power of ten of the last one.
fn digits(bits: u64, format: Format) -> (u64, i64) {
    let (field, first) = (bits >> format.fraction, 1 << format.fraction);
    let fraction = bits & (first - 1);
    let mantissa = if field == 0 {
        fraction
    } else {
        fraction | first
    };
    let field = i64::try_from(field.max(1)).unwrap_or(1);
    let power = field - format.bias() - i64::from(format.fraction);
    // The number is `limbs`, or that many of 10^power: 2^-1 = 5 × 10^-1.
    let mut limbs: Vec<u32> = vec![];
    for byte in mantissa.to_be_bytes() {
        multiply(&mut limbs, 256, u32::from(byte));
    }
    let by = if power < 0 { 5 } else { 2 };
    for _ in 0..power.unsigned_abs() {
        multiply(&mut limbs, by, 0);
    }
    let mut all = Vec::new();
    while limbs.iter().any(|limb| *limb != 0) {
        all.push(divide(&mut limbs, 10));
    }
    let mut scale = power.min(0) + i64::try_from(all.len()).unwrap_or(0);
    let mut kept = 0;
    for _ in 0..MOST {
        let Some(digit) = all.pop() else { break };
        (kept, scale) = (kept * 10 + digit, scale - 1);
        let up = u64::from(all.last().is_some_and(|next| *next >= 5));
        for near in [kept + up, kept + 1 - up] {
            if read(&format!("{near}e{scale}"), format) == Some(bits) {
                // 9.9 rounds to 10, which has one digit.
                let carried = near % 10 == 0;
                return if carried {
                    (near / 10, scale + 1)
                } else {
                    (near, scale)
                };
            }
        }
    }
    (kept, scale)
}

/// A float without its sign, with a power of ten if it is not from 1e-5 up to
/// 10^`plain`. NaN is `nan`.
pub(super) fn text(bits: u64, format: Format, plain: usize) -> String {
    if bits >= format.infinity() {
        let nan = bits > format.infinity();
        return String::from(if nan { "nan" } else { "inf" });
    }
    if bits == 0 {
        return String::from("0");
    }
    let (number, scale) = digits(bits, format);
    let mut text = number.to_string();
    let exponent = scale + i64::try_from(text.len()).unwrap_or(0) - 1;
    match usize::try_from(exponent) {
        Ok(whole) if whole < plain => {
            let zeros = usize::try_from(scale).unwrap_or(0);
            text.push_str(&"0".repeat(zeros));
            if text.len() > whole + 1 {
                text.insert(whole + 1, '.');
            }
        }
        Err(_) if exponent >= -5 => {
            let zeros = usize::try_from(-1 - exponent).unwrap_or(0);
            text.insert_str(0, &"0".repeat(zeros));
            text.insert_str(0, "0.");
        }
        _ => {
            if text.len() > 1 {
                text.insert(1, '.');
            }
            text.push('e');
            text.push_str(&exponent.to_string());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{ElementType, Random, show};

    /// What the standard library shows, in our choice of notations.
    fn wanted(plain: String, scientific: String, inside: bool) -> String {
        if inside { plain } else { scientific }
    }

    fn agrees_32(bits: u32) {
        let value = f32::from_bits(bits);
        let size = value.abs();
        let inside = value == 0.0 || value.is_infinite() || (1e-5..1e9).contains(&size);
        let wanted = wanted(format!("{value}"), format!("{value:e}"), inside);
        assert_eq!(show(u64::from(bits), ElementType::F), wanted, "{bits:#x}");
    }

    fn agrees_64(bits: u64) {
        let value = f64::from_bits(bits);
        let size = value.abs();
        let inside = value == 0.0 || value.is_infinite() || (1e-5..1e15).contains(&size);
        let wanted = wanted(format!("{value}"), format!("{value:e}"), inside);
        assert_eq!(show(bits, ElementType::Df), wanted, "{bits:#x}");
    }

    #[test]
    fn the_standard_library_agrees() {
        // Every power of two: below it the floats lie closer than above it.
        for field in 0..255 {
            for near in [0_u32, 1, 2, 0x40_0000, 0x7f_ffff] {
                agrees_32(field << 23 | near);
                agrees_32(1 << 31 | field << 23 | near);
            }
        }
        for field in (0..2047).step_by(5) {
            agrees_64(field << 52);
            agrees_64((field << 52) + 1);
            agrees_64(((field + 1) << 52) - 1);
        }
        let mut random = Random::new(11);
        for _ in 0..20_000 {
            let bits = random.bits();
            let low = bits as u32;
            if !f32::from_bits(low).is_nan() {
                agrees_32(low);
            }
            // As they are in programs: few digits.
            agrees_32(((bits >> 40) as f32 / 1000.0).to_bits());
            agrees_32((low as i32 as f32).to_bits());
        }
        for _ in 0..2_000 {
            let bits = random.bits();
            if !f64::from_bits(bits).is_nan() {
                agrees_64(bits);
            }
            agrees_64(((bits >> 30) as f64 / 1e6).to_bits());
        }
        for bits in [f32::INFINITY, f32::NEG_INFINITY, 1e9, 1e-5, 9.999_999e-6] {
            agrees_32(bits.to_bits());
        }
        for bits in [5e-324, f64::MAX, f64::MIN_POSITIVE, 1e15, 1e23, 9e15] {
            agrees_64(bits.to_bits());
        }
        assert_eq!(show(0x7fc0_0001, ElementType::F), "nan");
        assert_eq!(show(0xffff_ffff, ElementType::F), "nan");
        assert_eq!(show(u64::MAX, ElementType::Df), "nan");
    }
}
