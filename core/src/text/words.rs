//! Spelling suggestions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

/// Groups the digits of a number from 10,000 on.
fn grouped(digits: String) -> String {
    let count = digits.len();
    if count < 5 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return digits;
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (count - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Capitalizes the first letter.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Formats a count with its noun: `1 byte`, `10,392 bytes`.
#[must_use]
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = grouped(count.to_string());
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Maximum length of a word for which suggestions are searched, which takes quadratic
/// time.
const MAX_MISSPELT: usize = 64;

/// Number of diagnostics from which no more suggestions are made.
pub const MAX_SUGGESTED: usize = 100;

/// The closest keyword to a misspelled word, if it is close enough to suggest.
#[must_use]
pub fn nearest<'k>(word: &str, keywords: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    nearest_of(word, &mut keywords.into_iter())
}

/// The non-generic part of [`nearest`].
fn nearest_of<'k>(word: &str, keywords: &mut dyn Iterator<Item = &'k str>) -> Option<&'k str> {
    if word.len() > MAX_MISSPELT {
        return None;
    }
    let limit = 1 + word.len() / 4;
    let mut row = Vec::new();
    let mut best: Option<(usize, &str)> = None;
    for keyword in keywords {
        // The edit distance is at least the difference in length.
        let apart = word.len().abs_diff(keyword.len());
        if apart > limit || best.is_some_and(|(least, _)| least <= apart) {
            continue;
        }
        let distance = if swapped(word, keyword) {
            1
        } else {
            distance(word, keyword, &mut row)
        };
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, keyword));
        }
    }
    best.map(|(_, keyword)| keyword)
}

/// The closest declared name to an undeclared one, after `found` diagnostics. Names
/// that differ in their numbers are not similar: `V99` is not a typo of `V32`.
#[must_use]
pub fn nearest_name<'k>(
    word: &str,
    symbols: impl IntoIterator<Item = &'k str>,
    found: usize,
) -> Option<&'k str> {
    nearest_name_of(word, &mut symbols.into_iter(), found)
}

fn nearest_name_of<'k>(
    word: &str,
    symbols: &mut dyn Iterator<Item = &'k str>,
    found: usize,
) -> Option<&'k str> {
    fn digits(name: &str) -> impl Iterator<Item = u8> {
        name.bytes().filter(u8::is_ascii_digit)
    }
    if found >= MAX_SUGGESTED {
        return None;
    }
    let alike = symbols.filter(|name| digits(name).eq(digits(word)));
    nearest(word, alike).filter(|near| *near != word)
}

/// Whether two words differ by a transposition of adjacent letters.
fn swapped(a: &str, b: &str) -> bool {
    let mut differ = a
        .bytes()
        .zip(b.bytes())
        .filter(|(x, y)| !x.eq_ignore_ascii_case(y));
    match (differ.next(), differ.next(), differ.next()) {
        (Some((a, b)), Some((c, d)), None) => {
            a.eq_ignore_ascii_case(&d) && b.eq_ignore_ascii_case(&c)
        }
        _ => false,
    }
}

/// Case-insensitive edit distance; `row` is scratch space.
fn distance(a: &str, b: &str, row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=b.len());
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = *cell;
            *cell = substituted.min(left + 1).min(*cell + 1);
            left = *cell;
        }
        row[0] = i + 1;
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested() {
        assert_eq!(nearest("fmaxx", ["add", "fmax"]), Some("fmax"));
        assert_eq!(nearest("zzz", ["add", "fmax"]), None);
        assert_eq!(nearest("sml", ["slm", "init"]), Some("slm"));
        assert_eq!(nearest("foo", ["or", "xor"]), None);
        assert_eq!(nearest("add", ["adds", "add", "sub"]), Some("add"));
        let long = "a".repeat(65);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        assert_eq!(nearest(&long[1..], [long.as_str()]), Some(long.as_str()));
    }
}
