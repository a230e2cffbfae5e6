//! The bits of the current instruction, and how they map to its
//! text.

mod actions;
mod decode;
mod edit;
mod hex;
#[cfg(test)]
mod laws;
pub(crate) mod paste;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use edit::Draft;
use lanewise_core::bits::Field;
use lanewise_core::isa::sass::schedule::Control;
use lanewise_core::isa::{Family, Instruction};
use lanewise_core::program::Program;
use lanewise_core::text::OperandKind;
use paste::Pasted;
use std::rc::Rc;

/// What a reader can do with the bits of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EncodingAction {
    /// The pointer or the caret is at this place of the text, in UTF-16 units,
    /// or has left it.
    PointAt(Option<u32>),
    /// The pointer or the focus is on this field, by its index, or has left
    /// it.
    Light(Option<usize>),
    /// These digits were typed.
    Type(EditedPart, String),
    /// Forget what was typed: back to the bits of the text.
    Forget,
    /// Declare what the typed bytes lack, and write them.
    Declare,
    /// These bytes were pasted.
    Paste(String),
    /// The pasted bytes are of this family.
    PasteFor(Family),
    /// Write what was pasted into the program.
    Insert,
}

/// Where digits can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditedPart {
    /// All bytes, or the word.
    Whole,
    /// The slot of the control word.
    Slot,
    /// A field, by its index; those of the slot follow those of the word.
    Field(usize),
}

/// Bits of a slot of a control word.
pub(crate) const SLOT_BITS: u32 = 21;

/// What is looked at in the encoding.
#[derive(Clone, Debug, Default)]
pub(crate) struct EncodingView {
    /// The place in the text, in UTF-16 units.
    pub(crate) pointed: Option<u32>,
    /// The field, by its index.
    field: Option<usize>,
    draft: Option<Draft>,
    pasted: Pasted,
}

/// An instruction of a program, to be encoded when it is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    program: Rc<Program>,
    instruction: Instruction,
    /// Where the text has it; nothing where errors leave that open.
    range: Option<(usize, usize)>,
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.program, &other.program)
            && self.range == other.range
            && self.is_like(&other.instruction)
    }
}

impl Encoding {
    /// Whether it is the same instruction.
    fn is_like(&self, other: &Instruction) -> bool {
        let slot = |instruction: &Instruction| instruction.schedule().is_some();
        let bits = |instruction| Self::slot_bits_of(instruction);
        slot(&self.instruction) == slot(other)
            && bits(&self.instruction) == bits(other)
            && self.instruction.encode().bytes() == other.encode().bytes()
    }

    pub(crate) fn family(&self) -> Family {
        self.program.symbols.target.family()
    }

    /// Whether it can be edited: the text has it.
    pub(crate) const fn is_written(&self) -> bool {
        self.range.is_some()
    }

    /// Its bytes, first to last.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.instruction.encode().bytes().to_vec()
    }

    /// The whole of it in hexadecimal: bytes, first to last, or a word.
    pub(crate) fn digits(&self) -> String {
        digits(&self.bytes(), self.family())
    }

    /// Its fields, from the least significant bit up.
    pub(crate) fn fields(&self) -> Vec<Field> {
        self.instruction.fields(&self.program.symbols)
    }

    /// How it is scheduled; nothing for an instruction that is not.
    fn slot(instruction: &Instruction) -> Option<Control> {
        if !instruction.is_scheduled() {
            return None;
        }
        let mut control = Control::default();
        if let Some(slot) = control.slots.first_mut() {
            *slot = instruction.schedule().unwrap_or_default();
        }
        Some(control)
    }

    /// The fields of its slot of the control word.
    pub(crate) fn slot_fields(&self) -> Vec<Field> {
        let control = Self::slot(&self.instruction);
        let fields = control.map(|control| control.fields(&self.program.symbols));
        let mut fields = fields.unwrap_or_default();
        fields.retain(|field| field.first_bit < SLOT_BITS);
        fields
    }

    /// Its slot of the control word.
    pub(crate) fn slot_bits(&self) -> u64 {
        Self::slot_bits_of(&self.instruction)
    }

    fn slot_bits_of(instruction: &Instruction) -> u64 {
        let bytes = Self::slot(instruction).map_or([0; 8], Control::encode);
        u64::from_le_bytes(bytes) & ((1 << SLOT_BITS) - 1)
    }

    /// Whether the text gives its schedule.
    pub(crate) fn says_slot(&self) -> bool {
        self.instruction.schedule().is_some()
    }

    /// The fields of the instruction, then those of its slot.
    pub(crate) fn all_fields(&self) -> Vec<Field> {
        let mut fields = self.fields();
        fields.extend(self.slot_fields());
        fields
    }
}

/// An encoding in hexadecimal: bytes, first to last, or a word.
pub(crate) fn digits(bytes: &[u8], family: Family) -> String {
    let mut digits = String::new();
    let mut put = |byte: u8| {
        for digit in [byte >> 4, byte & 15] {
            digits.extend(char::from_digit(u32::from(digit), 16));
        }
    };
    match family {
        Family::Sass => {
            bytes.iter().rev().for_each(|byte| put(*byte));
            format!("0x{digits}")
        }
        Family::Visa => {
            bytes.iter().for_each(|byte| put(*byte));
            let pairs = digits.as_bytes().chunks(2);
            let pairs: Vec<_> = pairs.filter_map(|p| str::from_utf8(p).ok()).collect();
            pairs.join(" ")
        }
    }
}

/// Whether an operand of the text and a field encode the same. The opcode of
/// some instructions includes their operation.
fn same_part(text: OperandKind, field: OperandKind, fields: &[Field]) -> bool {
    let has_field = |part| fields.iter().any(|f| f.part == part);
    match text {
        OperandKind::Operation if !has_field(text) => field == OperandKind::Opcode,
        _ => text == field,
    }
}
