//! What the Explain tab shows: the current instruction, and the line of its
//! pseudo-code that the last step performed.

use crate::store::State;
use lanewise_core::isa::{PseudocodeState, SourceConstruct, Spec};

/// An instruction explained.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) spec: &'static Spec,
    /// The code of its operation.
    pub(crate) operation: Option<u64>,
    /// The ids of the contradictions that concern it as it is written.
    pub(crate) contradiction_ids: Vec<&'static str>,
    /// What compilers make it of, as it is written.
    pub(crate) constructs: Vec<SourceConstruct>,
}

impl PartialEq for Explained {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.spec, other.spec)
            && self.operation == other.operation
            && self.contradiction_ids == other.contradiction_ids
            && self.constructs == other.constructs
    }
}

impl State {
    /// The current instruction.
    pub(crate) fn explained(&self) -> Option<Explained> {
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        let names = &self.session.program().symbols;
        Some(Explained {
            contradiction_ids: placed.instruction.contradiction_ids(names),
            constructs: placed.instruction.source_constructs(names),
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
