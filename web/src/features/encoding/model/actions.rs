//! What is done with the bits of the instruction at hand.

use super::{Encoding, EncodingAction, same_part};
use crate::store::State;
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::program::ProgramInstruction;
use std::rc::Rc;

impl State {
    pub(crate) fn change_encoding(&mut self, action: EncodingAction) {
        match action {
            EncodingAction::PointAt(place) => self.encoding.pointed = place,
            EncodingAction::Light(field) => self.encoding.field = field,
            EncodingAction::Type(place, typed) => self.retype(place, &typed),
            EncodingAction::Forget => self.encoding.draft = None,
            EncodingAction::Declare => self.declare_drafted(),
            EncodingAction::Paste(typed) => self.paste(&typed),
            EncodingAction::PasteFor(family) => self.paste_for(family),
            EncodingAction::Insert => self.insert_pasted(),
            EncodingAction::Copied(is) => {
                self.encoding.copied = self.encoding().map(|copied| (copied, is));
            }
        }
    }

    /// The encoding of the current instruction.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        if let Some((_, encoding)) = self.written_at_hand() {
            return Some(encoding);
        }
        if let Some((instruction, range)) = self.drafted() {
            return Some(Encoding {
                program: Rc::clone(&self.source.document.program),
                instruction,
                range: Some(range),
            });
        }
        let index = self.session.current_instruction()?;
        let program = self.session.shared_program();
        let placed = program.instructions.get(index)?;
        Some(Encoding::of(&program, placed, false))
    }

    /// The current instruction as the text has it; nothing where errors leave
    /// it open which that is.
    pub(super) fn written_at_hand(&self) -> Option<(&ProgramInstruction, Encoding)> {
        let index = self.session.current_instruction()?;
        let program = &self.source.document.program;
        let before = self.session.program().instructions.len();
        let placed = program.instructions.get(index)?;
        let is_same = program.instructions.len() == before;
        is_same.then(|| (placed, Encoding::of(program, placed, true)))
    }

    /// Where the text is to be lit, in UTF-16 units: the part that the field
    /// under the pointer or the focus belongs to.
    pub(crate) fn lit(&self) -> Option<(u32, u32)> {
        self.lit_by(self.encoding.field?)
    }

    pub(super) fn lit_by(&self, field: usize) -> Option<(u32, u32)> {
        let (placed, encoding) = self.written_at_hand()?;
        let part = encoding.all_fields().get(field)?.part;
        let span = placed.spans.find(part)?;
        let (start, end) = (span.start as usize, span.end as usize);
        Some((
            self.source.document.lines.utf16(start),
            self.source.document.lines.utf16(end),
        ))
    }

    /// Which fields are lit: the one under the pointer or the focus, or those
    /// that the place in the text belongs to.
    pub(crate) fn lit_fields(&self) -> Vec<usize> {
        match self.encoding.field {
            Some(field) => vec![field],
            None => self.pointed_fields().unwrap_or_default(),
        }
    }

    pub(super) fn pointed_fields(&self) -> Option<Vec<usize>> {
        let place = self.encoding.pointed?;
        let (placed, encoding) = self.written_at_hand()?;
        let byte = to_u32(self.source.document.lines.byte(place));
        let part = placed.spans.at(byte)?;
        let fields = encoding.all_fields();
        let is_lit = |(_, field): &(usize, &Field)| same_part(part, field.part, &fields);
        let lit = fields.iter().enumerate().filter(is_lit);
        Some(lit.map(|(index, _)| index).collect())
    }
}
