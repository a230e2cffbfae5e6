//! What follows the mnemonic: `.E`, the operation, the size.

use super::chip::Chip;
use super::operation::Operation;
use super::size::{SPELLINGS, Size, Written};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::{OperandSpans, ParseError};
use crate::rules;
use crate::text::{Cursor, Kind, OperandKind, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The suffixes of an ATOM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffixes {
    /// `.E`.
    pub extended: bool,
    /// Which operation.
    pub operation: Operation,
    /// Which size.
    pub size: Size,
}

/// Reads them. Sizes that other chips have are told here, since a word of
/// this one cannot hold them.
///
/// # Errors
/// When one of them is wrong; a diagnostic says so.
pub fn parse(
    chip: Chip,
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<Suffixes, ParseError> {
    let extended = is_extended(cursor);
    if extended {
        let start = cursor.here().start;
        cursor.advance();
        cursor.advance();
        spans.set(OperandKind::Address, cursor.since(start));
    }
    let operation = parse_operation(cursor, spans, out);
    let start = cursor.before();
    while cursor.is_sign('.') && cursor.adjacent() {
        cursor.advance();
        let word = cursor.peek().map(|l| l.kind);
        if cursor.adjacent() && matches!(word, Some(Kind::Name | Kind::Number)) {
            cursor.advance();
        }
    }
    let span = Span::new(start, cursor.before());
    spans.set(OperandKind::Width, span);
    let size = parse_size(span, cursor, out);
    let (operation, size) = (operation?, size?);
    if size == Size::F16x2 && chip < size.first_chip() {
        let suffix = span.of(cursor.text());
        out.push(if operation.sizes().contains(&size) {
            not_yet(suffix, span, size, chip)
        } else {
            not_taken(operation, suffix, span, chip)
        });
        return Err(ParseError);
    }
    let own = size.suffix(chip);
    if size == Size::F16x2 && !own.eq_ignore_ascii_case(span.of(cursor.text())) {
        let what = format!("{} has {own}, and this is read as it", chip.name());
        out.report(&rules::F16X2_SPELLING, span, what);
    }
    Ok(Suffixes {
        extended,
        operation,
        // CAS has one bit for its size: signs are not kept.
        size: match (operation, size) {
            (Operation::Cas, Size::S32) => Size::U32,
            _ => size,
        },
    })
}

/// Whether `.E` is next.
fn is_extended(cursor: &Cursor<'_>) -> bool {
    let word = cursor.peek_at(1).map(|l| l.span.of(cursor.text()));
    cursor.is_sign('.') && word.is_some_and(|w| w.eq_ignore_ascii_case("E"))
}

fn parse_operation(
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<Operation, ParseError> {
    let dot = cursor.is_sign('.');
    if dot {
        cursor.advance();
    }
    let word = if dot { cursor.name() } else { None };
    let Some((name, span)) = word else {
        let what = "ATOM needs an operation";
        let said = Diagnostic::new(&rules::ATOM_SUFFIX, cursor.here(), what);
        out.push(said.help("write one after a dot, and .E before it for 64-bit addresses"));
        return Err(ParseError);
    };
    spans.set(OperandKind::Operation, span);
    Operation::named(name).ok_or_else(|| {
        let what = format!("`{name}` is no operation of ATOM");
        let said = Diagnostic::new(&rules::ATOM_SUFFIX, span, what);
        out.push(match nearest(name, Operation::symbols()) {
            Some(near) => said.fix(format!("did you mean `{near}`?"), span, near),
            None => said.help("the operation comes right after ATOM or ATOM.E, the size last"),
        });
        ParseError
    })
}

fn parse_size(span: Span, cursor: &Cursor<'_>, out: &mut Diagnostics) -> Result<Size, ParseError> {
    let word = span.of(cursor.text());
    let known = |(spelling, _): &&(&str, Written)| spelling.eq_ignore_ascii_case(word);
    match SPELLINGS.iter().find(known).map(|(_, written)| *written) {
        Some(Written::Size(size)) => Ok(size),
        Some(Written::U128) => {
            let what = format!("`{word}` is no size that anything takes");
            out.report(&rules::SIZE_128, span, what);
            Err(ParseError)
        }
        None => {
            // `.F32` means the only size that starts so.
            let longer = SPELLINGS.iter().map(|(s, _)| *s).find(|s| {
                let start = s.get(..word.len());
                word.len() > 2 && start.is_some_and(|s| s.eq_ignore_ascii_case(word))
            });
            let spellings = SPELLINGS.iter().map(|(s, _)| *s).filter(|s| !s.is_empty());
            let near = longer.or_else(|| nearest(word, spellings));
            let what = format!("`{word}` is no size");
            let said = Diagnostic::new(&rules::SIZE_SUFFIX, span, what);
            out.push(match near {
                Some(near) => said.fix(format!("did you mean `{near}`?"), span, near),
                None => said.help("no size means U32"),
            });
            Err(ParseError)
        }
    }
}

/// A size that the operation does not take, with the one to take instead
/// where only one is meant.
#[must_use]
pub fn not_taken(operation: Operation, suffix: &str, span: Span, chip: Chip) -> Diagnostic {
    let name = operation.name();
    let suffix = if suffix.is_empty() { ".U32" } else { suffix };
    let what = format!("{name} does not take {suffix}");
    let said = Diagnostic::new(&rules::OPERATION_SIZE, span, what);
    let symbols: Vec<&str> = operation
        .sizes()
        .iter()
        .map(|size| match size {
            Size::U32 => ".U32",
            size if *size == Size::F16x2 && chip < size.first_chip() => ".F16x2.RN (SM52 on)",
            Size::F64 if chip < Size::F64.first_chip() => ".F64.RN (SM60 on)",
            size => size.suffix(chip),
        })
        .collect();
    let help = format!("{name} takes {}", symbols.join(", "));
    let signless = suffix.eq_ignore_ascii_case(".S64") && operation.sizes().contains(&Size::U64);
    match operation.sizes() {
        _ if signless => said.fix(help, span, ".U64"),
        [only] => said.fix(help, span, only.suffix(chip)),
        _ => said.help(help),
    }
}

/// A size that the document lists and this chip does not have.
#[must_use]
pub fn not_yet(suffix: &str, span: Span, size: Size, chip: Chip) -> Diagnostic {
    let what = format!("{} has no {suffix}", chip.name());
    let first: String = String::from(size.first_chip().name());
    let help = format!("write .target sass {first} or later");
    Diagnostic::new(&rules::CHIP_SIZE, span, what).help(help)
}
