//! Diagnostics with their places in the words of an editor.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use std::ops::Range;
use std::rc::Rc;

/// A replacement in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    /// The bytes to replace.
    pub(crate) range: Range<usize>,
    /// What to put there.
    pub(crate) replacement: String,
}

/// A mark beside a line of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// From 0.
    pub(crate) line: u32,
    pub(crate) severity: Severity,
}

/// The worst problem of each line stands for it; problems come by line.
pub(super) fn marks(problems: &[Problem]) -> Rc<[Mark]> {
    let of_line = |line: &[Problem]| {
        let severity = line.iter().map(|p| p.severity).min()?;
        Some(Mark {
            line: line.first()?.line - 1,
            severity,
        })
    };
    problems
        .chunk_by(|a, b| a.line == b.line)
        .filter_map(of_line)
        .collect()
}

/// A diagnostic with its place in the words of an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) edit: Option<Replacement>,
    /// In UTF-16 units.
    pub(crate) selection: (u32, u32),
}

impl Problem {
    pub(super) fn new(diagnostic: &Diagnostic, places: &Places<'_>) -> Self {
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        let (line, column) = places.line_column(start);
        Self {
            severity: diagnostic.severity(),
            code: diagnostic.rule.code,
            line,
            column,
            message: diagnostic.message(),
            help: diagnostic.help.clone(),
            edit: diagnostic.edit.as_ref().map(|edit| Replacement {
                range: edit.span.start as usize..edit.span.end as usize,
                replacement: edit.replacement.clone(),
            }),
            selection: (places.utf16(start), places.utf16(end)),
        }
    }
}

/// Finds lines, columns and UTF-16 offsets of bytes.
pub(super) struct Places<'t> {
    text: &'t str,
    /// Byte and UTF-16 offset of each line's start.
    lines: Vec<(usize, u32)>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lines = vec![(0, 0)];
        let (mut at, mut units) = (0, 0);
        for line in text.split_inclusive('\n') {
            at += line.len();
            units += utf16_units(line);
            // The last line may have no end, and then none follows.
            if line.ends_with('\n') {
                lines.push((at, units));
            }
        }
        Self { text, lines }
    }

    fn line(&self, byte: usize) -> (usize, (usize, u32)) {
        let index = self.lines.partition_point(|(at, _)| *at <= byte).max(1) - 1;
        (index, self.lines[index])
    }

    /// Line and column of a byte, both from 1.
    fn line_column(&self, byte: usize) -> (u32, u32) {
        let (index, (start, _)) = self.line(byte.min(self.text.len()));
        let before = self.text.get(start..byte).unwrap_or("");
        let column = before.chars().count();
        (count(index) + 1, count(column) + 1)
    }

    /// The UTF-16 offset of a byte.
    pub(super) fn utf16(&self, byte: usize) -> u32 {
        let (_, (start, units)) = self.line(byte.min(self.text.len()));
        units + utf16_units(self.text.get(start..byte).unwrap_or(""))
    }
}

fn utf16_units(text: &str) -> u32 {
    count(text.chars().map(char::len_utf16).sum())
}

fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
