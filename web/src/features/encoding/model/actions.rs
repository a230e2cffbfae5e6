//! What is done with the bits of the instruction at hand.

use super::edit::Draft;
use super::paste::PasteForm;
use super::view::EncodingInputs;
use super::{Encoding, EncodingAction};
use crate::store::State;
use lanewise_core::isa::Instruction;
use lanewise_core::program::ProgramInstruction;

impl State {
    pub(crate) fn apply_encoding(&mut self, action: EncodingAction) {
        match action {
            EncodingAction::PointAt(place) => self.encoding.pointed = place,
            EncodingAction::Light(field) => self.encoding.field = field,
            EncodingAction::Type(place, typed) => self.retype(place, &typed),
            EncodingAction::Forget => self.encoding.draft = None,
            EncodingAction::Declare => self.declare_drafted(),
            EncodingAction::Paste(typed) => self.paste(&typed),
            EncodingAction::PasteFor(family) => self.paste_for(family),
            EncodingAction::Insert => self.insert_pasted(),
        }
    }

    pub(super) fn encoding_inputs(&self) -> EncodingInputs<'_> {
        EncodingInputs {
            encoding: &self.encoding,
            session: &self.session,
            source: &self.source,
        }
    }

    /// What the form for pasted bytes shows.
    pub(super) fn paste_form(&self) -> PasteForm {
        self.encoding_inputs().paste_form()
    }

    /// The encoding of the current instruction.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        self.encoding_inputs().encoding()
    }

    /// The current instruction as the text has it; nothing where errors leave
    /// it open which that is.
    pub(super) fn written_at_hand(&self) -> Option<(&ProgramInstruction, Encoding)> {
        self.encoding_inputs().written_at_hand()
    }

    /// What was typed, as long as it counts.
    pub(super) fn draft(&self) -> Option<&Draft> {
        self.encoding_inputs().draft()
    }

    /// The instruction that was typed, where the text with it has errors, so
    /// that it is not read from there.
    pub(super) fn drafted(&self) -> Option<(Instruction, (usize, usize))> {
        self.draft()?.instruction
    }

    /// Where the text is to be lit, in UTF-16 units: the part that the field
    /// under the pointer or the focus belongs to.
    pub(crate) fn lit(&self) -> Option<(u32, u32)> {
        self.encoding_inputs().lit()
    }
}
