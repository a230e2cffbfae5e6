//! The suffixes of a mnemonic: `.E`, operation and size.

use super::chip::Chip;
use super::operation::SassOperation;
use super::size::{SPELLINGS, Size, SizeSpelling};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::{OperandSpans, ParseError};
use crate::rules::{self, Rule};
use crate::text::{Cursor, LexemeKind, SyntaxPart, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The suffixes that an instruction supports.
#[derive(Debug, PartialEq, Eq)]
pub struct SuffixSyntax {
    pub name: &'static str,
    pub operations: &'static [SassOperation],
    /// The accepted names of sizes.
    pub sizes: SizeNames,
    /// Whether a document specifies wider offsets for `.E`.
    pub wide_offsets: bool,
}

/// Names accepted for the sizes of an instruction, besides `.32` and `.64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeNames {
    /// The documented names, regardless of the chip.
    Documented,
    /// The names that the real disassembler prints for the chip.
    OfTheChip,
}

/// The parsed suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffixes {
    /// `.E`.
    pub extended: bool,
    pub operation: SassOperation,
    pub size: Size,
}

/// Parses the suffixes. Sizes of other chips are reported here, since they cannot
/// be encoded for this chip.
///
/// # Errors
/// If a suffix is invalid; a diagnostic is reported.
pub fn parse(
    syntax: &SuffixSyntax,
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
        spans.set(SyntaxPart::Address, cursor.since(start));
    }
    let operation = parse_operation(syntax, cursor, spans, out);
    let start = cursor.before();
    while cursor.is_punct('.') && cursor.adjacent() {
        cursor.advance();
        let word = cursor.peek().map(|l| l.kind);
        if cursor.adjacent() && matches!(word, Some(LexemeKind::Name | LexemeKind::Number)) {
            cursor.advance();
        }
    }
    let span = Span::new(start, cursor.before());
    spans.set(SyntaxPart::Width, span);
    let size = parse_size(span, cursor, out);
    let (operation, size) = (operation?, size?);
    let suffix = span.of(cursor.text());
    let size = match syntax.sizes {
        SizeNames::Documented => documented_size(operation, size, suffix, span, chip, out)?,
        SizeNames::OfTheChip => size_of_the_chip(size, suffix, span, chip, out)?,
    };
    Ok(Suffixes {
        extended,
        operation,
        // CAS has one size bit, which drops the signedness.
        size: match (operation, size) {
            (SassOperation::Cas, Size::S32) => Size::U32,
            _ => size,
        },
    })
}

/// Finds a size by a documented name.
fn documented_size(
    operation: SassOperation,
    size: SizeSpelling,
    suffix: &str,
    span: Span,
    chip: Chip,
    out: &mut Diagnostics,
) -> Result<Size, ParseError> {
    let SizeSpelling::Size(size) = size else {
        let what = format!("size `{suffix}` is illegal");
        out.report(&rules::SIZE_128, span, what);
        return Err(ParseError);
    };
    if size == Size::F16x2 && chip < size.first_chip() {
        out.push(if operation.sizes().contains(&size) {
            not_yet(suffix, span, size, chip)
        } else {
            not_taken(&rules::OPERATION_SIZE, operation, suffix, span, chip)
        });
        return Err(ParseError);
    }
    let own = size.suffix(chip);
    if size == Size::F16x2 && !own.eq_ignore_ascii_case(suffix) {
        let what = format!("{} spells this size {own}", chip.name());
        out.report(&rules::F16X2_SPELLING, span, what);
    }
    Ok(size)
}

/// Finds a size by the name that the real disassembler prints for the chip.
fn size_of_the_chip(
    size: SizeSpelling,
    suffix: &str,
    span: Span,
    chip: Chip,
    out: &mut Diagnostics,
) -> Result<Size, ParseError> {
    let size = match size {
        SizeSpelling::Size(size) => size,
        SizeSpelling::U128 => Size::F16x2,
    };
    let own = size.suffix(chip);
    // The name and meaning of code 4 depend on the chip.
    if size == Size::F16x2 && !own.eq_ignore_ascii_case(suffix) {
        let what = format!("{} does not support {suffix}", chip.name());
        let diagnostic = Diagnostic::new(&rules::RED_SIZE_NAME, span, what);
        out.push(if chip < size.first_chip() {
            let first = size.first_chip().name();
            diagnostic.help(format!("F16x2 requires .target sass {first} or later"))
        } else {
            diagnostic.fix(format!("use {own}"), span, own)
        });
        return Err(ParseError);
    }
    if chip < size.first_chip() && size != Size::F16x2 {
        out.push(not_yet(suffix, span, size, chip));
        return Err(ParseError);
    }
    Ok(size)
}

/// Whether `.E` is next.
fn is_extended(cursor: &Cursor<'_>) -> bool {
    let word = cursor.peek_at(1).map(|l| l.span.of(cursor.text()));
    cursor.is_punct('.') && word.is_some_and(|w| w.eq_ignore_ascii_case("E"))
}

fn parse_operation(
    syntax: &SuffixSyntax,
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<SassOperation, ParseError> {
    let dot = cursor.is_punct('.');
    if dot {
        cursor.advance();
    }
    let word = if dot { cursor.name() } else { None };
    let Some((name, span)) = word else {
        let what = format!("expected an operation after `{}`", syntax.name);
        let help = "add a dot and an operation, with .E before it for 64-bit addresses";
        out.advise(&rules::ATOM_SUFFIX, cursor.here(), what, help);
        return Err(ParseError);
    };
    spans.set(SyntaxPart::Operation, span);
    let named = SassOperation::named(name);
    named
        .filter(|operation| syntax.operations.contains(operation))
        .ok_or_else(|| {
            let instruction = syntax.name;
            let what = format!("`{name}` is not an operation of {instruction}");
            let diagnostic = Diagnostic::new(&rules::ATOM_SUFFIX, span, what);
            let known = syntax.operations.iter().map(|operation| operation.name());
            out.push(match nearest(name, known) {
                // An operation of another instruction, such as EXCH, is not a typo.
                Some(near) if named.is_none() => {
                    diagnostic.fix(format!("did you mean `{near}`?"), span, near)
                }
                _ if named.is_some() => diagnostic.help("use ATOM"),
                _ => diagnostic.help(format!(
                    "write the operation right after {instruction} or {instruction}.E, and the size last"
                )),
            });
            ParseError
        })
}

fn parse_size(
    span: Span,
    cursor: &Cursor<'_>,
    out: &mut Diagnostics,
) -> Result<SizeSpelling, ParseError> {
    let word = span.of(cursor.text());
    let known = |(spelling, _): &&(&str, SizeSpelling)| spelling.eq_ignore_ascii_case(word);
    match SPELLINGS.iter().find(known).map(|(_, written)| *written) {
        Some(written) => Ok(written),
        None => {
            // `.F32` abbreviates the only size with this prefix.
            let longer = SPELLINGS.iter().map(|(s, _)| *s).find(|s| {
                let start = s.get(..word.len());
                word.len() > 2 && start.is_some_and(|s| s.eq_ignore_ascii_case(word))
            });
            let spellings = SPELLINGS.iter().map(|(s, _)| *s).filter(|s| !s.is_empty());
            let near = longer.or_else(|| nearest(word, spellings));
            let what = format!("unknown size `{word}`");
            let diagnostic = Diagnostic::new(&rules::SIZE_SUFFIX, span, what);
            out.push(match near {
                Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), span, near),
                None => diagnostic.help("without a size, U32 is used"),
            });
            Err(ParseError)
        }
    }
}

/// Diagnostic for a size that the operation does not support, with a fix if there
/// is only one candidate.
#[must_use]
pub fn not_taken(
    rule: &'static Rule,
    operation: SassOperation,
    suffix: &str,
    span: Span,
    chip: Chip,
) -> Diagnostic {
    let name = operation.name();
    let suffix = if suffix.is_empty() { ".U32" } else { suffix };
    let what = format!("{name} does not support {suffix}");
    let diagnostic = Diagnostic::new(rule, span, what);
    let symbols: Vec<&str> = operation
        .sizes()
        .iter()
        .map(|size| match size {
            Size::U32 => ".U32",
            size if *size == Size::F16x2 && chip < size.first_chip() => ".F16x2.RN (from SM52)",
            Size::F64 if chip < Size::F64.first_chip() => ".F64.RN (from SM60)",
            size => size.suffix(chip),
        })
        .collect();
    let help = format!("{name} supports {}", symbols.join(", "));
    let signless = suffix.eq_ignore_ascii_case(".S64") && operation.sizes().contains(&Size::U64);
    match operation.sizes() {
        _ if signless => diagnostic.fix(help, span, ".U64"),
        [only] => diagnostic.fix(help, span, only.suffix(chip)),
        _ => diagnostic.help(help),
    }
}

/// Diagnostic for a documented size that the chip does not support.
#[must_use]
pub fn not_yet(suffix: &str, span: Span, size: Size, chip: Chip) -> Diagnostic {
    let what = format!("{} does not support {suffix}", chip.name());
    let first: String = String::from(size.first_chip().name());
    let help = format!("use .target sass {first} or later");
    Diagnostic::new(&rules::CHIP_SIZE, span, what).help(help)
}
