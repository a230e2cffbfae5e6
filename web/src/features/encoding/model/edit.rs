//! Typed digits, and the resulting text.

use super::{EditedBits, EncodedInstruction};
use crate::features::program::{LineIndex, Problem};
use crate::store::State;
use lanewise_answer::decoding::{
    Decoded, declarations_end, decode, hex, insert_lines, lacks_declarations, put, style_of, widen,
};
use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Severity};
use lanewise_core::isa::sass::schedule::ControlWord;
use lanewise_core::isa::{Family, Instruction, Style, SymbolTable};
use std::rc::Rc;

/// Last typed digits, discarded when the text or the current instruction
/// changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedDigits {
    pub(crate) edited: EditedBits,
    pub(crate) digits: Rc<str>,
    /// Diagnostics of the decoded instruction.
    pub(crate) problems: Rc<[Problem]>,
    /// Why the digits are not a valid number.
    pub(crate) error: Option<Rc<str>>,
    /// Bits the syntax cannot express.
    pub(crate) remark: Option<Rc<str>>,
    /// Declarations that would make the bytes decodable.
    pub(crate) declare: Rc<[String]>,
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
        self.error.is_some() || self.problems.iter().any(|p| p.severity == Severity::Error)
    }
}

/// Why typed digits cannot be decoded.
enum Refusal {
    /// Missing digits, too many digits, or a number out of range; with the
    /// message.
    Malformed(String),
    Undecodable {
        diagnostics: Vec<Diagnostic>,
        bytes: Vec<u8>,
    },
}

/// Describes bits that the text does not preserve: bits ignored in context,
/// such as the combination mode of an absent predicate.
fn lost_bits(typed: &[u8], written: &EncodedInstruction) -> Option<String> {
    let mut pairs = typed.iter().zip(&written.bytes);
    let first = pairs.position(|(typed, written)| typed != written)?;
    let is_hit = |field: &&lanewise_core::bits::Field| {
        (field.first_bit + field.width).div_ceil(8) as usize > first
    };
    let (own, _) = written.own_and_slot_fields();
    let name = own.iter().find(is_hit).map_or("", |field| field.name);
    let written = written.bytes.get(first)?;
    Some(format!(
        "This value of byte {first} ({name}) has no text form here; the text encodes {written:02x}."
    ))
}

/// Diagnostics as a list of problems.
pub(crate) fn problems_of(diagnostics: &[Diagnostic]) -> Rc<[Problem]> {
    let nowhere = LineIndex::new(Rc::from(""));
    let problems = diagnostics.iter().map(|d| Problem::new(d, &nowhere));
    problems.collect()
}

impl State {
    /// Handles typed digits; if they can be decoded, updates the text.
    pub(crate) fn type_digits(&mut self, edited: EditedBits, digits: &str) {
        let current = self
            .encoded_instruction()
            .zip(self.session.current_instruction());
        let Some((current, index)) = current else {
            return;
        };
        let Some(range) = current.range else {
            return;
        };
        let mut typed = TypedDigits {
            edited,
            digits: Rc::from(digits),
            problems: Rc::from([]),
            error: None,
            remark: None,
            declare: Rc::from([]),
            text: self.text(),
            index,
            instruction: self
                .typed_digits()
                .and_then(|typed| typed.instruction.clone()),
        };
        match decode_typed(&current, &current.program.symbols, &typed, range) {
            Ok(decoded) => {
                typed.problems = problems_of(&decoded.diagnostics);
                if !current.encodes_like(&decoded.instruction) {
                    self.write_decoded(&decoded, range, &mut typed);
                }
            }
            Err(Refusal::Malformed(error)) => typed.error = Some(Rc::from(error)),
            Err(Refusal::Undecodable { diagnostics, bytes }) => {
                typed.problems = problems_of(&diagnostics);
                typed.declare = Rc::from(offered(&current, &diagnostics, &bytes));
            }
        }
        self.encoding.typed = Some(Rc::new(typed));
    }

    /// Adds the declarations that the typed bytes require, and writes them.
    pub(crate) fn declare_for_typed_digits(&mut self) {
        let typed = self
            .typed_digits()
            .filter(|typed| !typed.declare.is_empty());
        let widened = widen(&self.source.document.program.symbols);
        let (Some(typed), Some(current), Some(widened)) =
            (typed, self.encoded_instruction(), widened)
        else {
            return;
        };
        let mut typed = TypedDigits::clone(typed);
        let Some(range) = current.range else {
            return;
        };
        if let Ok(decoded) = decode_typed(&current, &widened.names, &typed, range) {
            typed.problems = problems_of(&decoded.diagnostics);
            self.write_decoded(&decoded, range, &mut typed);
            self.encoding.typed = Some(Rc::new(typed));
        }
    }

    /// Replaces the instruction in the text with the decoded one, adding
    /// missing declarations.
    fn write_decoded(&mut self, decoded: &Decoded, range: (usize, usize), typed: &mut TypedDigits) {
        let mut text = typed.text.to_string();
        text.replace_range(range.0..range.1, &decoded.text);
        let at = declarations_end(&text);
        let declare = std::mem::take(&mut typed.declare);
        let declare: String = declare.iter().flat_map(|line| [&**line, "\n"]).collect();
        let added = insert_lines(&mut text, at, &declare);
        let shift = if at <= range.0 { added } else { 0 };
        let (start, end) = (range.0 + shift, range.0 + shift + decoded.text.len());
        self.rewrite(&text, end);
        typed.text = self.text();
        typed.instruction = Some((decoded.instruction.clone(), (start, end)));
        typed.remark = self.written_instruction().and_then(|(_, now)| {
            let encoded = decoded.instruction.encode();
            lost_bits(encoded.bytes(), &now).map(Rc::from)
        });
    }
}

/// Declarations that would make the bytes decodable.
fn offered(current: &EncodedInstruction, diagnostics: &[Diagnostic], bytes: &[u8]) -> Vec<String> {
    let widened = if lacks_declarations(diagnostics) {
        widen(&current.program.symbols)
    } else {
        None
    };
    let needed = widened.and_then(|widened| {
        let decoded = decode(bytes, &widened.names, Style::Document).ok()?;
        Some(widened.needed(&[decoded.instruction]))
    });
    needed.unwrap_or_default()
}

/// Decodes typed digits in the context of the instruction, in its style.
fn decode_typed(
    current: &EncodedInstruction,
    names: &SymbolTable,
    typed: &TypedDigits,
    range: (usize, usize),
) -> Result<Decoded, Refusal> {
    let text = typed.text.get(range.0..range.1).unwrap_or("");
    let style = style_of(text, &current.instruction);
    match typed_bits(current, typed.edited, &typed.digits).map_err(Refusal::Malformed)? {
        TypedBits::Bytes(bytes) => decode_bytes(current, names, bytes, style),
        TypedBits::Slot(bits) => decode_slot(current, names, bits, style),
    }
}

enum TypedBits {
    Bytes(Vec<u8>),
    Slot(u64),
}

fn typed_bits(
    current: &EncodedInstruction,
    edited: EditedBits,
    digits: &str,
) -> Result<TypedBits, String> {
    let family = current.family();
    match edited {
        EditedBits::Whole => {
            let bytes = hex::read(digits, family)?;
            match family {
                Family::Sass if bytes.len() > 8 => Err(format!(
                    "found {} words; enter one here, or use Decode bytes",
                    bytes.len() / 8
                )),
                _ => Ok(TypedBits::Bytes(bytes)),
            }
        }
        EditedBits::Slot => hex::number(digits, super::SLOT_BITS).map(TypedBits::Slot),
        EditedBits::Field(index) => {
            let (own, _) = current.own_and_slot_fields();
            let field = current
                .fields
                .get(index)
                .ok_or("this field does not exist")?;
            let bits = hex::number(digits, field.width)?;
            if index >= own.len() {
                let mut slot = current.slot_bits.to_le_bytes();
                put(&mut slot, field.first_bit, field.width, bits);
                return Ok(TypedBits::Slot(u64::from_le_bytes(slot)));
            }
            let mut bytes = current.bytes.clone();
            put(&mut bytes, field.first_bit, field.width, bits);
            Ok(TypedBits::Bytes(bytes))
        }
    }
}

fn decode_bytes(
    current: &EncodedInstruction,
    names: &SymbolTable,
    bytes: Vec<u8>,
    style: Style,
) -> Result<Decoded, Refusal> {
    let mut decoded = match decode(&bytes, names, style) {
        Ok(decoded) => decoded,
        Err(diagnostics) => return Err(Refusal::Undecodable { diagnostics, bytes }),
    };
    let left = bytes.len() - decoded.length;
    if left > 0 {
        return Err(Refusal::Malformed(format!(
            "the instruction ends after {} bytes; remove the last {left}, or use Decode bytes",
            decoded.length
        )));
    }
    // A word does not encode its schedule; keep the one in the text.
    if let Some(schedule) = current.instruction.schedule() {
        decoded.instruction.set_schedule(Some(schedule));
        decoded.text = decoded.instruction.text(names, style);
    }
    Ok(decoded)
}

fn decode_slot(
    current: &EncodedInstruction,
    names: &SymbolTable,
    bits: u64,
    style: Style,
) -> Result<Decoded, Refusal> {
    let mut out = Diagnostics::new();
    let control = ControlWord::decode(&bits.to_le_bytes(), &mut out);
    let Some(control) = control.filter(|_| current.instruction.is_scheduled()) else {
        return Err(Refusal::Undecodable {
            diagnostics: out.into_vec(),
            bytes: Vec::new(),
        });
    };
    let [slot, ..] = control.slots;
    let mut instruction = current.instruction.clone();
    instruction.set_schedule(Some(slot));
    Ok(Decoded {
        length: 0,
        text: instruction.text(names, style),
        instruction,
        diagnostics: out.into_vec(),
    })
}
