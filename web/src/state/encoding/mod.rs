//! The bits of the instruction at hand, and how they hang together with its
//! text.

#[cfg(test)]
mod tests;

use super::State;
use super::problems::Places;
use lanewise_core::bits::Field;
use lanewise_core::isa::Family;
use lanewise_core::scenario::{Placed, Program};
use lanewise_core::text::Part;
use std::rc::Rc;

/// What a reader can do with the bits of an instruction.
#[derive(Clone, Debug, PartialEq)]
#[allow(dead_code, reason = "the editor tells where it is pointed at")]
pub(crate) enum EncodingAction {
    /// The pointer or the caret is at this place of the text, in UTF-16 units,
    /// or has left it.
    PointAt(Option<usize>),
    /// The pointer or the focus is on this field, by its index, or has left
    /// it.
    Light(Option<usize>),
}

/// What is looked at in the encoding.
#[derive(Clone, Debug, Default)]
pub(super) struct EncodingView {
    /// The place in the text, in UTF-16 units.
    pointed: Option<usize>,
    /// The field, by its index.
    field: Option<usize>,
}

/// An instruction of a program, to be encoded when it is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    program: Rc<Program>,
    index: usize,
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.program, &other.program) && self.index == other.index
    }
}

impl Encoding {
    fn placed(&self) -> Option<&Placed> {
        self.program.instructions.get(self.index)
    }

    /// The whole of it in hexadecimal: bytes, first to last, or a word.
    pub(crate) fn digits(&self) -> String {
        let Some(placed) = self.placed() else {
            return String::new();
        };
        let encoded = placed.instruction.encode();
        let bytes = encoded.bytes().iter();
        let digits = |byte: &u8| format!("{byte:02x}");
        match self.program.names.target.family() {
            Family::Visa => bytes.map(digits).collect::<Vec<_>>().join(" "),
            Family::Sass => format!("0x{}", bytes.rev().map(digits).collect::<String>()),
        }
    }

    /// Its fields, from the least significant bit up.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let names = &self.program.names;
        self.placed()
            .map_or_else(Vec::new, |p| p.instruction.fields(names))
    }
}

/// Whether a part of the text and a field stand for the same. The opcode of
/// some instructions says their operation too.
fn same_part(text: Part, field: Part, fields: &[Field]) -> bool {
    let has_field = |part| fields.iter().any(|f| f.part == part);
    match text {
        Part::Operation if !has_field(text) => field == Part::Opcode,
        _ => text == field,
    }
}

/// The byte of a place that is given in UTF-16 units.
fn byte_of(text: &str, units: usize) -> Option<u32> {
    let mut left = units;
    for (byte, sign) in text.char_indices() {
        if left == 0 {
            return u32::try_from(byte).ok();
        }
        left = left.saturating_sub(sign.len_utf16());
    }
    u32::try_from(text.len()).ok().filter(|_| left == 0)
}

impl State {
    // The rest of what is done here may be of the second part of the wasm,
    // which a mere move of the caret must not wait for.
    pub(super) fn change_encoding(&mut self, action: EncodingAction) {
        match action {
            EncodingAction::PointAt(place) => self.encoding.pointed = place,
            EncodingAction::Light(field) => self.encoding.field = field,
        }
    }

    /// The encoding of the instruction at hand.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        let index = self.session.current_instruction()?;
        let program = self.session.shared_program();
        program.instructions.get(index)?;
        Some(Encoding { program, index })
    }

    /// The instruction at hand as the text has it; nothing where errors leave
    /// it open which that is.
    fn written_at_hand(&self) -> Option<Encoding> {
        let index = self.session.current_instruction()?;
        let before = self.session.program().instructions.len();
        let program = Rc::clone(&self.written);
        let found = program.instructions.len() == before && index < before;
        found.then_some(Encoding { program, index })
    }

    /// Where the text is to be lit, in UTF-16 units: the part that the field
    /// under the pointer or the focus belongs to.
    #[allow(dead_code, reason = "the editor shows it")]
    pub(crate) fn lit(&self) -> Option<(u32, u32)> {
        self.lit_by(self.encoding.field?)
    }

    #[inline(never)]
    fn lit_by(&self, field: usize) -> Option<(u32, u32)> {
        let encoding = self.written_at_hand()?;
        let fields = encoding.fields();
        let part = fields.get(field)?.part;
        let places = &encoding.placed()?.places;
        let span = places.find(part)?;
        let units = Places::new(&self.text);
        Some((
            units.utf16(span.start as usize),
            units.utf16(span.end as usize),
        ))
    }

    /// Which fields are lit: the one under the pointer or the focus, or those
    /// that the place in the text belongs to.
    #[allow(dead_code, reason = "the pane shows it")]
    pub(crate) fn lit_fields(&self) -> Vec<usize> {
        if let Some(field) = self.encoding.field {
            return vec![field];
        }
        self.pointed_fields().unwrap_or_default()
    }

    #[inline(never)]
    fn pointed_fields(&self) -> Option<Vec<usize>> {
        let place = self.encoding.pointed?;
        let encoding = self.written_at_hand()?;
        let byte = byte_of(&self.text, place)?;
        let part = encoding.placed()?.places.at(byte)?;
        let fields = encoding.fields();
        let is_lit = |(_, field): &(usize, &Field)| same_part(part, field.part, &fields);
        let lit = fields.iter().enumerate().filter(is_lit);
        Some(lit.map(|(index, _)| index).collect())
    }
}
