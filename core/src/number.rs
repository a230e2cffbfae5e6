//! Element types, their literals in the scenario text, and their printing.
//!
//! Sources: visa_2_datatypes.md for the types; the scenario format for the
//! literals (hexadecimal and binary literals are bits, decimals are values).

mod float;
mod format;
mod nearest;
mod odd;
mod real;

pub use format::FloatFormat;
pub use nearest::{Native, Nearest};
pub use odd::OddDouble;
pub use real::{Real, Rounding};

use crate::text::Cursor;
use alloc::format;
use alloc::string::{String, ToString};
use half::{bf16, f16};

/// The type of the elements of a variable or of a memory view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// Unsigned byte.
    Ub,
    /// Signed byte.
    B,
    /// Unsigned word, 16 bits.
    Uw,
    /// Signed word.
    W,
    /// Unsigned doubleword, 32 bits.
    Ud,
    /// Signed doubleword.
    D,
    /// Unsigned quadword, 64 bits.
    Uq,
    /// Signed quadword.
    Q,
    /// Half float, IEEE binary16.
    Hf,
    /// Float, IEEE binary32.
    F,
    /// Double float, IEEE binary64.
    Df,
    /// bfloat16: the upper half of a float.
    Bf,
}

impl ElementType {
    /// All types in display order.
    pub const ALL: [Self; 12] = [
        Self::Ub,
        Self::B,
        Self::Uw,
        Self::W,
        Self::Ud,
        Self::D,
        Self::Uq,
        Self::Q,
        Self::Hf,
        Self::F,
        Self::Df,
        Self::Bf,
    ];

    /// Name in declarations, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ub => "ub",
            Self::B => "b",
            Self::Uw => "uw",
            Self::W => "w",
            Self::Ud => "ud",
            Self::D => "d",
            Self::Uq => "uq",
            Self::Q => "q",
            Self::Hf => "hf",
            Self::F => "f",
            Self::Df => "df",
            Self::Bf => "bf",
        }
    }

    /// Finds a type by name, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|ty| name.eq_ignore_ascii_case(ty.name()))
    }

    /// Size of one element in bytes: 1, 2, 4 or 8.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::Ub | Self::B => 1,
            Self::Uw | Self::W | Self::Hf | Self::Bf => 2,
            Self::Ud | Self::D | Self::F => 4,
            Self::Uq | Self::Q | Self::Df => 8,
        }
    }

    /// Size of one element in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        8 * self.bytes() as u32
    }

    /// Whether values are floating-point numbers.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Hf | Self::F | Self::Df | Self::Bf)
    }

    /// Format of floating-point elements.
    #[must_use]
    pub const fn float_format(self) -> Option<FloatFormat> {
        Some(match self {
            Self::Hf => FloatFormat::F16,
            Self::Bf => FloatFormat::Bf16,
            Self::F => FloatFormat::F32,
            Self::Df => FloatFormat::F64,
            _ => return None,
        })
    }

    /// Whether values are signed integers.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::B | Self::W | Self::D | Self::Q)
    }
}

/// Positions of the set bits, ascending.
pub fn set_bits(bits: u32) -> impl Iterator<Item = usize> {
    let mut left = bits;
    core::iter::from_fn(move || {
        let lowest = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (lowest < u32::BITS).then(|| crate::diagnostic::to_usize(lowest))
    })
}

/// The low 64 bits of an integer.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the low half is meant"
)]
pub const fn low_qword(value: i128) -> u64 {
    value as u64
}

/// A mask of the low `bits` bits.
#[must_use]
pub const fn low_mask(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

/// The first eight bytes as a little-endian number, padded with zeros.
#[must_use]
#[inline]
pub fn little_endian(bytes: &[u8]) -> u64 {
    let fold = |number, byte: &u8| number << 8 | u64::from(*byte);
    match bytes.first_chunk() {
        Some(first) => u64::from_le_bytes(*first),
        None => bytes.iter().rev().fold(0, fold),
    }
}

/// Sign-extends the low `bits` bits.
#[must_use]
pub const fn sign_extend(value: u64, bits: u32) -> i64 {
    let shift = 64_u32.saturating_sub(bits);
    (value << shift).cast_signed() >> shift
}

/// Error of parsing a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiteralError {
    /// Not a number.
    #[error("not a number")]
    Malformed,
    /// A fraction, exponent, `inf` or `nan` for an integer type.
    #[error("fractions require a float type")]
    NotAnInteger,
    /// Out of range for the type.
    #[error("out of range for the type")]
    OutOfRange,
    /// `0f…` with the wrong number of digits, or for an integer type.
    #[error("`0f` requires a float type and exactly as many hexadecimal digits as the type has")]
    BadExactBits,
    /// An integer of a float type, which could be a value or bits.
    #[error("ambiguous: write 1.0 for the value or 0x1 for the bits")]
    ValueOrBits,
}

impl LiteralError {
    /// Returns how to write a value of a type.
    pub(crate) fn help(self, ty: ElementType) -> String {
        let bits = ty.bits();
        match self {
            Self::OutOfRange if !ty.is_float() && ty.is_signed() => format!(
                "use a value from -2^{0} to 2^{0} - 1, or write bits in hexadecimal",
                bits - 1
            ),
            Self::OutOfRange if !ty.is_float() => format!("use a value from 0 to 2^{bits} - 1"),
            Self::BadExactBits => format!(
                "write `0f` and {} hexadecimal digits, for a float type only",
                ty.bytes() * 2
            ),
            _ if ty.is_float() => format!(
                "write 1.5, -2e-3, inf, nan, or 0f and {} digits",
                ty.bytes() * 2
            ),
            _ => String::from("write 12, -12, 0x1f or 0b101"),
        }
    }
}

/// Parses a magnitude; also returns whether it was written as bits (hexadecimal
/// or binary).
pub(crate) fn unsigned(text: &str) -> Option<(u128, bool)> {
    let (digits, radix) = if let Some(rest) = strip_radix(text, 'x') {
        (rest, 16)
    } else if let Some(rest) = strip_radix(text, 'b') {
        (rest, 2)
    } else {
        (text, 10)
    };
    if !digits.starts_with(|c: char| c.is_digit(radix)) || digits.ends_with('_') {
        return None;
    }
    let plain: String = digits.chars().filter(|c| *c != '_').collect();
    match u128::from_str_radix(&plain, radix) {
        Ok(value) => Some((value, radix != 10)),
        Err(error) if *error.kind() == core::num::IntErrorKind::PosOverflow => {
            // A valid number that is too large.
            Some((u128::MAX, radix != 10))
        }
        Err(_) => None,
    }
}

fn strip_radix(text: &str, letter: char) -> Option<&str> {
    text.strip_prefix('0')?
        .strip_prefix([letter, letter.to_ascii_uppercase()])
}

impl Cursor<'_> {
    /// Takes an integer if it is next.
    pub fn integer(&mut self) -> Option<u64> {
        let number = parse_integer(self.word()).ok()?;
        self.advance();
        Some(number)
    }
}

/// Parses an unsigned integer: decimal, `0x…` or `0b…`, with `_` between digits.
///
/// # Errors
/// If the text is not such a number or does not fit 64 bits.
pub fn parse_integer(text: &str) -> Result<u64, LiteralError> {
    // Fast path for short decimals, such as execution sizes and byte offsets.
    if (1..=18).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) {
        let digits = text.bytes().map(|b| u64::from(b - b'0'));
        return Ok(digits.fold(0, |value, digit| value * 10 + digit));
    }
    let (value, _) = unsigned(text).ok_or(LiteralError::Malformed)?;
    u64::try_from(value).map_err(|_| LiteralError::OutOfRange)
}

/// Whether a literal without a type is one of a float: `1.5`, `1e3`, `-inf`, `nan`.
#[must_use]
pub fn is_float_literal(text: &str) -> bool {
    let magnitude = text.trim_start_matches(['-', '+']);
    let mut names = ["nan", "inf"].into_iter();
    names.any(|name| magnitude.eq_ignore_ascii_case(name))
        || magnitude.contains(['.', 'e']) && !magnitude.starts_with("0x")
}

/// Parses a literal as the bits of one element of `ty`.
///
/// # Errors
/// See [`LiteralError`].
pub fn parse_literal(text: &str, ty: ElementType) -> Result<u64, LiteralError> {
    if let Some(digits) = text.strip_prefix("0f").or(text.strip_prefix("0F")) {
        let width = usize::from(ty.bytes()) * 2;
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !ty.is_float() || digits.len() != width || !is_hexadecimal {
            return Err(LiteralError::BadExactBits);
        }
        let bits = u64::from_str_radix(digits, 16);
        return Ok(bits.expect("at most 16 hexadecimal digits"));
    }
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    match unsigned(magnitude) {
        Some((value, true)) => bits_literal(negative, value, ty),
        Some((value, false)) if !ty.is_float() => integer_literal(negative, value, ty),
        _ => float_literal(negative, magnitude, ty),
    }
}

/// Parses a hexadecimal or binary literal as the bits of an element; a sign negates
/// them in two's complement.
fn bits_literal(negative: bool, value: u128, ty: ElementType) -> Result<u64, LiteralError> {
    let bits = u64::try_from(value).map_err(|_| LiteralError::OutOfRange)?;
    if bits > low_mask(ty.bits()) {
        return Err(LiteralError::OutOfRange);
    }
    if !negative {
        return Ok(bits);
    }
    if ty.is_float() || !ty.is_signed() && bits != 0 {
        return Err(LiteralError::OutOfRange);
    }
    integer_literal(true, value, ty)
}

fn integer_literal(negative: bool, value: u128, ty: ElementType) -> Result<u64, LiteralError> {
    let bits = ty.bits();
    let limit = match (ty.is_signed(), negative) {
        (true, true) => 1_u128 << (bits - 1),
        (true, false) => (1_u128 << (bits - 1)) - 1,
        (false, true) => 0,
        (false, false) => u128::from(low_mask(bits)),
    };
    if value > limit {
        return Err(LiteralError::OutOfRange);
    }
    let value = u64::try_from(value).map_err(|_| LiteralError::OutOfRange)?;
    let value = if negative {
        value.wrapping_neg()
    } else {
        value
    };
    Ok(value & low_mask(bits))
}

fn float_literal(negative: bool, text: &str, ty: ElementType) -> Result<u64, LiteralError> {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let named = [("inf", 0), ("nan", 1)]
        .into_iter()
        .find(|(name, _)| plain.eq_ignore_ascii_case(name));
    let format = ty.float_format().unwrap_or(FloatFormat::F64);
    let bits = match named {
        Some((_, quiet)) => format.infinity() | quiet << (format.fraction() - 1),
        None => {
            let between_digits =
                !text.ends_with('_') && !text.contains("_.") && !text.contains("._");
            if !between_digits {
                return Err(LiteralError::Malformed);
            }
            float::parse(&plain, format).ok_or(LiteralError::Malformed)?
        }
    };
    if !ty.is_float() {
        return Err(LiteralError::NotAnInteger);
    }
    if named.is_none() && bits == format.infinity() {
        return Err(LiteralError::OutOfRange);
    }
    Ok(bits | u64::from(negative) << (ty.bits() - 1))
}

/// The bits of `start + index * step` for a type; integers wrap.
#[must_use]
pub fn iota(start: u64, step: u64, index: u32, ty: ElementType) -> u64 {
    if ty.is_float() {
        let value = to_f64(start, ty) + f64::from(index) * to_f64(step, ty);
        from_f64(value, ty)
    } else {
        start.wrapping_add(step.wrapping_mul(u64::from(index))) & low_mask(ty.bits())
    }
}

/// Converts an element of a float type to a double, exactly.
#[inline]
#[must_use]
pub fn to_f64(bits: u64, ty: ElementType) -> f64 {
    debug_assert!(ty.is_float(), "{ty:?} has no value as a float");
    let low = bits.to_le_bytes();
    match ty {
        ElementType::Hf => f16::from_le_bytes([low[0], low[1]]).to_f64(),
        ElementType::Bf => bf16::from_le_bytes([low[0], low[1]]).to_f64(),
        ElementType::F => f64::from(f32::from_le_bytes([low[0], low[1], low[2], low[3]])),
        _ => f64::from_bits(bits),
    }
}

/// Rounds a double to the bits of a float type, to nearest even; NaN becomes the
/// canonical quiet NaN.
#[inline]
#[must_use]
pub fn from_f64(value: f64, ty: ElementType) -> u64 {
    let format = ty.float_format().expect("the type is a float type");
    if value.is_nan() {
        return format.quiet_nan();
    }
    match ty {
        ElementType::F => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "rounding to nearest even is wanted"
            )]
            let single = value as f32;
            u64::from(single.to_bits())
        }
        ElementType::Df => value.to_bits(),
        ElementType::Hf => float::nearest(value, FloatFormat::F16),
        _ => float::nearest(value, FloatFormat::Bf16),
    }
}

/// Formats an element in decimal; floats with the fewest digits that round-trip.
#[must_use]
pub fn show(bits: u64, ty: ElementType) -> String {
    let low = bits.to_le_bytes();
    match ty {
        ElementType::Hf => float_text(f16::from_le_bytes([low[0], low[1]]).to_f32()),
        ElementType::Bf => float_text(bf16::from_le_bytes([low[0], low[1]]).to_f32()),
        ElementType::F => float_text(f32::from_le_bytes([low[0], low[1], low[2], low[3]])),
        ElementType::Df => float::text(f64::from_bits(bits), 15),
        _ if ty.is_signed() => sign_extend(bits, ty.bits()).to_string(),
        _ => (bits & low_mask(ty.bits())).to_string(),
    }
}

/// An element as a literal that [`parse_literal`] reads back as the same bits: decimal,
/// unless that gives other bits, as for NaN.
#[must_use]
pub fn literal(bits: u64, ty: ElementType) -> String {
    let text = show(bits, ty);
    match parse_literal(&text, ty) == Ok(bits) {
        true => text,
        false if ty.is_float() => format!("0f{bits:0width$x}", width = 2 * usize::from(ty.bytes())),
        false => format!("{bits:#x}"),
    }
}

/// Formats a float with the digits of a 32-bit float, so that a half close to 0.1 is
/// not displayed as 0.1.
fn float_text(value: f32) -> String {
    float::text(value, 9)
}

/// The generator of `random(seed)`: splitmix64, a public-domain generator whose entire
/// state is the seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Generates 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Generates an element: any bits for integers, a multiple of 1/256 in [-128, 128)
    /// for floats, which is readable and never NaN.
    pub fn element(&mut self, ty: ElementType) -> u64 {
        let bits = self.bits();
        if !ty.is_float() {
            return bits & low_mask(ty.bits());
        }
        let [low, high, ..] = bits.to_le_bytes();
        from_f64(f64::from(i16::from_le_bytes([low, high])) / 256.0, ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_checked_and_bits_are_bits() {
        use ElementType::{Bf, D, Df, F, Hf, Q, Ub, Ud, Uq};
        let ok = [
            ("0xffffffff", D, 0xffff_ffff),
            ("-1", D, 0xffff_ffff),
            ("1_000", Ud, 1000),
            ("0b1010", Ub, 10),
            ("18446744073709551615", Uq, u64::MAX),
            ("-9223372036854775808", Q, 1 << 63),
            ("1.5", F, 0x3fc0_0000),
            ("-2e-3", F, 0xbb03_126f),
            ("0f3f800000", F, 0x3f80_0000),
            ("0x3f800000", F, 0x3f80_0000),
            ("1", Hf, 0x3c00),
            ("-inf", Bf, 0xff80),
            ("000", Ud, 0),
            ("0.1", Df, 0x3fb9_9999_9999_999a),
            ("-0x10", D, 0xffff_fff0),
        ];
        for (text, ty, bits) in ok {
            assert_eq!(parse_literal(text, ty), Ok(bits), "{text} {ty:?}");
        }
        assert!(
            parse_literal("nan", F)
                .is_ok_and(|b| f32::from_bits(u32::try_from(b).unwrap()).is_nan())
        );
        let bad = [
            ("2147483648", D, LiteralError::OutOfRange),
            ("-1", Ud, LiteralError::OutOfRange),
            ("256", Ub, LiteralError::OutOfRange),
            ("0x100", Ub, LiteralError::OutOfRange),
            ("1.5", D, LiteralError::NotAnInteger),
            ("70000", Hf, LiteralError::OutOfRange),
            ("1e999", Df, LiteralError::OutOfRange),
            ("0f3f80", F, LiteralError::BadExactBits),
            ("0f3f800000", Ud, LiteralError::BadExactBits),
            ("0f+c00", Hf, LiteralError::BadExactBits),
            ("", Ud, LiteralError::Malformed),
            ("1_", Ud, LiteralError::Malformed),
            ("0x", Ud, LiteralError::Malformed),
            ("--1", D, LiteralError::Malformed),
            (
                "99999999999999999999999999999999999999999999",
                Uq,
                LiteralError::OutOfRange,
            ),
        ];
        for (text, ty, error) in bad {
            assert_eq!(parse_literal(text, ty), Err(error), "{text} {ty:?}");
        }
    }

    #[test]
    fn printing_and_ramps() {
        assert_eq!(show(0xffff_ffff, ElementType::D), "-1");
        assert_eq!(show(0x3fc0_0000, ElementType::F), "1.5");
        assert_eq!(show(0x8000_0000, ElementType::F), "-0");
        assert_eq!(show(0x7c01, ElementType::Hf), "nan");
        assert_eq!(show(1, ElementType::F), "1e-45");
        assert_eq!(show(0xff7f_ffff, ElementType::F), "-3.4028235e38");
        assert_eq!(
            show(f64::MIN_POSITIVE.to_bits(), ElementType::Df),
            "2.2250738585072014e-308"
        );
        assert_eq!(iota(250, 4, 2, ElementType::Ub), 2);
        assert_eq!(
            iota(0x3f80_0000, 0x3f00_0000, 1, ElementType::F),
            0x3fc0_0000
        );
    }
}
