use super::model::EditedBits;
use lanewise_core::isa::Family;

/// What a reader can do with the bits of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EncodingAction {
    /// These digits were typed.
    Type(EditedBits, String),
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
