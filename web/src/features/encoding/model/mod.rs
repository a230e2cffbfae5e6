//! Encoding of the current instruction, and its mapping to the text.

pub(crate) mod edit;
pub(crate) mod paste;
#[cfg(test)]
mod tests;

use crate::features::highlight::EncodingPoint;
use crate::store::State;
use edit::TypedDigits;
use lanewise_answer::decoding::bytes_text;
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::isa::sass::schedule::ControlWord;
use lanewise_core::isa::{Family, Instruction};
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::text::SyntaxPart;
use paste::Pasted;
use std::rc::Rc;

/// Editable part of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditedBits {
    /// All bytes, or the word.
    Whole,
    /// Slot of the control word.
    Slot,
    /// Field by index; fields of the slot follow those of the word.
    Field(usize),
}

/// Width in bits of a slot of a control word.
pub(crate) const SLOT_BITS: u32 = 21;

/// State of the Encoding tab.
#[derive(Clone, Debug, Default)]
pub(crate) struct EncodingState {
    pub(super) typed: Option<Rc<TypedDigits>>,
    pub(super) pasted: Pasted,
}

/// Instruction with its encoding.
#[derive(Clone, Debug)]
pub(crate) struct EncodedInstruction {
    program: Rc<Program>,
    instruction: Instruction,
    /// Range in the text; `None` if errors make it ambiguous.
    range: Option<(usize, usize)>,
    /// Bytes in order.
    pub(crate) bytes: Vec<u8>,
    /// Fields from the least significant bit up, then those of the slot.
    pub(crate) fields: Rc<[Field]>,
    /// Number of fields that belong to the instruction itself.
    own: usize,
    /// Slot of the control word.
    pub(crate) slot_bits: u64,
}

/// Compares only what is displayed.
impl PartialEq for EncodedInstruction {
    fn eq(&self, other: &Self) -> bool {
        self.family() == other.family()
            && self.is_written() == other.is_written()
            && self.specifies_slot() == other.specifies_slot()
            && self.own == other.own
            && self.slot_bits == other.slot_bits
            && self.bytes == other.bytes
            && self.fields == other.fields
    }
}

impl Eq for EncodedInstruction {}

impl EncodedInstruction {
    fn new(program: Rc<Program>, instruction: Instruction, range: Option<(usize, usize)>) -> Self {
        let mut fields = instruction.fields(&program.symbols);
        let own = fields.len();
        let of_slot = slot_of(&instruction).map(|control| control.fields(&program.symbols));
        let of_slot = of_slot.into_iter().flatten();
        fields.extend(of_slot.filter(|field| field.first_bit < SLOT_BITS));
        Self {
            bytes: instruction.encode().bytes().to_vec(),
            fields: fields.into(),
            own,
            slot_bits: slot_bits_of(&instruction),
            program,
            instruction,
            range,
        }
    }

    /// Whether another instruction has the same encoding.
    fn encodes_like(&self, other: &Instruction) -> bool {
        self.specifies_slot() == other.schedule().is_some()
            && self.slot_bits == slot_bits_of(other)
            && self.bytes == other.encode().bytes()
    }

    pub(crate) fn family(&self) -> Family {
        self.program.symbols.target.family()
    }

    /// Whether the instruction can be edited in the text.
    pub(crate) const fn is_written(&self) -> bool {
        self.range.is_some()
    }

    /// Complete encoding in hexadecimal: bytes in order, or a word.
    pub(crate) fn digits(&self) -> String {
        bytes_text(&self.bytes, self.family())
    }

    /// Fields of the instruction, and those of its slot.
    pub(crate) fn own_and_slot_fields(&self) -> (&[Field], &[Field]) {
        self.fields.split_at(self.own)
    }

    /// Whether the text specifies the schedule.
    pub(crate) fn specifies_slot(&self) -> bool {
        self.instruction.schedule().is_some()
    }
}

impl State {
    /// Current instruction: as written or typed, else as last run.
    pub(super) fn encoded_instruction(&self) -> Option<EncodedInstruction> {
        if let Some((_, written)) = self.written_instruction() {
            return Some(written);
        }
        let typed = self
            .typed_digits()
            .and_then(|typed| typed.instruction.clone());
        if let Some((instruction, range)) = typed {
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
    fn written_instruction(&self) -> Option<(&ProgramInstruction, EncodedInstruction)> {
        let index = self.session.current_instruction()?;
        let program = &self.source.document.program;
        let placed = program.instructions.get(index)?;
        if program.instructions.len() != self.session.program().instructions.len() {
            return None;
        }
        let span = placed.spans.whole();
        let range = (span.start as usize, span.end as usize);
        let program = Rc::clone(program);
        let written = EncodedInstruction::new(program, placed.instruction.clone(), Some(range));
        Some((placed, written))
    }

    /// Typed digits, while they are valid for the text.
    pub(super) fn typed_digits(&self) -> Option<&Rc<TypedDigits>> {
        let typed = self.encoding.typed.as_ref()?;
        let is_here = self.session.current_instruction() == Some(typed.index);
        (is_here && Rc::ptr_eq(&typed.text, &self.source.document.text)).then_some(typed)
    }

    /// Highlighted range of the text in UTF-16 code units: the operand of the
    /// field or part under the pointer or focus.
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
    /// part of the text under the pointer.
    pub(super) fn highlighted_fields(&self, pointed: Option<EncodingPoint>) -> Vec<usize> {
        if let Some(EncodingPoint::Field(field)) = pointed {
            return vec![field];
        }
        let written = self.written_instruction();
        let (Some(part), Some((_, written))) = (self.pointed_part(pointed), written) else {
            return Vec::new();
        };
        let fields = written.fields.iter().enumerate();
        let own = fields.filter(|(_, field)| same_part(part, field.part, &written.fields));
        own.map(|(index, _)| index).collect()
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
}

/// Schedule of an instruction, if any.
fn slot_of(instruction: &Instruction) -> Option<ControlWord> {
    if !instruction.is_scheduled() {
        return None;
    }
    let mut control = ControlWord::default();
    if let Some(slot) = control.slots.first_mut() {
        *slot = instruction.schedule().unwrap_or_default();
    }
    Some(control)
}

/// Slot bits of an instruction.
fn slot_bits_of(instruction: &Instruction) -> u64 {
    let bytes = slot_of(instruction).map_or([0; 8], ControlWord::encode);
    u64::from_le_bytes(bytes) & ((1 << SLOT_BITS) - 1)
}

/// Whether an operand of the text and a field encode the same thing. Some
/// opcodes include the operation.
fn same_part(text: SyntaxPart, field: SyntaxPart, fields: &[Field]) -> bool {
    let has_field = |part| fields.iter().any(|f| f.part == part);
    match text {
        SyntaxPart::Operation if !has_field(text) => field == SyntaxPart::Opcode,
        _ => text == field,
    }
}
