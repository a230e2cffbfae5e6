//! Picture of the current instruction, chosen by its capabilities.

use super::{StageModel, VectorModel};
use lanewise_core::session::{EffectKind, Session};
use std::rc::Rc;

/// Picture of an instruction that is not a matrix instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StageKind {
    /// There is no instruction.
    Empty,
    /// Lanes and the memory cells that they access.
    Lanes(Rc<StageModel>),
    /// Registers that lanes of a computing instruction read and write.
    Vector(Rc<VectorModel>),
    /// Sentence on an instruction without lanes, or on a fault.
    Sentence { text: String, is_fault: bool },
}

impl StageKind {
    pub(crate) fn of(session: &Session) -> Self {
        if let Some(model) = StageModel::of(session) {
            return Self::Lanes(Rc::new(model));
        }
        if let Some(model) = VectorModel::of(session) {
            return Self::Vector(Rc::new(model));
        }
        if let (Some(fault), Some(EffectKind::Fault)) = (session.fault(), session.last_effect()) {
            return Self::Sentence {
                text: fault.message.clone(),
                is_fault: true,
            };
        }
        let issue = session
            .current_issue()
            .and_then(|issue| session.issue(issue));
        let Some(issue) = issue else {
            return Self::Empty;
        };
        let spec = session.program().instruction(issue).instruction.spec();
        let name = spec.mnemonics.first().unwrap_or(&spec.name);
        Self::Sentence {
            text: format!("{name}: {}.", spec.summary),
            is_fault: false,
        }
    }
}
