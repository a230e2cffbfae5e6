//! Diagnostics with positions in editor coordinates.

use super::line_index::LineIndex;
use lanewise_core::diagnostic::{Diagnostic, Edit, Severity};

/// Diagnostic with its position in editor coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    pub(crate) message: String,
    /// Suggested fix; may be empty.
    pub(crate) help: String,
    pub(crate) fix: Option<Edit>,
    /// Start and end in UTF-16 code units.
    pub(crate) selection: (u32, u32),
}

impl Problem {
    pub(crate) fn new(diagnostic: &Diagnostic, lines: &LineIndex) -> Self {
        let (line, column) = lines.line_column(diagnostic.span.start as usize);
        Self {
            severity: diagnostic.severity(),
            code: diagnostic.rule.code,
            line,
            column,
            message: diagnostic.message(),
            help: diagnostic.help.clone(),
            fix: diagnostic.edit.clone(),
            selection: lines.utf16_range(diagnostic.span),
        }
    }
}

/// Most severe problem of each line, from 0. `problems` must be sorted by line.
pub(super) fn worst_by_line(problems: &[Problem]) -> Vec<(u32, Severity)> {
    let worst = |line: &[Problem]| {
        let severity = line.iter().map(|problem| problem.severity).min();
        // `chunk_by` yields non-empty chunks.
        (line[0].line - 1, severity.expect("the chunk is not empty"))
    };
    problems
        .chunk_by(|a, b| a.line == b.line)
        .map(worst)
        .collect()
}
