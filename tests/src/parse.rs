//! Parses programs, and lines without checking rules.

use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::isa::{Instruction, OperandSpans, SymbolTable};
use lanewise_core::program::Program;
use lanewise_core::text::{Cursor, LexemeKind, lex};

/// Parses a program that can run.
///
/// # Panics
/// If the program cannot run.
#[must_use]
#[track_caller]
pub fn runnable(text: &str) -> Program {
    let program = Program::parse(text);
    assert!(program.can_run(), "{text}\n{:#?}", program.diagnostics);
    program
}

/// Parses a supported instruction.
///
/// # Errors
/// Diagnostics of a syntax error.
///
/// # Panics
/// If the text has several lines or does not contain a known mnemonic.
pub fn parse(line: &str, symbols: &SymbolTable) -> Result<Instruction, Diagnostics> {
    let (mut lexemes, mut spans) = (Vec::new(), OperandSpans::default());
    lex(line, &mut lexemes);
    assert!(
        !lexemes.iter().any(|l| l.kind == LexemeKind::LineEnd),
        "{line}"
    );
    let family = symbols.target.family();
    let mut words = line.split_whitespace().filter_map(|w| w.split('.').next());
    let spec = words.find_map(|word| Instruction::named(family, word));
    let spec = spec.unwrap_or_else(|| panic!("no mnemonic: {line}"));
    let mut cursor = Cursor::new(line, &lexemes, u32::try_from(line.len()).unwrap());
    let mut out = Diagnostics::new();
    Instruction::parse(spec, &mut cursor, symbols, &mut spans, &mut out).map_err(|_| out)
}
