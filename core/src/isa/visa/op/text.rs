//! Parsing and printing of instructions according to their format.

use super::constraints::Requirement;
use super::memory::SHARED_FUNCTION;
use super::{Argument, Behavior, FlowKind, OPS, VisaInstruction, VisaOp, named};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::schema::{Form, Suffix, Words};
use crate::isa::visa::alu::AluOp;
use crate::isa::visa::compute::Computation;
use crate::isa::visa::execution::{ExecSize, Execution, MaskControl, Predicate};
use crate::isa::visa::vector::{Modifier, VectorOperand};
use crate::isa::visa::{raw_operand, spelling};
use crate::isa::{OperandSpans, ParseError, Style, SymbolTable};
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass};
use alloc::format;
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
        let is_defined = cursor.peek_at(1).map(|l| l.kind) == Some(LexemeKind::Punct(':'));
        if !is_defined {
            this.parse_mnemonic(cursor, out)?;
        }
        spans.set(SyntaxPart::Opcode, cursor.since(start));
        let op = this.op;
        this.set_lsc_defaults();
        if !op.format.has_size {
            // The execution byte, if any, encodes a single lane without a mask.
            let predicate = this.execution.predicate;
            this.execution = Execution {
                predicate,
                ..Execution::SINGLE
            };
        }
        let saturate = match op.format.suffixes {
            // Operands that are kept verbatim start with the suffixes.
            _ if op.format.is_verbatim() => None,
            [first, ..] if first.part == SHARED_FUNCTION => this.parse_raw_sends(cursor, out),
            _ => this.parse_suffixes(cursor, spans, out),
        };
        if op.format.has_size {
            this.execution.parse_size(cursor, spans, out);
            for suffix in op.format.suffixes {
                parse_dropped(suffix, cursor, out);
            }
        }
        // Optional operands at the end are given together.
        let mut is_extended = false;
        for operand in op.format.operands {
            raw_operand::skip_commas(cursor, out);
            if cursor.at_end() && operand.optional && !is_extended {
                continue;
            }
            if cursor.at_end() && operand.form != Form::Rest {
                let what = format!("missing operand {}", operand.name);
                let help = format!(
                    "the line reads `{}`",
                    op.spec.syntax.line(&op.spec, Style::Assembler)
                );
                out.advise(&rules::MISSING_OPERAND, cursor.here(), what, help);
                return Err(ParseError);
            }
            is_extended |= operand.optional;
            let start = cursor.here().start;
            let parsed = this.parse_operand(operand, cursor, symbols, out);
            spans.set(operand.part, cursor.since(start));
            if parsed.is_none() && cursor.since(start).start == cursor.since(start).end {
                // Nothing was consumed, so the remaining operands would fail too.
                return Err(ParseError);
            }
        }
        if is_defined {
            cursor.eat_punct(':');
        }
        if let Some(span) = saturate {
            this.set_saturate(span, out);
        }
        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        this.set_lsc_pitch();
        if op.behavior == Behavior::Flow(FlowKind::NamedWait) {
            let barrier = this.vector(SyntaxPart::Src0);
            let barrier = barrier.expect("the format has a barrier");
            this.set(SyntaxPart::Src1, Argument::Vector(barrier));
        }
        this.drop_lost_predicate(spans, out);
        this.drop_lost_mask(spans, out);
        Ok(this)
    }

    /// Parses the mnemonic, including a suffix that selects another mnemonic, such as the
    /// `.tgm` of a typed message.
    fn parse_mnemonic(
        &mut self,
        cursor: &mut Cursor<'_>,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        if cursor.eat_punct('.').is_some() {
            cursor.advance();
            return Ok(());
        }
        let (word, span) = (cursor.word(), cursor.here());
        cursor.advance();
        let mnemonics = self.op.spec.mnemonics;
        let own = mnemonics
            .iter()
            .find(|known| known.eq_ignore_ascii_case(word));
        if let Some(own) = own.filter(|own| **own != word) {
            spelling::document(span, own, cursor, out);
        }
        let suffix = cursor.peek_at(1).filter(|_| cursor.is_punct('.'));
        let suffix = suffix.map(|suffix| suffix.span.of(cursor.text()));
        if let Some(op) = suffix.and_then(|suffix| named(&format!("{word}.{suffix}"))) {
            let execution = self.execution;
            *self = Self::new(op);
            self.execution = execution;
            cursor.advance();
            cursor.advance();
            return Ok(());
        }
        let prefix = format!("{}.", word.to_ascii_lowercase());
        if self.op.spec.mnemonics[0].starts_with(&prefix) {
            let mnemonics = OPS.iter().flat_map(|op| op.spec.mnemonics);
            let forms: Vec<&str> = mnemonics
                .copied()
                .filter(|mnemonic| mnemonic.starts_with(&prefix))
                .collect();
            let what = format!("expected a suffix after `{word}`");
            let help = format!("use one of {}", forms.join(", "));
            out.advise(&rules::SUFFIX, cursor.here(), what, help);
            return Err(ParseError);
        }
        Ok(())
    }

    /// Parses `.ffid.src0.src1.dst`, with an optional `.eot` after the first as printed by
    /// the real assembler; `raw_sendsc` can omit the first.
    fn parse_raw_sends(&mut self, cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<Span> {
        let start = cursor.here().start;
        let mut numbers = Vec::new();
        let mut wrong = false;
        while cursor.eat_punct('.').is_some() {
            let word = cursor.word();
            cursor.advance();
            let mnemonic = self.op.spec.mnemonics[0];
            match named(&format!("{mnemonic}_{word}")) {
                Some(op) if word == "eot" => self.op = op,
                _ => match Words::Decimal.code(word) {
                    Some(number) => numbers.push(number),
                    None => wrong = true,
                },
            }
        }
        let optional = self.op.format.suffixes.first().is_some_and(|s| s.optional);
        if optional && numbers.len() == 3 {
            numbers.insert(0, 0);
        }
        let suffixes = self.op.format.suffixes;
        if wrong || numbers.len() != suffixes.len() {
            let span = cursor.since(start);
            let what = format!("invalid size list `{}`", span.of(cursor.text()));
            let help = "write .ffid.src0.src1.dst, such as .12.1.1.2";
            out.advise(&rules::SUFFIX, span, what, help);
            return None;
        }
        for (suffix, number) in suffixes.iter().zip(numbers) {
            self.set(suffix.part, Argument::Code(number));
        }
        None
    }

    /// Drops the mask of an instruction whose encoding has no field for it, like the real
    /// assembler. A move of a predicate has one lane.
    fn drop_lost_mask(&mut self, spans: &OperandSpans, out: &mut Diagnostics) {
        let is_predicate = |part| matches!(self.vector(part), Some(VectorOperand::Predicate(_)));
        let moved = self.op.behavior == Behavior::Compute(Computation::Alu(AluOp::Mov))
            && is_predicate(SyntaxPart::Src0)
            && !is_predicate(SyntaxPart::Dst);
        let (mask, size) = (self.execution.mask, self.execution.size);
        if moved {
            (self.execution.mask, self.execution.size) = (MaskControl::NO_MASK, ExecSize::ONE);
        } else if self.op.format.has_blocks() || self.op.behavior == Behavior::Flow(FlowKind::Jump)
        {
            self.execution.mask = MaskControl::M1;
        }
        if (mask, size) != (self.execution.mask, self.execution.size) {
            let what = match moved {
                true => "a move of a predicate is encoded as (M1_NM, 1)",
                false => "the mask has no effect",
            };
            out.report(&rules::MASK_LOST, spans.of(SyntaxPart::ExecSize), what);
        }
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
            out.fix(&rules::PREDICATE_FIELD, span, what, "remove it", span, "");
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
            if parse_dropped(suffix, cursor, out) {
                continue;
            }
            let start = cursor.here().start;
            let mut ahead = cursor.clone();
            let code = ahead.eat_punct('.').and_then(|_| {
                let word = ahead.word();
                let code = suffix
                    .words
                    .code(word)
                    .or_else(|| self.first_count(suffix, word))?;
                ahead.advance();
                Some(code)
            });
            let none = suffix.words.code("").filter(|_| !suffix.optional);
            let Some(code) = code.or_else(|| none.filter(|_| !cursor.is_punct('.'))) else {
                let is_letterless = matches!(suffix.words, Words::Flags { .. });
                if !suffix.optional {
                    report_suffix(self.op, suffix, cursor, out);
                } else if is_letterless && ahead.is_punct('(') | ahead.at_end() {
                    // `fence_local.`, as the real assembler prints it.
                    cursor.eat_punct('.');
                }
                continue;
            };
            if none == Some(code) {
                let what = format!("missing .{} suffix", suffix.name);
                out.report(&rules::RELATION, spans.of(SyntaxPart::Opcode), what);
                continue;
            }
            *cursor = ahead;
            let span = cursor.since(start);
            spans.set(suffix.part, span);
            note_suffix(suffix, code, span, cursor, out);
            self.set(suffix.part, Argument::Code(code));
        }
        while cursor.is_punct('.') {
            let start = cursor.here().start;
            cursor.advance();
            let word = cursor.word();
            cursor.advance();
            let span = cursor.since(start);
            if self.op.saturates && word.eq_ignore_ascii_case("sat") && saturate.is_none() {
                if word != "sat" {
                    spelling::document(span, ".sat", cursor, out);
                }
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

    /// The code that the real assembler gives to a number of blocks or bytes
    /// that it does not list: that of the first one.
    fn first_count(&self, suffix: &Suffix, word: &str) -> Option<u64> {
        let counted = matches!(suffix.part, SyntaxPart::Repeat | SyntaxPart::Width);
        let takes = counted && !self.requires(Requirement::ListedCounts);
        Words::Decimal
            .code(word)
            .filter(|_| takes)
            .map(|_| suffix.words.first())
    }

    fn set_saturate(&mut self, span: Span, out: &mut Diagnostics) {
        match self.argument_mut(SyntaxPart::Dst) {
            Some(Argument::Vector(VectorOperand::Direct(direct))) => {
                direct.modifier = Modifier::SATURATE;
            }
            Some(Argument::Vector(VectorOperand::Indirect(indirect))) => {
                indirect.modifier = Modifier::SATURATE;
            }
            Some(Argument::Vector(VectorOperand::Address { .. })) => {
                out.report(&rules::SATURATION, span, "an address does not saturate");
            }
            _ => out.report(&rules::SUFFIX_LOST, span, "`.sat` has no effect"),
        }
    }

    /// Prints the line.
    pub fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        let names = &symbols.visa;
        let format = self.op.format;
        if format.postfix {
            self.print_operand(&format.operands[0], symbols, style, sink);
            return sink.punct(SyntaxPart::Label, ":");
        }
        self.execution.print_predicate(names, style, sink);
        let mnemonic = self.op.spec.mnemonic(style);
        let (mnemonic, eot) = match mnemonic.strip_suffix("_eot") {
            Some(mnemonic) if style == Style::Assembler => (mnemonic, true),
            _ => (mnemonic, false),
        };
        sink.token(TokenClass::Mnemonic, SyntaxPart::Opcode, mnemonic);
        self.print_suffixes(eot, style, sink);
        if self.saturates() {
            sink.token(TokenClass::Suffix, SyntaxPart::Dst, ".sat");
        }
        if format.has_size {
            sink.space();
            let short = format.has_blocks() || style == Style::Document;
            self.execution.print_size(short, sink);
        }
        for (index, operand) in format.operands.iter().enumerate() {
            let argument = self.argument(operand.part);
            if operand.optional && argument == Some(&Argument::Vector(VectorOperand::NULL)) {
                continue;
            }
            let is_suffix = matches!(argument, Some(Argument::Rest(text)) if text.starts_with('.'));
            if !is_suffix {
                sink.space();
            }
            if style == Style::Assembler && format.gaps >> index & 1 == 1 {
                sink.space();
            }
            self.print_operand(operand, symbols, style, sink);
        }
    }

    fn print_suffixes(&self, eot: bool, style: Style, sink: &mut impl Sink) {
        let suffixes = self.op.format.suffixes;
        let code = |suffix: &Suffix| self.code(suffix.part).unwrap_or(0);
        // An optional suffix is left out with those behind it, if none of them
        // says more than its absence.
        // The real assembler prints the dot of a fence without letters: `fence_local.`.
        let is_empty = |suffix: &Suffix| {
            style == Style::Document && suffix.words.text(code(suffix)).as_deref() == Some("")
        };
        let plain = |suffix: &&Suffix| suffix.optional && (code(suffix) == 0 || is_empty(suffix));
        let left_out = suffixes.iter().rev().take_while(plain).count();
        for suffix in &suffixes[..suffixes.len() - left_out] {
            let word = suffix.words.text(code(suffix));
            let is_absent = word.is_none() && plain(&suffix);
            if is_absent || matches!(suffix.words, Words::Dropped(_)) {
                continue;
            }
            sink.punct(suffix.part, ".");
            sink.token(TokenClass::Suffix, suffix.part, &word.unwrap_or_default());
            if eot && suffix.part == SHARED_FUNCTION {
                sink.token(TokenClass::Suffix, suffix.part, ".eot");
            }
        }
    }
}

/// Notes a suffix that the real assembler spells otherwise, or writes as
/// another one.
fn note_suffix(suffix: &Suffix, code: u64, span: Span, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let written = span.of(cursor.text()).trim_start_matches('.').trim();
    let Some(own) = suffix.words.text(code) else {
        return;
    };
    let free = matches!(suffix.words, Words::Hexadecimal | Words::Decimal);
    if free || own == written || suffix.part == SyntaxPart::Channels {
    } else if own.eq_ignore_ascii_case(written) {
        spelling::document(span, &format!(".{own}"), cursor, out);
    } else {
        let what = format!("`.{written}` is written as .{own}");
        out.report(&rules::NUMBER_CHANGED, span, what);
    }
}

/// Takes a suffix that the encoding does not hold.
fn parse_dropped(suffix: &Suffix, cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> bool {
    let Words::Dropped(word) = suffix.words else {
        return false;
    };
    let mut ahead = cursor.clone();
    let start = cursor.here().start;
    if ahead.eat_punct('.').is_some() && ahead.keyword(word).is_some() {
        *cursor = ahead;
        let what = format!("`.{word}` has no effect");
        out.report(&rules::MODIFIED, cursor.since(start), what);
    }
    true
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
        Words::Codes(words) | Words::Flags { letters: words, .. } => {
            let words = words.iter().map(|(word, _)| *word);
            words.filter(|word| !word.is_empty()).collect()
        }
        _ => Vec::new(),
    };
    out.push(match words.is_empty() {
        true => diagnostic,
        false => diagnostic.help(format!("use one of {}", words.join(", "))),
    });
}
