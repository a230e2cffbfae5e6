//! Edits of a text, and differences between two versions of it.

use crate::diagnostic::{Edit, to_u32, to_usize};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A rewritten text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    pub text: String,
    /// Byte offset of the end of the last change, before its line end.
    pub caret: usize,
}

impl Rewritten {
    /// Applies edits, sorted by position. Skips an edit that overlaps one before it.
    #[must_use]
    pub fn new<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> Self {
        let mut new = String::with_capacity(text.len() + 64);
        let (mut done, mut caret) = (0, 0);
        for Edit { span, replacement } in edits {
            let Some(before) = text.get(done..to_usize(span.start)) else {
                continue;
            };
            new.push_str(before);
            new.push_str(replacement);
            caret = new.len() - usize::from(replacement.ends_with('\n'));
            done = to_usize(span.end);
        }
        let rest = text.get(done..);
        new.push_str(rest.expect("edits end at characters of the text"));
        Self { text: new, caret }
    }
}

/// Number of equal items at the start and at the end of two lists, without overlap.
fn common_ends<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    let is_same = |(a, b): &(&T, &T)| a == b;
    let head = old.iter().zip(new).take_while(is_same).count();
    let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
    (head, ends.take_while(is_same).count())
}

/// The single range of `old` that differs from `new`, and its replacement.
#[must_use]
pub fn difference<'n>(old: &str, new: &'n str) -> (Range<usize>, &'n str) {
    let (head, tail) = common_ends(old.as_bytes(), new.as_bytes());
    // Characters may differ in some of their bytes only.
    let start = old.floor_char_boundary(head);
    let end = old.ceil_char_boundary(old.len() - tail);
    let inserted = new.get(start..new.len() - (old.len() - end));
    (start..end, inserted.expect("both ends are at characters"))
}

/// Effect of an edit on lines: those before `first` are unchanged, `removed`
/// lines become `inserted` lines, and the rest move.
#[derive(Clone, Copy, Debug)]
pub struct LineEdit {
    first: u32,
    removed: u32,
    inserted: u32,
}

impl LineEdit {
    /// The common first and last lines of the two texts are not part of the edit.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        let [old, new] = [old, new].map(|text| text.split('\n').collect::<Vec<_>>());
        let (head, tail) = common_ends(&old, &new);
        Self {
            first: to_u32(head),
            removed: to_u32(old.len() - head - tail),
            inserted: to_u32(new.len() - head - tail),
        }
    }

    /// Line after the edit, if it still exists. A line that was joined to another
    /// is where its start is now.
    #[must_use]
    pub fn line(self, line: u32) -> Option<u32> {
        match line.checked_sub(self.first) {
            None => Some(line),
            Some(within) if within >= self.removed => Some(line + self.inserted - self.removed),
            Some(within) => Some(self.first + within.min(self.inserted.checked_sub(1)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_difference_is_replaced() {
        for (old, new, wanted) in [
            ("ä🦀 icn x", "ä🦀 inc x", (8..10, "nc")),
            ("aaa", "aa", (2..3, "")),
            ("", "a\n", (0..0, "a\n")),
            ("🦀", "🦁", (0..4, "🦁")),
            ("é", "ã©é", (0..2, "ã©é")),
        ] {
            assert_eq!(difference(old, new), wanted, "{old} to {new}");
        }
    }

    #[test]
    fn lines_follow_edits() {
        let cases = [
            ("a\nb\nc", "a\nxb\nc", [Some(0), Some(1), Some(2)]),
            ("a\nb\nc", "\na\nb\nc", [Some(1), Some(2), Some(3)]),
            ("a\nb\nc", "a\n\nb\nc", [Some(0), Some(2), Some(3)]),
            ("a\nbb\nc", "a\nb\nb\nc", [Some(0), Some(1), Some(3)]),
            ("a\nb\nc", "a\nc", [Some(0), None, Some(1)]),
            ("a\nb\nc", "ab\nc", [Some(0), Some(0), Some(1)]),
            ("a\nb\nc", "b\nc", [None, Some(0), Some(1)]),
            ("a\nb\nc", "x\ny\nz", [Some(0), Some(1), Some(2)]),
            ("a\nb\nc", "a\nb\nc\nd", [Some(0), Some(1), Some(2)]),
            ("a\nb\nc", "", [Some(0), Some(0), Some(0)]),
            // A line inserted before a similar one.
            (
                "a 1\na 2\nb",
                "a 1\na 3\na 2\nb",
                [Some(0), Some(2), Some(3)],
            ),
        ];
        for (old, new, wanted) in cases {
            let edit = LineEdit::between(old, new);
            let lines = [0, 1, 2].map(|line| edit.line(line));
            assert_eq!(lines, wanted, "{old:?} to {new:?}");
        }
    }
}
