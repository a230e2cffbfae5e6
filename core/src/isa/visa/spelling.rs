//! Notes on spellings that are read here and that the real assembler refuses.
//! A line gets one of each kind at most.

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::rules::{self, Rule};
use crate::text::Cursor;
use alloc::format;

fn note(rule: &'static Rule, span: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let what = format!("`{}`", span.of(cursor.text()));
    let mut diagnostic = Diagnostic::new(rule, span, what);
    if !own.is_empty() {
        diagnostic = diagnostic.help(format!("there it is {own}"));
    }
    out.push(diagnostic);
}

/// Notes a spelling of the documents, or one in other letters; `own` is the
/// real assembler's.
pub fn document(span: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    note(&rules::DOCUMENT_SPELLING, span, own, cursor, out);
}

/// Notes a spelling that is in no document either; `own` is the real
/// assembler's.
pub fn lenient(span: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    note(&rules::LENIENT_SPELLING, span, own, cursor, out);
}

/// Notes the last token where a blank precedes it.
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

/// Whether a number is digits alone, which the real assembler takes wherever
/// it takes a number.
#[must_use]
pub fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a number is digits alone or `0x` and hexadecimal digits, the real
/// assembler's integers.
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
