//! The bits of the current instruction, and how they map to its
//! text.

mod decode;
pub(crate) mod edit;
mod hex;
pub(crate) mod inputs;
#[cfg(test)]
mod laws;
pub(crate) mod paste;
#[cfg(test)]
mod tests;

use edit::TypedDigits;
use lanewise_core::bits::Field;
use lanewise_core::isa::sass::schedule::Control;
use lanewise_core::isa::{Family, Instruction};
use lanewise_core::program::Program;
use lanewise_core::text::SyntaxPart;
use paste::Pasted;
use std::rc::Rc;

/// Where digits can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditedBits {
    /// All bytes, or the word.
    Whole,
    /// The slot of the control word.
    Slot,
    /// A field, by its index; those of the slot follow those of the word.
    Field(usize),
}

/// Bits of a slot of a control word.
pub(crate) const SLOT_BITS: u32 = 21;

/// What was typed into the pane.
#[derive(Clone, Debug, Default)]
pub(crate) struct EncodingState {
    pub(super) typed: Option<Rc<TypedDigits>>,
    pub(super) pasted: Pasted,
}

/// An instruction of a program, with its encoding.
#[derive(Clone, Debug)]
pub(crate) struct EncodedInstruction {
    program: Rc<Program>,
    instruction: Instruction,
    /// Where the text has it; nothing where errors leave that open.
    range: Option<(usize, usize)>,
    /// Its bytes, first to last.
    pub(crate) bytes: Vec<u8>,
    /// Its fields, from the least significant bit up, then those of its slot.
    pub(crate) fields: Rc<[Field]>,
    /// How many of the fields are its own.
    own: usize,
    /// Its slot of the control word.
    pub(crate) slot_bits: u64,
}

/// Two are equal that look alike: what is shown is compared.
impl PartialEq for EncodedInstruction {
    fn eq(&self, other: &Self) -> bool {
        self.family() == other.family()
            && self.is_written() == other.is_written()
            && self.says_slot() == other.says_slot()
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
        self.says_slot() == other.schedule().is_some()
            && self.slot_bits == slot_bits_of(other)
            && self.bytes == other.encode().bytes()
    }

    pub(crate) fn family(&self) -> Family {
        self.program.symbols.target.family()
    }

    /// Whether it can be edited: the text has it.
    pub(crate) const fn is_written(&self) -> bool {
        self.range.is_some()
    }

    /// The whole of it in hexadecimal: bytes, first to last, or a word.
    pub(crate) fn digits(&self) -> String {
        bytes_text(&self.bytes, self.family())
    }

    /// Its own fields, and those of its slot of the control word.
    pub(crate) fn own_and_slot_fields(&self) -> (&[Field], &[Field]) {
        self.fields.split_at(self.own)
    }

    /// Whether the text gives its schedule.
    pub(crate) fn says_slot(&self) -> bool {
        self.instruction.schedule().is_some()
    }
}

/// How an instruction is scheduled; nothing for one that is not.
fn slot_of(instruction: &Instruction) -> Option<Control> {
    if !instruction.is_scheduled() {
        return None;
    }
    let mut control = Control::default();
    if let Some(slot) = control.slots.first_mut() {
        *slot = instruction.schedule().unwrap_or_default();
    }
    Some(control)
}

/// Its slot of the control word.
fn slot_bits_of(instruction: &Instruction) -> u64 {
    let bytes = slot_of(instruction).map_or([0; 8], Control::encode);
    u64::from_le_bytes(bytes) & ((1 << SLOT_BITS) - 1)
}

/// An encoding in hexadecimal: bytes, first to last, or a word.
pub(crate) fn bytes_text(bytes: &[u8], family: Family) -> String {
    let digits = |byte: &u8| format!("{byte:02x}");
    match family {
        Family::Sass => {
            let word: String = bytes.iter().rev().map(digits).collect();
            format!("0x{word}")
        }
        Family::Visa => {
            let bytes: Vec<String> = bytes.iter().map(digits).collect();
            bytes.join(" ")
        }
    }
}

/// Whether an operand of the text and a field encode the same. The opcode of
/// some instructions includes their operation.
fn same_part(text: SyntaxPart, field: SyntaxPart, fields: &[Field]) -> bool {
    let has_field = |part| fields.iter().any(|f| f.part == part);
    match text {
        SyntaxPart::Operation if !has_field(text) => field == SyntaxPart::Opcode,
        _ => text == field,
    }
}
