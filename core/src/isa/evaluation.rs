//! Evaluation of an issue.

use super::access::{Access, FaultKind};
use super::sass::op::WarpOutput;
use super::visa::compute::Results;
use super::{Instruction, SymbolTable, ThreadSet};
use crate::machine::{Machine, Recorder};
use alloc::string::String;
use alloc::vec::Vec;

/// Effects of one issue on registers and memory, computed without changing the machine.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Accesses of the enabled lanes, EU0 before EU1, lanes ascending.
    pub accesses: Vec<Access>,
    /// Results of a computing instruction, by thread. Only the first `computed` ones are of
    /// this issue; the others are kept for later ones.
    results: Vec<(u8, Results)>,
    computed: usize,
    pub(super) warp_outputs: Vec<(u8, WarpOutput)>,
}

impl Evaluation {
    /// Forgets the evaluated issue and keeps the allocations.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.computed = 0;
        self.warp_outputs.clear();
    }

    /// Results of a computing instruction on the next thread, to be filled.
    pub(super) fn add_results(&mut self, thread: u8) -> &mut Results {
        if self.results.len() == self.computed {
            self.results.push((thread, Results::default()));
        }
        let (number, results) = &mut self.results[self.computed];
        self.computed += 1;
        *number = thread;
        results
    }

    /// Performs the accesses in their present order, or writes the results, and calls
    /// `recorder` at the start of each effect.
    pub fn perform<R: Recorder>(
        &self,
        instruction: &Instruction,
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let computed = &self.results[..self.computed];
        for (thread, results) in computed {
            recorder.begin();
            results.write(machine, *thread, recorder);
        }
        if let Instruction::Sass(sass) = instruction {
            for (thread, output) in &self.warp_outputs {
                recorder.begin();
                sass.write(output, *thread, machine, recorder);
            }
        }
        if computed.is_empty() && self.warp_outputs.is_empty() {
            instruction.perform_accesses(&self.accesses, threads, machine, symbols, recorder);
        }
    }
}

/// The reason that an instruction faults, apart from its accesses and control flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssueFault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Details that the kind does not express.
    pub reason: Option<String>,
}

impl From<FaultKind> for IssueFault {
    fn from(kind: FaultKind) -> Self {
        Self { kind, reason: None }
    }
}
