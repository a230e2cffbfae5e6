//! Parses and prints vISA instructions by their [`Syntax`]:
//! `(P1) dword_atomic.add.16 (M1, 8) %slm V32.0 V33.0 %null.0 V34.0`.

use super::declarations::{Declarations, Symbol};
use super::execution::{Execution, Predicate};
use super::raw_operand::{self, RawForm, RawOperand};
use super::surface::Surface;
use super::vector::text::{OperandExpectation, Regions};
use super::vector::{DirectOperand, VectorOperand};
use crate::bits::{DecodeError, Visitor};
use crate::diagnostic::{Diagnostics, Span};
use crate::isa::schema::{Form, Null, Operand, Syntax};
use crate::isa::{Definition, OperandSpans, ParseError, RowInstruction, Spec, Style, SymbolTable};
use crate::rules::{self, Rule};
use crate::text::{Cursor, Sink, SyntaxPart, TokenClass};
use alloc::format;

/// A vISA instruction, parsed and printed by its schema.
pub trait DocumentedInstruction: RowInstruction {
    fn execution_mut(&mut self) -> &mut Execution;

    /// Returns the value of a schema operand.
    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_>;

    /// Parses the suffixes that follow the mnemonic.
    ///
    /// # Errors
    /// If a suffix is invalid; diagnostics are reported.
    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError>;

    /// Prints the suffixes, each after a dot.
    fn print_suffixes(&self, style: Style, sink: &mut impl Sink);

    /// Element type and count that an undeclared operand should be declared with.
    fn declaration(&self, part: SyntaxPart, symbols: &Declarations) -> (&'static str, u32);

    /// Visits the fields after the opcode.
    ///
    /// # Errors
    /// If a decoder finds undefined bits.
    fn layout_fields<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError>;
}

impl<I: DocumentedInstruction> Definition for I {
    fn parse(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        parse(self, cursor, &symbols.visa, spans, out)
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        print(self, &symbols.visa, style, sink);
    }

    fn layout<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError> {
        self.spec().opcodes[0].layout(visitor)?;
        self.layout_fields(visitor)
    }
}

/// A mutable reference to an operand of an instruction.
pub enum OperandValue<'i> {
    /// An operand of [`Form::Surface`].
    Surface(&'i mut Surface),
    /// An operand of [`Form::Raw`].
    Raw(&'i mut RawOperand),
    /// An operand of [`Form::Scalar`].
    Scalar(&'i mut VectorOperand),
    /// An operand of [`Form::Rows`].
    Rows(&'i mut DirectOperand),
}

/// Rule and help for scalar operands and operands with rows.
const fn wanted(form: Form) -> (Regions, &'static Rule, &'static str) {
    match form {
        Form::Rows => (
            Regions::LeftOut,
            &rules::SRC2_OPERAND,
            "write V44(0,0): a variable, a row and a column",
        ),
        _ => (
            Regions::Written,
            &rules::SCALAR_OPERAND,
            "write V38(0,0)<0;1,0>, r[A0(0),0]<0;1,0>:uq or 0x10000:uq",
        ),
    }
}

/// Parses a line, continuing after errors to report them all.
///
/// # Errors
/// If the line is not a valid instruction; diagnostics say why.
fn parse<I: DocumentedInstruction>(
    this: &mut I,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<(), ParseError> {
    let Spec { name, syntax, .. } = this.spec();
    let mut execution = *this.execution_mut();
    let (suffixes, whole) = execution.parse_lead(cursor, symbols, spans, out, |c, s, o| {
        this.parse_suffixes(c, s, o)
    });
    if !syntax.predicate && execution.predicate != Predicate::NONE {
        execution.predicate = Predicate::NONE;
        let span = spans.of(SyntaxPart::Predicate);
        let what = format!("{name} does not take a predicate");
        out.fix(&rules::MATRIX_PREDICATE, span, what, "remove it", span, "");
    }
    *this.execution_mut() = execution;
    let operands = parse_operands(this, syntax, cursor, symbols, spans, out);
    suffixes.and(operands)?;
    if whole { Ok(()) } else { Err(ParseError) }
}

fn parse_operands<I: DocumentedInstruction>(
    this: &mut I,
    syntax: &Syntax,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<(), ParseError> {
    let mut result = Ok(());
    for (i, operand) in syntax.operands.iter().enumerate() {
        raw_operand::skip_commas(cursor, out);
        if cursor.at_end() && operand.form != Form::Surface {
            let is_last = i + 1 == syntax.operands.len();
            let null = raw_operand::null_in_line(spans);
            let null = (is_last && may_be_null(this, operand)).then_some(null);
            let before = i.checked_sub(1).map(|i| &syntax.operands[i]);
            match (before.filter(|before| is_unwanted(this, before)), null) {
                // The operand in its place is this one, so it is missing itself.
                (Some(before), Some(null)) => {
                    let start = spans.of(before.part).start;
                    let null = Some(format!("{null} "));
                    out.push(raw_operand::missing(
                        before.role,
                        null,
                        Span::new(start, start),
                    ));
                }
                _ => report_missing(operand, null, result.is_ok(), cursor, out),
            }
            return Err(ParseError);
        }
        let found = parse_operand(this, operand, cursor, symbols, out);
        match found {
            Some(span) => spans.set(operand.part, span),
            None if cursor.at_end() && operand.form == Form::Surface => return Err(ParseError),
            None => result = Err(ParseError),
        }
    }
    result
}

/// Whether an operand is present that the operation does not use.
fn is_unwanted<I: DocumentedInstruction>(this: &mut I, operand: &Operand) -> bool {
    operand.null == Null::BySuffix
        && may_be_null(this, operand)
        && matches!(this.operand(operand.part), OperandValue::Raw(raw) if !raw.is_null())
}

/// Whether an operand can be null, given the parsed suffixes.
fn may_be_null<I: DocumentedInstruction>(this: &I, operand: &Operand) -> bool {
    let number = match operand.part {
        SyntaxPart::Src0 => 1,
        SyntaxPart::Src1 => 2,
        _ => return operand.null != Null::Never,
    };
    match operand.null {
        Null::BySuffix => this.operands() < number,
        null => null != Null::Never,
    }
}

/// `null` is the spelling of the null variable if the operand can be null.
fn report_missing(
    operand: &Operand,
    null: Option<&str>,
    all_well: bool,
    cursor: &Cursor<'_>,
    out: &mut Diagnostics,
) {
    match operand.form {
        Form::Surface | Form::Raw => {
            let null = null.map(|null| format!(" {null}"));
            out.push(raw_operand::missing(operand.role, null, cursor.here()));
        }
        Form::Scalar | Form::Rows if all_well => {
            let (_, _, help) = wanted(operand.form);
            let what = format!("expected {}", operand.role);
            out.advise(&rules::MISSING_OPERAND, cursor.here(), what, help);
        }
        Form::Scalar | Form::Rows => {}
        form => unreachable!("{form:?} is a form of other instructions"),
    }
}

/// Parses one operand; returns its span.
fn parse_operand<I: DocumentedInstruction>(
    this: &mut I,
    operand: &Operand,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<Span> {
    let (ty, elements) = this.declaration(operand.part, symbols);
    let name = this.spec().name;
    let attributes = || format!("v_type=G type={ty} num_elts={elements} align=GRF");
    let (regions, rule, help) = wanted(operand.form);
    let wanted = |attributes| OperandExpectation {
        role: operand.role,
        regions,
        rule,
        help,
        attributes: Some(attributes),
        wraps: false,
    };
    match this.operand(operand.part) {
        OperandValue::Surface(value) => {
            let (surface, span) = Surface::parse(cursor, symbols, out)?;
            *value = surface;
            Some(span)
        }
        OperandValue::Raw(value) => {
            let (raw, span) = RawOperand::parse(
                operand.role,
                attributes,
                RawForm::Full,
                cursor,
                symbols,
                out,
            )?;
            *value = raw;
            Some(span)
        }
        OperandValue::Scalar(value) => {
            let attributes = attributes();
            let wanted = wanted(&attributes);
            skip_surface(name, wanted, cursor, symbols, out);
            let (scalar, span) = VectorOperand::parse_scalar(wanted, cursor, symbols, out)?;
            *value = scalar;
            Some(span)
        }
        OperandValue::Rows(value) => {
            let attributes = attributes();
            let (rows, span) = DirectOperand::parse(wanted(&attributes), cursor, symbols, out)?;
            *value = rows;
            Some(span)
        }
    }
}

/// Skips and reports a surface before the address of an instruction without one.
fn skip_surface(
    name: &str,
    wanted: OperandExpectation<'_>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) {
    let surface = matches!(symbols.symbol(cursor.word()), Some(Symbol::Surface(_)));
    if surface && cursor.peek_at(1).is_some() {
        let start = cursor.here().start;
        cursor.advance();
        let span = Span::new(start, cursor.here().start);
        let what = format!("{name} does not take a surface");
        out.fix(wanted.rule, span, what, wanted.help, span, "");
    }
}

/// Prints the line.
fn print<I: DocumentedInstruction>(
    this: &I,
    symbols: &Declarations,
    style: Style,
    sink: &mut impl Sink,
) {
    let mut this = *this;
    let execution = *this.execution_mut();
    execution.print_predicate(symbols, style, sink);
    let spec = this.spec();
    let mnemonic = spec.mnemonic(style);
    sink.token(TokenClass::Mnemonic, SyntaxPart::Opcode, mnemonic);
    this.print_suffixes(style, sink);
    sink.space();
    execution.print_size(style == Style::Document, sink);
    for operand in spec.syntax.operands {
        let part = operand.part;
        sink.space();
        match this.operand(part) {
            OperandValue::Surface(surface) => surface.print(symbols, style, sink),
            OperandValue::Raw(raw) => raw.print(part, symbols, style, sink),
            OperandValue::Scalar(scalar) => scalar.print(part, symbols, style, sink),
            OperandValue::Rows(rows) => {
                rows.print(part, Regions::LeftOut, symbols, style, sink);
            }
        }
    }
}
