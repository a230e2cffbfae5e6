//! Text decoding.

use std::borrow::Cow;

/// Decodes UTF-8, or UTF-16 with a byte order mark, which Windows shells write.
/// Returns `None` for other encodings and for text with control characters.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(std::str::from_utf8(rest).ok()?),
        _ => Cow::Borrowed(std::str::from_utf8(bytes).ok()?),
    };
    is_printable(&text).then_some(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let text: Option<String> = char::decode_utf16(units).map(Result::ok).collect();
    text.filter(|_| rest.is_empty())
}

/// Whether a text consists of printable characters and white space.
fn is_printable(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'))
}

/// Whether the file begins with text. Code contains control characters.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(64)].iter().all(|b| is_of_text(*b))
}

/// Offset of the first byte that is not ASCII text.
pub(crate) fn end(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|b| !is_of_text(*b));
    end.unwrap_or(bytes.len())
}

fn is_of_text(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// Truncates a text to `length` bytes, marking the omission with `…`.
pub(crate) fn cut(text: &str, length: usize) -> Cow<'_, str> {
    if text.len() <= length {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(length)]))
}

/// Replaces control characters, so that the text is a single line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_encodings_are_decoded() {
        let text = "ATOM.E.ADD R0, [R2], R4 ;\r\n";
        let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        let marked = format!("\u{feff}{text}");
        for bytes in [&little[..], &big, marked.as_bytes(), text.as_bytes()] {
            assert_eq!(decode(bytes).as_deref(), Some(text));
        }
        for bytes in [
            &b"\xff\xfea"[..],
            b"\xff\xfe\x00\xd8",
            b"a\0",
            b"\xff",
            b"\x1b",
        ] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn truncation_respects_character_boundaries() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("aäc", 2), "a…");
    }
}
