//! Parses hexadecimal bytes and words in common notations: with or without
//! blanks, commas, `0x` and `\x`, as a C array or a quoted string.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::isa::EncodingUnit;
use lanewise_core::text::counted;

/// Whether a character separates numbers.
fn divides(sign: char) -> bool {
    sign.is_whitespace() || ",;:|{}[]()\"'/*+".contains(sign)
}

/// Number in the text.
struct HexNumber {
    /// Position of the first character, from 1.
    place: usize,
    digits: String,
    /// Whether it had a hexadecimal prefix.
    marked: bool,
}

impl HexNumber {
    const fn new(place: usize, marked: bool) -> Self {
        Self {
            place,
            digits: String::new(),
            marked,
        }
    }
}

/// Splits a text into numbers.
///
/// # Errors
///
/// A message with the position and a suggested fix.
fn numbers(text: &str) -> Result<Vec<HexNumber>, String> {
    let mut numbers: Vec<HexNumber> = Vec::new();
    let mut at_start = true;
    let mut signs = text.chars().enumerate().peekable();
    while let Some((index, sign)) = signs.next() {
        let place = index + 1;
        let next = signs.peek().map(|(_, next)| next.to_ascii_lowercase());
        let marked = match (sign, next) {
            ('\\', Some('x')) => true,
            ('0', Some('x')) => {
                at_start || numbers.last().is_none_or(|last| last.digits.is_empty())
            }
            _ => false,
        };
        if marked {
            signs.next();
            numbers.push(HexNumber::new(place, true));
            at_start = false;
        } else if divides(sign) {
            at_start = true;
        } else if sign.is_ascii_hexdigit() {
            if at_start {
                numbers.push(HexNumber::new(place, false));
            }
            at_start = false;
            if let Some(last) = numbers.last_mut() {
                last.digits.push(sign.to_ascii_lowercase());
            }
        } else if sign != '_' {
            return Err(format!(
                "character {place}: `{sign}` is not a hexadecimal digit; use 0 to 9 and a to f"
            ));
        }
    }
    for HexNumber { place, digits, .. } in &numbers {
        if digits.is_empty() {
            return Err(format!(
                "character {place}: expected digits after the prefix, as in 0x7d"
            ));
        }
    }
    Ok(numbers)
}

/// Bytes of hexadecimal digits, two digits each.
fn bytes_of(digits: &str) -> impl Iterator<Item = u8> {
    let pairs = (0..digits.len()).step_by(2);
    let pairs = pairs.map(|at| &digits[at..digits.len().min(at + 2)]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("a number consists of hexadecimal digits"))
}

/// Parses bytes in the order written.
///
/// # Errors
///
/// A message with the position and a suggested fix.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for HexNumber {
        place,
        digits,
        marked,
    } in numbers(text)?
    {
        if digits.len() % 2 == 1 && !(marked && digits.len() == 1) {
            return Err(format!(
                "character {place}: `{digits}` has {}, expected two per byte: 07, not 7",
                counted(digits.len(), "digit")
            ));
        }
        bytes.extend(bytes_of(&digits));
    }
    if bytes.is_empty() {
        Err("expected bytes, such as 7d 00 04 …".to_owned())
    } else {
        Ok(bytes)
    }
}

/// Parses one number of at most `most` bits.
pub(super) fn number(text: &str, most: u32) -> Result<u64, String> {
    let all = numbers(text)?;
    let [HexNumber { digits, .. }] = all.as_slice() else {
        return Err("expected one number, such as 0x1f".to_owned());
    };
    match u64::from_str_radix(digits, 16) {
        Ok(number) if most >= 64 || number >> most == 0 => Ok(number),
        _ => Err(format!(
            "0x{digits} does not fit in {most} bits; the maximum is 0x{:x}",
            u64::MAX >> (64 - most.clamp(1, 64))
        )),
    }
}

/// Parses 64-bit words into the eight bytes of their encodings. A word is 16
/// digits, highest first; single bytes are taken in memory order.
fn words(text: &str) -> Result<Vec<u8>, String> {
    let numbers = numbers(text)?;
    if numbers.is_empty() {
        return Err("expected a word: 0x and 16 digits".to_owned());
    }
    if numbers.iter().all(|number| number.digits.len() == 2) {
        let count = numbers.len();
        if count % 8 != 0 {
            return Err(format!(
                "{count} bytes are not a whole number of words; a word has 8 bytes, lowest first"
            ));
        }
        return bytes(text);
    }
    let mut bytes = Vec::new();
    for HexNumber { place, digits, .. } in &numbers {
        if digits.len() % 16 != 0 {
            return Err(format!(
                "character {place}: `{digits}` has {}, expected 16 per word",
                counted(digits.len(), "digit")
            ));
        }
        // A word is written with its last byte first.
        let as_written: Vec<u8> = bytes_of(digits).collect();
        bytes.extend(as_written.chunks(8).flat_map(|word| word.iter().rev()));
    }
    Ok(bytes)
}

/// Parses bytes or words.
pub(super) fn read(text: &str, unit: EncodingUnit) -> Result<Vec<u8>, String> {
    match unit {
        EncodingUnit::Byte => bytes(text),
        EncodingUnit::Word => words(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn bytes_parse_in_common_notations() {
        for text in [
            "7d 00 04",
            "7D0004",
            "7d,00,04",
            "0x7d, 0x00, 0x04",
            "0x7d, 0x0, 0x4",
            "{ 0x7d, 0x00, 0x04 };",
            "\\x7d\\x00\\x04",
            "\"\\x7d\\x00\\x04\"",
            "0x7d0004",
            "7d_00_04",
            "7d\n00\t04\n",
            "0x7d0x000x04",
        ] {
            let wanted = if text == "0x7d0x000x04" {
                // Ambiguous: 7d0 does not split into bytes.
                assert!(bytes(text).is_err());
                continue;
            } else {
                Ok(vec![0x7d, 0, 4])
            };
            assert_eq!(bytes(text), wanted, "{text}");
        }
    }

    #[test]
    fn parse_errors_have_a_position() {
        for (text, start) in [
            ("7d 0g", "character 5: `g`"),
            ("7d 0", "character 4: `0` has 1 digit,"),
            ("7d 000", "character 4: `000` has 3 digits"),
            ("0x 00", "character 1: expected digits"),
            ("7d é", "character 4: `é`"),
            ("", "expected bytes"),
            (" , ", "expected bytes"),
        ] {
            let wrong = bytes(text).unwrap_err();
            assert!(wrong.starts_with(start), "{text}: {wrong}");
        }
    }

    #[test]
    fn word_bytes_are_little_endian() {
        let wanted = Ok(vec![0, 2, 0x47, 0, 0, 0, 0x28, 0xed]);
        for text in [
            "0xed28000000470200",
            "ed28000000470200",
            "/* 0xed28000000470200 */",
            "0xed28_0000_0047_0200",
            "00 02 47 00 00 00 28 ed",
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
        assert!(words("0xed28").unwrap_err().contains("has 4 digits"));
        assert!(words("00 02 47").unwrap_err().contains("3 bytes"));
        assert_eq!(words(&"0xed28000000470200 ".repeat(4)).unwrap().len(), 32);
        assert!(words("").is_err());
    }

    #[test]
    fn number_out_of_range_is_rejected() {
        assert_eq!(number("0x1f", 5), Ok(31));
        assert_eq!(number("1f", 5), Ok(31));
        assert!(number("20", 5).unwrap_err().contains("the maximum is 0x1f"));
        assert!(number("1 2", 5).is_err() && number("", 5).is_err());
        assert_eq!(number("ffffffffffffffff", 64), Ok(u64::MAX));
        assert!(number("10000000000000000", 64).is_err());
    }
}
