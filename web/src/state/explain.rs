//! What the document says of the instruction at hand, and where the last step
//! stands in it.

use super::State;
use lanewise_core::isa::{Spec, Stand};

/// An instruction explained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Explained {
    pub(crate) spec: &'static Spec,
    /// The code of its operation.
    pub(crate) operation: Option<u64>,
}

impl PartialEq for Explained {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.spec, other.spec) && self.operation == other.operation
    }
}

impl State {
    /// The instruction at hand.
    pub(crate) fn explained(&self) -> Option<Explained> {
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        Some(Explained {
            spec: placed.instruction.spec(),
            operation: placed.instruction.operation(),
        })
    }

    /// Where the last step stands in the pseudo-code.
    pub(crate) fn stand(&self) -> Option<Stand> {
        self.session.stand()
    }
}
