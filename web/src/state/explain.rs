//! What the document says of the instruction at hand, and where the last step
//! stands in it.

use super::State;
use lanewise_core::isa::{PseudocodeState, Spec};

/// An instruction explained.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) spec: &'static Spec,
    /// The code of its operation.
    pub(crate) operation: Option<u64>,
    /// The ids of the contradictions that concern it, a blank after each.
    pub(crate) contradiction_ids: String,
}

impl PartialEq for Explained {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.spec, other.spec)
            && self.operation == other.operation
            && self.contradiction_ids == other.contradiction_ids
    }
}

impl State {
    /// The instruction at hand.
    pub(crate) fn explained(&self) -> Option<Explained> {
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        let names = &self.session.program().symbols;
        let mut contradiction_ids = String::new();
        for id in placed.instruction.contradiction_ids(names) {
            contradiction_ids.push_str(id);
            contradiction_ids.push(' ');
        }
        Some(Explained {
            contradiction_ids,
            spec: placed.instruction.spec(),
            operation: placed.instruction.operation(),
        })
    }

    /// The line of the pseudo-code that the last step performed, and the
    /// values of its variables.
    pub(crate) fn pseudocode_state(&self) -> Option<PseudocodeState> {
        self.session.pseudocode_state()
    }
}
