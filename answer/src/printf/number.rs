//! Numbers as printf prints them.

use super::conversion::Conversion;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Formats the low bytes of an integer.
pub(super) fn integer(conversion: &Conversion, bits: u64) -> Vec<u8> {
    let unused = 64 - 8 * u32::from(conversion.bytes());
    let signed = (bits << unused).cast_signed() >> unused;
    let unsigned = bits << unused >> unused;
    let is_signed = matches!(conversion.letter, b'd' | b'i');
    let magnitude = match is_signed {
        true => signed.unsigned_abs(),
        false => unsigned,
    };
    let mut digits = match conversion.letter {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => format!("{magnitude}"),
    };
    // A zero with precision 0 has no digits.
    if conversion.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    if let Some(precision) = conversion.precision {
        digits = format!("{digits:0>precision$}");
    }
    if conversion.is_alternate && conversion.letter == b'o' && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix: &[u8] = match (conversion.letter, conversion.is_alternate && magnitude != 0) {
        (b'x', true) => b"0x",
        (b'X', true) => b"0X",
        _ if is_signed => sign(conversion, signed < 0),
        _ => b"",
    };
    let digits = digits.into_bytes();
    // A precision overrides the flag 0.
    match conversion.precision {
        Some(_) => conversion.padded(prefix, digits),
        None => conversion.padded_number(prefix, digits),
    }
}

const fn sign(conversion: &Conversion, is_negative: bool) -> &'static [u8] {
    match (is_negative, conversion.plus) {
        (true, _) => b"-",
        (false, Some(b'+')) => b"+",
        (false, Some(_)) => b" ",
        (false, None) => b"",
    }
}

/// Formats a floating-point number.
pub(super) fn float(conversion: &Conversion, value: f64) -> Vec<u8> {
    let is_upper = conversion.letter.is_ascii_uppercase();
    let sign = sign(conversion, value.is_sign_negative());
    let magnitude = value.abs();
    let cased = |text: String| match is_upper {
        true => text.to_uppercase().into_bytes(),
        false => text.into_bytes(),
    };
    if !magnitude.is_finite() {
        let text = if magnitude.is_nan() { "nan" } else { "inf" };
        return conversion.padded(sign, cased(String::from(text)));
    }
    let precision = conversion.precision.unwrap_or(6);
    let alternate = conversion.is_alternate;
    let digits = match conversion.letter.to_ascii_lowercase() {
        b'f' => fixed(magnitude, precision, alternate),
        b'e' => scientific(magnitude, precision, alternate),
        b'g' => general(magnitude, precision.max(1), alternate),
        _ => {
            let digits = hexadecimal(magnitude, conversion.precision, alternate);
            let sign = [sign, if is_upper { b"0X" } else { b"0x" }].concat();
            return conversion.padded_number(&sign, cased(digits));
        }
    };
    conversion.padded_number(sign, cased(digits))
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let mut text = format!("{value:.precision$}");
    if alternate && precision == 0 {
        text.push('.');
    }
    text
}

/// The digits before the exponent, and the exponent.
fn split(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text
        .split_once('e')
        .expect("scientific notation has an exponent");
    let exponent = exponent.parse().expect("the exponent is a number");
    (String::from(digits), exponent)
}

fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let (mut digits, exponent) = split(value, precision);
    if alternate && precision == 0 {
        digits.push('.');
    }
    with_exponent(&digits, exponent)
}

/// The exponent has a sign and two digits at least.
fn with_exponent(digits: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = split(value, precision - 1);
    let without_zeros = |digits: String| match digits.contains('.') && !alternate {
        true => String::from(digits.trim_end_matches('0').trim_end_matches('.')),
        false => digits,
    };
    let decimals = i64::try_from(precision).unwrap_or(i64::MAX) - 1 - i64::from(exponent);
    match usize::try_from(decimals) {
        Ok(decimals) if exponent >= -4 => without_zeros(fixed(value, decimals, alternate)),
        _ => {
            let mut digits = without_zeros(digits);
            if alternate && !digits.contains('.') {
                digits.push('.');
            }
            with_exponent(&digits, exponent)
        }
    }
}

/// Digits of the fraction of a double, in hexadecimal.
const FRACTION_DIGITS: usize = 13;

fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = i32::try_from(bits >> FRACTION_BITS).expect("the exponent has 11 bits");
    let (mut mantissa, exponent) = match biased {
        0 if fraction == 0 => (0, 0),
        0 => (fraction, -1022),
        biased => (1 << FRACTION_BITS | fraction, biased - 1023),
    };
    let kept = precision.unwrap_or(FRACTION_DIGITS).min(FRACTION_DIGITS);
    let dropped = 4 * (FRACTION_DIGITS - kept);
    if dropped > 0 {
        // Ties round to even.
        let half = 1_u64 << (dropped - 1);
        let is_odd = mantissa >> dropped & 1;
        mantissa = (mantissa + half - 1 + is_odd) >> dropped << dropped;
    }
    let lead = mantissa >> FRACTION_BITS;
    let fraction = format!("{:013x}", mantissa & ((1 << FRACTION_BITS) - 1));
    let fraction = match precision {
        None => String::from(fraction.trim_end_matches('0')),
        Some(precision) => format!("{:0<precision$}", &fraction[..kept]),
    };
    let point = match fraction.is_empty() && !alternate {
        true => "",
        false => ".",
    };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!(
        "{lead:x}{point}{fraction}p{sign}{}",
        exponent.unsigned_abs()
    )
}
