//! Typed digits, and the resulting text.

use super::written_instruction;
use crate::store::State;
use lanewise_answer::decoding::{Decoded, EditedBits, EncodedInstruction, Refusal};
use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::Instruction;
use std::rc::Rc;

/// Last typed digits, discarded when the text or the current instruction
/// changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedDigits {
    pub(crate) edited: EditedBits,
    pub(crate) digits: String,
    /// Diagnostics of the decoded instruction.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Why the digits are not a valid number.
    pub(crate) error: Option<String>,
    /// Bits the syntax cannot express.
    pub(crate) remark: Option<String>,
    /// Declarations that would make the bytes decodable.
    pub(crate) declare: Vec<String>,
    /// Text in which the digits were typed, or the resulting text.
    pub(super) text: Rc<str>,
    /// Index of the current instruction.
    pub(super) index: usize,
    /// Decoded instruction, and its range in the text.
    pub(super) instruction: Option<(Instruction, (usize, usize))>,
}

impl TypedDigits {
    /// Whether the digits cannot be written as an instruction.
    pub(crate) fn is_wrong(&self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        self.error.is_some() || self.diagnostics.iter().any(is_error)
    }
}

impl State {
    /// Handles typed digits; if they can be decoded, updates the text.
    pub(crate) fn type_digits(&mut self, edited: EditedBits, digits: String) {
        let (session, document) = (&self.session, &self.source.document);
        let current = self.encoding.encoded_instruction(session, document);
        let current = current.filter(EncodedInstruction::is_written);
        let Some((current, index)) = current.zip(session.current_instruction()) else {
            return;
        };
        let mut typed = TypedDigits {
            edited,
            digits,
            diagnostics: Vec::new(),
            error: None,
            remark: None,
            declare: Vec::new(),
            text: self.text(),
            index,
            instruction: self
                .encoding
                .typed_digits(session, document)
                .and_then(|typed| typed.instruction.clone()),
        };
        match current.decode(&typed.text, edited, &typed.digits, false) {
            Ok(decoded) => {
                typed.diagnostics.clone_from(&decoded.diagnostics);
                if !current.encodes_like(&decoded.instruction) {
                    self.write_decoded(&current, &decoded, &mut typed);
                }
            }
            Err(Refusal::Malformed(error)) => typed.error = Some(error),
            Err(Refusal::Undecodable {
                diagnostics,
                declare,
            }) => {
                typed.diagnostics = diagnostics;
                typed.declare = declare;
            }
        }
        self.encoding.typed = Some(typed);
    }

    /// Adds the declarations that the typed bytes require, and writes them.
    pub(crate) fn declare_for_typed_digits(&mut self) {
        let (session, document) = (&self.session, &self.source.document);
        let typed = self.encoding.typed_digits(session, document).cloned();
        let typed = typed.filter(|typed| !typed.declare.is_empty());
        let current = self.encoding.encoded_instruction(session, document);
        let Some((mut typed, current)) = typed.zip(current) else {
            return;
        };
        if let Ok(decoded) = current.decode(&typed.text, typed.edited, &typed.digits, true) {
            typed.diagnostics.clone_from(&decoded.diagnostics);
            self.write_decoded(&current, &decoded, &mut typed);
            self.encoding.typed = Some(typed);
        }
    }

    /// Replaces the instruction in the text with the decoded one, adding
    /// missing declarations.
    fn write_decoded(
        &mut self,
        current: &EncodedInstruction,
        decoded: &Decoded,
        typed: &mut TypedDigits,
    ) {
        let declare = std::mem::take(&mut typed.declare);
        let Some((text, range)) = current.replaced(&typed.text, decoded, &declare) else {
            return;
        };
        self.rewrite(&text, range.1);
        typed.text = self.text();
        typed.instruction = Some((decoded.instruction.clone(), range));
        let written = written_instruction(&self.session, &self.source.document);
        typed.remark = written.and_then(|(_, now)| {
            let encoded = decoded.instruction.encode();
            now.lost_bits(encoded.bytes())
        });
    }
}
