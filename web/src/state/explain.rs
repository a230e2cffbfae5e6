//! What the document says of the instruction at hand, and where the last step
//! stands in it.

use super::State;
use lanewise_core::isa::{Spec, Stand};

/// An instruction explained.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) spec: &'static Spec,
    /// The code of its operation.
    pub(crate) operation: Option<u64>,
    /// The ids of the contradictions that concern it, a blank after each.
    pub(crate) concerns: String,
}

impl PartialEq for Explained {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.spec, other.spec)
            && self.operation == other.operation
            && self.concerns == other.concerns
    }
}

impl State {
    /// The instruction at hand.
    pub(crate) fn explained(&self) -> Option<Explained> {
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        let names = &self.session.program().names;
        let mut concerns = String::new();
        for id in placed.instruction.concerns(names) {
            concerns.push_str(id);
            concerns.push(' ');
        }
        Some(Explained {
            concerns,
            spec: placed.instruction.spec(),
            operation: placed.instruction.operation(),
        })
    }

    /// Where the last step stands in the pseudo-code.
    pub(crate) fn stand(&self) -> Option<Stand> {
        self.session.stand()
    }
}
