//! Assembles and disassembles single lines, for tools.

use super::{DIRECTIVES, Reader, check_closed, check_comments};
use crate::bits::Encoded;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::isa::sass::schedule::{ControlWord, GROUP_BYTES, SLOTS};
use crate::isa::{
    Check, Instruction, OperandSpans, ParseError, Style, SymbolTable, Target, find_spec,
};
use crate::rules;
use crate::text::{Cursor, Lexeme, LexemeKind, SyntaxPart, lex};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Assembles and disassembles single instructions with fixed declarations,
/// reusing its buffers from line to line.
#[derive(Debug)]
pub struct Assembler {
    symbols: SymbolTable,
    declared: Vec<(usize, Diagnostic)>,
    lexemes: Vec<Lexeme>,
    spans: OperandSpans,
    out: Diagnostics,
    text: String,
}

/// Result of [`Assembler::assemble`].
#[derive(Debug)]
pub struct Assembled<'a> {
    pub instruction: Instruction,
    pub encoded: Encoded,
    /// Warnings and notes; spans refer to the given text.
    pub diagnostics: &'a [Diagnostic],
}

/// Result of [`Assembler::disassemble`].
#[derive(Debug)]
pub struct Disassembled<'a> {
    pub instruction: Instruction,
    pub text: &'a str,
    /// Length of the encoding in bytes.
    pub length: usize,
    /// Warnings and notes; spans are byte ranges of the input.
    pub diagnostics: &'a [Diagnostic],
}

/// Whether a line is a declaration, or a directive without effect that the real
/// assembler accepts among declarations.
fn is_declaration(text: &str, line: &[Lexeme]) -> bool {
    let mut words = line.iter().map(|l| l.span.of(text));
    let directive = words.next() == Some(".");
    let name = words.next().unwrap_or("");
    let means_more = DIRECTIVES.iter().any(|d| d.name.eq_ignore_ascii_case(name));
    let kept = ["decl", "kernel_attr", "kernel"];
    directive && (!means_more || kept.iter().any(|k| k.eq_ignore_ascii_case(name)))
}

impl Assembler {
    /// Creates an assembler with the variables declared by `decls`, one `.decl`
    /// per line.
    ///
    /// # Errors
    /// The diagnostics if a declaration is invalid; spans refer to its line.
    pub fn new<'d>(
        target: impl Into<Target>,
        decls: impl IntoIterator<Item = &'d str>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut symbols = SymbolTable::new(target.into());
        let mut declared = Vec::new();
        for (index, decl) in decls.into_iter().enumerate() {
            let mut reader = Reader::new(decl);
            reader.symbols = symbols;
            // The target is fixed: a `.target` here comes too late.
            reader.committed = true;
            let mut lexemes = Vec::new();
            lex(decl, &mut lexemes);
            check_closed(&lexemes, &mut reader.out);
            check_comments(&lexemes, decl, reader.facts(), &mut reader.out);
            lexemes.retain(|l| !matches!(l.kind, LexemeKind::Comment { .. }));
            for line in lexemes.split(|l| l.kind == LexemeKind::LineEnd) {
                if is_declaration(decl, line) {
                    reader.read_line(line);
                } else if let (Some(first), Some(last)) = (line.first(), line.last()) {
                    let span = first.span.to(last.span);
                    let what = format!("expected a declaration, found `{}`", span.of(decl));
                    reader.out.report(&rules::DECL_SYNTAX, span, what);
                }
            }
            symbols = reader.symbols;
            for diagnostic in reader.out.into_vec() {
                declared.push((index, diagnostic));
            }
        }
        if declared.iter().any(|(_, d)| d.is_error()) {
            return Err(declared.into_iter().map(|(_, d)| d).collect());
        }
        symbols.visa.grow_pool_by_declarations();
        let assembler = Self::with_names(symbols);
        Ok(Self {
            declared,
            ..assembler
        })
    }

    /// Creates an assembler with the symbols of a program.
    #[must_use]
    pub fn with_names(symbols: SymbolTable) -> Self {
        Self {
            symbols,
            declared: Vec::new(),
            lexemes: Vec::new(),
            spans: OperandSpans::default(),
            out: Diagnostics::new(),
            text: String::new(),
        }
    }

    #[must_use]
    pub const fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    /// Warnings and notes about the declarations, each with the index of the
    /// declaration that its span refers to.
    #[must_use]
    pub fn declaration_diagnostics(&self) -> &[(usize, Diagnostic)] {
        &self.declared
    }

    /// Parses, checks and encodes one instruction.
    ///
    /// # Errors
    /// The diagnostics, if one of them is an error.
    pub fn assemble(&mut self, line: &str) -> Result<Assembled<'_>, &[Diagnostic]> {
        let Ok(instruction) = self.read_line(line) else {
            return Err(self.out.all());
        };
        let span = self.spans.of(SyntaxPart::Opcode);
        if let Some(error) = instruction.encoding_error(self.symbols.target, span) {
            self.out.push(error);
            return Err(self.out.all());
        }
        if instruction.schedule().is_some() {
            let span = self.spans.of(SyntaxPart::Schedule);
            let what = format!("`{}` is not encoded", span.of(line));
            self.out.report(&rules::NO_CONTROL_WORD, span, what);
        }
        Ok(Assembled {
            encoded: instruction.encode(),
            instruction,
            diagnostics: self.out.all(),
        })
    }

    /// Parses and checks one instruction; the diagnostics are kept.
    pub(super) fn read_line(&mut self, line: &str) -> Result<Instruction, ParseError> {
        self.out.clear();
        lex(line, &mut self.lexemes);
        check_closed(&self.lexemes, &mut self.out);
        let facts = self.symbols.target.facts();
        check_comments(&self.lexemes, line, facts, &mut self.out);
        self.lexemes
            .retain(|l| !matches!(l.kind, LexemeKind::Comment { .. }));
        self.keep_one_line(line);
        super::labels::mention(line, &self.lexemes, &mut self.symbols);
        self.read(line)
    }

    /// The diagnostics of the last line.
    pub(super) fn diagnostics(&self) -> &[Diagnostic] {
        self.out.all()
    }

    /// Skips empty lines and reports an error for anything after the first other
    /// line.
    fn keep_one_line(&mut self, text: &str) {
        let is_end = |l: &Lexeme| l.kind == LexemeKind::LineEnd;
        let first = self.lexemes.iter().position(|l| !is_end(l));
        self.lexemes.drain(..first.unwrap_or(self.lexemes.len()));
        let Some(end) = self.lexemes.iter().position(is_end) else {
            return;
        };
        let mut after = self.lexemes.drain(end..).filter(|l| !is_end(l));
        if let Some(next) = after.next() {
            let last = after.next_back().unwrap_or(next);
            let rest = next.span.to(last.span);
            let what = format!("unexpected `{}` on another line", rest.of(text));
            let help = "write one instruction on one line";
            self.out.advise(&rules::TRAILING, rest, what, help);
        }
    }

    fn read(&mut self, line: &str) -> Result<Instruction, ParseError> {
        let mut cursor = Cursor::new(line, &self.lexemes, crate::diagnostic::to_u32(line.len()));
        let family = self.symbols.target.family();
        let (mnemonic, spec) = find_spec(&cursor, family);
        let Some(spec) = spec else {
            let span = mnemonic.unwrap_or_else(|| cursor.rest());
            let what = match span.of(line) {
                "" => String::from("expected an instruction"),
                word => format!("unknown instruction `{word}`"),
            };
            self.out.report(&rules::UNKNOWN_INSTRUCTION, span, what);
            return Err(ParseError);
        };
        self.spans.clear();
        self.spans.set_whole(cursor.rest());
        let instruction = Instruction::parse(
            spec,
            &mut cursor,
            &self.symbols,
            &mut self.spans,
            &mut self.out,
        )?;
        instruction.check(&mut Check::new(&self.symbols, &self.spans, &mut self.out));
        if self.out.has_errors() {
            return Err(ParseError);
        }
        Ok(instruction)
    }

    /// Decodes one instruction. An unambiguous encoding is never rejected: rules
    /// that it breaks are reported as warnings.
    ///
    /// # Errors
    /// The diagnostics if the bytes cannot be decoded.
    pub fn disassemble(
        &mut self,
        bytes: &[u8],
        style: Style,
    ) -> Result<Disassembled<'_>, &[Diagnostic]> {
        self.out.clear();
        let Ok((instruction, length)) = Instruction::decode(bytes, &self.symbols, &mut self.out)
        else {
            return Err(self.out.all());
        };
        self.spans.clear();
        let end = crate::diagnostic::to_u32(length);
        self.spans.set_whole(crate::diagnostic::Span::new(0, end));
        let mut broken = core::mem::take(&mut self.out);
        let before = broken.len();
        instruction.check(&mut Check::new(&self.symbols, &self.spans, &mut broken));
        self.out = broken;
        if self.out.len() > before {
            self.soften(before);
        }
        self.text.clear();
        instruction.print(&self.symbols, style, &mut self.text);
        Ok(Disassembled {
            instruction,
            text: &self.text,
            length,
            diagnostics: self.out.all(),
        })
    }

    /// Turns errors of the assembler into warnings for the decoder.
    fn soften(&mut self, from: usize) {
        let all = core::mem::take(&mut self.out).into_vec();
        for (i, diagnostic) in all.into_iter().enumerate() {
            if i >= from && diagnostic.is_error() {
                let what = format!("{} ({})", diagnostic.what, diagnostic.rule.code);
                let softened = Diagnostic::new(&rules::BREAKS_RULE, diagnostic.span, what);
                self.out.push(softened.help(diagnostic.rule.why));
            } else {
                self.out.push(diagnostic);
            }
        }
    }
}

// SASS groups: a control word and the three instructions that it schedules.

/// Result of [`Assembler::assemble_group`].
#[derive(Debug)]
pub struct AssembledGroup {
    /// The control word followed by the instructions, each little-endian.
    pub bytes: [u8; GROUP_BYTES],
    /// Warnings and notes, each with the index of its line.
    pub diagnostics: Vec<(usize, Diagnostic)>,
}

/// Result of [`Assembler::disassemble_group`].
#[derive(Debug)]
pub struct DisassembledGroup {
    /// The instructions, including their scheduling.
    pub texts: Vec<String>,
    /// Warnings and notes; spans are byte ranges within the group.
    pub diagnostics: Vec<Diagnostic>,
}

impl Assembler {
    /// Assembles the three lines of a group. A line without scheduling has no
    /// barriers, hint or stall.
    ///
    /// # Errors
    /// The diagnostics with the indices of their lines, if one is an error.
    pub fn assemble_group(
        &mut self,
        lines: [&str; SLOTS],
    ) -> Result<AssembledGroup, Vec<(usize, Diagnostic)>> {
        let mut control = ControlWord::default();
        let mut words = Vec::new();
        let mut diagnostics = Vec::new();
        for (i, (line, slot)) in lines.into_iter().zip(&mut control.slots).enumerate() {
            if let Ok(instruction) = self.read_line(line) {
                *slot = instruction.schedule().unwrap_or_default();
                let span = self.spans.of(SyntaxPart::Opcode);
                let error = instruction.encoding_error(self.symbols.target, span);
                diagnostics.extend(error.map(|error| (i, error)));
                words.extend_from_slice(instruction.encode().bytes());
            }
            diagnostics.extend(self.diagnostics().iter().map(|d| (i, d.clone())));
        }
        if diagnostics.iter().any(|(_, d)| d.is_error()) {
            return Err(diagnostics);
        }
        let mut bytes = [0; GROUP_BYTES];
        let all = control.encode().into_iter().chain(words);
        for (to, from) in bytes.iter_mut().zip(all) {
            *to = from;
        }
        Ok(AssembledGroup { bytes, diagnostics })
    }

    /// Decodes a group.
    ///
    /// # Errors
    /// The diagnostics if the control word or an instruction cannot be decoded.
    pub fn disassemble_group(
        &mut self,
        bytes: &[u8; GROUP_BYTES],
        style: Style,
    ) -> Result<DisassembledGroup, Vec<Diagnostic>> {
        let mut out = Diagnostics::new();
        let control = ControlWord::decode(bytes, &mut out);
        let mut diagnostics = out.into_vec();
        let slots = control.unwrap_or_default().slots;
        let mut texts = Vec::new();
        let (words, _) = bytes.as_chunks::<8>();
        for (i, (word, slot)) in (1..).zip(words.iter().skip(1).zip(slots)) {
            let place = |d: &Diagnostic| {
                let mut placed = d.clone();
                placed.span.start += 8 * i;
                placed.span.end += 8 * i;
                placed
            };
            match self.disassemble(word, style) {
                Ok(read) => {
                    diagnostics.extend(read.diagnostics.iter().map(place));
                    let mut instruction = read.instruction;
                    instruction.set_schedule(Some(slot));
                    texts.push(instruction.text(self.symbols(), style));
                }
                Err(refused) => diagnostics.extend(refused.iter().map(place)),
            }
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        Ok(DisassembledGroup { texts, diagnostics })
    }
}
