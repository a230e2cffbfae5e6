//! The text of vector operands: `V38(0,0)<0;1,0>`, `V44(0,0)`, `0x1000:uq`,
//! `r[A0(0),16]<0;1,0>:uq`, with a modifier such as `(-)` before a variable.

use super::{
    AddressId, ByteOffset, DirectOperand, ImmediateOperand, IndirectOperand, Modifier, OperandType,
    Region, StateClass, Stride, VectorOperand,
};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::Style;
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::execution::{ExecSize, Predicate, PredicateId};
use crate::isa::visa::expression;
use crate::isa::visa::predefined::SURFACES;
use crate::isa::visa::raw_operand::{VariableId, assembler_name, declare, skip_glued, undeclared};
use crate::isa::visa::spelling;
use crate::number::{
    ElementType, LiteralError, low_mask, parse_integer, parse_literal, sign_extend, unsigned,
};
use crate::rules::{self, Rule};
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass, nearest};
use alloc::format;
use alloc::string::String;

/// Whether a region follows row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    /// A region is written; a bare name means `(0,0)<0;1,0>`.
    Written,
    /// No region is written; a bare name means `(0,0)`.
    LeftOut,
    /// Only the horizontal stride is written; a bare name means `(0,0)<1>`.
    Destination,
}

/// Operand classes that an instruction accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandClasses {
    /// General, indirect and immediate operands.
    Vectors,
    /// All of them.
    All,
}

impl Regions {
    /// The region of an operand that is only a name.
    const fn implied(self) -> Region {
        match self {
            Self::Written => Region::SCALAR,
            Self::LeftOut => Region::CONTIGUOUS,
            Self::Destination => Region::DESTINATION,
        }
    }

    /// Text of the implied region.
    const fn text(self) -> &'static str {
        match self {
            Self::Written => "<0;1,0>",
            Self::LeftOut => "",
            Self::Destination => "<1>",
        }
    }
}

/// Expectations of an instruction for one operand.
#[derive(Clone, Copy, Debug)]
pub struct OperandExpectation<'w> {
    /// Name in messages, such as `src2`.
    pub role: &'w str,
    /// Whether regions are written.
    pub regions: Regions,
    /// Rule for malformed operands.
    pub rule: &'static Rule,
    /// Help for malformed operands.
    pub help: &'static str,
    /// Attributes for declaring an undeclared variable: `v_type=G type=uq num_elts=4`; by
    /// default with the type of the other operands.
    pub attributes: Option<&'w str>,
    /// Whether numbers with too many bits are cut, with a warning, as in the
    /// real assembler; otherwise they are errors.
    pub wraps: bool,
}

impl OperandExpectation<'_> {
    fn diagnostic(self, span: Span, what: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.rule, span, what)
    }

    fn report(self, span: Span, what: impl Into<String>, out: &mut Diagnostics) {
        out.push(self.diagnostic(span, what).help(self.help));
    }
}

// Parsing of general operands: variable, row and column, region, modifier.

impl DirectOperand {
    /// Parses `V38(0,0)<0;1,0>`, `V44(0,0)` or a bare name.
    pub fn parse(
        wanted: OperandExpectation<'_>,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        let start = cursor.here().start;
        let modifier = parse_modifier(wanted, cursor, out);
        let named = cursor.name().filter(|_| !cursor.is_punct('['));
        let Some((name, span)) = named else {
            cursor.advance();
            skip_glued(cursor);
            let span = cursor.since(start);
            let what = format!("`{}` cannot be {}", span.of(cursor.text()), wanted.role);
            wanted.report(span, what, out);
            return None;
        };
        let id = match symbols.symbol(name) {
            Some(Symbol::General(id)) => Some(VariableId(id)),
            Some(_) => {
                skip_glued(cursor);
                let what = format!("`{name}` cannot be {}", wanted.role);
                wanted.report(span, what, out);
                return None;
            }
            None => {
                let attributes = || {
                    let line = Cursor::line_of(cursor.text(), span.start).of(cursor.text());
                    let own = wanted.attributes.map(String::from);
                    own.unwrap_or_else(|| attributes_like(line, symbols))
                };
                let found = out.len();
                out.push(undeclared(name, span, attributes, symbols, cursor, found));
                None
            }
        };
        let place = parse_place(wanted, id, cursor, symbols, out);
        let (row, column, region) = place?;
        let operand = Self {
            modifier: modifier?,
            id: id?,
            row,
            column,
            region,
        };
        let own = assembler_name(name);
        if cursor.before() == span.end || own != name {
            let own = format!("{own}({row},{column}){}", wanted.regions.text());
            spelling::document(span, &own, cursor, out);
        }
        Some((operand, cursor.since(start)))
    }
}

/// Parses row, column and region after the name; `None` if invalid.
fn parse_place(
    wanted: OperandExpectation<'_>,
    id: Option<VariableId>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(u8, u8, Region)> {
    if cursor.is_punct('.') && cursor.adjacent() {
        raw_offset(wanted, id, cursor, symbols, out);
        return None;
    }
    let end = Span::new(cursor.before(), cursor.before());
    // Another parenthesis may follow: a modifier, or a list of labels.
    let named = cursor.peek_at(1).is_some_and(|l| {
        let word = l.span.of(cursor.text());
        l.kind == LexemeKind::Name && !word.eq_ignore_ascii_case("%sizeof")
    });
    let apart = named && !cursor.adjacent() || is_modifier(cursor);
    let placed = cursor.is_punct('(') && !apart;
    let place = if placed {
        parse_row_and_column(wanted, cursor, symbols, out)
    } else {
        Some((0, 0))
    };
    let Some((row, column)) = place else {
        // Skip the region of a place that has been reported.
        if cursor.is_punct('<') {
            parse_region(false, cursor, out);
        }
        return None;
    };
    let region = parse_written(wanted, placed, end, cursor, out)?;
    Some((row, column, region))
}

/// Parses the region after row and column, if any. `placed` says whether row and
/// column are present; `end` is the end of the name.
fn parse_written(
    wanted: OperandExpectation<'_>,
    placed: bool,
    end: Span,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<Region> {
    let role = wanted.role;
    let written = wanted.regions != Regions::LeftOut;
    let start = cursor.here().start;
    let here = Span::new(cursor.before(), cursor.before());
    let (what, at, instead) = if cursor.is_punct('<') {
        if let Some((at, sign, ahead)) = missing_sign(wanted.regions, cursor) {
            *cursor = ahead;
            let span = cursor.since(start);
            let what = format!(
                "missing `{sign}` in the region `{}`",
                span.of(cursor.text())
            );
            let help = format!("insert `{sign}`");
            out.push(wanted.diagnostic(span, what).fix(help, at, sign));
            return None;
        }
        let region = match wanted.regions {
            Regions::Destination => parse_stride(cursor),
            _ => parse_region(false, cursor, out),
        };
        let span = cursor.since(start);
        if !written {
            (format!("unexpected region in {role}"), span, "")
        } else if region.is_none() {
            // Any other region would change which elements are meant.
            let what = format!("invalid region `{}`", span.of(cursor.text()));
            let help = match wanted.regions {
                Regions::Destination => "write a stride of 1, 2 or 4, such as <1>",
                _ => {
                    "write <vertical;width,horizontal>, such as <1;1,0>: the width is 1, 2, 4, 8 \
                     or 16, the vertical stride 0, 1, 2, 4, 8, 16 or 32, the horizontal stride \
                     0, 1, 2 or 4"
                }
            };
            out.push(wanted.diagnostic(span, what).help(help));
            return None;
        } else if !placed && wanted.regions == Regions::Written {
            let what = format!("expected row and column before the region of {role}");
            (what, end, "(0,0)")
        } else {
            return region;
        }
    } else if placed && written {
        let what = format!("expected a region after row and column of {role}");
        // A region without its `<`, or one of several that are possible.
        let is_destination = wanted.regions == Regions::Destination;
        if cursor.adjacent() || wanted.wraps && !is_destination {
            skip_glued(cursor);
            wanted.report(here, what, out);
            return None;
        }
        (what, here, wanted.regions.text())
    } else {
        return Some(wanted.regions.implied());
    };
    out.push(wanted.diagnostic(at, what).fix(wanted.help, at, instead));
    None
}

/// Diagnoses `.32`, the byte offset of raw operands, and converts it to row and
/// column.
fn raw_offset(
    wanted: OperandExpectation<'_>,
    id: Option<VariableId>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) {
    let start = cursor.here().start;
    cursor.advance();
    let bytes = parse_integer(cursor.word()).ok();
    skip_glued(cursor);
    let span = cursor.since(start);
    let what = format!("unexpected byte offset in {}", wanted.role);
    let diagnostic = wanted.diagnostic(span, what);
    let place = || {
        let element = u64::from(symbols.general(id?.0)?.ty.bytes());
        let grf = u64::from(symbols.grf_bytes());
        let (row, within) = (bytes? / grf, bytes? % grf);
        (row < 256 && within % element == 0)
            .then(|| format!("({row},{}){}", within / element, wanted.regions.text()))
    };
    out.push(match place() {
        Some(place) => diagnostic.fix(wanted.help, span, place),
        None => diagnostic.help(wanted.help),
    });
}

/// `(0,0)`.
fn parse_row_and_column(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(u8, u8)> {
    let start = cursor.here().start;
    cursor.advance();
    let mut ahead = cursor.clone();
    let mut number = |end| {
        let value = expression::parse(&mut ahead, symbols)?;
        ahead.eat_punct(end)?;
        Some(value)
    };
    let found = number(',').and_then(|row| Some((row, number(')')?)));
    let Some((row, column)) = found else {
        let mut ahead = cursor.clone();
        ahead.until(&[')', '<']);
        if ahead.eat_punct(')').is_some() || ahead.is_punct('<') {
            *cursor = ahead;
        } else {
            skip_glued(cursor);
        }
        let span = cursor.since(start);
        let what = format!(
            "expected a row and column, found `{}`",
            span.of(cursor.text())
        );
        wanted.report(span, what, out);
        return None;
    };
    *cursor = ahead;
    let span = cursor.since(start);
    let place = u8::try_from(row).ok().zip(u8::try_from(column).ok());
    if place.is_none() && wanted.wraps && row >= 0 && column >= 0 {
        let [row, column] = [row, column].map(|n| n.cast_unsigned().to_le_bytes()[0]);
        let written = span.of(cursor.text());
        let what = format!("`{written}` is truncated to ({row},{column})");
        out.report(&rules::CUT_NUMBER, span, what);
        return Some((row, column));
    }
    if place.is_none() {
        let what = format!(
            "row or column out of range in `{}`: both have 8 bits",
            span.of(cursor.text())
        );
        wanted.report(span, what, out);
    }
    place
}

/// Parses `<0;1,0>` with documented values. Indirect operands can omit the
/// vertical stride: `<1,0>`, or `<;1,0>` in the document's spelling.
fn parse_region(indirect: bool, cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<Region> {
    let open = cursor.eat_punct('<')?;
    let mut ahead = cursor.clone();
    ahead.until(&['>']);
    if ahead.eat_punct('>').is_none() {
        skip_glued(cursor);
        return None;
    }
    let mut inside = cursor.clone();
    *cursor = ahead;
    let stride = |inside: &mut Cursor<'_>| {
        let value = parse_integer(inside.word()).ok()?;
        inside.advance();
        Stride::of(value)
    };
    let missing = indirect && inside.eat_punct(';').is_some();
    let first = stride(&mut inside)?;
    if indirect && inside.eat_punct('>').is_some() {
        let one_address_each = Region {
            horizontal: first,
            ..Region::DESTINATION
        };
        return first
            .elements()
            .filter(|h| *h <= 4)
            .map(|_| one_address_each);
    }
    let (vertical, width) = if !missing && inside.eat_punct(';').is_some() {
        (Some(first), stride(&mut inside)?)
    } else {
        (None, first)
    };
    inside.eat_punct(',')?;
    let horizontal = stride(&mut inside)?;
    inside.eat_punct('>')?;
    let vertical = match vertical {
        None if indirect => Stride::NULL,
        vertical => vertical?,
    };
    let region = Region {
        vertical,
        width,
        horizontal,
    };
    let checked = Region {
        // An absent stride is always legal.
        vertical: if vertical.is_null() {
            horizontal
        } else {
            vertical
        },
        ..region
    };
    if missing {
        spelling::document(cursor.since(open.start), "<1,0>", cursor, out);
    }
    checked.is_legal().then_some(region)
}

/// The only sign that a region lacks, where it belongs, and the rest of the line after the
/// region; `None` if the region would be invalid with the sign.
fn missing_sign<'t>(regions: Regions, cursor: &Cursor<'t>) -> Option<(Span, char, Cursor<'t>)> {
    let signs: &[char] = match regions {
        Regions::Written => &[';', ',', '>'],
        Regions::Destination => &['>'],
        Regions::LeftOut => return None,
    };
    let mut ahead = cursor.clone();
    ahead.eat_punct('<')?;
    let mut missing = None;
    let mut region = Region::DESTINATION;
    for sign in signs {
        let stride = Stride::of(parse_integer(ahead.word()).ok()?)?;
        ahead.advance();
        (region.vertical, region.width, region.horizontal) =
            (region.width, region.horizontal, stride);
        if ahead.eat_punct(*sign).is_none() {
            let end = Span::new(ahead.before(), ahead.before());
            if missing.replace((end, *sign)).is_some() {
                return None;
            }
        }
    }
    let is_legal = match regions {
        Regions::Destination => matches!(region.horizontal.elements(), Some(1 | 2 | 4)),
        _ => region.is_legal(),
    };
    let (at, sign) = missing.filter(|_| is_legal)?;
    Some((at, sign, ahead))
}

/// Parses `<1>`, the stride of a destination: 1, 2 or 4.
fn parse_stride(cursor: &mut Cursor<'_>) -> Option<Region> {
    cursor.eat_punct('<')?;
    let stride = parse_integer(cursor.word()).ok().and_then(Stride::of);
    let (_, inside) = cursor.until(&['>']);
    cursor.eat_punct('>')?;
    let horizontal = stride.filter(|s| matches!(s.elements(), Some(1 | 2 | 4)))?;
    let digits = inside.of(cursor.text());
    parse_integer(digits).ok()?;
    Some(Region {
        horizontal,
        ..Region::DESTINATION
    })
}

/// Whether a modifier comes next, `(-)` or the like: that of the next operand,
/// behind the name of a variable.
fn is_modifier(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    ahead.eat_punct('(');
    let (inside, _) = ahead.until(&[')']);
    let mut signs = Modifier::SIGNS.iter();
    ahead.is_punct(')') && signs.any(|(sign, _)| sign.eq_ignore_ascii_case(inside))
}

/// Parses a modifier such as `(-)` before a variable, if any.
fn parse_modifier(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<Modifier> {
    let Some(open) = cursor.eat_punct('(') else {
        return Some(Modifier::NONE);
    };
    let mut inside = cursor.clone();
    let mut sign = String::new();
    while let Some(next) = inside.take().filter(|l| l.kind != LexemeKind::Punct(')')) {
        sign.push_str(next.span.of(cursor.text()));
    }
    cursor.until(&[')', '<']);
    cursor.eat_punct(')');
    let span = cursor.since(open.start);
    let mut signs = Modifier::SIGNS.iter();
    let found = signs.find(|(known, _)| known.eq_ignore_ascii_case(&sign));
    let Some((own, modifier)) = found else {
        let what = format!("invalid source modifier `{}`", span.of(cursor.text()));
        wanted.report(span, what, out);
        return None;
    };
    let own = format!("({own})");
    let written = span.of(cursor.text());
    if written != own {
        let letters = written.eq_ignore_ascii_case(&own);
        let note = if letters {
            spelling::document
        } else {
            spelling::lenient
        };
        note(span, &own, cursor, out);
    }
    Some(*modifier)
}

// Parsing of scalar operands: general, indirect and immediate.

impl VectorOperand {
    /// Parses a scalar operand: general, indirect or immediate.
    pub fn parse_scalar(
        wanted: OperandExpectation<'_>,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        let start = cursor.here().start;
        let mut ahead = cursor.clone();
        if starts_immediate(cursor) {
            let immediate = parse_immediate(wanted, cursor, symbols, out)?;
            return Some((Self::Immediate(immediate), cursor.since(start)));
        }
        if ahead.eat_punct('(').is_some() {
            ahead.until(&[')']);
            ahead.advance();
        }
        if ahead.keyword("r").is_some() && ahead.is_punct('[') {
            let indirect = parse_indirect(wanted, cursor, symbols, out)?;
            return Some((Self::Indirect(indirect), cursor.since(start)));
        }
        let (direct, span) = DirectOperand::parse(wanted, cursor, symbols, out)?;
        Some((Self::Direct(direct), span))
    }
}

// Parsing of vector operands of every class.

impl VectorOperand {
    /// Parses a source or, with [`Regions::Destination`], a destination.
    pub fn parse(
        wanted: OperandExpectation<'_>,
        accepted: OperandClasses,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        let start = cursor.here().start;
        let named = match accepted {
            OperandClasses::Vectors => None,
            OperandClasses::All => parse_named(wanted, cursor, symbols, out),
        };
        let operand = match named {
            Some(found) => found?,
            None => {
                let (operand, span) = Self::parse_scalar(wanted, cursor, symbols, out)?;
                if wanted.regions == Regions::Destination {
                    operand.check_destination(wanted, span, cursor, out)?;
                }
                operand
            }
        };
        Some((operand, cursor.since(start)))
    }

    fn check_destination(
        self,
        wanted: OperandExpectation<'_>,
        span: Span,
        cursor: &Cursor<'_>,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let is_plain = self.modifier() == Modifier::NONE;
        if matches!(self, Self::Direct(_) | Self::Indirect(_)) && is_plain {
            return Some(());
        }
        let what = format!("invalid destination `{}`", span.of(cursor.text()));
        wanted.report(span, what, out);
        None
    }
}

/// Parses a class that only some instructions accept: `P1`, `A0(0)<1>`, `T6(0)`,
/// `&V32[64]`. Returns `None` for other operands, `Some(None)` for an invalid one.
fn parse_named(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<Option<VectorOperand>> {
    if cursor.is_punct('&') && wanted.regions != Regions::Destination {
        return Some(parse_address_of(wanted, cursor, symbols, out));
    }
    let start = cursor.here().start;
    let (name, _) = cursor.clone().name()?;
    let symbol = symbols.symbol(name)?;
    let operand = match symbol {
        Symbol::General(_) => return None,
        Symbol::Predicate(id) => {
            cursor.advance();
            let id = PredicateId(id);
            Some(VectorOperand::Predicate(Predicate {
                id,
                ..Predicate::NONE
            }))
        }
        Symbol::Address(id) => {
            cursor.advance();
            parse_element(cursor, symbols).and_then(|element| {
                cursor.eat_punct('<')?;
                let width = cursor.integer().and_then(ExecSize::of_lanes)?;
                cursor.eat_punct('>')?;
                let id = AddressId(id);
                Some(VectorOperand::Address { id, element, width })
            })
        }
        Symbol::Surface(id) | Symbol::Sampler(id) => {
            cursor.advance();
            let element = cursor.is_punct('(').then(|| parse_element(cursor, symbols));
            element.flatten().map(|element| VectorOperand::State {
                class: match symbol {
                    Symbol::Surface(_) => StateClass::SURFACE,
                    _ => StateClass::SAMPLER,
                },
                id: u16::from(id),
                element,
            })
        }
    };
    if operand.is_none() {
        skip_glued(cursor);
        let span = cursor.since(start);
        let what = format!("invalid {} `{}`", wanted.role, span.of(cursor.text()));
        wanted.report(span, what, out);
    }
    Some(operand)
}

/// Parses `(0)`; 0 if absent.
fn parse_element(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<u8> {
    if cursor.eat_punct('(').is_none() {
        return Some(0);
    }
    let element = expression::parse(cursor, symbols);
    cursor.eat_punct(')')?;
    u8::try_from(element?).ok()
}

/// Parses `&V32[64]` or `&T6`.
fn parse_address_of(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<VectorOperand> {
    let start = cursor.here().start;
    cursor.advance();
    let symbol = cursor.name().map(|(name, _)| symbols.symbol(name));
    let bytes = match cursor.eat_punct('[') {
        None => Some(0),
        Some(_) => {
            let bytes = expression::parse(cursor, symbols);
            cursor.eat_punct(']').and(bytes)
        }
    };
    let operand = match (symbol.flatten(), bytes) {
        (Some(Symbol::General(id)), Some(bytes)) => symbols.general(id).and_then(|variable| {
            let bytes = u64::try_from(bytes).ok()?;
            let grf = u64::from(symbols.grf_bytes());
            let size = u64::from(variable.ty.bytes());
            let column = (bytes % grf) / size;
            if !bytes.is_multiple_of(size) {
                let span = cursor.since(start);
                let written = span.of(cursor.text());
                let kept = bytes / size * size;
                let what = format!("`{written}` is truncated to byte {kept}");
                out.report(&rules::CUT_NUMBER, span, what);
            }
            Some(VectorOperand::AddressOf(DirectOperand {
                row: u8::try_from(bytes / grf).ok()?,
                column: u8::try_from(column).ok()?,
                ..DirectOperand::start_of(VariableId(id), Region::SCALAR)
            }))
        }),
        (Some(Symbol::Surface(id)), Some(0)) => Some(VectorOperand::State {
            class: StateClass::SURFACE,
            id: u16::from(id),
            element: 0,
        }),
        _ => None,
    };
    if operand.is_none() {
        let span = cursor.since(start);
        let what = format!(
            "expected the address of a variable, found `{}`",
            span.of(cursor.text())
        );
        wanted.report(span, what, out);
    }
    operand
}

/// Parses `:uq`. Returns `None` without advancing if there is no type.
fn parse_type(cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<OperandType> {
    let mut ahead = cursor.clone();
    ahead.eat_punct(':')?;
    let (name, span) = ahead.name()?;
    let ty = OperandType::named(name)?;
    *cursor = ahead;
    spelling::blank_before(span, &format!(":{}", ty.name()), cursor, out);
    Some(ty)
}

/// Attributes of a vector variable with the type of the other operands of a line.
fn attributes_like(line: &str, symbols: &Declarations) -> String {
    let is_sign = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let mut declared = line.split(is_sign).filter_map(|word| {
        let Symbol::General(id) = symbols.declared(word)? else {
            return None;
        };
        symbols.general(id).map(|variable| variable.ty)
    });
    let mut constants = line.split(':').skip(1).filter_map(|rest| {
        let word = rest.split(is_sign).next()?;
        ElementType::named(word)
    });
    let ty = declared.next().or_else(|| constants.next());
    let ty = ty.unwrap_or(ElementType::Ud).name();
    format!("v_type=G type={ty} num_elts=16 align=GRF")
}

/// Whether a number or an expression comes next.
fn starts_immediate(cursor: &Cursor<'_>) -> bool {
    let word = cursor.word();
    let is_size = word.eq_ignore_ascii_case("%sizeof") || word == "%DispatchSimd";
    match cursor.peek().map(|l| l.kind) {
        Some(LexemeKind::Number | LexemeKind::Punct('-' | '~' | '!')) => true,
        Some(LexemeKind::Punct('(')) => {
            !is_modifier(cursor) && {
                let mut ahead = cursor.clone();
                ahead.until(&[')']);
                ahead.advance();
                // A variable behind a modifier that does not exist.
                !matches!(ahead.peek().map(|l| l.kind), Some(LexemeKind::Name))
            }
        }
        _ => is_size,
    }
}

/// An expression with a type that is more than a number and its sign:
/// `(1+2):d`, `~5:d`, `1<<4:d`. None, with nothing taken, for anything else.
fn parse_computed(
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<ImmediateOperand> {
    let negative = usize::from(cursor.is_punct('-'));
    let first = cursor.peek_at(negative);
    let number = first.filter(|l| l.kind == LexemeKind::Number);
    let mut ahead = cursor.clone();
    let value = match number {
        Some(_) => expression::parse(&mut ahead, symbols)?,
        None => expression::unary(&mut ahead, symbols)?,
    };
    if number.is_some_and(|number| ahead.before() <= number.span.end) {
        return None;
    }
    let ty = parse_type(&mut ahead, out).filter(|ty| !ty.is_bool())?;
    let width = if ty.bytes() == 8 { 64 } else { 32 };
    *cursor = ahead;
    Some(ImmediateOperand {
        ty,
        bits: value.cast_unsigned() & low_mask(width),
    })
}

/// `0x1000:uq`, `-1:q`, `1.5:f`, `(1+2):d`.
fn parse_immediate(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<ImmediateOperand> {
    if let Some(computed) = parse_computed(cursor, symbols, out) {
        return Some(computed);
    }
    let start = cursor.here().start;
    let negative = cursor.eat_punct('-').is_some();
    let number = cursor.here().start;
    cursor.advance();
    while cursor.adjacent() && !cursor.is_punct(':') && !cursor.is_punct(',') {
        cursor.advance();
    }
    let magnitude = cursor.since(number);
    let span = cursor.since(start);
    let end = Span::new(span.end, span.end);
    let glued = cursor.adjacent();
    let Some(ty) = parse_type(cursor, out) else {
        if cursor.eat_punct(':').is_some() {
            skip_glued(cursor);
            let word = Span::new(span.end, cursor.before());
            let what = format!(
                "unknown type `{}`",
                word.of(cursor.text()).trim_start_matches(':')
            );
            let written = word.of(cursor.text()).trim_start_matches(':').trim_start();
            let types = ElementType::ALL.map(ElementType::name);
            let diagnostic = wanted.diagnostic(word, what);
            // Every type of one letter is as near to another letter.
            let near = nearest(written, types).filter(|_| written.len() > 1);
            out.push(match near {
                Some(near) => {
                    diagnostic.fix(format!("did you mean `:{near}`?"), word, format!(":{near}"))
                }
                // An address has one type.
                None if wanted.attributes.is_some() => diagnostic.fix(wanted.help, word, ":uq"),
                None => diagnostic.help(format!("use one of the types {}", types.join(", "))),
            });
        } else {
            let what = format!("expected a type after `{}`", span.of(cursor.text()));
            // A type between a number and what is glued to it would not help.
            out.push(match glued {
                true => wanted.diagnostic(span, what).help(wanted.help),
                false => wanted.diagnostic(span, what).fix(wanted.help, end, ":uq"),
            });
        }
        return None;
    };
    let text = magnitude.of(cursor.text());
    if ty.is_bool() {
        wanted.report(
            cursor.since(start),
            "an immediate must not have type BOOL",
            out,
        );
        return None;
    }
    let literal = Literal { negative, text, ty };
    let whole = cursor.since(start);
    match literal.bits() {
        Err(LiteralError::OutOfRange) if wanted.wraps && literal.low_bits().is_some() => {
            let bits = literal.low_bits().expect("it is an integer");
            let what = format!("`{}` is truncated to {bits:#x}", whole.of(cursor.text()));
            out.report(&rules::CUT_NUMBER, whole, what);
            Some(ImmediateOperand { ty, bits })
        }
        Ok(bits) => {
            literal.note(bits, glued, whole, cursor, out);
            Some(ImmediateOperand { ty, bits })
        }
        Err(error) => {
            let written = span.of(cursor.text());
            wanted.report(span, format!("invalid constant `{written}`: {error}"), out);
            None
        }
    }
}

/// A constant as written.
struct Literal<'t> {
    negative: bool,
    /// The text after the sign.
    text: &'t str,
    ty: OperandType,
}

impl Literal<'_> {
    /// Whether the element type is floating-point.
    fn is_float(&self) -> bool {
        self.ty.element().is_some_and(ElementType::is_float)
    }

    /// The encoded bits: 64, or 32 for narrower types too, as the real tool
    /// writes them. An integer of a float type is its bits, as in the real tool.
    fn bits(&self) -> Result<u64, LiteralError> {
        let width = if self.ty.bytes() == 8 { 64 } else { 32 };
        let float = self.ty.element().filter(|_| self.is_float());
        let integer = unsigned(self.text);
        match (integer, float) {
            (None, Some(ty)) => {
                let sign = if self.negative { "-" } else { "" };
                parse_literal(&format!("{sign}{}", self.text), ty)
            }
            (None, None) => Err(match parse_literal(self.text, ElementType::Df) {
                Ok(_) => LiteralError::NotAnInteger,
                Err(error) => error,
            }),
            (Some((value, is_bits)), float) => {
                let plain = is_bits && !self.negative;
                if float.is_some_and(|ty| ty.bytes() == 2) && !plain {
                    return Err(LiteralError::ValueOrBits);
                }
                let bits = u64::try_from(value).map_err(|_| LiteralError::OutOfRange)?;
                // A negative decimal of a signed type has one bit less.
                let decimal = self.negative && spelling::is_decimal(self.text);
                let limit = match decimal && float.is_none() {
                    true => 1 << (width - 1),
                    false => low_mask(width),
                };
                if bits > limit {
                    return Err(LiteralError::OutOfRange);
                }
                Ok(match (self.negative, float) {
                    (false, _) => bits,
                    (true, Some(_)) => bits ^ 1 << (width - 1),
                    (true, None) => bits.wrapping_neg() & low_mask(width),
                })
            }
        }
    }

    /// The low 32 bits of an integer of 64 bits; none for other types and
    /// literals.
    fn low_bits(&self) -> Option<u64> {
        let (value, _) = unsigned(self.text)?;
        let value = u64::try_from(value).ok()?;
        let is_narrow = self.ty.bytes() != 8 && !self.is_float();
        let signed = if self.negative {
            value.wrapping_neg()
        } else {
            value
        };
        is_narrow.then_some(signed & low_mask(32))
    }

    /// The real tool's value of an integer: decimals pass through 32 bits before the
    /// sign is applied.
    fn bits_in_tool(&self) -> Option<u64> {
        let (value, is_bits) = unsigned(self.text)?;
        if is_bits {
            return None;
        }
        let passed = i64::try_from(value).unwrap_or(i64::MAX).cast_unsigned();
        let passed = sign_extend(passed, 32).cast_unsigned();
        let width = if self.ty.bytes() == 8 { 64 } else { 32 };
        let signed = match (self.negative, self.is_float()) {
            (false, _) => passed,
            (true, true) => passed ^ 1 << (width - 1),
            (true, false) => passed.wrapping_neg(),
        };
        Some(signed & low_mask(width))
    }

    /// Notes constants that the real tool reads differently or rejects.
    fn note(
        &self,
        bits: u64,
        glued: bool,
        whole: Span,
        cursor: &Cursor<'_>,
        out: &mut Diagnostics,
    ) {
        let name = self.ty.name();
        let own = format!("{bits:#x}:{name}");
        let written = whole.of(cursor.text());
        if self.is_float() {
            let half = self.ty.bytes() == 2;
            let plain = spelling::is_integer(self.text);
            let hexadecimal = plain && !spelling::is_decimal(self.text);
            if plain && (self.negative || !hexadecimal) {
                let what = format!("integer `{written}` stands for the bits {bits:#x}");
                let diagnostic = Diagnostic::new(&rules::INTEGER_AS_FLOAT, whole, what);
                let sign = if self.negative { "-" } else { "" };
                let value = format!("{sign}{}.0:{name}", self.text);
                out.push(if hexadecimal {
                    diagnostic.help(format!("write {own} for these bits"))
                } else {
                    diagnostic.help(format!("write {value} for the value, {own} for the bits"))
                });
            }
            // In the real tool, a float constant is one word and a half is hexadecimal.
            let mut parts = self.text.split('.');
            let float = parts.all(spelling::is_decimal) && self.text.contains('.');
            let lower = written.ends_with(name);
            let read = match half {
                true => hexadecimal && bits <= 0xffff,
                false => plain || float && glued && lower,
            };
            if !read {
                spelling::lenient(whole, &own, cursor, out);
            }
        } else if !spelling::is_integer(self.text) {
            spelling::lenient(whole, &own, cursor, out);
        }
        let is_f32 = self.ty.element() == Some(ElementType::F);
        if let Some(other) = self.bits_in_tool()
            && other != bits
        {
            let what = format!("the real assembler reads `{written}` as {other:#x}");
            out.advise(&rules::WIDE_DECIMAL, whole, what, format!("write {own}"));
        } else if is_f32 && is_signalling(bits) {
            let what = format!(
                "the real assembler reads `{written}` as {:#x}",
                bits | QUIET_BIT
            );
            out.report(&rules::QUIET_NAN, whole, what);
        }
    }
}

/// The highest fraction bit of an F32, set in quiet NaNs.
const QUIET_BIT: u64 = 1 << 22;

/// Whether F32 bits are a signaling NaN.
const fn is_signalling(bits: u64) -> bool {
    let exponent_and_fraction = bits & 0x7fff_ffff;
    0x7f80_0000 < exponent_and_fraction && bits & QUIET_BIT == 0
}

/// `r[A0(0),16]<0;1,0>:uq`.
fn parse_indirect(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<IndirectOperand> {
    let modifier = parse_modifier(wanted, cursor, out);
    let start = cursor.here().start;
    let letter = cursor.here();
    cursor.advance();
    if letter.of(cursor.text()) != "r" {
        spelling::document(letter, "r", cursor, out);
    }
    spelling::blank_before(cursor.here(), "r[", cursor, out);
    let place = parse_pointer(wanted, cursor, symbols, out);
    let opening = cursor.here().start;
    let has_region = cursor.is_punct('<');
    let region = match wanted.regions {
        Regions::Destination => parse_stride(cursor),
        _ => parse_region(true, cursor, out),
    };
    let region_span = cursor.since(opening);
    let ty = parse_type(cursor, out);
    let (Some((id, element, offset)), Some(region), Some(ty)) = (place, region, ty) else {
        if cursor.is_punct(':') || cursor.is_punct('<') {
            cursor.advance();
            skip_glued(cursor);
        }
        // Errors inside the brackets have been reported.
        if place.is_some() {
            let span = cursor.since(start);
            let text = span.of(cursor.text());
            let (span, what) = match (has_region, region) {
                (true, None) => {
                    let region = region_span.of(cursor.text());
                    (region_span, format!("invalid region `{region}`"))
                }
                (true, Some(_)) => (span, format!("expected a type after `{text}`")),
                _ => (span, format!("expected a region and a type after `{text}`")),
            };
            wanted.report(span, what, out);
        }
        return None;
    };
    Some(IndirectOperand {
        modifier: modifier?,
        id,
        element,
        offset,
        ty,
        region,
    })
}

/// `[A0(0),16]`, `[A0(0)]`.
fn parse_pointer(
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(AddressId, u8, ByteOffset)> {
    cursor.eat_punct('[');
    let mut ahead = cursor.clone();
    let (_, inside) = ahead.until(&[']']);
    let closed = ahead.eat_punct(']').is_some();
    let found = (|| {
        let (name, span) = cursor.name()?;
        cursor.eat_punct('(')?;
        let element = expression::parse(cursor, symbols)?;
        cursor.eat_punct(')')?;
        // The real assembler reads a missing offset as 0.
        let mut offset = 0;
        if cursor.eat_punct(',').is_some() {
            let start = cursor.here().start;
            let bytes = expression::parse(cursor, symbols)?;
            offset = match i16::try_from(bytes) {
                Ok(offset) => offset,
                Err(_) if wanted.wraps => {
                    let [low, high, ..] = bytes.to_le_bytes();
                    let offset = i16::from_le_bytes([low, high]);
                    let what = format!("`{bytes}` is truncated to {offset}");
                    let span = cursor.since(start);
                    out.report(&rules::CUT_NUMBER, span, what);
                    offset
                }
                Err(_) => return None,
            };
        }
        let element = u8::try_from(element).ok()?;
        cursor.is_punct(']').then_some(())?;
        Some((name, span, element, ByteOffset(offset)))
    })();
    if closed {
        *cursor = ahead;
    }
    let Some((name, span, element, offset)) = found else {
        let what = format!(
            "expected an address element and a byte offset, found `{}`",
            inside.of(cursor.text())
        );
        wanted.report(inside, what, out);
        return None;
    };
    match symbols.symbol(name) {
        Some(Symbol::Address(id)) => Some((AddressId(id), element, offset)),
        Some(_) => {
            wanted.report(span, format!("`{name}` is not an address variable"), out);
            None
        }
        None => {
            let what = format!("address variable `{name}` is not declared");
            let diagnostic = Diagnostic::new(&crate::rules::UNDECLARED, span, what);
            out.push(declare(diagnostic, name, "v_type=A num_elts=8", cursor));
            None
        }
    }
}

// Printing.

fn print_modifier(modifier: Modifier, part: SyntaxPart, sink: &mut impl Sink) {
    if let Some(sign) = modifier.spelling() {
        sink.punct(part, "(");
        sink.token(TokenClass::Keyword, part, sign);
        sink.punct(part, ")");
    }
}

/// Prints `<0;1,0>`. Like the real tool, omits absent strides except the last,
/// which is printed as -1.
fn print_region(region: Region, part: SyntaxPart, sink: &mut impl Sink) {
    sink.punct(part, "<");
    for (stride, end) in [(region.vertical, ";"), (region.width, ",")] {
        if let Some(elements) = stride.elements() {
            sink.number(part, u64::from(elements));
            sink.punct(part, end);
        }
    }
    match region.horizontal.elements() {
        Some(elements) => sink.number(part, u64::from(elements)),
        None => sink.token(TokenClass::Number, part, "-1"),
    }
    sink.punct(part, ">");
}

fn print_address(
    id: AddressId,
    element: u8,
    part: SyntaxPart,
    symbols: &Declarations,
    s: &mut impl Sink,
) {
    match symbols.address_variable(id.0) {
        Some(variable) => s.token(TokenClass::Variable, part, &variable.name),
        None => symbols.print_numbered(Symbol::Address(id.0), (TokenClass::Variable, part), s),
    }
    s.punct(part, "(");
    s.number(part, u64::from(element));
    s.punct(part, ")");
}

impl DirectOperand {
    /// Prints `V38(0,0)<0;1,0>`, or only the name in the document style if that is
    /// equivalent.
    pub fn print(
        self,
        part: SyntaxPart,
        regions: Regions,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        print_modifier(self.modifier, part, sink);
        self.id.print(part, symbols, style, sink);
        let written = regions != Regions::LeftOut;
        let implied = !written || self.region == regions.implied();
        if style == Style::Document && self.row == 0 && self.column == 0 && implied {
            return;
        }
        sink.punct(part, "(");
        sink.number(part, u64::from(self.row));
        sink.punct(part, ",");
        sink.number(part, u64::from(self.column));
        sink.punct(part, ")");
        if written {
            print_region(self.region, part, sink);
        }
    }
}

impl VectorOperand {
    /// Prints a source; for the document style see [`DirectOperand::print`].
    pub fn print(
        self,
        part: SyntaxPart,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        self.print_as(part, Regions::Written, symbols, style, sink);
    }

    /// Prints a source or a destination.
    pub fn print_as(
        self,
        part: SyntaxPart,
        regions: Regions,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        match self {
            Self::Direct(direct) => direct.print(part, regions, symbols, style, sink),
            Self::AddressOf(direct) => {
                sink.punct(part, "&");
                direct.id.print(part, symbols, style, sink);
                let byte = direct.byte(symbols).unwrap_or(0);
                if byte != 0 {
                    sink.punct(part, "[");
                    sink.number(part, u64::from(byte));
                    sink.punct(part, "]");
                }
            }
            Self::Indirect(indirect) => {
                print_modifier(indirect.modifier, part, sink);
                sink.punct(part, "r[");
                print_address(indirect.id, indirect.element, part, symbols, sink);
                sink.punct(part, ",");
                if indirect.offset.0 < 0 {
                    sink.punct(part, "-");
                }
                sink.number(part, u64::from(indirect.offset.0.unsigned_abs()));
                sink.punct(part, "]");
                print_region(indirect.region, part, sink);
                sink.punct(part, ":");
                sink.token(TokenClass::Keyword, part, indirect.ty.name());
            }
            Self::Immediate(immediate) => {
                // Print all encoded bits, like the real tool.
                let text = format!("{:#x}", immediate.bits);
                sink.token(TokenClass::Number, part, &text);
                sink.punct(part, ":");
                sink.token(TokenClass::Keyword, part, immediate.ty.name());
            }
            Self::Address { id, element, width } => {
                print_address(id, element, part, symbols, sink);
                sink.punct(part, "<");
                sink.number(part, u64::from(width.lanes()));
                sink.punct(part, ">");
            }
            Self::Predicate(predicate) => {
                let place = (TokenClass::Variable, part);
                symbols.print_numbered(Symbol::Predicate(predicate.id.0), place, sink);
            }
            Self::State { class, id, element } => {
                let surface = class.is_surface();
                let place = (TokenClass::Variable, part);
                let predefined = SURFACES.get(usize::from(id)).filter(|_| surface);
                match u8::try_from(id) {
                    Ok(_) if let Some(name) = predefined => {
                        sink.token(TokenClass::Surface, part, name);
                    }
                    Ok(id) if surface => symbols.print_numbered(Symbol::Surface(id), place, sink),
                    Ok(id) => symbols.print_numbered(Symbol::Sampler(id), place, sink),
                    Err(_) => {
                        let letter = if surface { "T" } else { "S" };
                        sink.token(TokenClass::Variable, part, &format!("{letter}{id}"));
                    }
                }
                sink.punct(part, "(");
                sink.number(part, u64::from(element));
                sink.punct(part, ")");
            }
        }
    }
}
