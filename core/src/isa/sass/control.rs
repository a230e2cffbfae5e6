//! The control word: how the three instructions of a 32-byte group are
//! scheduled.

use super::schedule::Schedule;
use crate::bits::{DecodeError, Decoder, Describer, Encoder, Field, SymbolResolver, Visitor};
use crate::diagnostic::{Diagnostics, Span};
use crate::rules;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Instructions of a group.
pub const SLOTS: usize = 3;

/// Bytes of a group: the control word, then the instructions.
pub const GROUP_BYTES: usize = 8 * (1 + SLOTS);

/// The control word of a group: one slot for each instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Control {
    /// The slots in the order of the instructions.
    pub slots: [Schedule; SLOTS],
}

impl Control {
    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        for slot in &mut self.slots {
            slot.layout(v)?;
        }
        v.ignored("bit 63", 1)
    }

    /// Its bytes.
    #[must_use]
    pub fn encode(mut self) -> [u8; 8] {
        let mut encoder = Encoder::default();
        self.layout(&mut encoder).expect("only decoders refuse");
        let encoded = encoder.finish();
        let bytes = encoded.bytes().first_chunk();
        *bytes.expect("a control word has 8 bytes")
    }

    /// Reads it from the start of `bytes`; `None` when they mean nothing, and
    /// a diagnostic says so.
    pub fn decode(bytes: &[u8], out: &mut Diagnostics) -> Option<Self> {
        let mut this = Self::default();
        let mut decoder = Decoder::new(bytes);
        if let Err(error) = this.layout(&mut decoder) {
            let span = Span::new(error.byte, error.byte + 1);
            let (rule, what) = if error.truncated {
                (
                    &rules::TRUNCATED,
                    String::from("the bytes end in the control word"),
                )
            } else {
                let what = format!(
                    "byte {}: {} {} of the control word is no barrier",
                    error.byte, error.field, error.bits
                );
                (&rules::UNDECODABLE, what)
            };
            out.report(rule, span, what);
            return None;
        }
        if !decoder.skipped.is_empty() {
            let what = "bit 63 of the control word is set";
            out.report(&rules::RESERVED_BITS, Span::new(7, 8), what);
        }
        Some(this)
    }

    /// Its fields, for a reader.
    #[must_use]
    pub fn fields(mut self, symbols: &dyn SymbolResolver) -> Vec<Field> {
        let mut describer = Describer::new(symbols);
        self.layout(&mut describer).expect("only decoders refuse");
        describer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::sass::schedule::tests::read;
    use crate::number::Random;

    #[test]
    fn every_word_with_a_meaning_comes_back_from_its_bytes_and_its_text() {
        let mut random = Random::new(1);
        let mut seen = 0;
        for _ in 0..2000 {
            let word = random.bits() >> 1;
            let mut out = Diagnostics::new();
            let Some(control) = Control::decode(&word.to_le_bytes(), &mut out) else {
                assert!(out.has_errors());
                continue;
            };
            seen += 1;
            assert_eq!(control.encode(), word.to_le_bytes());
            for slot in control.slots {
                let mut text = String::new();
                slot.print(&mut text);
                assert_eq!(read(&text).0, Some(slot), "{text}");
            }
        }
        assert!(seen > 500, "{seen}");
    }
}
