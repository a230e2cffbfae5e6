//! Encoding of the current instruction, and its mapping to the text.

pub(crate) mod edit;
pub(crate) mod paste;
#[cfg(test)]
mod tests;

use crate::features::highlight::EncodingPoint;
use crate::features::program::Document;
use edit::TypedDigits;
use lanewise_answer::decoding::EncodedInstruction;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::program::ProgramInstruction;
use lanewise_core::session::Session;
use lanewise_core::text::SyntaxPart;
use paste::Pasted;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub(crate) struct EncodingState {
    pub(super) typed: Option<TypedDigits>,
    pub(super) pasted: Pasted,
}

impl EncodingState {
    /// Current instruction: as written or typed, else as last run.
    pub(super) fn encoded_instruction(
        &self,
        session: &Session,
        document: &Document,
    ) -> Option<EncodedInstruction> {
        if let Some((_, written)) = written_instruction(session, document) {
            return Some(written);
        }
        let typed = self.typed_digits(session, document);
        if let Some((instruction, range)) = typed.and_then(|typed| typed.instruction.clone()) {
            let program = Rc::clone(&document.program);
            return Some(EncodedInstruction::new(program, instruction, Some(range)));
        }
        let index = session.current_instruction()?;
        let program = session.shared_program();
        let instruction = program.instructions.get(index)?.instruction.clone();
        Some(EncodedInstruction::new(program, instruction, None))
    }

    /// Typed digits, while they are valid for the text.
    pub(super) fn typed_digits(
        &self,
        session: &Session,
        document: &Document,
    ) -> Option<&TypedDigits> {
        let typed = self.typed.as_ref()?;
        let is_here = session.current_instruction() == Some(typed.index);
        (is_here && Rc::ptr_eq(&typed.text, &document.text)).then_some(typed)
    }
}

/// Current instruction as written in the text; `None` if errors make that
/// ambiguous.
fn written_instruction<'d>(
    session: &Session,
    document: &'d Document,
) -> Option<(&'d ProgramInstruction, EncodedInstruction)> {
    let index = session.current_instruction()?;
    let program = &document.program;
    let placed = program.instructions.get(index)?;
    if program.instructions.len() != session.program().instructions.len() {
        return None;
    }
    let span = placed.spans.whole();
    let range = (span.start as usize, span.end as usize);
    let program = Rc::clone(program);
    let written = EncodedInstruction::new(program, placed.instruction.clone(), Some(range));
    Some((placed, written))
}

/// Highlighted range of the text in UTF-16 code units: the operand of the
/// field or part under the pointer or focus.
pub(crate) fn highlighted_text(
    session: &Session,
    document: &Document,
    pointed: Option<EncodingPoint>,
) -> Option<(u32, u32)> {
    let pointed = pointed.filter(|point| !matches!(point, EncodingPoint::Text(_)))?;
    let (placed, written) = written_instruction(session, document)?;
    let part = match pointed {
        EncodingPoint::Field(field) => written.fields.get(field)?.part,
        EncodingPoint::Part(part) => part,
        EncodingPoint::Text(_) => return None,
    };
    let span = placed.spans.find(part)?;
    Some(document.lines.utf16_range(span))
}

/// Highlighted fields: the one under the pointer or focus, or those of the
/// part of the text under the pointer.
pub(super) fn highlighted_fields(
    session: &Session,
    document: &Document,
    pointed: Option<EncodingPoint>,
) -> Vec<usize> {
    if let Some(EncodingPoint::Field(field)) = pointed {
        return vec![field];
    }
    let part = pointed_part(session, document, pointed);
    let pointed = part.zip(written_instruction(session, document));
    pointed.map_or_else(Vec::new, |(part, (_, written))| written.fields_of(part))
}

/// Part of the current instruction under the pointer.
pub(crate) fn pointed_part(
    session: &Session,
    document: &Document,
    pointed: Option<EncodingPoint>,
) -> Option<SyntaxPart> {
    match pointed? {
        EncodingPoint::Part(part) => Some(part),
        EncodingPoint::Field(_) => None,
        EncodingPoint::Text(place) => {
            let index = session.current_instruction()?;
            let placed = document.program.instructions.get(index)?;
            placed.spans.at(to_u32(document.lines.byte(place)))
        }
    }
}
