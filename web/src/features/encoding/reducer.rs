//! Reducer of the Encoding tab.

use super::EncodingAction;
use super::model::inputs::EncodingInputs;
use crate::features::highlight::EncodingPoint;
use crate::store::State;
use lanewise_core::text::SyntaxPart;

impl State {
    pub(crate) fn apply_encoding(&mut self, action: EncodingAction) {
        match action {
            EncodingAction::Type(part, digits) => self.type_digits(part, &digits),
            EncodingAction::Forget => self.encoding.typed = None,
            EncodingAction::Declare => self.declare_for_typed_digits(),
            EncodingAction::Paste(digits) => self.paste_encodings(&digits),
            EncodingAction::PasteFor(family) => self.paste_encodings_for(family),
            EncodingAction::Insert => self.insert_pasted_instructions(),
        }
    }

    pub(crate) fn encoding_inputs(&self) -> EncodingInputs {
        EncodingInputs {
            encoding: self.encoding.clone(),
            session: self.session.clone(),
            source: self.source.clone(),
        }
    }

    /// Highlighted range of the text in UTF-16 code units: the operand of the
    /// field under the pointer or focus.
    pub(crate) fn highlighted_text(&self, pointed: Option<EncodingPoint>) -> Option<(u32, u32)> {
        self.encoding_inputs().highlighted_text(pointed)
    }

    /// Part of the current instruction under the pointer.
    pub(crate) fn pointed_part(&self, pointed: Option<EncodingPoint>) -> Option<SyntaxPart> {
        self.encoding_inputs().pointed_part(pointed)
    }
}
