//! Reading scalar operands: general, indirect and immediate ones.

use super::Wanted;
use super::direct::{parse_modifier, parse_region};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::operand::{declare, skip_glued};
use crate::isa::visa::spelling;
use crate::isa::visa::vector::{
    AddressId, ByteOffset, DirectOperand, ImmediateOperand, IndirectOperand, OperandType,
    VectorOperand,
};
use crate::number::{
    ElementType, LiteralError, low_mask, parse_integer, parse_literal, sign_extend, unsigned,
};
use crate::rules;
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
fn parse_type(cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<OperandType> {
    let mut ahead = cursor.clone();
    ahead.sign(':')?;
    let (name, span) = ahead.name()?;
    let ty = OperandType::named(name)?;
    *cursor = ahead;
    spelling::blank_before(span, &format!(":{}", ty.name()), cursor, out);
    Some(ty)
}

/// `0x1000:uq`, `-1:q`, `1.5:f`.
fn parse_immediate(
    wanted: Wanted<'_>,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<ImmediateOperand> {
    let start = cursor.here().start;
    let negative = cursor.sign('-').is_some();
    let number = cursor.here().start;
    cursor.advance();
    while cursor.adjacent() && !cursor.is_sign(':') && !cursor.is_sign(',') {
        cursor.advance();
    }
    let magnitude = cursor.since(number);
    let span = cursor.since(start);
    let end = Span::new(span.end, span.end);
    let glued = cursor.adjacent();
    let Some(ty) = parse_type(cursor, out) else {
        let what = format!("the type of `{}` is missing", span.of(cursor.text()));
        let diagnostic = wanted.diagnostic(span, what);
        if cursor.is_sign(':') {
            cursor.advance();
            skip_glued(cursor);
            let word = Span::new(span.end, cursor.before());
            out.push(diagnostic.fix(wanted.help, word, ":uq"));
        } else {
            out.push(diagnostic.fix(wanted.help, end, ":uq"));
        }
        return None;
    };
    let text = magnitude.of(cursor.text());
    if ty.is_bool() {
        wanted.report(cursor.since(start), "an immediate may not be BOOL", out);
        return None;
    }
    let literal = Literal { negative, text, ty };
    let whole = cursor.since(start);
    match literal.bits() {
        Ok(bits) => {
            literal.note(bits, glued, whole, cursor, out);
            Some(ImmediateOperand { ty, bits })
        }
        Err(error) => {
            let written = span.of(cursor.text());
            wanted.report(span, format!("`{written}`: {error}"), out);
            None
        }
    }
}

/// A constant as it is written.
struct Literal<'t> {
    negative: bool,
    /// What follows the sign.
    text: &'t str,
    ty: OperandType,
}

impl Literal<'_> {
    /// Whether the element type is a float.
    fn is_float(&self) -> bool {
        self.ty.element().is_some_and(ElementType::is_float)
    }

    /// The bits that are encoded: 64 or 32 of them, since the encoding keeps
    /// 32 bits of a narrower constant, and the real tool writes them. An
    /// integer of a float type is its bits, as there.
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
                // A negative decimal of a signed type has a bit less.
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

    /// What the real tool makes of an integer: decimals pass through 32 bits,
    /// and then the sign applies.
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

    /// Tells of what the real tool reads otherwise, or refuses.
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
                let what = format!("`{written}` has the bits {bits:#x}");
                let diagnostic = Diagnostic::new(&rules::INTEGER_AS_FLOAT, whole, what);
                let sign = if self.negative { "-" } else { "" };
                let value = format!("{sign}{}.0:{name}", self.text);
                out.push(if hexadecimal {
                    diagnostic.help(format!("write {own} for these bits"))
                } else {
                    diagnostic.help(format!("write {value} for the value, {own} for the bits"))
                });
            }
            // A float constant is one word there, and a half is hexadecimal.
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
            let what = format!("`{written}` is {other:#x} there");
            let diagnostic = Diagnostic::new(&rules::WIDE_DECIMAL, whole, what);
            out.push(diagnostic.help(format!("write {own}")));
        } else if is_f32 && is_signalling(bits) {
            let what = format!("`{written}` is {:#x} there", bits | QUIET_BIT);
            out.push(Diagnostic::new(&rules::QUIET_NAN, whole, what));
        }
    }
}

/// The highest bit of the fraction of an F32, which a quiet NaN has.
const QUIET_BIT: u64 = 1 << 22;

/// Whether the bits of an F32 are those of a signalling NaN.
const fn is_signalling(bits: u64) -> bool {
    let exponent_and_fraction = bits & 0x7fff_ffff;
    0x7f80_0000 < exponent_and_fraction && bits & QUIET_BIT == 0
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
    let letter = cursor.here();
    cursor.advance();
    if letter.of(cursor.text()) != "r" {
        spelling::document(letter, "r", cursor, out);
    }
    spelling::blank_before(cursor.here(), "r[", cursor, out);
    let place = parse_pointer(wanted, cursor, symbols, out);
    let region = parse_region(true, cursor, out);
    let ty = parse_type(cursor, out);
    let (Some((id, element, offset)), Some(region), Some(ty)) = (place, region, ty) else {
        if cursor.is_sign(':') || cursor.is_sign('<') {
            cursor.advance();
            skip_glued(cursor);
        }
        // What is wrong inside the brackets has been reported.
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
            let diagnostic = Diagnostic::new(&crate::rules::UNDECLARED, span, what);
            out.push(declare(diagnostic, name, "v_type=A num_elts=8", cursor));
            None
        }
    }
}
