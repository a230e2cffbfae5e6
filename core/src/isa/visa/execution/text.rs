//! The text of execution size, mask control and predicate.

use super::{Combine, ExecSize, Execution, MaskControl, PredicateId};
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::isa::Style;
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::rules;
use crate::text::{Cursor, Kind, Part, Sink, TokenClass, same_word};
use alloc::format;

impl Execution {
    /// Prints `(P1.any) ` before the mnemonic; nothing without a predicate.
    pub fn print_predicate(&self, names: &Declarations, style: Style, sink: &mut impl Sink) {
        let predicate = self.predicate;
        if predicate.id.0 == 0 {
            return;
        }
        sink.sign(Part::Predicate, "(");
        if predicate.inverse {
            sink.sign(Part::Predicate, "!");
        }
        match (style, names.predicate(predicate.id.0)) {
            (Style::Document, Some(name)) => {
                sink.token(TokenClass::Variable, Part::Predicate, name);
            }
            _ => {
                // The real tool prints P and the number, whatever the name.
                let mut digits = [0; 20];
                let digits = crate::text::decimal(u64::from(predicate.id.0), &mut digits);
                sink.token(TokenClass::Variable, Part::Predicate, "P");
                sink.token(TokenClass::Variable, Part::Predicate, digits);
            }
        }
        match predicate.combine {
            Combine::None | Combine::Reserved => {}
            Combine::Any => sink.token(TokenClass::Keyword, Part::Predicate, ".any"),
            Combine::All => sink.token(TokenClass::Keyword, Part::Predicate, ".all"),
        }
        sink.sign(Part::Predicate, ")");
        sink.space();
    }

    /// Prints `(M1, 8)`; `short` leaves out M1.
    pub fn print_size(&self, short: bool, sink: &mut impl Sink) {
        sink.sign(Part::None, "(");
        if !short || self.mask != MaskControl::M1 {
            sink.token(TokenClass::Keyword, Part::Mask, self.mask.name());
            sink.sign(Part::None, ", ");
        }
        sink.number(Part::ExecSize, u64::from(self.size.lanes()));
        sink.sign(Part::None, ")");
    }

    /// Reads `(M1, 8)` or `(8)`.
    pub fn parse_size(&mut self, cursor: &mut Cursor<'_>, out: &mut Findings) -> bool {
        const EXAMPLE: &str = "write (M1, 8): a mask control M1 to M8 or M1_NM to M8_NM, a comma, \
                               and 1, 2, 4, 8, 16 or 32 lanes";
        let Some(open) = cursor.sign('(') else {
            out.push(
                Diagnostic::new(
                    &rules::EXEC_SIZE_SYNTAX,
                    cursor.here(),
                    "missing execution size",
                )
                .mend(
                    EXAMPLE,
                    Span::new(cursor.before(), cursor.before()),
                    " (M1, 8)",
                ),
            );
            return false;
        };
        let mut good = true;
        if let Some((name, span)) = cursor.name() {
            match MaskControl::named(name) {
                Some(mask) => self.mask = mask,
                None => {
                    out.push(
                        Diagnostic::new(
                            &rules::MASK_CONTROL,
                            span,
                            format!("`{name}` is not a mask control"),
                        )
                        .mend(EXAMPLE, span, "M1"),
                    );
                    good = false;
                }
            }
            if cursor.sign(',').is_none() {
                out.push(
                    Diagnostic::new(
                        &rules::EXEC_SIZE_SYNTAX,
                        cursor.here(),
                        "a comma and the number of lanes belong after the mask control",
                    )
                    .help(EXAMPLE),
                );
                good = false;
            }
        }
        let number = cursor.peek().filter(|l| l.kind == Kind::Number);
        match number {
            Some(lexeme) => {
                cursor.advance();
                let word = lexeme.span.of(cursor.text());
                let size = crate::number::parse_integer(word)
                    .ok()
                    .and_then(ExecSize::of_lanes);
                match size {
                    Some(size) => self.size = size,
                    None => {
                        out.push(
                            Diagnostic::new(
                                &rules::EXEC_SIZE,
                                lexeme.span,
                                format!("`{word}` is not an execution size"),
                            )
                            .mend(
                                "use 1, 2, 4, 8, 16 or 32",
                                lexeme.span,
                                "8",
                            ),
                        );
                        good = false;
                    }
                }
            }
            None if good => {
                out.push(
                    Diagnostic::new(
                        &rules::EXEC_SIZE_SYNTAX,
                        cursor.here(),
                        "the number of lanes is missing",
                    )
                    .help(EXAMPLE),
                );
                good = false;
            }
            None => {}
        }
        if cursor.sign(')').is_none() {
            if good {
                let here = cursor.here();
                out.push(
                    Diagnostic::new(
                        &rules::EXEC_SIZE_SYNTAX,
                        open.to(here),
                        "the execution size is not closed by `)`",
                    )
                    .help(EXAMPLE),
                );
            }
            good = false;
            // Go on after the closing parenthesis, if there is one.
            cursor.until(&[')']);
            cursor.sign(')');
        }
        good
    }

    /// Reads `(P1)`, `(!P1.any)` if one stands here.
    pub fn parse_predicate(
        &mut self,
        cursor: &mut Cursor<'_>,
        names: &Declarations,
        out: &mut Findings,
    ) -> bool {
        const EXAMPLE: &str = "write (P1), (!P1), (P1.any), (!P1.any), (P1.all) or (!P1.all)";
        if cursor.sign('(').is_none() {
            return true;
        }
        let before = out.len();
        self.predicate.inverse = cursor.sign('!').is_some();
        match cursor.name() {
            Some((name, span)) => match names.symbol(name) {
                Some(Symbol::Predicate(id)) => self.predicate.id = PredicateId(id),
                None if let Some(id) = by_number(name, names) => {
                    self.predicate.id = PredicateId(id);
                }
                Some(_) => out.push(
                    Diagnostic::new(
                        &rules::PREDICATE,
                        span,
                        format!("`{name}` is not a predicate variable"),
                    )
                    .help(EXAMPLE),
                ),
                None => out.push(
                    Diagnostic::new(
                        &rules::UNDECLARED,
                        span,
                        format!("the predicate `{name}` is not declared"),
                    )
                    .help(format!("add `.decl {name} v_type=P num_elts=32`")),
                ),
            },
            None => out.push(
                Diagnostic::new(
                    &rules::PREDICATE,
                    cursor.here(),
                    "a predicate variable belongs here",
                )
                .help(EXAMPLE),
            ),
        }
        if cursor.sign('.').is_some() {
            let span = cursor.here();
            let (word, _) = cursor.until(&[')']);
            match word {
                _ if same_word(word, "any") => self.predicate.combine = Combine::Any,
                _ if same_word(word, "all") => self.predicate.combine = Combine::All,
                _ => out.push(
                    Diagnostic::new(
                        &rules::PREDICATE,
                        span,
                        format!("`.{word}` is not a way to combine predicate bits"),
                    )
                    .help(EXAMPLE),
                ),
            }
        }
        if cursor.sign(')').is_none() {
            if out.len() == before {
                out.push(
                    Diagnostic::new(
                        &rules::PREDICATE,
                        cursor.here(),
                        "the predicate is not closed by `)`",
                    )
                    .help(EXAMPLE),
                );
            }
            cursor.until(&[')']);
            cursor.sign(')');
        }
        out.len() == before
    }
}

/// The real assembler prints a predicate as P and its number, whatever its
/// name, so that spelling is read too.
fn by_number(name: &str, names: &Declarations) -> Option<u16> {
    let id = name.strip_prefix('P')?.parse::<u16>().ok()?;
    names.predicate(id).map(|_| id)
}
