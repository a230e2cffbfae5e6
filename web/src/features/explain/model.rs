//! Model of the Explain tab.

use lanewise_core::isa::{SourceConstruct, Spec};
use lanewise_core::session::Session;

#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) spec: &'static Spec,
    /// Operation code.
    pub(crate) operation: Option<u64>,
    /// Ids of the documentation contradictions that affect the instruction as
    /// written.
    pub(crate) contradiction_ids: Vec<&'static str>,
    /// Source constructs that compile to the instruction as written.
    pub(crate) constructs: Vec<SourceConstruct>,
}

impl PartialEq for Explained {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.spec, other.spec)
            && self.operation == other.operation
            && self.contradiction_ids == other.contradiction_ids
            && self.constructs == other.constructs
    }
}

impl Eq for Explained {}

impl Explained {
    /// The current instruction of a run.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let index = session.current_instruction()?;
        let placed = session.program().instructions.get(index)?;
        let names = &session.program().symbols;
        Some(Self {
            contradiction_ids: placed.instruction.contradiction_ids(names),
            constructs: placed.instruction.source_constructs(names),
            spec: placed.instruction.spec(),
            operation: placed.instruction.operation(),
        })
    }
}
