//! The diagnostics that a line would get in a program: for completion.

use super::{Reader, find_mnemonic};
use crate::diagnostic::{Diagnostic, Diagnostics, to_u32};
use crate::isa::{Check, Instruction, OperandSpans, SymbolTable};
use crate::text::{Cursor, Lexeme, LexemeKind, lex};
use alloc::vec::Vec;

/// Reads lines one by one, each as if the names of a program were all that
/// comes before it.
pub(crate) struct Probe<'n> {
    symbols: &'n SymbolTable,
    /// A copy that directives may change.
    own: Option<SymbolTable>,
    /// Whether the line may still be the one with the target.
    first: bool,
    lexemes: Vec<Lexeme>,
    out: Diagnostics,
}

impl<'n> Probe<'n> {
    /// A probe with the names of a program; `first`: no line before
    /// depends on the target.
    pub(crate) const fn new(symbols: &'n SymbolTable, first: bool) -> Self {
        Self {
            symbols,
            own: None,
            first,
            lexemes: Vec::new(),
            out: Diagnostics::new(),
        }
    }

    /// What is found in one line, spans in it; also whether all of its words
    /// could be read, so that the rules that need them all were checked.
    pub(crate) fn line(&mut self, line: &str) -> (&[Diagnostic], bool) {
        self.out.clear();
        lex(line, &mut self.lexemes);
        self.lexemes
            .retain(|l| !matches!(l.kind, LexemeKind::Comment { .. } | LexemeKind::LineEnd));
        if self.lexemes.first().map(|l| l.kind) == Some(LexemeKind::Punct('.')) {
            self.directive(line);
            let whole = !self.out.has_errors();
            return (self.out.all(), whole);
        }
        let whole = self.instruction(line).is_some();
        (self.out.all(), whole)
    }

    fn directive(&mut self, line: &str) {
        let mut reader = Reader::new(line);
        reader.symbols = self.own.take().unwrap_or_else(|| self.symbols.clone());
        reader.committed = !self.first;
        reader.read_line(&self.lexemes);
        // A target is a program of its own.
        if !reader.target_seen {
            self.own = Some(reader.symbols);
        }
        self.out = reader.out;
    }

    /// The instruction of one line, if it could be read.
    pub(crate) fn read(&mut self, line: &str) -> Option<Instruction> {
        self.out.clear();
        lex(line, &mut self.lexemes);
        self.instruction(line)
    }

    /// Whether something is wrong with the line that was read last.
    pub(crate) fn has_errors(&self) -> bool {
        self.out.has_errors()
    }

    fn instruction(&mut self, line: &str) -> Option<Instruction> {
        let family = self.symbols.target.family();
        let mut cursor = Cursor::new(line, &self.lexemes, to_u32(line.len()));
        let mnemonic = find_mnemonic(&cursor, family)?;
        let spec = Instruction::named(family, mnemonic.of(line))?;
        let mut spans = OperandSpans::new(cursor.rest());
        let parsed = Instruction::parse(spec, &mut cursor, self.symbols, &mut spans, &mut self.out);
        let instruction = parsed.ok()?;
        instruction.check(&mut Check::new(self.symbols, &spans, &mut self.out));
        Some(instruction)
    }
}
