//! Correctly rounded conversion of decimal text to floats, and of floats to the
//! shortest text that round-trips.
//!
//! The standard library handles `f32` and `f64`, but not 16-bit formats. Rounding to
//! `f64` and then to 16 bits is wrong if the first rounding ends on a tie of the
//! second; see [`narrow`].

use super::format::FloatFormat;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::LowerExp;

/// Parses an unsigned number like `12.5e-3`; infinity if it is too large. `None` if it
/// is not such a number.
pub(super) fn parse(text: &str, format: FloatFormat) -> Option<u64> {
    // The standard library also accepts names, signs and `.5`.
    let is_number = |b: u8| b.is_ascii_digit() || b".eE+-".contains(&b);
    if !text.starts_with(|c: char| c.is_ascii_digit()) || !text.bytes().all(is_number) {
        return None;
    }
    if format == FloatFormat::F32 {
        return Some(u64::from(text.parse::<f32>().ok()?.to_bits()));
    }
    let value: f64 = text.parse().ok()?;
    Some(match format {
        FloatFormat::F64 => value.to_bits(),
        _ => narrow(value, format, || compare(text, &format!("{value:.200}"))),
    })
}

/// Rounds a number to a 16-bit format, to nearest even.
#[inline]
pub(super) fn nearest(value: f64, format: FloatFormat) -> u64 {
    let size = narrow(value.abs(), format, || Ordering::Equal);
    match value.is_sign_negative() {
        true => size | format.sign(),
        false => size,
    }
}

/// Rounds a positive number to a 16-bit format. `value` is the number rounded to `f64`. If
/// it is a tie between two neighbors, `compare` compares the number with it exactly.
#[inline]
fn narrow(value: f64, format: FloatFormat, compare: impl FnOnce() -> Ordering) -> u64 {
    if value.is_infinite() {
        return format.infinity();
    }
    let bits = value.to_bits();
    let field = bits >> (f64::MANTISSA_DIGITS - 1);
    if field == 0 {
        // Zero, or far below every 16-bit format.
        return 0;
    }
    let first = 1_u64 << (f64::MANTISSA_DIGITS - 1);
    let mantissa = bits & (first - 1) | first;
    let exponent =
        i64::try_from(field).expect("a field has 11 bits") - i64::from(FloatFormat::F64.bias());
    let fraction = i64::from(format.fraction());
    // The weight of the result's last bit; subnormals share the smallest.
    let last = exponent.max(1 - i64::from(format.bias())) - fraction;
    let dropped = last - (exponent - i64::from(FloatFormat::F64.fraction()));
    let Ok(dropped @ 1..64) = u32::try_from(dropped) else {
        return 0;
    };
    let (kept, rest) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1));
    let side = rest.cmp(&(1 << (dropped - 1)));
    let up = match side.then_with(compare) {
        Ordering::Greater => true,
        Ordering::Equal => kept & 1 == 1,
        Ordering::Less => false,
    };
    // The implicit bit of a normal number increments the exponent field.
    let field = last + fraction + i64::from(format.bias()) - 1;
    let field = u64::try_from(field).expect("the smallest exponent has the field 0");
    let bits = (field << format.fraction()) + kept + u64::from(up);
    bits.min(format.infinity())
}

/// Compares two unsigned decimal numbers exactly.
fn compare(a: &str, b: &str) -> Ordering {
    normalize(a).cmp(&normalize(b))
}

/// A decimal number as 0.DIGITS × 10^power, without zeros at either end.
fn normalize(text: &str) -> (i64, Vec<u8>) {
    let (number, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = || whole.bytes().chain(part.bytes());
    let zeros = digits().take_while(|digit| *digit == b'0').count();
    let mut kept: Vec<u8> = digits().skip(zeros).collect();
    while kept.last() == Some(&b'0') {
        kept.pop();
    }
    // An exponent that does not fit makes the number infinite or zero.
    let power: i64 = power.parse().unwrap_or(match power.starts_with('-') {
        true => i64::MIN,
        false => i64::MAX,
    });
    let length = |count: usize| i64::try_from(count).expect("a text is shorter");
    let power = power.saturating_add(length(whole.len()) - length(zeros));
    (power, kept)
}

/// Formats a float in decimal, with an exponent outside 1e-5 to 10^`plain`. NaN is
/// `nan`, regardless of its sign.
pub(super) fn text(value: impl LowerExp + Into<f64> + Copy, plain: i64) -> String {
    if value.into().is_nan() {
        return String::from("nan");
    }
    // The standard library prints the fewest digits: `-1.25e-3`.
    let shortest = format!("{value:e}");
    let (sign, size) = match shortest.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", shortest.as_str()),
    };
    // Infinity has no exponent.
    let Some((number, power)) = size.split_once('e') else {
        return shortest;
    };
    let power: i64 = power.parse().expect("the power is an integer");
    if power < -5 || power >= plain {
        return shortest;
    }
    let digits = number.replace('.', "");
    let plain = match usize::try_from(power) {
        Err(_) => {
            let zeros = usize::try_from(-1 - power).expect("at most 4");
            format!("0.{}{digits}", "0".repeat(zeros))
        }
        Ok(whole) if digits.len() <= whole + 1 => {
            format!("{digits}{}", "0".repeat(whole + 1 - digits.len()))
        }
        Ok(whole) => {
            let (before, after) = digits.split_at(whole + 1);
            format!("{before}.{after}")
        }
    };
    format!("{sign}{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{ElementType, Random, show};
    use half::{bf16, f16};

    #[test]
    fn sixteen_bits_are_rounded_once() {
        for bits in 0..0x7c00_u16 {
            let text = format!("{}", f16::from_bits(bits).to_f64());
            assert_eq!(parse(&text, FloatFormat::F16), Some(u64::from(bits)));
        }
        for bits in 0..0x7f80_u16 {
            let text = format!("{}", bf16::from_bits(bits).to_f64());
            assert_eq!(parse(&text, FloatFormat::Bf16), Some(u64::from(bits)));
        }
        for (text, bits) in [
            // A tie, and just beside it: less than f64 can tell.
            ("1.00048828125", 0x3c00),
            ("1.00048828125000000000001", 0x3c01),
            ("1.00146484375", 0x3c02),
            ("1.00146484374999999999999", 0x3c01),
            ("10004882812500000000000000001e-28", 0x3c01),
            ("65519", 0x7bff),
            ("65519.99999999999999999999", 0x7bff),
            ("65520", 0x7c00),
            // Half of the smallest subnormal.
            ("2.98023223876953125e-8", 0),
            ("2.980232238769531250000000000000001e-8", 1),
            ("1e999999999999999999999", 0x7c00),
            ("1e-999999999999999999999", 0),
        ] {
            assert_eq!(parse(text, FloatFormat::F16), Some(bits), "{text}");
        }
        // bf16: between 1 and the next is 2^-8.
        assert_eq!(parse("1.00390625", FloatFormat::Bf16), Some(0x3f80));
        assert_eq!(
            parse("1.003906250000000000000001", FloatFormat::Bf16),
            Some(0x3f81)
        );
        // Half of the smallest subnormal, 2^-134, exactly and a little more.
        let half = format!("{:.140}", 2_f64.powi(-134));
        assert_eq!(parse(&half, FloatFormat::Bf16), Some(0));
        assert_eq!(parse(&format!("{half}1"), FloatFormat::Bf16), Some(1));
    }

    #[test]
    fn other_texts_are_not_numbers() {
        for text in [
            "", ".", ".5", "e5", "1e", "1e+", "1e5x", "1.2.3", "x", "1_0", "-1", "+1", "1e--5",
            "inf", "nan",
        ] {
            for format in [FloatFormat::F16, FloatFormat::F64] {
                assert_eq!(parse(text, format), None, "{text}");
            }
        }
    }

    #[test]
    fn printed_numbers_round_trip() {
        for (ty, format) in [
            (ElementType::Hf, FloatFormat::F16),
            (ElementType::Bf, FloatFormat::Bf16),
        ] {
            for bits in 0..format.infinity() {
                let shown = show(bits, ty);
                assert_eq!(parse(&shown, format), Some(bits), "{shown}");
            }
        }
        let mut random = Random::new(11);
        for _ in 0..20_000 {
            let bits = random.bits() >> 1;
            for (bits, ty, format) in [
                (bits >> 32, ElementType::F, FloatFormat::F32),
                (bits, ElementType::Df, FloatFormat::F64),
            ] {
                if bits < format.infinity() {
                    assert_eq!(parse(&show(bits, ty), format), Some(bits), "{bits:#x}");
                }
            }
        }
    }

    #[test]
    fn notation_changes_at_both_ends() {
        for (value, shown) in [
            (1e9, "1e9"),
            (999_999_936.0, "999999940"),
            (1e-5, "0.00001"),
            (9.999_999e-6, "9.999999e-6"),
            (0.5, "0.5"),
            (1234.5, "1234.5"),
            (1200.0, "1200"),
            (f32::INFINITY, "inf"),
        ] {
            assert_eq!(show(u64::from(value.to_bits()), ElementType::F), shown);
        }
        for (value, shown) in [
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
            (1e15, "1e15"),
            (9e14, "900000000000000"),
        ] {
            assert_eq!(show(value.to_bits(), ElementType::Df), shown);
        }
        assert_eq!(show(0x7fc0_0001, ElementType::F), "nan");
        assert_eq!(show(0xffff_ffff, ElementType::F), "nan");
        assert_eq!(show(u64::MAX, ElementType::Df), "nan");
    }
}
