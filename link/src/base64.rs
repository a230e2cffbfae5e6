//! URL-safe base64 without padding (RFC 4648, section 5), in one form only:
//! bits that stand for nothing are zero.

use crate::Error;
use alloc::string::String;
use alloc::vec::Vec;

/// The letters, from 0 to 63.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A version and the letters for bytes.
pub(crate) fn write(version: char, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(1 + bytes.len().div_ceil(3) * 4);
    text.push(version);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| chunk.get(i).copied().map_or(0, u32::from);
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        let places = [18, 12, 6, 0].iter().take(chunk.len() + 1);
        text.extend(places.filter_map(|place| {
            let letter = LETTERS.get((bits >> place & 63) as usize);
            letter.copied().map(char::from)
        }));
    }
    text
}

/// The bytes that letters stand for.
pub(crate) fn read(letters: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    for sign in letters.chars() {
        bits = (bits << 6) | six(sign).ok_or(Error::Sign { sign })?;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.extend((bits >> held).to_le_bytes().first());
        }
        bits &= (1 << held) - 1;
    }
    match held {
        // A letter alone holds no byte; and the last one holds no bits of a
        // byte that does not come.
        6 => Err(Error::Truncated),
        _ if bits != 0 => Err(Error::Truncated),
        _ => Ok(bytes),
    }
}

fn six(sign: char) -> Option<u32> {
    let code = u32::from(sign);
    Some(match sign {
        'A'..='Z' => code - u32::from('A'),
        'a'..='z' => code - u32::from('a') + 26,
        '0'..='9' => code - u32::from('0') + 52,
        '-' => 62,
        '_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc() {
        let examples = [
            ("", "9"),
            ("f", "9Zg"),
            ("fo", "9Zm8"),
            ("foo", "9Zm9v"),
            ("foobar", "9Zm9vYmFy"),
        ];
        for (bytes, text) in examples {
            assert_eq!(write('9', bytes.as_bytes()), text);
            assert_eq!(read(&text[1..]).unwrap(), bytes.as_bytes());
        }
        assert_eq!(write('9', &[0xfb, 0xff]), "9-_8");
    }

    #[test]
    fn what_is_not_of_the_one_form_is_refused() {
        assert_eq!(read("Zh"), Err(Error::Truncated));
        assert_eq!(read("Zm9vY"), Err(Error::Truncated));
        assert_eq!(read("Zg=="), Err(Error::Sign { sign: '=' }));
        assert_eq!(read("Z+"), Err(Error::Sign { sign: '+' }));
        assert_eq!(read("Zü"), Err(Error::Sign { sign: 'ü' }));
    }
}
