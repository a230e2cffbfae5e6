//! What a compiler makes an instruction of: constructs of source languages.

use super::{Instruction, Style, SymbolTable};
use crate::rules::Provenance;
use crate::text::OperandKind;
use alloc::string::String;
use alloc::vec::Vec;

/// A construct of a source language that a compiler turns into an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceConstruct {
    /// The form of the instruction that it becomes: its suffixes as the real
    /// assembler writes them, without those that belong to the address:
    /// `add.64`, `ADD.F32.FTZ.RN`, `s8.s8.8.8`. Empty: every form.
    pub form: String,
    /// `PTX` or `OpenCL C`.
    pub language: &'static str,
    /// The construct as it is written there: `atom{.global}.add.u32`.
    pub text: String,
    /// Documented: a document or the compiler's source says so. Observed: the
    /// compiler did so.
    pub mark: Provenance,
    /// The document, or the compiler with its version.
    pub source: &'static str,
}

impl Instruction {
    /// Its suffixes as [`SourceConstruct::form`] has them.
    #[must_use]
    pub fn form(&self, symbols: &SymbolTable) -> String {
        let mut form = String::new();
        let tokens = self.tokens(symbols, Style::Assembler);
        let behind = tokens
            .iter()
            .skip_while(|token| token.part != OperandKind::Opcode)
            .skip(1)
            .take_while(|token| !token.text.starts_with([' ', '\t']));
        for token in behind.filter(|token| token.part != OperandKind::Address) {
            form.push_str(&token.text);
        }
        String::from(form.trim_start_matches('.'))
    }

    /// The constructs that compilers turn into this instruction; empty where
    /// none is known.
    #[must_use]
    pub fn source_constructs(&self, symbols: &SymbolTable) -> Vec<SourceConstruct> {
        let form = self.form(symbols);
        let mut constructs = (self.spec().constructs)();
        constructs.retain(|construct| construct.form.is_empty() || construct.form == form);
        constructs
    }
}
