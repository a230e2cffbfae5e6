//! Parsing and printing of instructions according to their format.

use super::{Argument, LabelId, MAX_LABELS, VisaInstruction, VisaOp};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::schema::{Form, Operand, Suffix, Words};
use crate::isa::visa::execution::Predicate;
use crate::isa::visa::raw_operand::{self, RawOperand};
use crate::isa::visa::surface::Surface;
use crate::isa::visa::vector::text::{OperandClasses, OperandExpectation, Regions};
use crate::isa::visa::vector::{Modifier, VectorOperand};
use crate::isa::{OperandSpans, ParseError, Style, SymbolTable};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl VisaInstruction {
    /// Parses a line, continuing after errors to report them all.
    ///
    /// # Errors
    /// If the line is not a valid instruction; diagnostics say why.
    pub fn parse(
        op: &'static VisaOp,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let mut this = Self::new(op);
        let before = out.len();
        this.parse_predicate(cursor, symbols, spans, out);
        let start = cursor.here().start;
        cursor.advance();
        spans.set(SyntaxPart::Opcode, cursor.since(start));
        let saturate = this.parse_suffixes(cursor, spans, out);
        if op.format.has_size {
            this.execution.parse_size(cursor, spans, out);
        }
        for operand in op.format.operands {
            raw_operand::skip_commas(cursor, out);
            if cursor.at_end() {
                let what = format!("missing operand {}", operand.name);
                let diagnostic = Diagnostic::new(&rules::MISSING_OPERAND, cursor.here(), what);
                out.push(diagnostic.help(format!(
                    "the line reads `{}`",
                    op.spec.syntax.line(&op.spec, Style::Assembler)
                )));
                return Err(ParseError);
            }
            let start = cursor.here().start;
            let argument = parse_operand(operand, cursor, symbols, out);
            spans.set(operand.part, cursor.since(start));
            if let Some(argument) = argument {
                *this
                    .argument_mut(operand.part)
                    .expect("a format lists its operands") = argument;
            } else if cursor.since(start).start == cursor.since(start).end {
                // Nothing was consumed, so the remaining operands would fail too.
                return Err(ParseError);
            }
        }
        if let Some(span) = saturate {
            this.set_saturate(span, out);
        }
        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        this.drop_lost_predicate(spans, out);
        Ok(this)
    }

    fn parse_predicate(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) {
        let start = cursor.here().start;
        self.execution.parse_predicate(cursor, &symbols.visa, out);
        let span = cursor.since(start);
        spans.set(SyntaxPart::Predicate, span);
        if !self.op.format.predicate && self.execution.predicate != Predicate::NONE {
            self.execution.predicate = Predicate::NONE;
            let what = format!("unexpected predicate on `{}`", self.op.spec.mnemonics[0]);
            let diagnostic = Diagnostic::new(&rules::PREDICATE_FIELD, span, what);
            out.push(diagnostic.fix("remove it", span, ""));
        }
    }

    /// Drops the predicate of an instruction whose encoding has no field for it, like
    /// the real assembler.
    fn drop_lost_predicate(&mut self, spans: &OperandSpans, out: &mut Diagnostics) {
        let fields = self.op.format.fields;
        let dst_is_predicate = |v: VectorOperand| matches!(v, VectorOperand::Predicate(_));
        let has_field = fields
            .iter()
            .any(|slot| matches!(slot, super::Slot::Predicate))
            && ![SyntaxPart::Dst, SyntaxPart::Src0]
                .into_iter()
                .filter_map(|part| self.vector(part))
                .any(dst_is_predicate);
        if !has_field && self.execution.predicate != Predicate::NONE {
            self.execution.predicate = Predicate::NONE;
            let what = "the predicate has no effect";
            out.report(
                &rules::PREDICATE_LOST,
                spans.of(SyntaxPart::Predicate),
                what,
            );
        }
    }

    /// Parses the suffixes; returns the span of `.sat`, if present.
    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Option<Span> {
        let mut saturate = None;
        for suffix in self.op.format.suffixes {
            let start = cursor.here().start;
            let mut ahead = cursor.clone();
            let code = ahead.eat_punct('.').and_then(|_| {
                let code = suffix_code(suffix, ahead.word())?;
                ahead.advance();
                Some(code)
            });
            let Some(code) = code else {
                if !suffix.optional {
                    report_suffix(self.op, suffix, cursor, out);
                }
                continue;
            };
            *cursor = ahead;
            spans.set(suffix.part, cursor.since(start));
            *self
                .argument_mut(suffix.part)
                .expect("a format lists its suffixes") = Argument::Code(code);
        }
        while cursor.is_punct('.') {
            let start = cursor.here().start;
            cursor.advance();
            let word = cursor.word();
            cursor.advance();
            let span = cursor.since(start);
            if self.op.saturates && word.eq_ignore_ascii_case("sat") && saturate.is_none() {
                saturate = Some(span);
            } else {
                let what = format!("unknown suffix `.{word}`");
                let diagnostic = Diagnostic::new(&rules::SUFFIX, span, what);
                out.push(match self.op.saturates {
                    true => diagnostic.help("the instruction supports .sat"),
                    false => diagnostic.fix("remove it", span, ""),
                });
            }
        }
        saturate
    }

    fn set_saturate(&mut self, span: Span, out: &mut Diagnostics) {
        match self.argument_mut(SyntaxPart::Dst) {
            Some(Argument::Vector(VectorOperand::Direct(direct))) => {
                direct.modifier = Modifier::SATURATE;
            }
            Some(Argument::Vector(VectorOperand::Indirect(indirect))) => {
                indirect.modifier = Modifier::SATURATE;
            }
            _ => out.report(&rules::SUFFIX_LOST, span, "`.sat` has no effect"),
        }
    }

    /// Prints the line.
    pub fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        let names = &symbols.visa;
        self.execution.print_predicate(names, style, sink);
        let mnemonic = self.op.spec.mnemonic(style);
        sink.token(TokenClass::Mnemonic, SyntaxPart::Opcode, mnemonic);
        for suffix in self.op.format.suffixes {
            let code = self.code(suffix.part).expect("a format lists its suffixes");
            if let Some(word) = suffix_word(suffix, code) {
                sink.punct(suffix.part, ".");
                sink.token(TokenClass::Suffix, suffix.part, &word);
            }
        }
        if self.saturates() {
            sink.token(TokenClass::Suffix, SyntaxPart::Dst, ".sat");
        }
        if self.op.format.has_size {
            sink.space();
            self.execution.print_size(style == Style::Document, sink);
        }
        for operand in self.op.format.operands {
            sink.space();
            let argument = self.argument(operand.part);
            let argument = argument.expect("a format lists its operands");
            print_operand(operand, argument, symbols, style, sink);
        }
    }
}

fn suffix_code(suffix: &Suffix, word: &str) -> Option<u64> {
    match suffix.words {
        Words::Codes(words) => {
            let mut found = words.iter().filter(|(w, _)| w.eq_ignore_ascii_case(word));
            found.next().map(|(_, code)| u64::from(*code))
        }
        Words::Hexadecimal => {
            let digits = word.strip_prefix(['x', 'X'])?;
            // The real assembler keeps the low eight bits.
            u64::from_str_radix(digits, 16).ok().map(|code| code & 0xff)
        }
        Words::Operations | Words::Listed(_) | Words::Computed(_) => None,
    }
}

fn suffix_word(suffix: &Suffix, code: u64) -> Option<String> {
    match suffix.words {
        Words::Codes(words) => {
            let mut found = words.iter().filter(|(_, known)| u64::from(*known) == code);
            found.next().map(|(word, _)| String::from(*word))
        }
        Words::Hexadecimal => Some(format!("x{code:x}")),
        Words::Operations | Words::Listed(_) | Words::Computed(_) => None,
    }
}

fn report_suffix(op: &VisaOp, suffix: &Suffix, cursor: &mut Cursor<'_>, out: &mut Diagnostics) {
    let start = cursor.before();
    let mnemonic = op.spec.mnemonics[0];
    let what = if cursor.is_punct('.') {
        cursor.advance();
        let word = cursor.word();
        cursor.advance();
        format!("unknown suffix `.{word}` of `{mnemonic}`")
    } else {
        format!("expected a .{} suffix after `{mnemonic}`", suffix.name)
    };
    let span = cursor.since(start);
    let diagnostic = Diagnostic::new(&rules::SUFFIX, span, what);
    let words: Vec<&str> = match suffix.words {
        Words::Codes(words) => words.iter().map(|(word, _)| *word).collect(),
        _ => Vec::new(),
    };
    out.push(match words.is_empty() {
        true => diagnostic,
        false => diagnostic.help(format!("use one of {}", words.join(", "))),
    });
}

/// Regions and operand classes that a form accepts.
const fn classes(form: Form) -> (Regions, OperandClasses) {
    match form {
        Form::Destination => (Regions::Destination, OperandClasses::Vectors),
        Form::AnyDestination => (Regions::Destination, OperandClasses::All),
        Form::AnySource => (Regions::Written, OperandClasses::All),
        _ => (Regions::Written, OperandClasses::Vectors),
    }
}

fn parse_operand(
    operand: &Operand,
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<Argument> {
    let names = &symbols.visa;
    let attributes = "v_type=G type=ud num_elts=16 align=GRF";
    match operand.form {
        Form::Destination | Form::AnyDestination | Form::Source | Form::AnySource => {
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
                attributes,
            };
            let (vector, _) = VectorOperand::parse(wanted, accepted, cursor, names, out)?;
            Some(Argument::Vector(vector))
        }
        Form::Raw => {
            let attributes = || String::from(attributes);
            let (raw, _) = RawOperand::parse(operand.role, attributes, cursor, names, out)?;
            Some(Argument::Raw(raw))
        }
        Form::Surface => {
            let (surface, _) = Surface::parse(cursor, names, out)?;
            Some(Argument::Surface(surface))
        }
        Form::Number => parse_number(operand, cursor, out).map(Argument::Code),
        Form::Label | Form::Name => parse_label(cursor, symbols, out).map(Argument::Label),
        Form::Labels => parse_labels(cursor, symbols, out).map(Argument::Labels),
        Form::Scalar | Form::Rows | Form::Register | Form::Address | Form::Predicate => {
            unreachable!("{:?} is a form of other instructions", operand.form)
        }
    }
}

fn parse_number(operand: &Operand, cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<u64> {
    let span = cursor.here();
    let value = parse_integer(cursor.word()).ok().filter(|n| *n <= 0xff);
    cursor.advance();
    if value.is_none() {
        let what = format!(
            "invalid number `{}` for {}",
            span.of(cursor.text()),
            operand.name
        );
        let diagnostic = Diagnostic::new(&rules::NUMBER, span, what);
        out.push(diagnostic.help("write a number from 0 to 255"));
    }
    value
}

/// Parses a label or function name, which may be quoted. Label IDs are assigned
/// before instructions are parsed.
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
            let diagnostic = Diagnostic::new(&rules::LABEL, next.span, what);
            out.push(diagnostic.help("write the name of a label, such as LOOP"));
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
    let diagnostic = Diagnostic::new(&rules::LABEL, span, what);
    out.push(diagnostic.help("write 1 to 32 labels in parentheses, such as (L0, L1)"));
    None
}

fn print_label(label: LabelId, part: SyntaxPart, symbols: &SymbolTable, sink: &mut impl Sink) {
    match symbols.visa.label_name(label) {
        Some(name) => sink.token(TokenClass::Variable, part, name),
        None => sink.token(TokenClass::Variable, part, &format!("L{}", label.0)),
    }
}

fn print_operand(
    operand: &Operand,
    argument: &Argument,
    symbols: &SymbolTable,
    style: Style,
    sink: &mut impl Sink,
) {
    let (part, names) = (operand.part, &symbols.visa);
    match argument {
        Argument::None => unreachable!("an operand has a value"),
        Argument::Vector(vector) => {
            let (regions, _) = classes(operand.form);
            vector.print_as(part, regions, names, style, sink);
        }
        Argument::Raw(raw) => raw.print(part, names, style, sink),
        Argument::Surface(surface) => surface.print(names, style, sink),
        Argument::Code(code) => sink.number(part, *code),
        Argument::Label(label) => print_label(*label, part, symbols, sink),
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
