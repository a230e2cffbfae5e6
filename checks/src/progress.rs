//! Loops without progress.

use crate::Facts;
use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Site, Space};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::{FaultKind, Unit};
use lanewise_core::machine::Machine;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::{Program, ThreadSchedule};

/// When each instruction was last executed in the group that runs.
#[derive(Debug)]
pub(crate) struct Progress {
    /// By instruction, one more than the number of instructions before it.
    last: Vec<u32>,
    now: u32,
}

impl Progress {
    pub(crate) fn new(instructions: usize) -> Self {
        Self {
            last: vec![0; instructions],
            now: 0,
        }
    }

    pub(crate) fn enter_group(&mut self) {
        self.last.fill(0);
        self.now = 0;
    }

    #[inline]
    pub(crate) fn issue(&mut self, instruction: u32, issued: u32) {
        self.now = issued.saturating_add(1);
        if let Some(last) = self.last.get_mut(to_usize(instruction)) {
            *last = self.now;
        }
    }

    /// The loop in which a run has reached its limit.
    pub(crate) fn stuck(
        &self,
        program: &Program,
        machine: &Machine,
        (fault, unit): (FaultKind, Unit),
        facts: &[Facts],
        group: u32,
    ) -> Option<Finding> {
        if fault != FaultKind::OutOfFuel {
            return None;
        }
        let tail = self.now - self.now / 10;
        let in_loop = |index: &usize| self.last[*index] >= tail;
        let looping: Vec<usize> = (0..self.last.len()).filter(in_loop).collect();
        let lines = looping.iter().filter_map(|index| match facts[*index].site {
            Site::Line(line) => Some(line),
            Site::Instruction(_) => None,
        });
        let range = match (lines.clone().min(), lines.max()) {
            (Some(first), Some(last)) if first == last => format!(" of line {first}"),
            (Some(first), Some(last)) => format!(" of lines {first} to {last}"),
            _ => String::new(),
        };
        let is_access = |index: &&usize| {
            let instruction = &program.instructions[**index].instruction;
            instruction.spec().lane_queue
        };
        let accesses: Vec<usize> = looping.iter().filter(is_access).copied().collect();
        let reason = match accesses.as_slice() {
            [polled] => {
                let line = program.instructions[*polled].line + 1;
                let words = program.words();
                let mut others = (0..program.threads).filter(|other| *other != unit.thread);
                let is_running =
                    |other| Control::new(machine, other).state() == ThreadState::Running;
                let who = match others.any(is_running) {
                    true if program.schedule == ThreadSchedule::Sequential => format!(
                        "that no {} has written yet; use `.schedule round-robin` to let the other {}s run",
                        words.item, words.thread
                    ),
                    true => format!("that no {} has written yet", words.item),
                    false => format!("that no {} writes", words.item),
                };
                format!(
                    "the loop{range} does not end: its only access, on line {line} of the program, waits for a value {who}"
                )
            }
            _ => format!("the loop{range} does not end"),
        };
        let branch = |index: &&usize| program.instructions[**index].instruction.branch().is_some();
        let places = accesses.iter().chain(looping.iter().filter(branch));
        let mut notes: Vec<AccessNote> = Vec::new();
        for index in places {
            let site = facts[*index].site;
            if notes.len() < 4 && notes.iter().all(|note| note.site != site) {
                notes.push(AccessNote {
                    operation: match (facts[*index].is_atomic, accesses.contains(index)) {
                        (true, _) => Operation::Atomic,
                        (false, true) => Operation::Read,
                        (false, false) => Operation::Branch,
                    },
                    group,
                    thread: unit.thread,
                    lane: unit.lane,
                    instruction: to_u32(*index),
                    site,
                    address: 0,
                    bytes: 0,
                    value: None,
                    step: None,
                });
            }
        }
        (!notes.is_empty()).then(|| {
            let (kind, severity) = (Kind::NoProgress, Severity::Error);
            Finding::new(kind, severity, Space::Global, reason, notes)
        })
    }
}
