use lanewise_answer::decoding::EditedBits;
use lanewise_core::isa::Family;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EncodingAction {
    Type(EditedBits, String),
    /// Discards the typed digits and shows the encoding of the text.
    Forget,
    /// Adds the declarations that the typed bytes require, and writes them.
    Declare,
    Paste(String),
    /// Sets the instruction family of the pasted bytes.
    PasteFor(Family),
    /// Inserts the pasted instructions into the program.
    Insert,
}
