//! A last instruction that has nothing to do with what tells the states before
//! it apart: its results are the same for all of them, so that they are counted
//! as a product, and only those that are listed are made.

use super::Search;
use crate::ask::RETURNED;
use crate::differing;
use alloc::vec::Vec;
use lanewise_core::isa::Access;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::ProgramInstruction;
use lanewise_core::session::{find_fault, issue_accesses};

type Byte = (u16, u64);

impl Search {
    /// Whether the last instruction does the same in every state, to bytes
    /// that are the same in all of them.
    pub(super) fn stands_apart(&self, placed: &ProgramInstruction) -> bool {
        let [first, others @ ..] = self.states.as_slice() else {
            return false;
        };
        if !self.is_last() || others.is_empty() || self.states.iter().any(|s| s.fault.is_some()) {
            return false;
        }
        let mut accesses = Vec::new();
        issue_accesses(
            &self.program,
            placed,
            &first.machine(&self.program),
            &mut accesses,
        );
        // What makes no accesses has no lanes that take turns.
        if accesses.is_empty() || find_fault(&self.program, self.instruction, &accesses).is_some() {
            return false;
        }
        let differing = differing(&self.states);
        if accesses.iter().any(|access| touches(access, &differing)) {
            return false;
        }
        let mut own = Vec::new();
        others.iter().all(|state| {
            own.clear();
            let machine = state.machine(&self.program);
            issue_accesses(&self.program, placed, &machine, &mut own);
            own == accesses
        })
    }
}

/// Whether an access reads or writes one of some bytes.
fn touches(access: &Access, bytes: &[Byte]) -> bool {
    let within = |space: SpaceId, address: u64, size: u64| {
        let from = bytes.partition_point(|byte| *byte < (space.0, address));
        let next = bytes.get(from);
        next.is_some_and(|byte| byte.0 == space.0 && byte.1 - address < size)
    };
    let registers = SpaceId::registers(access.unit.eu);
    within(access.space, access.address, access.bytes.into())
        || access
            .dst
            .is_some_and(|dst| within(registers, dst.into(), RETURNED.into()))
}
