//! Messages of compilers, as diagnostics of the source.

use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::rules;

/// Most messages that are kept.
const MAX_MESSAGES: usize = 100;

/// A message of a compiler.
#[derive(Debug, PartialEq, Eq)]
struct Message<'l> {
    file: &'l str,
    /// From 1.
    line: usize,
    /// In bytes, from 1; 0 if unknown.
    column: usize,
    severity: Severity,
    text: &'l str,
}

/// The file, line and column before the severity of a message.
fn position(at: &str) -> Option<(&str, usize, usize)> {
    let number = |text: &str| text.trim().parse().ok();
    if let Some((file, line)) = at
        .strip_suffix(';')
        .and_then(|at| at.rsplit_once(", line "))
    {
        let file = file.strip_prefix("ptxas ").unwrap_or(file);
        return Some((file, number(line)?, 0));
    }
    let at = at.strip_suffix(':')?;
    if let Some((file, line)) = at.strip_suffix(')').and_then(|at| at.rsplit_once('(')) {
        return Some((file, number(line)?, 0));
    }
    let (rest, column) = at.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, number(line)?, number(column)?))
}

impl<'l> Message<'l> {
    /// Parses `a.cl:3:7: error: …` (clang), `a.cu(3): error: …` (nvcc) or
    /// `ptxas a.ptx, line 3; error   : …`.
    fn parse(line: &'l str) -> Option<Self> {
        let found = SEVERITIES.iter().filter_map(|(word, severity)| {
            let (at, rest) = line.split_once(word)?;
            let text = rest.trim_start().strip_prefix(':')?;
            Some((*severity, at.trim_end(), text.trim()))
        });
        // The text may contain another one.
        let (severity, at, text) = found.min_by_key(|(_, at, _)| at.len())?;
        let (file, line, column) = position(at)?;
        Some(Self {
            file,
            line,
            column,
            severity,
            text,
        })
    }

    /// The token of the source that the message is about.
    fn span(&self, source: &str) -> Option<Span> {
        let start = match self.line.checked_sub(2) {
            None => 0,
            Some(before) => source.match_indices('\n').nth(before)?.0 + 1,
        };
        let line = source[start..].split('\n').next()?.trim_end();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (from, length) = match self.column.checked_sub(1) {
            Some(from) if from < line.len() => {
                let from = line.floor_char_boundary(from);
                let token = line[from..].find(|c| !is_part(c));
                let token = token.unwrap_or(line.len() - from);
                let first = line[from..].chars().next().map_or(1, char::len_utf8);
                (from, token.max(first))
            }
            Some(_) => (line.len(), 0),
            None => {
                let indent = line.len() - line.trim_start().len();
                (indent, line.len() - indent)
            }
        };
        let at = |byte: usize| u32::try_from(start + byte).ok();
        Some(Span::new(at(from)?, at(from + length)?))
    }
}

const SEVERITIES: [(&str, Severity); 5] = [
    ("fatal error", Severity::Error),
    ("fatal", Severity::Error),
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("note", Severity::Note),
];

/// The messages in the output of a compiler. Those about other files than `file` name them.
pub(super) fn messages(log: &str, file: &str, source: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for message in log.lines().filter_map(Message::parse) {
        if found.len() == MAX_MESSAGES {
            break;
        }
        let rule = match message.severity {
            Severity::Error => &rules::COMPILER_ERROR,
            Severity::Warning => &rules::COMPILER_WARNING,
            Severity::Note => &rules::COMPILER_NOTE,
        };
        let is_own = message.file == file;
        let span = message.span(source).filter(|_| is_own);
        let text = match is_own {
            true => String::from(message.text),
            false => format!("{}:{}: {}", message.file, message.line, message.text),
        };
        found.push(Diagnostic::new(rule, span.unwrap_or_default(), text));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::diagnostic::to_usize;

    #[test]
    fn messages_of_three_compilers_are_read() {
        let source = "kernel void f() {\n  int i = g(0)\n}\n";
        let found = |log: &str| {
            let all = messages(log, "/d/a.cl", source);
            let all = all.iter().map(|d| {
                let span = &source[to_usize(d.span.start)..to_usize(d.span.end)];
                (d.rule.code, d.what.clone(), span)
            });
            all.collect::<Vec<_>>()
        };
        // Recorded from ocloc 22.43.
        let clang = "/d/a.cl:2:11: error: implicit declaration of function 'g' is invalid\n  \
                     int i = g(0)\n          ^\nBuild failed with error code: -11\n";
        let text = "implicit declaration of function 'g' is invalid";
        assert_eq!(found(clang), [("E0906", String::from(text), "g")]);
        let end = "/d/a.cl:2:15: error: expected ';' at end of declaration\n";
        assert_eq!(found(end)[0].2, "");
        let include = "/d/b.h:1:10: fatal error: 'missing.h' file not found\n";
        let text = "/d/b.h:1: 'missing.h' file not found";
        assert_eq!(found(include), [("E0906", String::from(text), "")]);
        let nvcc = "/d/a.cl(2): warning #177-D: variable \"i\" was declared but never referenced\n\
                    /d/a.cl(2): error: expected a \";\"\n";
        assert_eq!(found(nvcc).last().expect("a message").2, "int i = g(0)");
        let ptxas = "ptxas /d/a.cl, line 2; error   : Unknown symbol 'g'\n";
        let text = String::from("Unknown symbol 'g'");
        assert_eq!(found(ptxas), [("E0906", text, "int i = g(0)")]);
        for other in [
            "error:",
            "x: error: y",
            "a(b): error: c",
            ":::error:",
            "note",
            "",
        ] {
            assert_eq!(found(other), [], "{other}");
        }
        let past = "/d/a.cl:99:1: error: past the end\n/d/a.cl:0:0: error: none\n";
        assert_eq!(found(past).len(), 2);
    }
}
