//! Bytes as hexadecimal digits.

use alloc::string::String;

/// Appends bytes as digits, the first byte first.
pub fn push(bytes: &[u8], out: &mut String) {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or('0');
    out.reserve(2 * bytes.len());
    for byte in bytes {
        out.push(digit(byte >> 4));
        out.push(digit(byte & 0xf));
    }
}

/// Bytes as digits, the first byte first.
pub fn text(bytes: &[u8]) -> String {
    let mut out = String::new();
    push(bytes, &mut out);
    out
}
