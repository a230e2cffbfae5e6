//! Model of the Encoding tab.

use super::edit::TypedDigits;
use super::{EncodedInstruction, EncodingState, same_part};
use crate::features::highlight::EncodingPoint;
use crate::features::program::Source;
use crate::store::Slice;
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::program::ProgramInstruction;
use lanewise_core::session::Session;
use lanewise_core::text::SyntaxPart;
use std::rc::Rc;

/// Current instruction and typed digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EncodingModel {
    pub(crate) instruction: Rc<EncodedInstruction>,
    pub(crate) typed: Option<Rc<TypedDigits>>,
}

/// Inputs of the model.
#[derive(Clone, PartialEq)]
pub(crate) struct EncodingInputs {
    pub(crate) encoding: Slice<EncodingState>,
    pub(crate) session: Slice<Session>,
    pub(crate) source: Slice<Source>,
}

impl EncodingInputs {
    /// Model of the tab; `None` without a current instruction.
    pub(crate) fn model(&self) -> Option<EncodingModel> {
        Some(EncodingModel {
            instruction: Rc::new(self.instruction()?),
            typed: self.typed().cloned(),
        })
    }

    /// Current instruction.
    pub(super) fn instruction(&self) -> Option<EncodedInstruction> {
        if let Some((_, written)) = self.written_instruction() {
            return Some(written);
        }
        if let Some((instruction, range)) = self.typed().and_then(|typed| typed.instruction.clone())
        {
            let program = Rc::clone(&self.source.document.program);
            return Some(EncodedInstruction::new(program, instruction, Some(range)));
        }
        let index = self.session.current_instruction()?;
        let program = self.session.shared_program();
        let instruction = program.instructions.get(index)?.instruction.clone();
        Some(EncodedInstruction::new(program, instruction, None))
    }

    /// Current instruction as written in the text; `None` if errors make that
    /// ambiguous.
    pub(super) fn written_instruction(&self) -> Option<(&ProgramInstruction, EncodedInstruction)> {
        let index = self.session.current_instruction()?;
        let program = &self.source.document.program;
        let before = self.session.program().instructions.len();
        let placed = program.instructions.get(index)?;
        if program.instructions.len() != before {
            return None;
        }
        let span = placed.spans.whole();
        let range = (span.start as usize, span.end as usize);
        let program = Rc::clone(program);
        let written = EncodedInstruction::new(program, placed.instruction.clone(), Some(range));
        Some((placed, written))
    }

    /// Typed digits, while they are valid for the text.
    pub(super) fn typed(&self) -> Option<&Rc<TypedDigits>> {
        let typed = self.encoding.typed.as_ref()?;
        let is_here = self.session.current_instruction() == Some(typed.index);
        (is_here && Rc::ptr_eq(&typed.text, &self.source.document.text)).then_some(typed)
    }

    /// Highlighted range of the text in UTF-16 code units: the operand under the
    /// pointer or focus, or that of the field.
    pub(crate) fn highlighted_text(&self, pointed: Option<EncodingPoint>) -> Option<(u32, u32)> {
        let pointed = pointed.filter(|point| !matches!(point, EncodingPoint::Text(_)))?;
        let (placed, written) = self.written_instruction()?;
        let part = match pointed {
            EncodingPoint::Field(field) => written.fields.get(field)?.part,
            EncodingPoint::Part(part) => part,
            EncodingPoint::Text(_) => return None,
        };
        let span = placed.spans.find(part)?;
        let lines = &self.source.document.lines;
        Some((
            lines.utf16(span.start as usize),
            lines.utf16(span.end as usize),
        ))
    }

    /// Highlighted fields: the one under the pointer or focus, or those of the
    /// text position under the pointer.
    pub(crate) fn highlighted_fields(&self, pointed: Option<EncodingPoint>) -> Rc<[usize]> {
        match pointed {
            None => Rc::from([]),
            Some(EncodingPoint::Field(field)) => Rc::from([field]),
            Some(EncodingPoint::Part(part)) => self.fields_of(part).unwrap_or_default(),
            Some(EncodingPoint::Text(_)) => {
                let part = self.pointed_part(pointed);
                part.and_then(|part| self.fields_of(part))
                    .unwrap_or_default()
            }
        }
    }

    /// Part of the current instruction under the pointer.
    pub(crate) fn pointed_part(&self, pointed: Option<EncodingPoint>) -> Option<SyntaxPart> {
        match pointed? {
            EncodingPoint::Part(part) => Some(part),
            EncodingPoint::Field(_) => None,
            EncodingPoint::Text(place) => {
                let index = self.session.current_instruction()?;
                let placed = self.source.document.program.instructions.get(index)?;
                let byte = to_u32(self.source.document.lines.byte(place));
                placed.spans.at(byte)
            }
        }
    }

    fn fields_of(&self, part: SyntaxPart) -> Option<Rc<[usize]>> {
        let (_, written) = self.written_instruction()?;
        let fields = &written.fields;
        let is_highlighted = |(_, field): &(usize, &Field)| same_part(part, field.part, fields);
        let highlighted = fields.iter().enumerate().filter(is_highlighted);
        Some(highlighted.map(|(index, _)| index).collect())
    }
}
