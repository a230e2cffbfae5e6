//! Checks candidate lines against the symbols of a program, for completion.

use super::Reader;
use crate::diagnostic::{Diagnostic, Diagnostics, to_u32};
use crate::isa::sass::op::{SassInstruction, SassLine, is_of_table};
use crate::isa::{Check, Instruction, OperandSpans, Semantics, SymbolTable, find_mnemonic};
use crate::rules;
use crate::text::{Cursor, Lexeme, LexemeKind, lex};
use alloc::vec::Vec;

/// Parses independent lines, each in the context of the symbols of a program.
pub(crate) struct Probe<'n> {
    symbols: &'n SymbolTable,
    /// A copy of the symbols that directives can change.
    own: Option<SymbolTable>,
    /// Whether the line can be the `.target` line.
    first: bool,
    /// Whether the program is a launch.
    launch: bool,
    lexemes: Vec<Lexeme>,
    out: Diagnostics,
}

impl<'n> Probe<'n> {
    /// Creates a probe with the symbols of a program. `first` says that no preceding line
    /// depends on the target.
    pub(crate) const fn new(symbols: &'n SymbolTable, first: bool, launch: bool) -> Self {
        Self {
            symbols,
            own: None,
            first,
            launch,
            lexemes: Vec::new(),
            out: Diagnostics::new(),
        }
    }

    /// Returns the diagnostics of a line, and whether the whole line could be parsed, so
    /// that all rules were checked. Spans refer to the line.
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
        // A target line starts a new program.
        if !reader.target_seen {
            self.own = Some(reader.symbols);
        }
        self.out = reader.out;
    }

    /// Parses the instruction of a line, if valid.
    pub(crate) fn read(&mut self, line: &str) -> Option<Instruction> {
        self.out.clear();
        lex(line, &mut self.lexemes);
        self.instruction(line)
    }

    /// Whether the last line has errors.
    pub(crate) fn has_errors(&self) -> bool {
        self.out.has_errors()
    }

    fn instruction(&mut self, line: &str) -> Option<Instruction> {
        let family = self.symbols.target.family();
        let mut cursor = Cursor::new(line, &self.lexemes, to_u32(line.len()));
        let sass = SassLine::split(line).mnemonic;
        if let Some(chip) = self.symbols.target.chip()
            && is_of_table(sass, chip, self.launch)
        {
            let spans = OperandSpans::new(cursor.rest());
            return match SassInstruction::parse(line, chip) {
                Ok(instruction) => {
                    let mut check = Check::new(self.symbols, &spans, &mut self.out);
                    instruction.check(&mut check);
                    Some(Instruction::Sass(instruction.into()))
                }
                Err(what) => {
                    self.out.report(&rules::WARP_OPERANDS, spans.whole(), what);
                    None
                }
            };
        }
        let mnemonic = find_mnemonic(&cursor, family)?;
        let spec = Instruction::named(family, mnemonic.of(line))?;
        let mut spans = OperandSpans::new(cursor.rest());
        let parsed = Instruction::parse(spec, &mut cursor, self.symbols, &mut spans, &mut self.out);
        let instruction = parsed.ok()?;
        instruction.check(&mut Check::new(self.symbols, &spans, &mut self.out));
        Some(instruction)
    }
}
