//! What instructions after one write over.

use super::ask::RETURNED;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Access;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::{ScratchExecutor, find_fault, issue_accesses};

/// The places that instructions after one write to in the program's own order,
/// with how many bytes each. Which registers these are is the same in every
/// order, unless one faults.
#[must_use]
pub fn written_after(program: &Program, instruction: u32) -> Vec<(SpaceId, u64, u8)> {
    let mut written = Vec::new();
    let mut machine = program.start.clone();
    let mut scratch = ScratchExecutor::default();
    let mut accesses: Vec<Access> = Vec::new();
    let mut runs = true;
    for (index, placed) in program.instructions.iter().enumerate() {
        accesses.clear();
        issue_accesses(program, placed, &machine, &mut accesses);
        let later = index > to_usize(instruction);
        runs = runs && find_fault(program, index, &accesses).is_none();
        if runs {
            let symbols = &program.symbols;
            let changes = scratch.perform(&placed.instruction, &accesses, &mut machine, symbols);
            let places = changes.iter().map(|c| (c.space, c.address, c.bytes));
            written.extend(places.filter(|_| later));
            continue;
        }
        // In another order it may run: then these registers are written.
        for access in accesses.iter().filter(|_| later) {
            let registers = SpaceId::registers(access.unit.eu);
            let dst = access.dst.map(|dst| (registers, dst.into(), RETURNED));
            written.extend(dst);
        }
    }
    written
}
