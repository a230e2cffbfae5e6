//! The bits of the instruction at hand.

use super::State;
use lanewise_core::bits::Field;
use lanewise_core::isa::Family;
use lanewise_core::scenario::Program;
use std::rc::Rc;

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
    /// The whole of it in hexadecimal: bytes, first to last, or a word.
    pub(crate) fn digits(&self) -> String {
        let Some(placed) = self.program.instructions.get(self.index) else {
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
        let placed = self.program.instructions.get(self.index);
        placed.map_or_else(Vec::new, |p| p.instruction.fields(&self.program.names))
    }
}

impl State {
    /// The encoding of the instruction at hand.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        let index = self.session.current_instruction()?;
        let program = self.session.shared_program();
        program.instructions.get(index)?;
        Some(Encoding { program, index })
    }
}
