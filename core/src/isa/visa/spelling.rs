//! Notes on spellings that Lanewise accepts and the real assembler rejects: at
//! most one of each kind per line.

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::rules::{self, Rule};
use crate::text::Cursor;
use alloc::format;

fn note(rule: &'static Rule, span: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let what = format!("nonstandard spelling `{}`", span.of(cursor.text()));
    let mut diagnostic = Diagnostic::new(rule, span, what);
    if !own.is_empty() {
        diagnostic = diagnostic.help(format!("Intel's assembler writes {own}"));
    }
    out.push(diagnostic);
}

/// Notes a documented spelling, or one in another letter case. `own` is the real
/// assembler's spelling.
pub fn document(span: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    note(&rules::DOCUMENT_SPELLING, span, own, cursor, out);
}

/// Notes an undocumented spelling. `own` is the real assembler's spelling.
pub fn lenient(span: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    note(&rules::LENIENT_SPELLING, span, own, cursor, out);
}

/// Notes the last token if a blank precedes it.
pub fn blank_before(token: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let before = token.start.checked_sub(1);
    let blank = before.is_some_and(|at| {
        let byte = Span::new(at, token.start).of(cursor.text());
        byte.trim().is_empty() || byte == "/"
    });
    if blank {
        lenient(token, own, cursor, out);
    }
}

/// Whether a number consists of digits only, which the real assembler accepts
/// everywhere.
#[must_use]
pub fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a number is a decimal or `0x` hexadecimal integer, as in the real
/// assembler.
#[must_use]
pub fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match digits {
        Some(digits) => {
            (1..=16).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit())
        }
        None => is_decimal(text),
    }
}
