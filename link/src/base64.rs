//! Text form of a link: a version, then URL-safe base64 without padding (RFC 4648,
//! section 5).

use crate::Error;
use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::BASE64URL_NOPAD;

pub(crate) fn write(version: char, bytes: &[u8]) -> String {
    let mut text = String::from(version);
    BASE64URL_NOPAD.encode_append(bytes, &mut text);
    text
}

/// Decodes base64. Unused bits must be zero, so that the encoding is unique.
pub(crate) fn read(letters: &str) -> Result<Vec<u8>, Error> {
    let is_letter = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if let Some(character) = letters.chars().find(|c| !is_letter(c)) {
        return Err(Error::InvalidCharacter { character });
    }
    let bytes = BASE64URL_NOPAD.decode(letters.as_bytes());
    bytes.map_err(|_| Error::Truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_4648_examples() {
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
    fn non_canonical_encodings_are_rejected() {
        assert_eq!(read("Zh"), Err(Error::Truncated));
        assert_eq!(read("Zm9vY"), Err(Error::Truncated));
        assert_eq!(
            read("Zg=="),
            Err(Error::InvalidCharacter { character: '=' })
        );
        assert_eq!(read("Z+"), Err(Error::InvalidCharacter { character: '+' }));
        assert_eq!(read("Zü"), Err(Error::InvalidCharacter { character: 'ü' }));
    }
}
