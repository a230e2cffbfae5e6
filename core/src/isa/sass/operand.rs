//! Parsing and printing of SASS guards, registers, predicates and addresses, and
//! of the commas between them.

use super::register::{Guard, PredicateRegister, Register};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Span};
use crate::isa::schema::Operand;
use crate::isa::{OperandSpans, ParseError, Style};
use crate::number::{LiteralError, parse_integer, sign_extend};
use crate::rules::{self, Rule};
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, hexadecimal};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Number of bits of an offset.
pub const OFFSET_BITS: u32 = 20;

/// An address: a register and an offset, or the offset alone if the register is
/// RZ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// Ra.
    pub base: Register,
    /// The 20 bits of the offset.
    pub offset: u32,
}

impl Address {
    /// `[RZ]`.
    pub const ZERO: Self = Self {
        base: Register::ZERO,
        offset: 0,
    };

    /// The offset, signed with a register and unsigned without.
    #[must_use]
    pub fn displacement(self) -> i64 {
        let bits = u64::from(self.offset);
        if self.base.is_zero() {
            bits.cast_signed()
        } else {
            sign_extend(bits, OFFSET_BITS)
        }
    }

    /// Parses an address including its brackets. `extended` says whether the
    /// instruction has `.E`, for which document and encoding disagree on the offset.
    ///
    /// # Errors
    /// If the text is not an address; a diagnostic is reported.
    pub fn parse(
        extended: bool,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let start = cursor.here().start;
        let read = Self::read(cursor);
        let inner = cursor.since(start);
        let closed = cursor.eat_punct(']').is_some();
        let span = cursor.since(start);
        spans.set(SyntaxPart::Address, span);
        let Some((base, displacement)) = read.filter(|_| closed) else {
            if !closed {
                skip_operand(cursor);
            }
            let span = cursor.since(start);
            let what = match span.of(cursor.text()) {
                "" => String::from("expected an address"),
                word => format!("expected an address, found `{word}`"),
            };
            let diagnostic = Diagnostic::new(&rules::SASS_ADDRESS, span, what);
            let help = "write [R2], [R2 + 16], [R2 - 16] or [0xfff00]";
            let word = span.of(cursor.text());
            out.push(match read {
                Some(_) => {
                    diagnostic.fix("close the bracket", Span::new(inner.end, inner.end), "]")
                }
                None if Register::named(word).is_some() => {
                    diagnostic.fix("add brackets", span, format!("[{word}]"))
                }
                None => diagnostic.help(help),
            });
            return Err(ParseError);
        };
        let base = named(base, Register::named, "register", out)?;
        let (least, most) = match base.is_zero() {
            true => (0, (1 << OFFSET_BITS) - 1),
            false => (-(1 << (OFFSET_BITS - 1)), (1 << (OFFSET_BITS - 1)) - 1),
        };
        match u32::try_from(displacement & ((1 << OFFSET_BITS) - 1)) {
            Ok(offset) if (least..=most).contains(&displacement) => Ok(Self { base, offset }),
            _ => {
                // The document's prose and its syntax line disagree on .E.
                let contested = extended && !base.is_zero();
                let rule = if contested {
                    &rules::SASS_OFFSET_E
                } else {
                    &rules::SASS_OFFSET
                };
                let written = span.of(cursor.text());
                let what = format!("offset out of range in `{written}`");
                let help = format!("use an offset from {least} to {most}");
                out.advise(rule, span, what, help);
                Err(ParseError)
            }
        }
    }

    /// Parses the register name and the offset up to the closing bracket.
    fn read<'t>(cursor: &mut Cursor<'t>) -> Option<((&'t str, Span), i64)> {
        cursor.eat_punct('[')?;
        let base = cursor.name();
        let plus = cursor.eat_punct('+').is_some();
        let minus = cursor.eat_punct('-').is_some();
        let number = cursor.peek().filter(|l| l.kind == LexemeKind::Number);
        let offset = match number {
            Some(lexeme) => {
                cursor.advance();
                let value = match parse_integer(lexeme.span.of(cursor.text())) {
                    // A larger value is out of range for any offset.
                    Ok(value) => i64::try_from(value).unwrap_or(i64::MAX),
                    Err(LiteralError::OutOfRange) => i64::MAX,
                    Err(_) => return None,
                };
                if minus { -value } else { value }
            }
            None if base.is_some() && !plus && !minus => 0,
            None => return None,
        };
        let signed = plus || minus || number.is_none();
        match base {
            Some(base) => signed.then_some((base, offset)),
            None if plus => None,
            None => Some((("RZ", Span::default()), offset)),
        }
    }

    /// Prints the address including its brackets.
    pub fn print(self, style: Style, sink: &mut impl Sink) {
        let part = SyntaxPart::Address;
        let displacement = self.displacement();
        let magnitude = displacement.unsigned_abs();
        sink.punct(part, "[");
        if !self.base.is_zero() || displacement == 0 {
            self.base.print(part, sink);
        }
        let lead = match (self.base.is_zero(), style) {
            (true, _) => "",
            (false, Style::Document) if displacement < 0 => " - ",
            (false, Style::Document) => " + ",
            (false, Style::Assembler) if displacement < 0 => "+-",
            (false, Style::Assembler) => "+",
        };
        if displacement != 0 {
            if !lead.is_empty() {
                sink.punct(part, lead);
            }
            if style == Style::Document && !self.base.is_zero() {
                sink.number(part, magnitude);
            } else {
                hexadecimal(part, magnitude, sink);
            }
        }
        sink.punct(part, "]");
    }
}

/// Parses `@P0` or `@!P0` before `mnemonic`, if present.
///
/// # Errors
/// If the guard is invalid; a diagnostic is reported.
pub fn parse_guard(
    mnemonic: &str,
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<Guard, ParseError> {
    let Some(at) = cursor.eat_punct('@') else {
        return Ok(Guard::ALWAYS);
    };
    let negated = cursor.eat_punct('!').is_some();
    let is_mnemonic = |cursor: &Cursor<'_>| cursor.word().eq_ignore_ascii_case(mnemonic);
    let word = (!is_mnemonic(cursor)).then(|| cursor.name()).flatten();
    if word.is_none() {
        // Include extra punctuation: `@!!P0`.
        while matches!(cursor.peek().map(|l| l.kind), Some(LexemeKind::Punct(_))) {
            cursor.advance();
        }
        if !is_mnemonic(cursor) {
            cursor.advance();
        }
    }
    let span = cursor.since(at.start);
    spans.set(SyntaxPart::Predicate, span);
    if let Some(word) = word {
        let predicate = named(word, PredicateRegister::named, "predicate", out)?;
        return Ok(Guard { predicate, negated });
    }
    let what = format!("invalid guard `{}`", span.of(cursor.text()));
    let help = "write @P0 or @!P0; predicates are P0 to P6 and PT";
    out.advise(&rules::GUARD, span, what, help);
    Err(ParseError)
}

/// Parses a register or predicate, which `find` finds by its name.
///
/// # Errors
/// If the text is invalid; a diagnostic is reported.
pub fn parse_named<T>(
    operand: &Operand,
    find: fn(&str) -> Option<T>,
    kind: &str,
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<T, ParseError> {
    let word = parse_word(operand.part, operand.role, cursor, spans, out)?;
    named(word, find, kind, out)
}

fn parse_word<'t>(
    part: SyntaxPart,
    role: &str,
    cursor: &mut Cursor<'t>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<(&'t str, Span), ParseError> {
    let start = cursor.here().start;
    if let Some(word) = cursor.name() {
        spans.set(part, word.1);
        return Ok(word);
    }
    // Leave an address alone: an operand before it is missing.
    if !cursor.is_punct('[') {
        skip_operand(cursor);
    }
    let span = cursor.since(start);
    let what = match span.of(cursor.text()) {
        "" => format!("expected {role}"),
        other => format!("expected {role}, found `{other}`"),
    };
    out.report(&rules::ATOM_OPERANDS, span, what);
    Err(ParseError)
}

/// Looks up a register or predicate name; reports unknown ones.
fn named<T>(
    (word, span): (&str, Span),
    find: fn(&str) -> Option<T>,
    kind: &str,
    out: &mut Diagnostics,
) -> Result<T, ParseError> {
    if let Some(found) = find(word) {
        return Ok(found);
    }
    let what = format!("`{word}` is not a {kind}");
    let diagnostic = Diagnostic::new(&rules::SASS_REGISTER, span, what);
    // The encoded numbers of RZ and PT, which users may expect to work.
    let constant = ["R255", "P7"]
        .iter()
        .position(|w| w.eq_ignore_ascii_case(word));
    out.push(match constant {
        Some(0) if find("RZ").is_some() => diagnostic.fix("use RZ", span, "RZ"),
        Some(1) if find("PT").is_some() => diagnostic.fix("use PT", span, "PT"),
        _ => diagnostic,
    });
    Err(ParseError)
}

/// Parses the comma after an operand. Reports a missing comma, unless the line ends
/// or the operand was missing and reported.
pub fn parse_comma(after_operand: bool, cursor: &mut Cursor<'_>, out: &mut Diagnostics) {
    if cursor.eat_punct(',').is_some() || ends_operands(cursor) || !after_operand {
        return;
    }
    let at = cursor.before();
    let here = cursor.here();
    let what = format!("expected `,` before `{}`", here.of(cursor.text()));
    let diagnostic = Diagnostic::new(&rules::ATOM_OPERANDS, here, what);
    out.push(diagnostic.fix("add a comma", Span::new(at, at), ","));
}

/// Makes each missing-comma diagnostic at index `from` and later insert all missing
/// commas in one edit.
pub fn join_commas(from: usize, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let comma = |d: &Diagnostic| {
        let edit = d.edit.as_ref().filter(|edit| edit.replacement == ",")?;
        (edit.span.start == edit.span.end).then_some(edit.span.start)
    };
    let mut places: Vec<u32> = out.since_mut(from).filter_map(|d| comma(d)).collect();
    places.sort_unstable();
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return;
    };
    if places.len() == 1 {
        return;
    }
    let span = Span::new(*first, *last);
    let mut replacement = String::new();
    for pair in places.windows(2) {
        replacement.push(',');
        replacement.push_str(Span::new(pair[0], pair[1]).of(cursor.text()));
    }
    replacement.push(',');
    for diagnostic in out.since_mut(from).filter(|d| comma(d).is_some()) {
        diagnostic.help = String::from("add the commas");
        diagnostic.edit = Some(Edit {
            span,
            replacement: replacement.clone(),
        });
    }
}

/// Skips and reports an operand after the last one, if `after_operand` was valid.
pub fn refuse_operand(
    rule: &'static Rule,
    after_operand: bool,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) {
    if !after_operand || !cursor.is_punct(',') {
        return;
    }
    let start = cursor.here().start;
    cursor.advance();
    skip_operand(cursor);
    let span = cursor.since(start);
    let what = format!("unexpected operand `{}`", span.of(cursor.text()));
    out.fix(rule, span, what, "remove it", span, "");
}

/// Whether the operands end here, at scheduling fields, a semicolon or the end of
/// the line.
#[must_use]
pub fn ends_operands(cursor: &Cursor<'_>) -> bool {
    cursor.at_end() || ['&', '?', ';'].iter().any(|s| cursor.is_punct(*s))
}

/// Skips to the next comma outside brackets, or to the end of the operands.
pub fn skip_operand(cursor: &mut Cursor<'_>) {
    let mut depth = 0_u32;
    while !ends_operands(cursor) && (depth > 0 || !cursor.is_punct(',')) {
        depth += u32::from(cursor.is_punct('['));
        depth = depth.saturating_sub(u32::from(cursor.is_punct(']')));
        cursor.advance();
    }
}
