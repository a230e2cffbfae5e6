//! Difference between two texts.

use super::line_index::utf16_len;
use std::ops::Range;

/// The single range in which two texts differ: its bytes in `old`, and the
/// replacement from `new`.
pub(super) fn difference<'a>(old: &str, new: &'a str) -> (Range<usize>, &'a str) {
    let same = |(a, b): &(char, char)| a == b;
    let bytes = |(c, _): (char, char)| c.len_utf8();
    let heads = old.chars().zip(new.chars());
    let head: usize = heads.take_while(same).map(bytes).sum();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tails = old_rest.chars().rev().zip(new_rest.chars().rev());
    let tail: usize = tails.take_while(same).map(bytes).sum();
    (head..old.len() - tail, &new_rest[..new_rest.len() - tail])
}

/// The same range in UTF-16 code units of `old`: start and end.
pub(super) fn difference_in_units<'a>(old: &str, new: &'a str) -> (u32, u32, &'a str) {
    let (range, insert) = difference(old, new);
    let start = utf16_len(&old[..range.start]);
    (start, start + utf16_len(&old[range]), insert)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_difference_is_replaced() {
        for (old, new, wanted) in [
            ("ä🦀 icn x", "ä🦀 inc x", (5, 7, "nc")),
            ("aaa", "aa", (2, 3, "")),
            ("ab", "aab", (1, 1, "a")),
            ("", "a\n", (0, 0, "a\n")),
            ("🦀", "🦁", (0, 2, "🦁")),
            ("a", "a", (1, 1, "")),
        ] {
            assert_eq!(difference_in_units(old, new), wanted, "{old} to {new}");
            let (range, insert) = difference(old, new);
            let mut text = old.to_owned();
            text.replace_range(range, insert);
            assert_eq!(text, new);
        }
    }
}
