//! Loops without progress.

use crate::Facts;
use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Site, Space};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::{Access, FaultKind, Unit};
use lanewise_core::machine::Machine;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::{Block, EdgeKind, Program, ThreadSchedule};

/// When each instruction was last executed in the running group, and the accesses near the limit.
#[derive(Debug)]
pub(crate) struct Progress {
    /// By instruction, one more than the number of instructions before it.
    last: Vec<u32>,
    now: u32,
    /// By instruction and lane, the address of its last access near the limit.
    addresses: BTreeMap<(u32, Unit), u64>,
    /// Instructions that store near the limit.
    stores: BTreeSet<u32>,
    /// Whether an instruction accesses different addresses near the limit.
    moves: bool,
    /// Whether an instruction accesses an address again near the limit.
    repeats: bool,
    /// Whether an instruction near the limit writes without reading, as stores do.
    changes: bool,
}

/// Why a loop does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// No branch leaves the loop.
    NoExit,
    /// It only reads, and always at the same addresses.
    Waits,
    /// It has a way out, and does not only wait.
    Unfinished,
}

impl Progress {
    pub(crate) fn new(instructions: usize) -> Self {
        Self {
            last: vec![0; instructions],
            now: 0,
            addresses: BTreeMap::new(),
            stores: BTreeSet::new(),
            moves: false,
            repeats: false,
            changes: false,
        }
    }

    pub(crate) fn enter_group(&mut self) {
        self.last.fill(0);
        self.now = 0;
        self.addresses.clear();
        self.stores.clear();
        self.moves = false;
        self.repeats = false;
        self.changes = false;
    }

    #[inline]
    pub(crate) fn issue(&mut self, instruction: u32, issued: u32) {
        self.now = issued.saturating_add(1);
        if let Some(last) = self.last.get_mut(to_usize(instruction)) {
            *last = self.now;
        }
    }

    /// Notes accesses of the last tenth of the instructions that may run.
    #[inline]
    pub(crate) fn accesses(&mut self, program: &Program, instruction: u32, accesses: &[Access]) {
        if self.now >= program.fuel - program.fuel / 10 {
            self.note_accesses(instruction, accesses);
        }
    }

    #[cold]
    fn note_accesses(&mut self, instruction: u32, accesses: &[Access]) {
        let Some(first) = accesses.first() else {
            return;
        };
        if first.writes {
            self.stores.insert(instruction);
        }
        self.changes |= first.writes && first.dst.is_none();
        let key = (instruction, first.unit);
        match self.addresses.insert(key, first.address) {
            Some(known) if known == first.address => self.repeats = true,
            Some(_) => self.moves = true,
            None => {}
        }
    }

    /// Why instructions that run again and again do not end.
    fn cause(&self, program: &Program, looping: &[usize], accesses: &[usize]) -> Cause {
        let is_inside = |block: &Block| looping.binary_search(&to_usize(block.start)).is_ok();
        let blocks = program.blocks();
        let inside = || blocks.iter().filter(|block| is_inside(block));
        let edges = || inside().flat_map(|block| &block.edges);
        let calls = edges().any(|edge| edge.kind == EdgeKind::Call);
        let has_exit = edges().any(|edge| !is_inside(&blocks[edge.to]))
            || inside().any(|block| block.exits || block.returns && !calls);
        match accesses {
            _ if !has_exit => Cause::NoExit,
            [] => Cause::Unfinished,
            _ if self.moves || self.changes || !self.repeats => Cause::Unfinished,
            _ => Cause::Waits,
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
        let cause = self.cause(program, &looping, &accesses);
        let reason = match accesses.as_slice() {
            _ if cause == Cause::Unfinished => format!(
                "the loop{range} has not ended after {} instructions; a higher limit \
                 tells whether it ends",
                program.fuel
            ),
            [polled] if cause == Cause::Waits => {
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
                    // Barriers of a whole grid wait for other groups.
                    false if program.launch.as_ref().is_some_and(|l| l.group_count() > 1) => {
                        let (item, group) = (words.item, words.work_group);
                        format!(
                            "that no {item} of the {group} writes; {group}s run one after the other"
                        )
                    }
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
                        (false, true) if self.stores.contains(&to_u32(*index)) => Operation::Write,
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
            let kind = Kind::NoProgress;
            let severity = match cause {
                Cause::Unfinished => Severity::Warning,
                Cause::NoExit | Cause::Waits => Severity::Error,
            };
            Finding::new(kind, severity, Space::Global, reason, notes)
        })
    }
}
