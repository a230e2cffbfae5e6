//! Parsing and printing of individual operands.

use super::lsc_text::{parse_raw, print_bare};
use super::memory::{HEIGHT_PART, WIDTH_PART};
use super::{AnyVariable, Argument, LabelId, MAX_LABELS, PooledText, Slot, VisaInstruction};
use crate::bits::SymbolResolver;
use crate::diagnostic::Diagnostics;
use crate::isa::schema::{Form, Operand};
use crate::isa::visa::declarations::Symbol;
use crate::isa::visa::expression;
use crate::isa::visa::raw_operand::RawForm;
use crate::isa::visa::surface::Surface;
use crate::isa::visa::vector::text::{OperandClasses, OperandExpectation, Regions};
use crate::isa::visa::vector::{Modifier, Region, VectorOperand};
use crate::isa::{Style, SymbolTable};
use crate::number::low_mask;
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Regions and operand classes that a form accepts.
const fn classes(form: Form) -> (Regions, OperandClasses) {
    match form {
        Form::Destination => (Regions::Destination, OperandClasses::Vectors),
        Form::AnyDestination => (Regions::Destination, OperandClasses::All),
        Form::AnySource | Form::AddressSource => (Regions::Written, OperandClasses::All),
        _ => (Regions::Written, OperandClasses::Vectors),
    }
}

impl VisaInstruction {
    /// Parses an operand; `None` if it is invalid.
    pub(super) fn parse_operand(
        &mut self,
        operand: &Operand,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let part = operand.part;
        let argument = match operand.form {
            Form::Data => return self.parse_data(part, operand.role, cursor, symbols, out),
            Form::Location => return self.parse_location(cursor, symbols, out),
            Form::BlockSize => return self.parse_block_size(cursor, symbols, out),
            Form::Number | Form::Hexadecimal => {
                if operand.optional && !is_plain_number(cursor, symbols) {
                    return Some(());
                }
                parse_number(operand, self.width(part), cursor, symbols, out).map(Argument::Code)
            }
            _ => parse_argument(operand, cursor, symbols, out),
        };
        self.set(part, argument?);
        Some(())
    }

    /// Width of the field of a number, in bits.
    fn width(&self, of: SyntaxPart) -> u32 {
        let mut widths = self.op.format.fields.iter().filter_map(|slot| match slot {
            Slot::Code { part, width, .. } if *part == of => Some(*width),
            _ => None,
        });
        widths.next().expect("a number has a field")
    }

    /// Parses `(8,4)`.
    fn parse_block_size(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        out: &mut Diagnostics,
    ) -> Option<()> {
        let start = cursor.here().start;
        let mut ahead = cursor.clone();
        ahead.eat_punct('(');
        let sizes = expression::parse(&mut ahead, &symbols.visa).and_then(|width| {
            ahead.eat_punct(',')?;
            let height = expression::parse(&mut ahead, &symbols.visa)?;
            ahead.eat_punct(')')?;
            u8::try_from(width).ok().zip(u8::try_from(height).ok())
        });
        let Some((width, height)) = sizes else {
            cursor.until(&[')']);
            cursor.advance();
            let span = cursor.since(start);
            let what = format!("invalid block size `{}`", span.of(cursor.text()));
            let help = "write (width,height), such as (16,4)";
            out.advise(&rules::BLOCK_SIZE, span, what, help);
            return None;
        };
        *cursor = ahead;
        self.set(WIDTH_PART, Argument::Code(u64::from(width)));
        self.set(HEIGHT_PART, Argument::Code(u64::from(height)));
        Some(())
    }
}

/// Whether the next token is a number that is not a constant operand.
fn is_plain_number(cursor: &Cursor<'_>, symbols: &SymbolTable) -> bool {
    let mut ahead = cursor.clone();
    expression::unary(&mut ahead, &symbols.visa).is_some() && !ahead.is_punct(':')
}

fn parse_argument(
    operand: &Operand,
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<Argument> {
    let names = &symbols.visa;
    match operand.form {
        Form::Destination
        | Form::AnyDestination
        | Form::Source
        | Form::AnySource
        | Form::AddressSource => {
            let (regions, accepted) = classes(operand.form);
            let (rule, help) = match regions {
                Regions::Destination => (&rules::DESTINATION, "write V32(0,0)<1>"),
                _ => (
                    &rules::SOURCE,
                    "write V32(0,0)<1;1,0>, r[A0(0),0]<1;1,0>:ud or 0x1:ud",
                ),
            };
            let wanted = OperandExpectation {
                role: operand.role,
                regions,
                rule,
                help,
                attributes: None,
                wraps: true,
            };
            let (vector, _) = VectorOperand::parse(wanted, accepted, cursor, names, out)?;
            Some(Argument::Vector(vector))
        }
        Form::Raw | Form::BareRaw => {
            let form = match operand.form {
                Form::Raw => RawForm::Full,
                _ => RawForm::Bare,
            };
            parse_raw(operand.role, form, cursor, names, out).map(Argument::Raw)
        }
        Form::Surface => {
            let (surface, _) = Surface::parse(cursor, names, out)?;
            Some(Argument::Surface(surface))
        }
        Form::Label => parse_label(cursor, symbols, out).map(Argument::Label),
        Form::Labels => parse_labels(cursor, symbols, out).map(Argument::Labels),
        Form::Name | Form::Quoted => parse_text(cursor, symbols, out).map(Argument::Text),
        Form::Variable => parse_variable(cursor, symbols, out).map(Argument::Variable),
        Form::Rest => {
            let rest = cursor.rest();
            while cursor.take().is_some() {}
            Some(Argument::Rest(String::from(rest.of(cursor.text()))))
        }
        Form::Number | Form::Hexadecimal | Form::Data | Form::Location | Form::BlockSize => {
            unreachable!("{:?} is parsed into several fields", operand.form)
        }
        Form::Scalar | Form::Rows | Form::Register | Form::Address | Form::Predicate => {
            unreachable!("{:?} is a form of other instructions", operand.form)
        }
    }
}

fn parse_number(
    operand: &Operand,
    width: u32,
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<u64> {
    let start = cursor.here().start;
    let value = expression::unary(cursor, &symbols.visa);
    if value.is_none() {
        cursor.advance();
    }
    let limit = low_mask(width);
    let value = value
        .and_then(|v| u64::try_from(v).ok())
        .filter(|v| *v <= limit);
    if value.is_none() {
        let span = cursor.since(start);
        let written = span.of(cursor.text());
        let what = format!("invalid number `{written}` for {}", operand.name);
        let help = format!("write a number from 0 to {limit}");
        out.advise(&rules::NUMBER, span, what, help);
    }
    value
}

/// Parses the optionally quoted name of a function or file. Texts are added to the pool
/// before instructions are parsed.
fn parse_text(
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<PooledText> {
    let next = cursor.take()?;
    let word = next.span.of(cursor.text());
    let text = word.trim_matches('"');
    let is_text = matches!(next.kind, LexemeKind::Name | LexemeKind::Quoted { .. });
    let Some(index) = is_text.then(|| symbols.visa.text_index(text)).flatten() else {
        let what = format!("expected a name, found `{word}`");
        let help = "write a name, optionally in quotes";
        out.advise(&rules::LABEL, next.span, what, help);
        return None;
    };
    let label = symbols.visa.label(text).unwrap_or_default();
    Some(PooledText { index, label })
}

fn parse_variable(
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<AnyVariable> {
    let next = cursor.take()?;
    let word = next.span.of(cursor.text());
    let (kind, id) = match symbols.visa.symbol(word) {
        Some(Symbol::General(id)) => (0, id),
        Some(Symbol::Address(id)) => (1, u32::from(id)),
        Some(Symbol::Predicate(id)) => (2, u32::from(id)),
        _ => {
            let what = format!("expected a general, address or predicate variable, found `{word}`");
            let help = "use a declared variable";
            out.advise(&rules::UNDECLARED, next.span, what, help);
            return None;
        }
    };
    Some(AnyVariable { kind, id })
}

/// Parses a label. Label IDs are assigned before instructions are parsed.
fn parse_label(
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<LabelId> {
    let next = cursor.take()?;
    let word = next.span.of(cursor.text());
    let is_name = matches!(next.kind, LexemeKind::Name | LexemeKind::Quoted { .. });
    let label = is_name.then(|| symbols.visa.label(word.trim_matches('"')));
    match label.flatten() {
        Some(label) => Some(label),
        None => {
            let what = format!("expected a label, found `{word}`");
            let help = "write the name of a label, such as LOOP";
            out.advise(&rules::LABEL, next.span, what, help);
            None
        }
    }
}

fn parse_labels(
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<Vec<LabelId>> {
    let start = cursor.here().start;
    let mut labels = Vec::new();
    let mut whole = cursor.eat_punct('(').is_some();
    while whole && !cursor.is_punct(')') {
        labels.push(parse_label(cursor, symbols, out)?);
        whole = cursor.eat_punct(',').is_some() || cursor.is_punct(')');
    }
    let closed = cursor.eat_punct(')').is_some();
    if closed && whole && (1..=MAX_LABELS).contains(&labels.len()) {
        return Some(labels);
    }
    if cursor.before() <= start {
        cursor.advance();
    }
    let span = cursor.since(start);
    let what = format!("invalid label list `{}`", span.of(cursor.text()));
    let help = "write 1 to 32 labels in parentheses, such as (L0, L1)";
    out.advise(&rules::LABEL, span, what, help);
    None
}

fn print_label(label: LabelId, part: SyntaxPart, symbols: &SymbolTable, sink: &mut impl Sink) {
    match symbols.visa.label_name(label) {
        Some(name) => sink.token(TokenClass::Variable, part, name),
        None => sink.token(TokenClass::Variable, part, &format!("%label_{}", label.0)),
    }
}

impl VisaInstruction {
    pub(super) fn print_operand(
        &self,
        operand: &Operand,
        symbols: &SymbolTable,
        style: Style,
        sink: &mut impl Sink,
    ) {
        let (part, names) = (operand.part, &symbols.visa);
        match operand.form {
            Form::Data => return self.print_data(part, symbols, sink),
            Form::Location => return self.print_location(symbols, sink),
            Form::BlockSize => {
                for (sign, part) in [("(", WIDTH_PART), (",", HEIGHT_PART)] {
                    sink.punct(part, sign);
                    sink.number(part, self.code(part).expect("a block has a size"));
                }
                return sink.punct(HEIGHT_PART, ")");
            }
            _ => {}
        }
        let argument = self.argument(part).expect("a format lists its operands");
        match argument {
            Argument::None => unreachable!("an operand has a value"),
            Argument::Vector(vector) => {
                let (regions, _) = classes(operand.form);
                let vector = match (operand.form, vector) {
                    (Form::AddressSource, VectorOperand::Direct(direct))
                        if direct.region == Region::SCALAR && direct.modifier == Modifier::NONE =>
                    {
                        VectorOperand::AddressOf(*direct)
                    }
                    (Form::AddressSource, VectorOperand::State { class, id, .. })
                        if class.is_surface() =>
                    {
                        sink.punct(part, "&");
                        return match u8::try_from(*id) {
                            Ok(id) => Surface(id).print(names, style, sink),
                            Err(_) => sink.token(TokenClass::Surface, part, &format!("T{id}")),
                        };
                    }
                    _ => *vector,
                };
                vector.print_as(part, regions, names, style, sink);
            }
            Argument::Raw(raw) if operand.form == Form::BareRaw => {
                print_bare(*raw, part, symbols, sink);
            }
            Argument::Raw(raw) => raw.print(part, names, style, sink),
            Argument::Surface(surface) => surface.print(names, style, sink),
            Argument::Code(code) if operand.form == Form::Hexadecimal => {
                sink.token(TokenClass::Number, part, &format!("{code:#x}"));
            }
            Argument::Code(code) => sink.number(part, *code),
            Argument::Label(label) => print_label(*label, part, symbols, sink),
            Argument::Text(text) => {
                let quote = if operand.form == Form::Quoted {
                    "\""
                } else {
                    ""
                };
                let name = match names.text_at(text.index) {
                    Some(name) => format!("{quote}{name}{quote}"),
                    None => format!("{quote}%string_{}{quote}", text.index),
                };
                sink.token(TokenClass::Variable, part, &name);
            }
            Argument::Variable(variable) => print_any(*variable, part, symbols, sink),
            Argument::Rest(text) => sink.token(TokenClass::Variable, part, text),
            Argument::Labels(labels) => {
                sink.punct(part, "(");
                for (i, label) in labels.iter().enumerate() {
                    if i > 0 {
                        sink.punct(part, ", ");
                    }
                    print_label(*label, part, symbols, sink);
                }
                sink.punct(part, ")");
            }
        }
    }
}

fn print_any(variable: AnyVariable, part: SyntaxPart, symbols: &SymbolTable, sink: &mut impl Sink) {
    let AnyVariable { kind, id } = variable;
    let place = (TokenClass::Variable, part);
    let names = &symbols.visa;
    match (kind, u16::try_from(id)) {
        (0, _) => {
            let name = SymbolResolver::general(names, id).unwrap_or("V?");
            sink.token(TokenClass::Variable, part, name);
        }
        (1, Ok(id)) => names.print_numbered(Symbol::Address(id), place, sink),
        (2, Ok(id)) => names.print_numbered(Symbol::Predicate(id), place, sink),
        _ => sink.token(TokenClass::Variable, part, "?"),
    }
}
