//! Source-language constructs that compile to an instruction.

use super::{Instruction, Style, SymbolTable};
use crate::rules::Provenance;
use crate::text::SyntaxPart;
use alloc::string::String;
use alloc::vec::Vec;

/// A source-language construct that compiles to an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceConstruct {
    /// The resulting form: its suffixes in the real assembler's spelling, without those
    /// of the address: `add.64`, `ADD.F32.FTZ.RN`, `s8.s8.8.8`. Empty for every form.
    pub form: String,
    /// `PTX` or `OpenCL C`.
    pub language: &'static str,
    /// The construct, such as `atom{.global}.add.u32`.
    pub text: String,
    /// Documented by a document or the compiler's source, or observed in its output.
    pub mark: Provenance,
    /// The document, or the compiler and its version.
    pub source: &'static str,
}

impl Instruction {
    /// The suffixes, as in [`SourceConstruct::form`].
    #[must_use]
    pub fn form(&self, symbols: &SymbolTable) -> String {
        let mut form = String::new();
        let tokens = self.tokens(symbols, Style::Assembler);
        let behind = tokens
            .iter()
            .skip_while(|token| token.part != SyntaxPart::Opcode)
            .skip(1)
            .take_while(|token| !token.text.starts_with([' ', '\t']));
        for token in behind.filter(|token| token.part != SyntaxPart::Address) {
            form.push_str(&token.text);
        }
        String::from(form.trim_start_matches('.'))
    }

    /// The known constructs that compile to this instruction.
    #[must_use]
    pub fn source_constructs(&self, symbols: &SymbolTable) -> Vec<SourceConstruct> {
        let form = self.form(symbols);
        let mut constructs = (self.spec().constructs)();
        constructs.retain(|construct| construct.form.is_empty() || construct.form == form);
        constructs
    }
}
