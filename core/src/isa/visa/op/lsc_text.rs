//! The text of LSC operands: `V33:d32x4t`, `bti(4)[V32+0x10]:a32`.

use super::lsc::{BLOCK_LOCATION, ELEMENTS, KINDS, PITCH, QUAD, SIZES, WIDTHS, name};
use super::{Argument, VisaInstruction};
use crate::diagnostic::Diagnostics;
use crate::isa::schema::Words;
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::raw_operand::{RawForm, RawOperand, VariableId, skip_glued, undeclared};
use crate::isa::visa::vector::text::Regions;
use crate::isa::visa::vector::{
    DirectOperand, ImmediateOperand, OperandType, Region, VectorOperand,
};
use crate::isa::visa::{expression, spelling};
use crate::isa::{Style, SymbolTable};
use crate::number::{low_mask, parse_integer, sign_extend};
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;

const ATTRIBUTES: &str = "v_type=G type=ud num_elts=16 align=GRF";

/// The kind of address of flat memory.
const FLAT: u64 = 1;

/// The kinds of address of a surface, which have an operand.
const STATEFUL: [u64; 4] = [2, 3, 4, 6];

/// A constant of type UD.
const fn constant(bits: u64) -> VectorOperand {
    VectorOperand::Immediate(ImmediateOperand {
        ty: OperandType::UD,
        bits,
    })
}

/// The word of a code. Texts and encodings with other codes are rejected.
fn listed(words: &'static [(&'static str, u32)], code: u64) -> String {
    let word = Words::Codes(words).text(code);
    word.expect("the code is listed in the table of the field")
}

impl VisaInstruction {
    /// Sets the defaults of the optional parts of an LSC message.
    pub(super) fn set_lsc_defaults(&mut self) {
        if self.set_field(name::KIND, 1) {
            self.set(SyntaxPart::Surface, Argument::Vector(constant(0)));
            // As lsc_read_state_info has them.
            self.set_field(name::WIDTH, 2);
        }
        if self.set_field(name::SIZE, 3) {
            for field in [name::SCALE, name::ELEMENTS, name::CHANNELS, name::BLOCKS] {
                self.set_field(field, 1);
            }
        }
    }

    /// Sets the default distance between elements: the size of the data of one lane, or
    /// of one element of transposed data.
    pub(super) fn set_lsc_pitch(&mut self) {
        if self.vector(PITCH) != Some(VectorOperand::NULL) {
            return;
        }
        let bytes = self.lsc_bytes();
        let transposed = self.field(name::ORDER) == Some(2);
        let word = Words::Codes(ELEMENTS).text(self.expect_field(name::ELEMENTS));
        let elements = word.and_then(|word| parse_integer(word.trim_start_matches('x')).ok());
        let elements = elements.filter(|_| !transposed).unwrap_or(1);
        self.set(PITCH, Argument::Vector(constant(bytes * elements)));
    }

    /// Size of an element in registers, in bytes.
    pub(super) fn lsc_bytes(&self) -> u64 {
        match self.field(name::SIZE) {
            Some(1) => 1,
            Some(2) => 2,
            Some(4) => 8,
            _ => 4,
        }
    }

    pub(super) fn is_quad(&self) -> bool {
        self.op.constraints.lsc.is_some_and(|lsc| lsc.quad)
    }

    /// Parses `V33:d32x4t`, `V33:d32.xyz`, `V33:d16.8x8nn`.
    pub(super) fn parse_data(
        &mut self,
        part: SyntaxPart,
        role: &str,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let raw = parse_raw(role, RawForm::Bare, cursor, &symbols.visa, out);
        let start = cursor.here().start;
        if self.parse_shape(cursor, out).is_none() {
            cursor.advance();
            skip_glued(cursor);
            let span = cursor.since(start);
            let what = format!("invalid data shape `{}`", span.of(cursor.text()));
            let help = match self.field(name::BLOCKS) {
                Some(_) => {
                    "write the element, then the block's width and height, such as :d16.8x8nn"
                }
                None if self.is_quad() => "write the size, then the channels, such as :d32.xyzw",
                None => "write the size, then the number of elements, such as :d32x4",
            };
            out.advise(&rules::LSC_OPERAND, span, what, help);
            return None;
        }
        self.set(part, Argument::Raw(raw?));
        Some(())
    }

    fn parse_shape(&mut self, cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<()> {
        cursor.eat_punct(':')?;
        let (word, span) = cursor.name()?;
        // `u32` is another spelling of `d32`, and `d8u32` of `d8c32`.
        let written = word;
        let word = word.to_ascii_lowercase();
        let rest = word.strip_prefix(['d', 'u'])?.replace('u', "c");
        let mut found = SIZES.iter().filter_map(|(size, code)| {
            let rest = rest.strip_prefix(size.strip_prefix('d')?)?;
            let (elements, transposed) = match rest.strip_suffix('t') {
                Some(elements) => (elements, 2),
                None => (rest, 1),
            };
            let elements = match elements {
                "" => 1,
                _ => Words::Codes(ELEMENTS).code(elements)?,
            };
            Some((u64::from(*code), elements, transposed))
        });
        let (size, elements, order) = found.next()?;
        if written != word || word.get(1..).is_some_and(|rest| rest.contains('u')) {
            let own = word
                .replace('u', "c")
                .replacen('c', "u", usize::from(word.starts_with('u')));
            spelling::document(span, &own, cursor, out);
        }
        self.set_field(name::SIZE, size);
        self.set_field(name::ORDER, order);
        if self.field(name::BLOCKS).is_some() {
            return (elements == 1 && order == 1)
                .then(|| self.parse_block(cursor))
                .flatten();
        }
        let channels = Words::Flags {
            base: 0,
            letters: QUAD,
        };
        let mut code = elements;
        if cursor.eat_punct('.').is_some() {
            let (letters, span) = cursor.name()?;
            code = channels.code(letters)?;
            if letters.bytes().any(|b| b.is_ascii_uppercase()) {
                spelling::document(span, &letters.to_ascii_lowercase(), cursor, out);
            }
            if !self.is_quad() {
                let count = Words::Codes(ELEMENTS).text(code)?;
                let what = format!("`.{letters}` is treated as {count}");
                out.report(&rules::LSC_CHANNELS, span, what);
            }
        } else if self.is_quad() {
            let what = format!("`{word}` has no channels and is treated as .x");
            out.report(&rules::LSC_CHANNELS, span, what);
        }
        self.set_field(name::ELEMENTS, code);
        let is_strided = self.vector(PITCH).is_some();
        self.set_field(name::CHANNELS, if is_strided { 0 } else { code });
        Some(())
    }

    /// Parses `.8x8nn`, `.2x8x8nt`, `.8x8`.
    fn parse_block(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        cursor.eat_punct('.')?;
        let word = cursor.word();
        cursor.advance();
        let sizes = word.trim_end_matches(['n', 't']);
        let letters = word.strip_prefix(sizes).unwrap_or_default();
        let mut numbers = sizes.split('x').map(parse_integer);
        let sizes = [numbers.next(), numbers.next(), numbers.next()];
        let (blocks, width, height) = match sizes {
            [Some(width), Some(height), None] => (1, width.ok()?, height.ok()?),
            [Some(blocks), Some(width), Some(height)] => (blocks.ok()?, width.ok()?, height.ok()?),
            _ => return None,
        };
        if numbers.next().is_some() || blocks > 0xff || width > 0xffff || height > 0xffff {
            return None;
        }
        let is_t = |index| letters.as_bytes().get(index) == Some(&b't');
        self.set_field(name::ORDER, 1 + u64::from(is_t(0)));
        self.set_field(name::VNNI, u64::from(is_t(1)));
        self.set_field(name::BLOCKS, blocks);
        self.set_field(name::BLOCK_WIDTH, width);
        self.set_field(name::BLOCK_HEIGHT, height);
        (letters.len() <= 2).then_some(())
    }

    pub(super) fn print_data(&self, part: SyntaxPart, symbols: &SymbolTable, sink: &mut impl Sink) {
        let raw = self.raw(part).expect("data are a raw operand");
        print_bare(raw, part, symbols, sink);
        let field = |name| self.expect_field(name);
        let mut text = listed(SIZES, field(name::SIZE));
        let transposed = field(name::ORDER) == 2;
        if let Some(blocks) = self.field(name::BLOCKS) {
            text.push('.');
            if blocks != 1 {
                text.push_str(&format!("{blocks}x"));
            }
            let (width, height) = (field(name::BLOCK_WIDTH), field(name::BLOCK_HEIGHT));
            let letter = |set| if set { 't' } else { 'n' };
            let vnni = letter(field(name::VNNI) == 1);
            text.push_str(&format!("{width}x{height}{}{vnni}", letter(transposed)));
        } else {
            let elements = field(name::ELEMENTS);
            let channels = Words::Flags {
                base: 0,
                letters: QUAD,
            };
            if self.is_quad() {
                text.push('.');
                text.push_str(&channels.text(elements).unwrap_or_default());
            } else if elements != 1 {
                text.push_str(&Words::Codes(ELEMENTS).text(elements).unwrap_or_default());
            }
            if transposed {
                text.push('t');
            }
        }
        sink.punct(part, ":");
        sink.token(TokenClass::Suffix, SyntaxPart::Width, &text);
    }

    /// Parses `flat[V32+0x10]:a64`, `bti(4)[u,v]:a32`, `flat[b,w,h,p,x,y]`.
    pub(super) fn parse_location(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let (start, before) = (cursor.here().start, out.len());
        let found = self.read_location(cursor, &symbols.visa, out);
        if found.is_none() && !out.has_errors_since(before) {
            // What follows the brackets belongs to it as well.
            cursor.until(&[':', ')']);
            cursor.advance();
            skip_glued(cursor);
            let span = cursor.since(start);
            let what = format!("invalid address `{}`", span.of(cursor.text()));
            let help = match (self.field(name::BLOCKS), self.raw(SyntaxPart::Address)) {
                (Some(_), _) => "write flat[base,width,height,pitch,x,y], or flat[payload + (0,0)]",
                (None, Some(_)) => "write flat[V32+0x10]:a64 or bti(4)[V32]:a32",
                (None, None) => "write bti(4)[u,v,r,lod]:a32",
            };
            out.advise(&rules::LSC_OPERAND, span, what, help);
        }
        found
    }

    fn read_location(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<()> {
        if self.field(name::BLOCKS).is_some() {
            cursor.keyword("flat")?;
            for (index, part) in BLOCK_LOCATION.into_iter().enumerate() {
                cursor.eat_punct(if index == 0 { '[' } else { ',' })?;
                let vector = parse_vector(cursor, symbols, out)?;
                self.set(part, Argument::Vector(vector));
                let is_variable = matches!(vector, VectorOperand::Direct(_));
                if index == 0 && cursor.is_punct('+') && is_variable {
                    self.set_field(name::PAYLOAD, 1);
                    cursor.advance();
                    cursor.eat_punct('(')?;
                    let x = expression::parse(cursor, symbols)?;
                    cursor.eat_punct(',')?;
                    let y = expression::parse(cursor, symbols)?;
                    cursor.eat_punct(')')?;
                    self.set_field(name::X_OFFSET, x.cast_unsigned() & low_mask(32));
                    self.set_field(name::Y_OFFSET, y.cast_unsigned() & low_mask(32));
                    break;
                }
                let field = match index {
                    4 => name::X_OFFSET,
                    5 => name::Y_OFFSET,
                    _ => continue,
                };
                if is_variable && (cursor.is_punct('+') || cursor.is_punct('-')) {
                    self.read_offset(field, cursor, symbols, out)?;
                }
            }
            return cursor.eat_punct(']').map(|_| ());
        }
        if let Some((word, span)) = cursor.name() {
            let kind = Words::Codes(KINDS).code(word)?;
            if word.bytes().any(|b| b.is_ascii_uppercase()) {
                spelling::document(span, &word.to_ascii_lowercase(), cursor, out);
            }
            self.set_field(name::KIND, kind);
            let has_base = kind == FLAT && cursor.is_punct('(');
            if has_base || STATEFUL.contains(&kind) {
                cursor.eat_punct('(')?;
                let is_number = cursor.peek()?.kind == LexemeKind::Number;
                let surface = match has_base && is_number {
                    true => VectorOperand::Immediate(ImmediateOperand {
                        ty: OperandType::UQ,
                        bits: expression::parse(cursor, symbols)?.cast_unsigned(),
                    }),
                    false => parse_vector(cursor, symbols, out)?,
                };
                self.set(SyntaxPart::Surface, Argument::Vector(surface));
                if !has_base && cursor.eat_punct(',').is_some() {
                    let index = expression::parse(cursor, symbols)?;
                    self.set_field(name::INDEX, u64::try_from(index).ok()?);
                }
                cursor.eat_punct(')')?;
            }
        }
        if !self.op.format.has_size {
            return Some(());
        }
        cursor.eat_punct('[')?;
        match self.raw(SyntaxPart::Address) {
            Some(_) => self.read_address(cursor, symbols, out)?,
            None => {
                for (coordinate, field) in (0..).zip(name::COORDINATE_OFFSETS) {
                    if coordinate > 0 && cursor.eat_punct(',').is_none() {
                        break;
                    }
                    let part = SyntaxPart::Coordinate(coordinate);
                    let raw = parse_raw("a coordinate", RawForm::Bare, cursor, symbols, out)?;
                    self.set(part, Argument::Raw(raw));
                    if cursor.is_punct('+') || cursor.is_punct('-') {
                        self.read_offset(field, cursor, symbols, out)?;
                    }
                }
            }
        }
        cursor.eat_punct(']')?;
        cursor.eat_punct(':')?;
        let (width, _) = cursor.name()?;
        let width = Words::Codes(WIDTHS).code(width)?;
        self.set_field(name::WIDTH, width);
        Some(())
    }

    /// Parses `V32+0x10`, and `, 4` after it in a strided message.
    fn read_address(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let mut ahead = cursor.clone();
        if let Some(scale) = expression::unary(&mut ahead, symbols)
            && ahead.eat_punct('*').is_some()
        {
            let scale = u64::try_from(scale)
                .ok()
                .filter(|s| (1..=0xffff).contains(s));
            self.set_field(name::SCALE, scale?);
            *cursor = ahead;
        }
        let base = parse_raw("the address", RawForm::Bare, cursor, symbols, out)?;
        self.set(SyntaxPart::Address, Argument::Raw(base));
        if cursor.is_punct('+') || cursor.is_punct('-') {
            self.read_offset(name::OFFSET, cursor, symbols, out)?;
        }
        if self.vector(PITCH).is_some() && cursor.eat_punct(',').is_some() {
            let pitch = parse_vector(cursor, symbols, out)?;
            self.set(PITCH, Argument::Vector(pitch));
        }
        Some(())
    }

    /// Parses `+0x10` into a field of 32 bits.
    fn read_offset(
        &mut self,
        field: &str,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let start = cursor.here().start;
        let offset = expression::offset(cursor, symbols)?;
        let cut = offset.cast_unsigned() & low_mask(32);
        if i32::try_from(offset).is_err() && u32::try_from(offset).is_err() {
            let span = cursor.since(start);
            let what = format!("`{}` is truncated to {cut:#x}", span.of(cursor.text()));
            out.report(&rules::CUT_NUMBER, span, what);
        }
        self.set_field(field, cut);
        Some(())
    }

    pub(super) fn print_location(&self, symbols: &SymbolTable, sink: &mut impl Sink) {
        let part = SyntaxPart::Address;
        let field = |name| self.expect_field(name);
        let vector = |part, sink: &mut _| {
            let vector = self.vector(part).expect("the format has it");
            print_vector(vector, part, symbols, sink);
        };
        if self.field(name::BLOCKS).is_some() {
            sink.token(TokenClass::Keyword, part, "flat");
            let (x, y) = (field(name::X_OFFSET), field(name::Y_OFFSET));
            if field(name::PAYLOAD) == 1 {
                sink.punct(part, "[");
                vector(part, sink);
                let signed = |bits| sign_extend(bits, 32);
                let offsets = format!(" + ({},{})", signed(x), signed(y));
                sink.token(TokenClass::Number, part, &offsets);
                return sink.punct(part, "]");
            }
            for (index, part) in BLOCK_LOCATION.into_iter().enumerate() {
                sink.punct(part, if index == 0 { "[" } else { ", " });
                vector(part, sink);
                match index {
                    4 => print_offset(x, false, part, sink),
                    5 => print_offset(y, false, part, sink),
                    _ => {}
                }
            }
            sink.punct(part, "]");
            return;
        }
        sink.token(TokenClass::Keyword, part, &listed(KINDS, field(name::KIND)));
        let is_stateful = STATEFUL.contains(&field(name::KIND));
        let surface = self.vector(SyntaxPart::Surface);
        if is_stateful || self.flat_base().is_some() {
            sink.punct(SyntaxPart::Surface, "(");
            vector(SyntaxPart::Surface, sink);
            if field(name::INDEX) != 0 {
                sink.punct(SyntaxPart::Surface, ",");
                let index = format!("{:#x}", field(name::INDEX));
                sink.token(TokenClass::Number, SyntaxPart::Surface, &index);
            }
            sink.punct(SyntaxPart::Surface, ")");
        }
        if !self.op.format.has_size {
            return;
        }
        sink.punct(part, "[");
        if let Some(base) = self.raw(part) {
            let scale = field(name::SCALE);
            if scale > 1 {
                sink.token(TokenClass::Number, part, &format!("{scale:#x}"));
                sink.punct(part, "*");
            }
            print_bare(base, part, symbols, sink);
            let upper = is_stateful && matches!(surface, Some(VectorOperand::Immediate(_)));
            print_offset(field(name::OFFSET), upper, part, sink);
            if self.vector(PITCH).is_some() {
                sink.punct(PITCH, ", ");
                vector(PITCH, sink);
            }
        } else {
            for (coordinate, offset) in (0..).zip(name::COORDINATE_OFFSETS) {
                let part = SyntaxPart::Coordinate(coordinate);
                if coordinate > 0 {
                    sink.punct(part, ", ");
                }
                let raw = self.raw(part).expect("a typed message has coordinates");
                print_bare(raw, part, symbols, sink);
                print_offset(field(offset), false, part, sink);
            }
        }
        sink.punct(part, "]:");
        let width = listed(WIDTHS, field(name::WIDTH));
        sink.token(TokenClass::Keyword, part, &width);
    }
}

/// Prints `+0x10` or `-0x8`, nothing for 0. After the constant of a surface, digits are
/// in upper case like those of the real assembler.
fn print_offset(bits: u64, upper: bool, part: SyntaxPart, sink: &mut impl Sink) {
    let is_negative = bits >> 31 == 1;
    let magnitude = match is_negative {
        true => bits.wrapping_neg() & low_mask(32),
        false => bits,
    };
    let digits = match upper {
        true => format!("0x{magnitude:X}"),
        false => format!("{magnitude:#x}"),
    };
    if bits != 0 {
        sink.punct(part, if is_negative { "-" } else { "+" });
        sink.token(TokenClass::Number, part, &digits);
    }
}

/// Parses `V33`, `V33.64`, `%null`.
pub(super) fn parse_raw(
    role: &str,
    form: RawForm,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<RawOperand> {
    let attributes = || String::from(ATTRIBUTES);
    let parsed = RawOperand::parse(role, attributes, form, cursor, symbols, out);
    parsed.map(|(raw, _)| raw)
}

/// Prints `V33`, `V33.64`, `%null`.
pub(super) fn print_bare(
    raw: RawOperand,
    part: SyntaxPart,
    symbols: &SymbolTable,
    sink: &mut impl Sink,
) {
    if raw.is_null() {
        sink.token(TokenClass::Variable, part, "%null");
    } else {
        raw.print(part, &symbols.visa, Style::Document, sink);
    }
}

/// Parses `V32`, `V32.3`, `V32(0,3)` or a constant.
fn parse_vector(
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<VectorOperand> {
    let is_size = cursor.word().eq_ignore_ascii_case("%sizeof");
    if is_size || cursor.peek()?.kind != LexemeKind::Name {
        let value = expression::unary(cursor, symbols)?;
        return Some(constant(value.cast_unsigned() & low_mask(32)));
    }
    let (name, span) = cursor.name()?;
    let id = match symbols.symbol(name) {
        Some(Symbol::General(id)) => id,
        Some(_) => {
            let what = format!("expected a general variable, found `{name}`");
            let help = "use a general variable or a number";
            out.advise(&rules::LSC_OPERAND, span, what, help);
            return None;
        }
        None => {
            let attributes = || String::from(ATTRIBUTES);
            let found = out.len();
            out.push(undeclared(name, span, attributes, symbols, cursor, found));
            return None;
        }
    };
    let mut operand = DirectOperand::start_of(VariableId(id), Region::SCALAR);
    if cursor.eat_punct('.').is_some() {
        let column = expression::unary(cursor, symbols)?;
        operand.column = u8::try_from(column).ok()?;
    } else if cursor.eat_punct('(').is_some() {
        operand.row = u8::try_from(expression::parse(cursor, symbols)?).ok()?;
        cursor.eat_punct(',')?;
        operand.column = u8::try_from(expression::parse(cursor, symbols)?).ok()?;
        cursor.eat_punct(')')?;
    }
    Some(VectorOperand::Direct(operand))
}

fn print_vector(
    vector: VectorOperand,
    part: SyntaxPart,
    symbols: &SymbolTable,
    sink: &mut impl Sink,
) {
    match vector {
        VectorOperand::Immediate(immediate) => {
            let text = format!("0x{:X}", immediate.bits);
            sink.token(TokenClass::Number, part, &text);
        }
        VectorOperand::Direct(direct) if direct.region == Region::SCALAR => {
            let is_start = direct.row == 0 && direct.column == 0;
            let regions = match is_start {
                true => Regions::Written,
                false => Regions::LeftOut,
            };
            direct.print(part, regions, &symbols.visa, Style::Document, sink);
        }
        _ => vector.print(part, &symbols.visa, Style::Assembler, sink),
    }
}
