//! Reading scalar operands: general, indirect and immediate ones.

use super::Wanted;
use super::direct::{parse_modifier, parse_region};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::operand::{declare, skip_glued};
use crate::isa::visa::vector::{
    AddressId, ByteOffset, DirectOperand, ImmediateOperand, IndirectOperand, OperandType,
    VectorOperand,
};
use crate::number::{ElementType, parse_integer, parse_literal};
use crate::text::{Cursor, Kind};
use alloc::format;

impl VectorOperand {
    /// Reads a scalar operand: general, indirect or immediate.
    pub fn parse_scalar(
        wanted: Wanted<'_>,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        let start = cursor.here().start;
        let mut ahead = cursor.clone();
        let number = cursor.peek().is_some_and(|l| l.kind == Kind::Number);
        if number || cursor.is_sign('-') {
            let immediate = parse_immediate(wanted, cursor, out)?;
            return Some((Self::Immediate(immediate), cursor.since(start)));
        }
        if ahead.sign('(').is_some() {
            ahead.until(&[')']);
            ahead.advance();
        }
        if ahead.keyword("r").is_some() && ahead.is_sign('[') {
            let indirect = parse_indirect(wanted, cursor, symbols, out)?;
            return Some((Self::Indirect(indirect), cursor.since(start)));
        }
        let (direct, span) = DirectOperand::parse(wanted, cursor, symbols, out)?;
        Some((Self::Direct(direct), span))
    }
}

/// `:uq`. None, with nothing taken, where no type stands.
fn parse_type(cursor: &mut Cursor<'_>) -> Option<OperandType> {
    let mut ahead = cursor.clone();
    ahead.sign(':')?;
    let (name, _) = ahead.name()?;
    let ty = OperandType::named(name)?;
    *cursor = ahead;
    Some(ty)
}

/// `0x1000:uq`, `-1:q`, `1.5:f`.
fn parse_immediate(
    wanted: Wanted<'_>,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<ImmediateOperand> {
    let start = cursor.here().start;
    cursor.advance();
    while cursor.adjacent() && !cursor.is_sign(':') && !cursor.is_sign(',') {
        cursor.advance();
    }
    let span = cursor.since(start);
    let end = Span::new(span.end, span.end);
    let Some(ty) = parse_type(cursor) else {
        let what = format!("the type of `{}` is missing", span.of(cursor.text()));
        let said = wanted.said(span, what);
        if cursor.is_sign(':') {
            cursor.advance();
            skip_glued(cursor);
            let word = Span::new(span.end, cursor.before());
            out.push(said.fix(wanted.help, word, ":uq"));
        } else {
            out.push(said.fix(wanted.help, end, ":uq"));
        }
        return None;
    };
    let text = span.of(cursor.text());
    // The encoding keeps 32 bits of a narrower constant, and the real tool
    // writes them: a check tells of those that do not fit.
    let (plain, signed) = match ty.element() {
        Some(ElementType::Uq) => (ElementType::Uq, ElementType::Q),
        Some(other) if other.is_float() || other.bytes() == 8 => (other, other),
        _ => (ElementType::Ud, ElementType::D),
    };
    // A negative decimal is taken for an unsigned type, too, and wraps.
    let read = match text.strip_prefix('-') {
        Some(_) => parse_literal(text, signed),
        None => parse_literal(text, plain),
    };
    match read {
        Ok(bits) if !ty.is_bool() => Some(ImmediateOperand { ty, bits }),
        Ok(_) => {
            wanted.report(cursor.since(start), "an immediate may not be BOOL", out);
            None
        }
        Err(error) => {
            wanted.report(span, format!("`{text}`: {error}"), out);
            None
        }
    }
}

/// `r[A0(0),16]<0;1,0>:uq`.
fn parse_indirect(
    wanted: Wanted<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<IndirectOperand> {
    let modifier = parse_modifier(wanted, cursor, out);
    let start = cursor.here().start;
    cursor.advance();
    let place = parse_pointer(wanted, cursor, symbols, out);
    let region = parse_region(true, cursor);
    let ty = parse_type(cursor);
    let (Some((id, element, offset)), Some(region), Some(ty)) = (place, region, ty) else {
        if cursor.is_sign(':') || cursor.is_sign('<') {
            cursor.advance();
            skip_glued(cursor);
        }
        // What is wrong inside the brackets has been told.
        if place.is_some() {
            let span = cursor.since(start);
            let what = format!("`{}` has no region, or no type", span.of(cursor.text()));
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
    wanted: Wanted<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(AddressId, u8, ByteOffset)> {
    cursor.sign('[');
    let mut ahead = cursor.clone();
    let (_, inside) = ahead.until(&[']']);
    let closed = ahead.sign(']').is_some();
    let found = (|| {
        let (name, span) = cursor.name()?;
        cursor.sign('(')?;
        let element = parse_integer(cursor.word()).ok()?;
        cursor.advance();
        cursor.sign(')')?;
        // The real assembler reads an offset that is not there as 0.
        let mut offset = 0;
        if cursor.sign(',').is_some() {
            let negative = cursor.sign('-').is_some();
            let bytes = i32::try_from(parse_integer(cursor.word()).ok()?).ok()?;
            cursor.advance();
            offset = i16::try_from(if negative { -bytes } else { bytes }).ok()?;
        }
        let element = u8::try_from(element).ok()?;
        cursor.is_sign(']').then_some(())?;
        Some((name, span, element, ByteOffset(offset)))
    })();
    if closed {
        *cursor = ahead;
    }
    let Some((name, span, element, offset)) = found else {
        let what = format!(
            "`{}` is no element of an address variable and byte offset",
            inside.of(cursor.text())
        );
        wanted.report(inside, what, out);
        return None;
    };
    match symbols.symbol(name) {
        Some(Symbol::Address(id)) => Some((AddressId(id), element, offset)),
        Some(_) => {
            wanted.report(span, format!("`{name}` is no address variable"), out);
            None
        }
        None => {
            let what = format!("the address variable `{name}` is not declared");
            let said = Diagnostic::new(&crate::rules::UNDECLARED, span, what);
            out.push(declare(said, name, "v_type=A num_elts=8", cursor));
            None
        }
    }
}
