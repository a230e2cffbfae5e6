//! Numbers as nvdisasm prints them.

use alloc::format;
use alloc::string::String;

/// Floats from here on are printed with an exponent and all digits.
const LARGE: f64 = 1e9;

/// `0x1c`, `-0x4`.
pub(super) fn hexadecimal(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{:#x}", number.unsigned_abs())
}

/// The bit of a double that tells a quiet NaN.
const QUIET: u64 = 1 << 51;

/// Up to 20 significant digits; from a billion on, 21 digits. Names have a space behind them.
/// Only doubles tell a signaling NaN.
pub(super) fn float(value: f64, is_double: bool) -> String {
    let sign = if value.is_sign_negative() { '-' } else { '+' };
    if value.is_nan() {
        let is_quiet = !is_double || value.to_bits() & QUIET != 0;
        return format!("{sign}{}NAN ", if is_quiet { 'Q' } else { 'S' });
    }
    if value.is_infinite() {
        return format!("{sign}INF ");
    }
    if value == 0.0 {
        return String::from(if sign == '-' { "-0.0 " } else { "0" });
    }
    let is_large = value >= LARGE || value <= -LARGE;
    let scientific = format!("{value:.*e}", if is_large { 20 } else { 19 });
    let (digits, exponent) = scientific.split_once('e').expect("an exponent");
    let exponent: i32 = exponent.parse().expect("a number");
    let with_exponent = |digits: &str| {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
    };
    if is_large {
        return with_exponent(digits);
    }
    let short = |text: &str| String::from(text.trim_end_matches('0').trim_end_matches('.'));
    if exponent < -4 {
        return with_exponent(&short(digits));
    }
    let decimals = usize::try_from(19 - exponent).expect("the exponent is less than 9");
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        short(&text)
    } else {
        text
    }
}
