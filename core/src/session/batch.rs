//! Runs without a history, and helpers for both kinds of run.

use crate::isa::sass::warp::{ADDRESS_BITS, AddressWindow};
use crate::isa::{Access, FaultKind, IssueContext, Unit};
use crate::machine::{Machine, NoJournal, Recorder, SpaceId};
use crate::program::{Program, ProgramInstruction};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A fault of an access. The instruction has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Index of the instruction.
    pub instruction: u32,
    /// The lane.
    pub unit: Unit,
    /// The space.
    pub space: SpaceId,
    /// The faulting address.
    pub address: u64,
    /// Description with lane, address and reason.
    pub message: String,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The final state.
    pub machine: Machine,
    /// Number of effects.
    pub steps: u64,
    /// Number of completed instructions.
    pub instructions: u32,
    /// The fault that ended the run, if any.
    pub fault: Option<Fault>,
}

/// Runs a program to its end without keeping a history.
#[must_use]
pub fn run(program: &Program) -> RunResult {
    run_recorded(program, &mut NoJournal)
}

/// Runs a program to its end, reporting every change to `recorder`.
pub fn run_recorded<R: Recorder>(program: &Program, recorder: &mut R) -> RunResult {
    let mut machine = program.start.clone();
    let mut accesses = Vec::new();
    let mut steps = 0;
    for (index, placed) in program.instructions.iter().enumerate() {
        let in_order = program.threads == 1 && placed.order.lanes().is_empty();
        if in_order
            && !R::KEEPS
            && let Some(units) = (placed.instruction).run_unrecorded(&mut machine, &program.symbols)
        {
            steps += u64::from(units.max(1));
            continue;
        }
        accesses.clear();
        issue_accesses(program, placed, &machine, &mut accesses);
        if let Some(fault) = find_fault(program, index, &accesses) {
            return RunResult {
                machine,
                steps,
                instructions: crate::diagnostic::to_u32(index),
                fault: Some(fault),
            };
        }
        placed
            .instruction
            .perform(&accesses, &mut machine, &program.symbols, recorder);
        steps += u64::from(placed.instruction.units(&accesses).max(1));
    }
    RunResult {
        machine,
        steps,
        instructions: crate::diagnostic::to_u32(program.instructions.len()),
        fault: None,
    }
}

/// Appends the accesses of an instruction in its lane order.
pub fn issue_accesses(
    program: &Program,
    placed: &ProgramInstruction,
    machine: &Machine,
    accesses: &mut Vec<Access>,
) {
    let stage = IssueContext {
        symbols: &program.symbols,
        machine,
        threads: program.threads,
    };
    let first = accesses.len();
    placed.instruction.issue(&stage, accesses);
    placed.order.apply(&mut accesses[first..]);
}

/// The first fault of an instruction's accesses. `index` is the instruction's index
/// in the program.
#[must_use]
pub fn find_fault(program: &Program, index: usize, accesses: &[Access]) -> Option<Fault> {
    let access = accesses.iter().find(|a| a.fault.is_some())?;
    let kind = access.fault?;
    let placed = program.instructions.get(index)?;
    let lane = lane_name(access.unit, program.threads);
    let address = access.address;
    let line = placed.line + 1;
    let name = placed.instruction.spec().name;
    let reason = match kind {
        FaultKind::Misaligned => format!("is not a multiple of {}", access.bytes),
        FaultKind::Unmapped => String::from("is not mapped"),
        FaultKind::OutOfRange if address >> ADDRESS_BITS != 0 => {
            format!("exceeds {ADDRESS_BITS} bits")
        }
        FaultKind::OutOfRange => String::from("is not mapped"),
        FaultKind::AddressSpace => {
            let window = program.symbols.sass.window_at(address);
            let name = window.map_or("another", AddressWindow::name);
            format!("is in the window of {name} memory")
        }
    };
    Some(Fault {
        kind,
        instruction: crate::diagnostic::to_u32(index),
        unit: access.unit,
        space: access.space,
        address,
        message: format!(
            "{lane}: address {address:#x} {reason}. {name} on line {line} had no effect"
        ),
    })
}

/// Formats a lane as `Lane 3`, `Lane 3, channel G` or, with two EUs, `Lane EU1.3`.
#[must_use]
pub fn lane_name(unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        0 | 1 => format!("Lane {}", unit.lane),
        _ => format!("Lane EU{}.{}", unit.eu, unit.lane),
    };
    if unit.channel.is_some() {
        name.push_str(", channel ");
        name.push_str(unit.letter());
    }
    name
}
