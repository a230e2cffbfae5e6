//! A program, its state, and its history: step, step back, seek.
//!
//! The unit is the smallest effect: one lane of an atomic. An instruction's
//! effects are computed when the first of them is asked for and recorded as
//! changes, old → new; going back applies the old values in reverse order,
//! going forward again applies the new ones. Copies of the state taken along
//! the way share their pages, so that a seek applies few changes wherever it
//! goes.

use crate::isa::{Access, FaultKind, Stage, Unit};
use crate::machine::{Change, Journal, Machine, NoJournal, Recorder, SpaceId};
use crate::scenario::Program;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Effects between two copies of the state.
const CHECKPOINT: usize = 1024;

/// An access that cannot be made. The instruction changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Misaligned or unmapped.
    pub kind: FaultKind,
    /// Index of the instruction.
    pub instruction: u32,
    /// The lane.
    pub unit: Unit,
    /// The space.
    pub space: SpaceId,
    /// The address that the lane gave.
    pub address: u64,
    /// One sentence: lane, address, reason.
    pub message: String,
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// A lane's access, by its index among the instruction's.
    Access(u32),
    /// The instruction has no enabled lane.
    Nothing,
    /// The instruction faulted; the program ends here.
    Fault,
}

/// One step of the history.
#[derive(Clone, Copy, Debug)]
struct Effect {
    instruction: u32,
    kind: EffectKind,
    /// Index of its first change in the journal.
    first_change: u32,
}

/// An instruction that has been issued.
#[derive(Clone, Debug)]
struct Issued {
    first_effect: u32,
    accesses: Vec<Access>,
}

#[derive(Clone, Debug)]
struct Checkpoint {
    effect: usize,
    machine: Machine,
}

/// A run of a program that can go anywhere in its history.
#[derive(Clone, Debug)]
pub struct Session {
    program: Rc<Program>,
    machine: Machine,
    journal: Journal,
    effects: Vec<Effect>,
    issued: Vec<Issued>,
    checkpoints: Vec<Checkpoint>,
    /// How many effects are applied.
    position: usize,
    fault: Option<Fault>,
}

/// A lane of the instruction at hand, for the lanes table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneRow {
    /// Which lane.
    pub unit: Unit,
    /// What it does; `None` for a lane that is not enabled.
    pub access: Option<Access>,
    /// Whether it has been done.
    pub done: bool,
    /// Its place in the order in which lanes are serialised, from 0.
    pub turn: Option<u32>,
    /// The cell before, once done.
    pub old: Option<u64>,
    /// The cell after, once done.
    pub new: Option<u64>,
    /// The value returned, once done.
    pub returned: Option<u64>,
    /// Lanes with the same number hit the same bytes.
    pub conflict: Option<u32>,
}

/// How a straight run ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The state at the end.
    pub machine: Machine,
    /// How many effects there were.
    pub steps: u64,
    /// How many instructions were completed.
    pub instructions: u32,
    /// Why it stopped early.
    pub fault: Option<Fault>,
}

impl Session {
    /// A session at the start of a program. A program with errors runs the
    /// instructions that could be read; callers decide whether to.
    #[must_use]
    pub fn new(program: Rc<Program>) -> Self {
        let machine = program.start.clone();
        Self {
            checkpoints: alloc::vec![Checkpoint {
                effect: 0,
                machine: machine.clone(),
            }],
            machine,
            program,
            journal: Journal::default(),
            effects: Vec::new(),
            issued: Vec::new(),
            position: 0,
            fault: None,
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The state now.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// How many effects lie behind.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// How many effects are known; all of them once [`Self::is_explored`].
    #[must_use]
    pub fn known(&self) -> usize {
        self.effects.len()
    }

    /// Whether every effect up to the end or a fault is known.
    #[must_use]
    pub fn is_explored(&self) -> bool {
        self.fault.is_some() || self.issued.len() >= self.program.instructions.len()
    }

    /// Whether the end has been reached.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.position == self.effects.len() && self.is_explored()
    }

    /// The fault that ends the program, once it has been stepped onto.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref().filter(|_| self.at_end())
    }

    /// Makes the next effect happen. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        if self.position == self.effects.len() && !self.explore_one() {
            return false;
        }
        let range = self.change_range(self.position);
        for change in self.journal.changes().get(range).unwrap_or(&[]) {
            self.machine.redo(change);
        }
        self.position += 1;
        true
    }

    /// Takes the last effect back. Returns whether there was one.
    pub fn step_back(&mut self) -> bool {
        let Some(before) = self.position.checked_sub(1) else {
            return false;
        };
        let range = self.change_range(before);
        for change in self
            .journal
            .changes()
            .get(range)
            .unwrap_or(&[])
            .iter()
            .rev()
        {
            self.machine.undo(change);
        }
        self.position = before;
        true
    }

    /// Goes to a position in the known history; positions beyond it mean its
    /// end.
    pub fn seek(&mut self, position: usize) {
        let position = position.min(self.effects.len());
        let nearest = self
            .checkpoints
            .partition_point(|c| c.effect <= position)
            .checked_sub(1)
            .and_then(|i| self.checkpoints.get(i));
        if let Some(checkpoint) = nearest
            && position.abs_diff(self.position) > position - checkpoint.effect
        {
            self.machine = checkpoint.machine.clone();
            self.position = checkpoint.effect;
        }
        while self.position < position {
            self.step();
        }
        while self.position > position {
            self.step_back();
        }
    }

    /// Goes to the end, computing what is not known yet.
    pub fn run_to_end(&mut self) {
        self.explore(usize::MAX);
        self.seek(self.effects.len());
    }

    /// Computes the history up to about `effects` effects without moving.
    /// Returns whether all of it is known.
    pub fn explore(&mut self, effects: usize) -> bool {
        while self.effects.len() < effects && self.explore_one() {}
        self.is_explored()
    }

    /// Issues the next instruction and records its effects, leaving the
    /// position where it was.
    fn explore_one(&mut self) -> bool {
        if self.is_explored() {
            return false;
        }
        let here = self.position;
        let end = self.effects.len();
        if here != end {
            self.seek(end);
        }
        self.issue();
        if here != end {
            // The machine went back to `end`; return to where the reader is.
            self.seek(here);
        }
        true
    }

    /// Runs the next instruction at the end of the history, notes its
    /// effects, and takes them back again.
    fn issue(&mut self) {
        let index = self.issued.len();
        let program = Rc::clone(&self.program);
        let Some(placed) = program.instructions.get(index) else {
            return;
        };
        let mut accesses = Vec::new();
        latch(&program, placed, &self.machine, &mut accesses);
        let first_effect = self.effects.len();
        let instruction = crate::diagnostic::to_u32(index);
        let mut note = |journal: &Journal, kind| {
            self.effects.push(Effect {
                instruction,
                kind,
                first_change: crate::diagnostic::to_u32(journal.len()),
            });
        };
        if let Some(fault) = find_fault(&program, index, &accesses) {
            self.fault = Some(fault);
            note(&self.journal, EffectKind::Fault);
        } else if accesses.is_empty() {
            note(&self.journal, EffectKind::Nothing);
        } else {
            for (i, access) in (0_u32..).zip(&accesses) {
                note(&self.journal, EffectKind::Access(i));
                placed
                    .instruction
                    .perform(access, &mut self.machine, &mut self.journal);
            }
        }
        self.issued.push(Issued {
            first_effect: crate::diagnostic::to_u32(first_effect),
            accesses,
        });
        let last = self.checkpoints.last().map_or(0, |c| c.effect);
        if self.effects.len() - last >= CHECKPOINT {
            self.checkpoints.push(Checkpoint {
                effect: self.effects.len(),
                machine: self.machine.clone(),
            });
        }
        self.position = self.effects.len();
        while self.position > first_effect {
            self.step_back();
        }
    }

    fn change_range(&self, effect: usize) -> core::ops::Range<usize> {
        let at = |i: usize| {
            self.effects.get(i).map_or(self.journal.len(), |e| {
                crate::diagnostic::to_usize(e.first_change)
            })
        };
        at(effect)..at(effect + 1)
    }

    /// The changes of the effect that was made last.
    #[must_use]
    pub fn last_changes(&self) -> &[Change] {
        let Some(last) = self.position.checked_sub(1) else {
            return &[];
        };
        self.journal
            .changes()
            .get(self.change_range(last))
            .unwrap_or(&[])
    }

    /// Index of the instruction that the last effect belongs to.
    #[must_use]
    pub fn last_instruction(&self) -> Option<usize> {
        let last = self.position.checked_sub(1)?;
        let effect = self.effects.get(last)?;
        Some(crate::diagnostic::to_usize(effect.instruction))
    }

    /// Index of the instruction that the next effect belongs to; `None` at
    /// the end.
    #[must_use]
    pub fn next_instruction(&self) -> Option<usize> {
        match self.effects.get(self.position) {
            Some(effect) => Some(crate::diagnostic::to_usize(effect.instruction)),
            None => (!self.is_explored()).then_some(self.issued.len()),
        }
    }

    /// The instruction to show: the one under way, or else the next, or at
    /// the end the last.
    #[must_use]
    pub fn current_instruction(&self) -> Option<usize> {
        self.last_instruction().or_else(|| self.next_instruction())
    }

    /// Positions at which instructions start, for a timeline.
    pub fn instruction_starts(&self) -> impl Iterator<Item = usize> + '_ {
        self.issued
            .iter()
            .map(|i| crate::diagnostic::to_usize(i.first_effect))
    }

    /// What the last effect was.
    #[must_use]
    pub fn last_effect(&self) -> Option<EffectKind> {
        let last = self.position.checked_sub(1)?;
        self.effects.get(last).map(|e| e.kind)
    }

    /// The access that was made last.
    #[must_use]
    pub fn last_access(&self) -> Option<&Access> {
        let last = self.position.checked_sub(1)?;
        let effect = self.effects.get(last)?;
        let EffectKind::Access(index) = effect.kind else {
            return None;
        };
        self.issued
            .get(crate::diagnostic::to_usize(effect.instruction))?
            .accesses
            .get(crate::diagnostic::to_usize(index))
    }

    /// One sentence on the last effect, or on where the program stands.
    #[must_use]
    pub fn summary(&self) -> String {
        let program = &self.program;
        if self.position == 0 {
            return match program.instructions.len() {
                0 => String::from("There is no instruction to run."),
                1 => String::from("At the start. 1 instruction."),
                n => format!("At the start. {n} instructions."),
            };
        }
        if let Some(fault) = self.fault() {
            return format!("Fault: {}", fault.message);
        }
        let instruction = self
            .last_instruction()
            .and_then(|i| program.instructions.get(i));
        match (instruction, self.last_access()) {
            (Some(placed), Some(access)) => {
                let told = placed
                    .instruction
                    .narrate(access, self.last_changes(), &program.names);
                format!("{}: {told}", lane_name(access.unit, program.threads))
            }
            (Some(placed), None) => format!(
                "{}: no lane is enabled, nothing changes",
                placed.instruction.spec().name
            ),
            _ => String::new(),
        }
    }

    /// The lanes of an instruction, in the order EU0, EU1, lanes ascending.
    #[must_use]
    pub fn lanes(&self, instruction: usize) -> Vec<LaneRow> {
        let Some(placed) = self.program.instructions.get(instruction) else {
            return Vec::new();
        };
        let latched;
        let issued = self.issued.get(instruction);
        let (accesses, first_effect) = match issued {
            Some(issued) => (
                issued.accesses.as_slice(),
                crate::diagnostic::to_usize(issued.first_effect),
            ),
            None => {
                let mut accesses = Vec::new();
                latch(&self.program, placed, &self.machine, &mut accesses);
                latched = accesses;
                (latched.as_slice(), usize::MAX)
            }
        };
        let faulted = accesses.iter().any(|a| a.fault.is_some());
        let conflicts = conflict_groups(accesses);
        let lanes = placed.instruction.execution().size.lanes();
        let mut rows = Vec::new();
        for eu in 0..self.program.threads {
            for lane in 0..lanes {
                let unit = Unit { eu, lane };
                let turn = accesses.iter().position(|a| a.unit == unit);
                let access = turn.and_then(|t| accesses.get(t));
                let effect = turn.map(|t| first_effect.saturating_add(t));
                let done = !faulted && effect.is_some_and(|e| e < self.position);
                let changes = match effect.filter(|_| done) {
                    Some(effect) => self
                        .journal
                        .changes()
                        .get(self.change_range(effect))
                        .unwrap_or(&[]),
                    None => &[],
                };
                let cell = changes
                    .iter()
                    .find(|c| access.is_some_and(|a| a.space == c.space));
                let returned = changes.iter().find(|c| {
                    c.space == SpaceId::registers(eu)
                        && access.is_some_and(|a| a.dst.map(u64::from) == Some(c.address))
                });
                rows.push(LaneRow {
                    unit,
                    access: access.copied(),
                    done,
                    turn: turn.map(crate::diagnostic::to_u32),
                    old: cell.map(|c| c.old),
                    new: cell.map(|c| c.new),
                    returned: returned.map(|c| c.new),
                    conflict: turn.and_then(|t| conflicts.get(t).copied().flatten()),
                });
            }
        }
        rows
    }

    /// The last position at or before now whose effect wrote one of these
    /// bytes: "who last wrote this".
    #[must_use]
    pub fn last_write(&self, space: SpaceId, address: u64, bytes: u64) -> Option<usize> {
        (0..self.position).rev().find(|effect| {
            let range = self.change_range(*effect);
            let changes = self.journal.changes().get(range).unwrap_or(&[]);
            changes.iter().any(|c| c.touches(space, address, bytes))
        })
    }
}

/// `Lane 3`, or `EU1 lane 3` where two EUs run.
#[must_use]
pub fn lane_name(unit: Unit, threads: u8) -> String {
    match threads {
        0 | 1 => format!("Lane {}", unit.lane),
        _ => format!("EU{} lane {}", unit.eu, unit.lane),
    }
}

/// Runs a program to its end without keeping a history.
#[must_use]
pub fn run(program: &Program) -> Outcome {
    run_recorded(program, &mut NoJournal)
}

/// Runs a program to its end, telling `recorder` of every change.
pub fn run_recorded<R: Recorder>(program: &Program, recorder: &mut R) -> Outcome {
    let mut machine = program.start.clone();
    let mut accesses = Vec::new();
    let mut steps = 0;
    for (index, placed) in program.instructions.iter().enumerate() {
        accesses.clear();
        latch(program, placed, &machine, &mut accesses);
        if let Some(fault) = find_fault(program, index, &accesses) {
            return Outcome {
                machine,
                steps,
                instructions: crate::diagnostic::to_u32(index),
                fault: Some(fault),
            };
        }
        for access in &accesses {
            placed.instruction.perform(access, &mut machine, recorder);
        }
        steps += u64::from(crate::diagnostic::to_u32(accesses.len().max(1)));
    }
    Outcome {
        machine,
        steps,
        instructions: crate::diagnostic::to_u32(program.instructions.len()),
        fault: None,
    }
}

/// What an instruction is about to do, in its order.
fn latch(
    program: &Program,
    placed: &crate::scenario::Placed,
    machine: &Machine,
    accesses: &mut Vec<Access>,
) {
    let stage = Stage {
        names: &program.names,
        machine,
        threads: program.threads,
    };
    placed.instruction.issue(&stage, accesses);
    placed.order.apply(accesses);
}

fn find_fault(program: &Program, index: usize, accesses: &[Access]) -> Option<Fault> {
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
    };
    Some(Fault {
        kind,
        instruction: crate::diagnostic::to_u32(index),
        unit: access.unit,
        space: access.space,
        address,
        message: format!(
            "{lane}: address {address:#x} {reason}. {name} on line {line} changed nothing"
        ),
    })
}

/// Groups accesses that share bytes; a group of one is none. Groups are
/// numbered from 0 in order of address.
fn conflict_groups(accesses: &[Access]) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..accesses.len())
        .filter(|i| accesses.get(*i).is_some_and(|a| a.in_bounds))
        .collect();
    let key = |i: &usize| accesses.get(*i).map_or((0, 0), |a| (a.space.0, a.address));
    order.sort_by_key(key);
    let mut groups = alloc::vec![None; accesses.len()];
    let mut next = 0;
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        let (space, first) = order.get(start).map_or((0, 0), key);
        let bytes = |i: usize| {
            order
                .get(i)
                .and_then(|i| accesses.get(*i))
                .map_or(0, |a| u64::from(a.bytes))
        };
        let mut reach = first.saturating_add(bytes(start));
        while let Some((other, address)) = order.get(end).map(key)
            && other == space
            && address < reach
        {
            reach = reach.max(address.saturating_add(bytes(end)));
            end += 1;
        }
        if end - start > 1 {
            for i in order.get(start..end).unwrap_or(&[]) {
                if let Some(group) = groups.get_mut(*i) {
                    *group = Some(next);
                }
            }
            next += 1;
        }
        start = end;
    }
    groups
}
