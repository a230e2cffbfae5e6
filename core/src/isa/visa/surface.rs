//! Surfaces: text, encoding and address space.
//!
//! Source: DWORD_ATOMIC.md; visa_4_visa_header.md, "Surface Variables".

use super::declarations::{Declarations, Symbol};
use super::predefined::{SLM, STATELESS, SURFACES};
use super::raw_operand::{declare, skip_commas, skip_glued};
use super::spelling;
use crate::bits::{BitField, SymbolResolver, number_bits};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::Style;
use crate::machine::SpaceId;
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass, nearest_name};
use alloc::format;
use alloc::string::String;

/// ID of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Surface(pub u8);

impl BitField for Surface {
    number_bits!(u8);
    fn is_declared(self, symbols: &dyn SymbolResolver) -> bool {
        symbols.surface(self.0).is_some()
    }
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        match self.0 {
            SLM => String::from("%slm: shared local memory"),
            STATELESS => String::from("%scratch: stateless, the virtual address space"),
            index => symbols
                .surface(index)
                .unwrap_or_else(|| String::from("not declared")),
        }
    }
}

const SURFACE_HELP: &str = "use T0 (%slm) for shared local memory, T255 (%scratch) for \
                            stateless memory, or a declared buffer surface";

impl Surface {
    /// The address space behind the surface.
    #[must_use]
    pub const fn space(self) -> SpaceId {
        match self.0 {
            SLM => SpaceId::SLM,
            STATELESS => SpaceId::VIRTUAL,
            index => SpaceId::surface(index),
        }
    }

    /// Whether the document lists the surface as valid: SLM, stateless or a declared
    /// buffer.
    #[must_use]
    pub const fn is_listed(self) -> bool {
        !matches!(self.0, 1..=4)
    }

    /// Prints `%slm`, `T0`, `T6` and so on. If a declaration uses the assembler's `T`
    /// and number, or the document's `T0` and `T255`, for something else, another
    /// name of the same surface is printed.
    pub fn print(self, symbols: &Declarations, style: Style, sink: &mut impl Sink) {
        let part = SyntaxPart::Surface;
        let class = TokenClass::Surface;
        let index = self.0;
        let document = match index {
            SLM => Some("T0"),
            STATELESS => Some("T255"),
            _ => symbols.surface_name(index),
        };
        let document = document.filter(|name| {
            style == Style::Document && symbols.symbol(name) == Some(Symbol::Surface(index))
        });
        let predefined = SURFACES.get(usize::from(index)).copied();
        if let Some(name) = document.or(predefined) {
            sink.token(class, part, name);
        } else {
            symbols.print_numbered(Symbol::Surface(index), (class, part), sink);
        }
    }

    /// Parses a surface. A word that is not a surface is left for the first operand
    /// if it looks like one.
    pub fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        skip_commas(cursor, out);
        let span = cursor.here();
        let Some((name, _)) = cursor.clone().name() else {
            let what = match cursor.word() {
                "" => String::from("expected a surface"),
                word => format!("expected a surface, found `{word}`"),
            };
            let diagnostic = Diagnostic::new(&rules::SURFACE, span, what);
            out.push(Self::instead(diagnostic, false, cursor));
            return None;
        };
        let found = match symbols.symbol(name) {
            Some(Symbol::Surface(index)) => {
                if matches!(index, SLM | STATELESS) && !name.starts_with('%') {
                    let own = SURFACES.get(usize::from(index));
                    let own = own.expect("both have an assembler name");
                    spelling::document(span, own, cursor, out);
                }
                index
            }
            Some(Symbol::Sampler(index)) => {
                let what = format!("`{name}` is a sampler, not a buffer");
                if !symbols.has_surface(index) {
                    let diagnostic = Diagnostic::new(&rules::SURFACE, span, what);
                    out.push(Self::instead(diagnostic, false, cursor));
                    return None;
                }
                let rule = &rules::SAMPLER_AS_SURFACE;
                out.advise(rule, span, what, SURFACE_HELP);
                index
            }
            Some(_) => {
                let what = format!("`{name}` is not a surface variable");
                let diagnostic = Diagnostic::new(&rules::SURFACE, span, what);
                out.push(Self::instead(diagnostic, true, cursor));
                return None;
            }
            None => {
                let Some(index) = Self::by_number(name, symbols) else {
                    out.push(Self::undeclared(name, symbols, cursor, out.len()));
                    return None;
                };
                let own = symbols.surface_name(index);
                let own = own.expect("the surface is declared");
                spelling::lenient(span, own, cursor, out);
                index
            }
        };
        cursor.advance();
        if cursor.is_punct('.') && cursor.adjacent() {
            let dot = cursor.here();
            cursor.advance();
            skip_glued(cursor);
            let span = cursor.since(dot.start);
            let what = "surfaces do not take an offset";
            out.fix(&rules::SURFACE, span, what, "remove the offset", span, "");
            return None;
        }
        Some((Self(found), span))
    }

    /// Number of operands from here.
    fn operands_ahead(cursor: &Cursor<'_>) -> usize {
        let pairs = (0..).map_while(|i| Some((cursor.peek_at(i)?, cursor.peek_at(i + 1)?)));
        let more = pairs.filter(|(before, next)| match next.kind {
            LexemeKind::Name => true,
            // A number on its own, not the offset of the preceding word.
            LexemeKind::Number => {
                let apart = next.span.start > before.span.end;
                apart && matches!(before.kind, LexemeKind::Name | LexemeKind::Number)
            }
            _ => false,
        });
        usize::from(!cursor.at_end()) + more.count()
    }

    /// Adds a fix for a word that is not a surface: T0 replaces it if all operands
    /// follow, or is inserted before it if it is the first operand. `operand` says
    /// whether it can be an operand.
    fn instead(diagnostic: Diagnostic, operand: bool, cursor: &mut Cursor<'_>) -> Diagnostic {
        let start = cursor.here().start;
        match Self::operands_ahead(cursor) {
            5.. => {
                cursor.advance();
                skip_glued(cursor);
                diagnostic.fix(SURFACE_HELP, cursor.since(start), "T0")
            }
            4 if operand => diagnostic.fix(SURFACE_HELP, Span::new(start, start), "T0 "),
            1..=3 if operand => diagnostic.help(SURFACE_HELP),
            _ => {
                cursor.advance();
                diagnostic.help(SURFACE_HELP)
            }
        }
    }

    fn undeclared(
        name: &str,
        symbols: &Declarations,
        cursor: &mut Cursor<'_>,
        found: usize,
    ) -> Diagnostic {
        let span = cursor.here();
        let what = format!("surface `{name}` is not declared");
        let diagnostic = Diagnostic::new(&rules::UNDECLARED, span, what);
        let known = ["%slm", "%scratch", "T0", "T255"];
        let buffers = symbols.surfaces().map(|(_, s)| &*s.name);
        let near = nearest_name(name, known.into_iter().chain(buffers), found);
        cursor.advance();
        let diagnostic = match near {
            Some(near) => {
                diagnostic.fix(format!("did you mean `{near}`? {SURFACE_HELP}"), span, near)
            }
            None => declare(diagnostic, name, "v_type=T", cursor),
        };
        skip_glued(cursor);
        diagnostic
    }

    /// Finds a surface by `T` and its number, as the real assembler prints it
    /// regardless of its name.
    fn by_number(name: &str, symbols: &Declarations) -> Option<u8> {
        let index = name.strip_prefix('T')?.parse::<u8>().ok()?;
        (index >= super::predefined::FIRST_DECLARED_SURFACE && symbols.has_surface(index))
            .then_some(index)
    }
}
