//! What is wrong with a program: diagnostics with their places as an editor
//! counts them.

use super::line_index::LineIndex;
use lanewise_core::diagnostic::{Diagnostic, Severity};
use std::ops::Range;

/// A fix: a replacement in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    /// The bytes to replace.
    pub(crate) range: Range<usize>,
    pub(crate) replacement: String,
}

/// A diagnostic with its place as an editor counts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    pub(crate) message: String,
    /// What to do about it; empty where nothing is known.
    pub(crate) help: String,
    pub(crate) fix: Option<Replacement>,
    /// Start and end in UTF-16 units.
    pub(crate) selection: (u32, u32),
}

impl Problem {
    pub(crate) fn new(diagnostic: &Diagnostic, lines: &LineIndex) -> Self {
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        let (line, column) = lines.line_column(start);
        Self {
            severity: diagnostic.severity(),
            code: diagnostic.rule.code,
            line,
            column,
            message: diagnostic.message(),
            help: diagnostic.help.clone(),
            fix: diagnostic.edit.as_ref().map(|edit| Replacement {
                range: edit.span.start as usize..edit.span.end as usize,
                replacement: edit.replacement.clone(),
            }),
            selection: (lines.utf16(start), lines.utf16(end)),
        }
    }
}

/// The worst problem of each line that has one: the line from 0 and how severe
/// it is. `problems` come by line.
pub(super) fn worst_by_line(problems: &[Problem]) -> Vec<(u32, Severity)> {
    let worst = |line: &[Problem]| {
        let severity = line.iter().map(|problem| problem.severity).min();
        // `chunk_by` makes no empty chunks.
        (line[0].line - 1, severity.expect("the chunk has a problem"))
    };
    problems
        .chunk_by(|a, b| a.line == b.line)
        .map(worst)
        .collect()
}
