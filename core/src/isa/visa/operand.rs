//! Raw operands and surfaces: text, bits, and where their elements lie.
//!
//! Source: visa_5_operands.md, "Raw Operands"; DWORD_ATOMIC.md for surfaces.

use super::declarations::{Declarations, Symbol};
use super::predefined::{SLM, STATELESS, SURFACES};
use crate::bits::{Code, DecodeError, Naming, Visitor};
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::isa::Style;
use crate::machine::SpaceId;
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, Kind, Part, Sink, TokenClass, nearest};
use alloc::format;
use alloc::string::{String, ToString};

/// Number of a general variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VariableId(pub u32);

impl Code for VariableId {
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        u32::try_from(bits).ok().map(Self)
    }
    fn meaning(self, names: &dyn Naming) -> String {
        match names.general(self.0) {
            Some(name) => name.to_string(),
            None => String::from("not declared"),
        }
    }
}

/// A raw operand: bytes of a variable from an offset on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawOperand {
    /// Which variable; 0 is the null variable.
    pub id: VariableId,
    /// Offset in bytes.
    pub offset: u16,
}

impl RawOperand {
    /// The null variable: no operand.
    pub const NULL: Self = Self {
        id: VariableId(0),
        offset: 0,
    };

    /// Whether it stands for no operand.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.id.0 == 0
    }

    /// `ud id, uw offset`.
    ///
    /// # Errors
    /// When the bytes end.
    pub fn layout<V: Visitor>(
        &mut self,
        part: Part,
        names: [&'static str; 2],
        v: &mut V,
    ) -> Result<(), DecodeError> {
        let [id, offset] = names;
        v.field(part, id, 32, &mut self.id)?;
        v.field(part, offset, 16, &mut self.offset)
    }

    /// Prints `V33.32`; the document style leaves out `.0` and writes V0.
    pub fn print(self, part: Part, names: &Declarations, style: Style, sink: &mut impl Sink) {
        let name = match style {
            Style::Document if self.is_null() => "V0",
            _ => Naming::general(names, self.id.0).unwrap_or("V?"),
        };
        sink.token(TokenClass::Variable, part, name);
        match (self.offset, style) {
            (0, Style::Document) => {}
            // By far the most frequent offset, in one token.
            (0, Style::Assembler) => sink.token(TokenClass::Number, part, ".0"),
            (offset, _) => {
                sink.sign(part, ".");
                sink.number(part, u64::from(offset));
            }
        }
    }

    /// Reads a raw operand; `role` is its name in messages.
    pub fn parse(
        role: &str,
        cursor: &mut Cursor<'_>,
        names: &Declarations,
        out: &mut Findings,
    ) -> Option<(Self, Span)> {
        let Some((name, span)) = cursor.name() else {
            out.push(missing(role, cursor));
            return None;
        };
        let id = match names.symbol(name) {
            Some(Symbol::General(id)) => Some(id),
            Some(symbol) => {
                let number = match symbol {
                    Symbol::General(id) => id,
                    Symbol::Address(id) | Symbol::Predicate(id) => u32::from(id),
                    Symbol::Surface(id) | Symbol::Sampler(id) => u32::from(id),
                };
                // The real assembler looks the number up without regard to
                // the kind: 0 passes for the null variable, others crash it.
                let rule = if number == 0 {
                    &rules::KIND_AS_RAW
                } else {
                    &rules::RAW_OPERAND
                };
                out.push(
                    Diagnostic::new(rule, span, format!("`{name}` cannot be {role}"))
                        .help("name a general variable (v_type=G)"),
                );
                (number == 0).then_some(0)
            }
            None => {
                out.push(undeclared(name, span, names));
                None
            }
        };
        let offset = parse_offset(name, cursor, out);
        if cursor.is_sign('(') {
            let start = cursor.here();
            cursor.until(&[')']);
            cursor.sign(')');
            let span = cursor.since(start.start);
            out.push(
                Diagnostic::new(
                    &rules::RAW_OPERAND,
                    span,
                    format!("{role} takes no row, column or region"),
                )
                .mend("write the byte offset after a dot", span, ".0"),
            );
            // Leave the region behind too, so that the next operand is found.
            if cursor.sign('<').is_some() {
                cursor.until(&['>']);
                cursor.sign('>');
            }
            return None;
        }
        let operand = Self {
            id: VariableId(id?),
            offset: offset?,
        };
        Some((operand, cursor.since(span.start)))
    }

    /// Where lane `lane` of the operand lies in the register file when its
    /// elements are `element` bytes apart; `None` for an unknown variable.
    #[must_use]
    #[inline]
    pub fn lane_offset(self, names: &Declarations, lane: u8, element: u8) -> Option<u64> {
        let base = names.general(self.id.0)?.offset;
        Some(u64::from(base) + u64::from(self.offset) + u64::from(lane) * u64::from(element))
    }
}

fn parse_offset(name: &str, cursor: &mut Cursor<'_>, out: &mut Findings) -> Option<u16> {
    if cursor.sign('.').is_none() {
        return Some(0);
    }
    let span = cursor.here();
    let number = cursor.peek().filter(|l| l.kind == Kind::Number);
    let Some(lexeme) = number else {
        out.push(
            Diagnostic::new(
                &rules::RAW_OFFSET,
                span,
                "a byte offset belongs after the dot",
            )
            .help("write a number of bytes from 0 to 65535"),
        );
        if cursor.sign('-').is_some() {
            cursor.advance();
        }
        return None;
    };
    cursor.advance();
    let value = parse_integer(lexeme.span.of(cursor.text()));
    let Some(offset) = value.ok().and_then(|v| u16::try_from(v).ok()) else {
        out.push(
            Diagnostic::new(
                &rules::RAW_OFFSET,
                lexeme.span,
                format!(
                    "`{}` does not fit the 16-bit byte offset",
                    lexeme.span.of(cursor.text())
                ),
            )
            .help("write a number of bytes from 0 to 65535"),
        );
        return None;
    };
    if offset != 0 && name == "%null" {
        out.push(
            Diagnostic::new(
                &rules::NULL_OFFSET,
                lexeme.span,
                "%null takes no byte offset",
            )
            .mend("write %null.0", lexeme.span, "0"),
        );
        return None;
    }
    Some(offset)
}

fn missing(role: &str, cursor: &mut Cursor<'_>) -> Diagnostic {
    let span = cursor.here();
    let word = cursor.word();
    if word.is_empty() {
        return Diagnostic::new(&rules::MISSING_OPERAND, span, format!("{role} is missing"))
            .help("operands are general variables such as V33 or V33.32, or V0 for none");
    }
    let comma = word == ",";
    // A word that cannot start an operand must not stop the line's checking.
    if !matches!(cursor.peek().map(|l| l.kind), Some(Kind::Sign('(' | '<'))) {
        cursor.advance();
        if cursor.sign(':').is_some() {
            cursor.advance();
        }
    }
    let diagnostic = Diagnostic::new(
        &rules::RAW_OPERAND,
        span,
        format!("`{word}` cannot be {role}"),
    );
    if comma {
        diagnostic.mend("put blanks, not commas, between operands", span, "")
    } else {
        diagnostic.help("name a general variable such as V33 or V33.32, or V0 for none")
    }
}

/// The diagnostic for a name that nothing declares.
#[must_use]
pub fn undeclared(name: &str, span: Span, names: &Declarations) -> Diagnostic {
    let what = format!("`{name}` is not declared");
    let known = names
        .generals()
        .map(|(_, v)| &*v.name)
        .chain(super::predefined::VARIABLES.iter().map(|v| v.name));
    match nearest(name, known).filter(|near| *near != name) {
        Some(near) => Diagnostic::new(&rules::UNDECLARED, span, what).mend(
            format!("did you mean `{near}`? Or add a .decl line for `{name}`"),
            span,
            near,
        ),
        None => Diagnostic::new(&rules::UNDECLARED, span, what).help(format!(
            "add `.decl {name} v_type=G type=ud num_elts=16 align=GRF`"
        )),
    }
}

/// Number of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Surface(pub u8);

impl Code for Surface {
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        u8::try_from(bits).ok().map(Self)
    }
    fn meaning(self, names: &dyn Naming) -> String {
        match self.0 {
            SLM => String::from("%slm: shared local memory"),
            STATELESS => String::from("%scratch: stateless, the virtual address space"),
            index => names
                .surface(index)
                .unwrap_or_else(|| String::from("not declared")),
        }
    }
}

impl Surface {
    /// The space that accesses through it reach.
    #[must_use]
    pub const fn space(self) -> SpaceId {
        match self.0 {
            SLM => SpaceId::SLM,
            STATELESS => SpaceId::VIRTUAL,
            index => SpaceId::surface(index),
        }
    }

    /// Whether the document lists it as a valid surface: SLM, stateless, or a
    /// declared buffer.
    #[must_use]
    pub const fn is_listed(self) -> bool {
        !matches!(self.0, 1..=4)
    }

    /// Prints `%slm` or `T0`, `T6` and so on.
    pub fn print(self, names: &Declarations, style: Style, sink: &mut impl Sink) {
        let part = Part::Surface;
        let class = TokenClass::Surface;
        match (style, self.0) {
            (Style::Document, SLM) => sink.token(class, part, "T0"),
            (Style::Document, STATELESS) => sink.token(class, part, "T255"),
            (_, index) => match (SURFACES.get(usize::from(index)), style) {
                (Some(name), _) => sink.token(class, part, name),
                (None, Style::Document) => {
                    sink.token(class, part, names.surface_name(index).unwrap_or("T?"));
                }
                (None, Style::Assembler) => {
                    let mut digits = [0; 20];
                    let digits = crate::text::decimal(u64::from(index), &mut digits);
                    sink.token(class, part, "T");
                    sink.token(class, part, digits);
                }
            },
        }
    }

    /// Reads a surface.
    pub fn parse(
        cursor: &mut Cursor<'_>,
        names: &Declarations,
        out: &mut Findings,
    ) -> Option<(Self, Span)> {
        const HELP: &str = "name T0 (%slm) for shared local memory, T255 (%scratch) for stateless \
                            memory, or a declared buffer surface";
        let Some((name, span)) = cursor.name() else {
            let (span, word) = (cursor.here(), cursor.word());
            let what = match word {
                "" => String::from("the surface is missing"),
                _ => format!("`{word}` is not a surface"),
            };
            cursor.advance();
            out.push(Diagnostic::new(&rules::SURFACE, span, what).mend(HELP, span, "T0"));
            return None;
        };
        let found = match names.symbol(name) {
            Some(Symbol::Surface(index)) => Some(index),
            Some(Symbol::Sampler(index)) => {
                let taken = names.has_surface(index);
                let rule = if taken {
                    &rules::SAMPLER_AS_SURFACE
                } else {
                    &rules::SURFACE
                };
                let what = format!("`{name}` is a sampler, not a buffer");
                out.push(Diagnostic::new(rule, span, what).help(HELP));
                taken.then_some(index)
            }
            Some(_) => {
                // Perhaps the surface was left out: the name is then the
                // first operand, and stays for it.
                out.push(
                    Diagnostic::new(
                        &rules::SURFACE,
                        span,
                        format!("`{name}` is not a surface variable"),
                    )
                    .mend(HELP, Span::new(span.start, span.start), "T0 "),
                );
                None
            }
            None => Self::by_number(name, names).or_else(|| {
                let diagnostic = Diagnostic::new(
                    &rules::UNDECLARED,
                    span,
                    format!("the surface `{name}` is not declared"),
                );
                out.push(match nearest(name, SURFACES) {
                    Some(near) if near != name => {
                        diagnostic.mend(format!("did you mean `{near}`? {HELP}"), span, near)
                    }
                    _ => diagnostic.help(format!("add `.decl {name} v_type=T`; or {HELP}")),
                });
                None
            }),
        };
        if cursor.is_sign('.') && cursor.adjacent() {
            let dot = cursor.here();
            cursor.advance();
            cursor.advance();
            let span = cursor.since(dot.start);
            if found.is_some() {
                out.push(
                    Diagnostic::new(&rules::SURFACE, span, "a surface takes no offset").mend(
                        "remove the offset",
                        span,
                        "",
                    ),
                );
            }
            return None;
        }
        Some((Self(found?), span))
    }

    /// The real assembler prints a declared surface as T and its number,
    /// whatever its name, so that spelling is read too.
    fn by_number(name: &str, names: &Declarations) -> Option<u8> {
        let index = name.strip_prefix('T')?.parse::<u8>().ok()?;
        (index >= super::predefined::FIRST_DECLARED_SURFACE && names.has_surface(index))
            .then_some(index)
    }
}
