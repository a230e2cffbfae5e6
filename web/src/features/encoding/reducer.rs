//! Reducer of the Encoding tab.

use super::EncodingAction;
use crate::store::State;
use std::rc::Rc;

impl State {
    pub(crate) fn apply_encoding(&mut self, action: EncodingAction) {
        match action {
            EncodingAction::Type(part, digits) => self.type_digits(part, digits),
            EncodingAction::Forget => self.encoding.typed = None,
            EncodingAction::Declare => self.declare_for_typed_digits(),
            EncodingAction::Paste(digits) => {
                self.encoding.pasted.typed = Rc::from(digits);
                self.encoding.pasted.inserted = None;
            }
            EncodingAction::PasteFor(family) => self.encoding.pasted.family = Some(family),
            EncodingAction::Insert => self.insert_pasted_instructions(),
        }
    }
}
