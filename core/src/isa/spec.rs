//! What an instruction has to say about itself, as data for readers.

use crate::contradictions::Contradiction;
use crate::rules::Mark;
use alloc::vec::Vec;

/// Which spelling a printer uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The documents'.
    Document,
    /// The real assembler's.
    Assembler,
}

/// A statement about an instruction, with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Documented, observed or assumed.
    pub mark: Mark,
    /// The statement.
    pub text: &'static str,
}

/// A row of an instruction's operation table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationRow {
    /// The code in the encoding.
    pub code: u64,
    /// The document's name.
    pub name: &'static str,
    /// The real assembler's name.
    pub assembler: &'static str,
    /// What the new value is.
    pub formula: &'static str,
    /// Operand types, in words.
    pub types: &'static str,
    /// What is returned.
    pub returns: &'static str,
}

/// An example that is shown as documentation and run as a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// A whole scenario with one instruction.
    pub scenario: &'static str,
    /// The instruction in the document's style.
    pub document: &'static str,
    /// The instruction in the assembler's style.
    pub assembler: &'static str,
    /// Its encoding in hexadecimal.
    pub bytes: &'static str,
    /// Values at the end: a place as in `.init`, and its elements.
    pub end: &'static [(&'static str, &'static str)],
}

/// What an instruction's document says, for readers.
#[derive(Debug)]
pub struct Spec {
    /// The document's name.
    pub name: &'static str,
    /// Mnemonics, lower case: the assembler's spelling first.
    pub mnemonics: &'static [&'static str],
    /// The bytes that every encoding starts with.
    pub opcode: &'static [u8],
    /// What it does, in two sentences.
    pub summary: &'static str,
    /// The document that it is taken from.
    pub source: &'static str,
    /// The text forms, one a line, assembler style then document style.
    pub syntax: &'static [&'static str],
    /// The operations; empty where there is only one.
    pub operations: fn() -> Vec<OperationRow>,
    /// The pseudo-code, one line each, in our words.
    pub pseudo_code: &'static [&'static str],
    /// Rules and choices.
    pub facts: &'static [Fact],
    /// Contradictions that concern it.
    pub contradictions: &'static [&'static Contradiction],
    /// Examples.
    pub examples: &'static [Example],
}
