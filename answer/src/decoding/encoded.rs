//! Encoding of an instruction of a program, and edits of its bits.

use super::{
    Decoded, bytes_text, declarations_end, decode, hex, insert_lines, lacks_declarations, widen,
};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Span};
use lanewise_core::isa::sass::schedule::ControlWord;
use lanewise_core::isa::{EncodingUnit, Instruction, Style, SymbolTable};
use lanewise_core::program::Program;
use lanewise_core::text::SyntaxPart;

/// Editable part of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditedBits {
    /// All bytes, or the word.
    Whole,
    /// Slot of the control word.
    Slot,
    /// Field by index; fields of the slot follow those of the word.
    Field(usize),
}

/// Width in bits of a slot of a control word.
pub const SLOT_BITS: u32 = 21;

/// Instruction with its encoding.
#[derive(Clone, Debug)]
pub struct EncodedInstruction {
    program: Rc<Program>,
    instruction: Instruction,
    /// Range in the text; `None` if errors make it ambiguous.
    pub range: Option<(usize, usize)>,
    /// Bytes in order.
    pub bytes: Vec<u8>,
    /// Fields from the least significant bit up, then those of the slot.
    pub fields: Vec<Field>,
    /// Number of fields that belong to the instruction itself.
    own: usize,
    /// Slot of the control word.
    pub slot_bits: u64,
    /// Why there are neither bytes nor fields.
    pub error: Option<Diagnostic>,
}

/// Why typed digits cannot be decoded.
pub enum Refusal {
    /// Missing digits, too many digits, or a number out of range; with the
    /// message.
    Malformed(String),
    Undecodable {
        diagnostics: Vec<Diagnostic>,
        /// Declarations that would make the bytes decodable.
        declare: Vec<String>,
    },
}

enum TypedBits {
    Bytes(Vec<u8>),
    Slot(u64),
}

impl EncodedInstruction {
    pub fn new(
        program: Rc<Program>,
        instruction: Instruction,
        range: Option<(usize, usize)>,
    ) -> Self {
        let error = instruction.encoding_error(program.symbols.target, Span::default());
        let (mut bytes, mut fields, mut own) = (Vec::new(), Vec::new(), 0);
        if error.is_none() {
            bytes.extend_from_slice(instruction.encode().bytes());
            fields = instruction.fields(&program.symbols);
            own = fields.len();
            let of_slot =
                slot_of(&instruction).map(|control| control.fields(&program.symbols.visa));
            let of_slot = of_slot.into_iter().flatten();
            fields.extend(of_slot.filter(|field| field.first_bit < SLOT_BITS));
        }
        Self {
            bytes,
            fields,
            own,
            slot_bits: slot_bits_of(&instruction),
            error,
            program,
            instruction,
            range,
        }
    }

    /// Whether another instruction has the same encoding.
    pub fn encodes_like(&self, other: &Instruction) -> bool {
        self.specifies_slot() == other.schedule().is_some()
            && self.slot_bits == slot_bits_of(other)
            && self.bytes == other.encode().bytes()
    }

    pub fn unit(&self) -> EncodingUnit {
        self.program.symbols.target.facts().encoding_unit
    }

    /// Whether the instruction can be edited in the text.
    pub const fn is_written(&self) -> bool {
        self.range.is_some()
    }

    /// Complete encoding in hexadecimal: bytes in order, or a word.
    pub fn digits(&self) -> String {
        bytes_text(&self.bytes, self.unit())
    }

    /// Fields of the instruction, and those of its slot.
    pub fn own_and_slot_fields(&self) -> (&[Field], &[Field]) {
        self.fields.split_at(self.own)
    }

    /// Whether the text specifies the schedule.
    pub fn specifies_slot(&self) -> bool {
        self.instruction.schedule().is_some()
    }

    /// Indices of the fields that encode a part of the text. Some opcodes include
    /// the operation.
    pub fn fields_of(&self, part: SyntaxPart) -> Vec<usize> {
        let indices_of = |part| {
            let fields = self.fields.iter().enumerate();
            let own = fields.filter(|(_, field)| field.part == part);
            own.map(|(index, _)| index).collect::<Vec<_>>()
        };
        match indices_of(part) {
            none if none.is_empty() && part == SyntaxPart::Operation => {
                indices_of(SyntaxPart::Opcode)
            }
            own => own,
        }
    }

    /// Decodes typed digits in the style of the instruction. With `widened`, undeclared
    /// variables are declared.
    ///
    /// # Errors
    ///
    /// Why the digits cannot be decoded.
    pub fn decode(
        &self,
        text: &str,
        edited: EditedBits,
        digits: &str,
        widened: bool,
    ) -> Result<Decoded, Refusal> {
        let symbols = &self.program.symbols;
        let widened = widened.then(|| widen(symbols)).flatten();
        let names = widened.as_ref().map_or(symbols, |widened| &widened.names);
        let written = self.range.and_then(|(start, end)| text.get(start..end));
        let style = self.instruction.spec().style_of(written.unwrap_or(""));
        match self
            .typed_bits(edited, digits)
            .map_err(Refusal::Malformed)?
        {
            TypedBits::Bytes(bytes) => self.decode_bytes(names, &bytes, style),
            TypedBits::Slot(bits) => self.decode_slot(names, bits, style),
        }
    }

    fn typed_bits(&self, edited: EditedBits, digits: &str) -> Result<TypedBits, String> {
        let unit = self.unit();
        match edited {
            EditedBits::Whole => {
                let bytes = hex::read(digits, unit)?;
                match unit {
                    EncodingUnit::Word if bytes.len() > 8 => Err(format!(
                        "found {} words; enter one here, or use Decode bytes",
                        bytes.len() / 8
                    )),
                    _ => Ok(TypedBits::Bytes(bytes)),
                }
            }
            EditedBits::Slot => hex::number(digits, SLOT_BITS).map(TypedBits::Slot),
            EditedBits::Field(index) => {
                let field = self.fields.get(index).ok_or("this field does not exist")?;
                let bits = hex::number(digits, field.width)?;
                if index >= self.own {
                    let mut slot = self.slot_bits.to_le_bytes();
                    put(&mut slot, field.first_bit, field.width, bits);
                    return Ok(TypedBits::Slot(u64::from_le_bytes(slot)));
                }
                let mut bytes = self.bytes.clone();
                put(&mut bytes, field.first_bit, field.width, bits);
                Ok(TypedBits::Bytes(bytes))
            }
        }
    }

    fn decode_bytes(
        &self,
        names: &SymbolTable,
        bytes: &[u8],
        style: Style,
    ) -> Result<Decoded, Refusal> {
        let mut decoded =
            decode(bytes, names, style).map_err(|diagnostics| Refusal::Undecodable {
                declare: self.missing_declarations(&diagnostics, bytes),
                diagnostics,
            })?;
        let left = bytes.len() - decoded.length;
        if left > 0 {
            return Err(Refusal::Malformed(format!(
                "the instruction ends after {} bytes; remove the last {left}, or use Decode bytes",
                decoded.length
            )));
        }
        // A word does not encode its schedule; keep the one in the text.
        if let Some(schedule) = self.instruction.schedule() {
            decoded.instruction.set_schedule(Some(schedule));
            decoded.text = decoded.instruction.text(names, style);
        }
        Ok(decoded)
    }

    /// Declarations that would make the bytes decodable.
    fn missing_declarations(&self, diagnostics: &[Diagnostic], bytes: &[u8]) -> Vec<String> {
        let widened = lacks_declarations(diagnostics).then(|| widen(&self.program.symbols));
        let needed = widened.flatten().and_then(|widened| {
            let decoded = decode(bytes, &widened.names, Style::Document).ok()?;
            Some(widened.needed(&[decoded.instruction]))
        });
        needed.unwrap_or_default()
    }

    fn decode_slot(
        &self,
        names: &SymbolTable,
        bits: u64,
        style: Style,
    ) -> Result<Decoded, Refusal> {
        let mut out = Diagnostics::new();
        let control = ControlWord::decode(&bits.to_le_bytes(), &mut out);
        let Some(control) = control.filter(|_| self.instruction.is_scheduled()) else {
            return Err(Refusal::Undecodable {
                diagnostics: out.into_vec(),
                declare: Vec::new(),
            });
        };
        let [slot, ..] = control.slots;
        let mut instruction = self.instruction.clone();
        instruction.set_schedule(Some(slot));
        Ok(Decoded {
            length: 0,
            text: instruction.text(names, style),
            instruction,
            diagnostics: out.into_vec(),
        })
    }

    /// Replaces the instruction in the text by a decoded one, and adds declarations.
    /// Returns the text and the range of the instruction; `None` if the text is another
    /// one.
    pub fn replaced(
        &self,
        text: &str,
        decoded: &Decoded,
        declare: &[String],
    ) -> Option<(String, (usize, usize))> {
        let (start, end) = self.range?;
        let mut new = [text.get(..start)?, &decoded.text, text.get(end..)?].concat();
        let at = declarations_end(&new);
        let added = insert_lines(&mut new, at, declare.iter().map(|line| &**line));
        let start = start + if at <= start { added } else { 0 };
        Some((new, (start, start + decoded.text.len())))
    }

    /// Describes typed bytes that the text does not preserve: bits ignored in context,
    /// such as the combination mode of an absent predicate.
    pub fn lost_bits(&self, typed: &[u8]) -> Option<String> {
        let mut pairs = typed.iter().zip(&self.bytes);
        let first = pairs.position(|(typed, written)| typed != written)?;
        let is_hit = |field: &&Field| (field.first_bit + field.width).div_ceil(8) as usize > first;
        let (own, _) = self.own_and_slot_fields();
        let name = own.iter().find(is_hit).map_or("", |field| field.name);
        let written = self.bytes.get(first)?;
        Some(format!(
            "This value of byte {first} ({name}) has no text form here; the text encodes {written:02x}."
        ))
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

/// Writes the `width` low bits of `bits` into `bytes` at a bit offset.
fn put(bytes: &mut [u8], first: u32, width: u32, bits: u64) {
    for offset in 0..width {
        let at = first + offset;
        let Some(byte) = bytes.get_mut(at as usize / 8) else {
            return;
        };
        let mask = 1 << (at % 8);
        match bits >> offset & 1 {
            1 => *byte |= mask,
            _ => *byte &= !mask,
        }
    }
}
