//! Parsing and printing of execution size, mask control and predicate.

use super::{Combine, ExecSize, Execution, MaskControl, PredicateId};
use crate::diagnostic::{Diagnostic, Diagnostics, Span, to_usize};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::raw_operand::declare;
use crate::isa::visa::spelling;
use crate::isa::{Family, Instruction, OperandSpans, Style};
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass, nearest_name};
use alloc::format;

impl Execution {
    /// Parses everything before the operands: predicate, mnemonic, suffix (with
    /// `suffix`) and execution size. Also returns whether all parts but the suffix
    /// are valid.
    pub fn parse_lead<T>(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
        suffix: impl FnOnce(&mut Cursor<'_>, &mut OperandSpans, &mut Diagnostics) -> T,
    ) -> (T, bool) {
        let start = cursor.here().start;
        let predicate = self.parse_predicate(cursor, symbols, out);
        spans.set(SyntaxPart::Predicate, cursor.since(start));
        let start = cursor.here().start;
        cursor.advance();
        spans.set(SyntaxPart::Opcode, cursor.since(start));
        let suffix = suffix(cursor, spans, out);
        let size = self.parse_size(cursor, spans, out);
        (suffix, predicate && size)
    }

    /// Prints `(P1.any) ` if there is a predicate.
    pub fn print_predicate(&self, symbols: &Declarations, style: Style, sink: &mut impl Sink) {
        let predicate = self.predicate;
        if predicate.id.0 == 0 {
            return;
        }
        sink.punct(SyntaxPart::Predicate, "(");
        if predicate.inverse {
            sink.punct(SyntaxPart::Predicate, "!");
        }
        match (style, symbols.predicate(predicate.id.0)) {
            (Style::Document, Some(name)) => {
                sink.token(TokenClass::Variable, SyntaxPart::Predicate, name);
            }
            _ => {
                let place = (TokenClass::Variable, SyntaxPart::Predicate);
                symbols.print_numbered(Symbol::Predicate(predicate.id.0), place, sink);
            }
        }
        match predicate.combine {
            Combine::None | Combine::Reserved => {}
            Combine::Any => sink.token(TokenClass::Keyword, SyntaxPart::Predicate, ".any"),
            Combine::All => sink.token(TokenClass::Keyword, SyntaxPart::Predicate, ".all"),
        }
        sink.punct(SyntaxPart::Predicate, ")");
        sink.space();
    }

    /// Prints `(M1, 8)`; `short` omits M1.
    pub fn print_size(&self, short: bool, sink: &mut impl Sink) {
        sink.punct(SyntaxPart::None, "(");
        if !short || self.mask != MaskControl::M1 {
            sink.token(TokenClass::Keyword, SyntaxPart::Mask, self.mask.name());
            sink.punct(SyntaxPart::None, ", ");
        }
        sink.number(SyntaxPart::ExecSize, u64::from(self.size.lanes()));
        sink.punct(SyntaxPart::None, ")");
    }

    /// Reads `(M1, 8)` or `(8)`.
    pub fn parse_size(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> bool {
        if cursor.eat_punct('(').is_none() {
            let end = Span::new(cursor.before(), cursor.before());
            out.fix(
                &rules::EXEC_SIZE_SYNTAX,
                cursor.here(),
                "expected an execution size",
                SIZES,
                end,
                " (M1, 8)",
            );
            return false;
        }
        let before = out.len();
        self.parse_mask(cursor, spans, out);
        match cursor.peek().filter(|l| l.kind == LexemeKind::Number) {
            Some(lexeme) => {
                cursor.advance();
                spans.set(SyntaxPart::ExecSize, lexeme.span);
                let word = lexeme.span.of(cursor.text());
                let size = crate::number::parse_integer(word);
                match size.ok().and_then(ExecSize::of_lanes) {
                    Some(size) => {
                        self.size = size;
                        if !spelling::is_decimal(word) {
                            let lanes = format!("{}", size.lanes());
                            spelling::lenient(lexeme.span, &lanes, cursor, out);
                        }
                    }
                    None => {
                        let what = format!("invalid execution size `{word}`");
                        let diagnostic = Diagnostic::new(&rules::EXEC_SIZE, lexeme.span, what);
                        let nearest = nearest_size(size.unwrap_or(COMMON_SIZE));
                        out.push(diagnostic.fix(
                            "use 1, 2, 4, 8, 16 or 32",
                            lexeme.span,
                            format!("{nearest}"),
                        ));
                    }
                }
            }
            None if !out.has_errors_since(before) => {
                let end = Span::new(cursor.before(), cursor.before());
                let what = "expected a number of lanes";
                let mut diagnostic = Diagnostic::new(&rules::EXEC_SIZE_SYNTAX, cursor.here(), what);
                diagnostic = if cursor.is_punct(')') {
                    let eight = if cursor.adjacent() { "8" } else { " 8" };
                    diagnostic.fix(SIZES, end, eight)
                } else {
                    diagnostic.help(SIZES)
                };
                out.push(diagnostic);
            }
            None => {}
        }
        close_size(cursor, out);
        !out.has_errors_since(before)
    }

    /// Reads `M1,` if it comes next.
    fn parse_mask(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) {
        let Some((name, span)) = cursor.name() else {
            return;
        };
        spans.set(SyntaxPart::Mask, span);
        match MaskControl::named(name) {
            Some(mask) => {
                self.mask = mask;
                if name != mask.name() && name != "NoMask" {
                    spelling::document(span, mask.name(), cursor, out);
                }
            }
            None => out.fix(
                &rules::MASK_CONTROL,
                span,
                format!("unknown mask control `{name}`"),
                SIZES,
                span,
                "M1",
            ),
        }
        if cursor.eat_punct(',').is_some() {
            return;
        }
        let what = "expected `,` and a number of lanes after the mask control";
        let diagnostic = Diagnostic::new(&rules::EXEC_SIZE_SYNTAX, cursor.here(), what);
        let end = Span::new(span.end, span.end);
        let number = cursor.peek().is_some_and(|l| l.kind == LexemeKind::Number);
        out.push(if number {
            let comma = if cursor.adjacent() { ", " } else { "," };
            diagnostic.fix(SIZES, end, comma)
        } else if cursor.is_punct(')') {
            diagnostic.fix(SIZES, end, ", 8")
        } else {
            diagnostic.help(SIZES)
        });
    }

    /// Reads `(P1)`, `(!P1.any)` if one comes next.
    pub fn parse_predicate(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> bool {
        const EXAMPLE: &str = "write (P1), (!P1), (P1.any), (!P1.any), (P1.all) or (!P1.all)";
        if cursor.eat_punct('(').is_none() {
            return true;
        }
        let before = out.len();
        self.predicate.inverse = cursor.eat_punct('!').is_some();
        match cursor.peek().filter(|l| l.kind == LexemeKind::Name) {
            Some(lexeme) if !is_lead(cursor) => {
                cursor.advance();
                let span = lexeme.span;
                let name = span.of(cursor.text());
                match symbols.symbol(name) {
                    Some(Symbol::Predicate(id)) => self.predicate.id = PredicateId(id),
                    None if let Some(id) = by_number(name, symbols) => {
                        self.predicate.id = PredicateId(id);
                        let own = symbols.predicate(id);
                        let own = own.expect("a declared predicate has a name");
                        spelling::lenient(span, own, cursor, out);
                    }
                    Some(_) => out.advise(
                        &rules::PREDICATE,
                        span,
                        format!("`{name}` is not a predicate"),
                        EXAMPLE,
                    ),
                    None => out.push(undeclared(name, span, symbols, cursor, out.len())),
                }
            }
            _ => out.push(
                Diagnostic::new(&rules::PREDICATE, cursor.here(), "expected a predicate")
                    .help(EXAMPLE),
            ),
        }
        if cursor.eat_punct('.').is_some() {
            let span = cursor.here();
            let word = if is_lead(cursor) { "" } else { cursor.word() };
            match word {
                _ if word.eq_ignore_ascii_case("any") => {
                    self.predicate.combine = Combine::Any;
                    note_combine(span, ".any", cursor, out);
                }
                _ if word.eq_ignore_ascii_case("all") => {
                    self.predicate.combine = Combine::All;
                    note_combine(span, ".all", cursor, out);
                }
                _ => out.advise(
                    &rules::PREDICATE,
                    span,
                    format!("expected `.any` or `.all`, found `.{word}`"),
                    EXAMPLE,
                ),
            }
            if !word.is_empty() && !cursor.is_punct(')') {
                cursor.advance();
            }
        }
        if cursor.eat_punct(')').is_none() {
            let what = "expected `)` after the predicate";
            let diagnostic = Diagnostic::new(&rules::PREDICATE, cursor.here(), what);
            let end = cursor.before();
            let open = is_lead(cursor);
            let close = skip_to_close(cursor);
            if open {
                out.push(diagnostic.fix(EXAMPLE, Span::new(end, end), ")"));
            } else if !out.has_errors_since(before) {
                out.push(match close {
                    // Extra text before the closing parenthesis.
                    Some(close) => diagnostic.fix(EXAMPLE, Span::new(end, close.start), ""),
                    None => diagnostic.help(EXAMPLE),
                });
            }
        }
        !out.has_errors_since(before)
    }
}

/// Notes uppercase letters and a blank after the dot.
fn note_combine(word: Span, own: &str, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    if word.of(cursor.text()) != own.trim_start_matches('.') {
        spelling::document(word, own, cursor, out);
    }
    spelling::blank_before(word, own, cursor, out);
}

/// The size proposed for a number that is not a number of lanes.
const COMMON_SIZE: u64 = 16;

/// The execution size nearest to a number of lanes; of two, the one nearer to the common size.
fn nearest_size(lanes: u64) -> u64 {
    let sizes = (0..=5).map(|code| 1 << code);
    let distance = |size: &u64| (size.abs_diff(lanes), size.abs_diff(COMMON_SIZE));
    sizes.min_by_key(distance).unwrap_or(COMMON_SIZE)
}

/// Help on the syntax of execution sizes.
const SIZES: &str = "write (M1, 8): a mask control M1 to M8 or M1_NM to M8_NM, a comma, \
                     and 1, 2, 4, 8, 16 or 32 lanes";

/// Parses the `)` of an execution size. If it is missing, the following operands
/// are left to be parsed.
fn close_size(cursor: &mut Cursor<'_>, out: &mut Diagnostics) {
    if cursor.eat_punct(')').is_some() {
        return;
    }
    let here = cursor.here();
    let end = cursor.before();
    let what = "expected `)` after the execution size";
    let diagnostic = Diagnostic::new(&rules::EXEC_SIZE_SYNTAX, here, what);
    // One or two extra words before the parenthesis.
    let surplus = (1..=2).find(|ahead| {
        let closes = |l: crate::text::Lexeme| l.kind == LexemeKind::Punct(')');
        let opens = (0..*ahead).any(|i| {
            let sign = cursor.peek_at(i).map(|l| l.kind);
            matches!(sign, None | Some(LexemeKind::Punct('(' | '<')))
        });
        !opens && cursor.peek_at(*ahead).is_some_and(closes)
    });
    let Some(surplus) = surplus else {
        out.push(diagnostic.fix(SIZES, Span::new(end, end), ")"));
        return;
    };
    // A number behind another one is the size, not a surplus.
    let before = cursor.text().get(..to_usize(end)).unwrap_or_default();
    let mut mask = !before
        .rsplit('(')
        .next()
        .is_some_and(|open| open.contains(','))
        && cursor.is_punct(',');
    for _ in 0..surplus {
        mask |= MaskControl::named(cursor.word()).is_some();
        cursor.advance();
    }
    let span = Span::new(end, cursor.before());
    cursor.advance();
    out.push(if mask {
        diagnostic.help(SIZES)
    } else {
        diagnostic.fix(SIZES, span, "")
    });
}

/// Whether a mnemonic is next, which ends an unclosed predicate.
fn is_lead(cursor: &Cursor<'_>) -> bool {
    let named = cursor.peek().is_some_and(|l| {
        l.kind == LexemeKind::Name && Instruction::named(Family::Visa, cursor.word()).is_some()
    });
    named
        && cursor
            .peek_at(1)
            .is_none_or(|l| l.kind != LexemeKind::Punct(')'))
}

/// Skips past the closing parenthesis and returns its span. Without one, stops at
/// the mnemonic or the end of the line.
fn skip_to_close(cursor: &mut Cursor<'_>) -> Option<Span> {
    while !cursor.at_end() && !is_lead(cursor) {
        let close = cursor.eat_punct(')');
        if close.is_some() {
            return close;
        }
        cursor.advance();
    }
    None
}

/// Diagnostic for an undeclared predicate.
fn undeclared(
    name: &str,
    span: Span,
    symbols: &Declarations,
    cursor: &Cursor<'_>,
    found: usize,
) -> Diagnostic {
    let what = format!("predicate `{name}` is not declared");
    let diagnostic = Diagnostic::new(&rules::UNDECLARED, span, what);
    let known = symbols.predicates().map(|(_, p)| &*p.name);
    if let Some(near) = nearest_name(name, known, found) {
        let help = format!("did you mean `{near}`? Otherwise, declare `{name}`");
        return diagnostic.fix(help, span, near);
    }
    declare(diagnostic, name, "v_type=P num_elts=32", cursor)
}

/// Finds a predicate by `P` and its number, as the real assembler prints it
/// regardless of its name.
fn by_number(name: &str, symbols: &Declarations) -> Option<u16> {
    let id = name.strip_prefix('P')?.parse::<u16>().ok()?;
    symbols.predicate(id).map(|_| id)
}
