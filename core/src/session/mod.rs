//! A program, its state, and its history: step, step back, seek.
//!
//! The unit is the smallest effect: one lane of an atomic. An instruction's
//! effects are computed when the first of them is asked for and recorded as
//! changes, old → new; going back applies the old values in reverse order,
//! going forward again applies the new ones. Copies of the state taken along
//! the way share their pages, so that a seek applies few changes wherever it
//! goes.

mod batch;
mod lanes;
mod matrix;

pub use batch::{Fault, Outcome, find_fault, issue_accesses, lane_name, run, run_recorded};
pub use lanes::{LaneRow, conflict_groups};
pub use matrix::MatrixState;

use crate::isa::{Access, Effect, Instruction, PseudocodeState, SymbolTable};
use crate::machine::{Change, Journal, Machine, Recorder, SpaceId, StepGranularity};
use crate::program::Program;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The fewest effects between two copies of the state.
const CHECKPOINT: usize = 1024;

/// The bytes of a copy for each effect since the one before, at most: less than
/// the journal takes for it.
const COPIED_BYTES: usize = 64;

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// One of the instruction's effects, by its index among them: that of the
    /// access of the same index where it makes accesses.
    Effect(u32),
    /// The instruction had no effect: no lane is enabled.
    Nothing,
    /// The instruction faulted; the program ends here.
    Fault,
}

/// One step of the history.
#[derive(Clone, Copy, Debug)]
struct Step {
    instruction: u32,
    kind: EffectKind,
    /// Index of its first change in the journal.
    first_change: u32,
}

/// An instruction that has been issued.
#[derive(Clone, Debug)]
pub(super) struct Issued {
    pub(super) first_effect: u32,
    pub(super) accesses: Vec<Access>,
}

#[derive(Clone, Debug)]
struct Checkpoint {
    effect: usize,
    machine: Machine,
}

/// Records changes and where each access begins.
struct Effects<'s> {
    journal: &'s mut Journal,
    effects: &'s mut Vec<Step>,
    instruction: u32,
    next: u32,
    granularity: StepGranularity,
}

impl Recorder for Effects<'_> {
    fn granularity(&self) -> StepGranularity {
        self.granularity
    }

    #[inline]
    fn begin(&mut self) {
        self.effects.push(Step {
            instruction: self.instruction,
            kind: EffectKind::Effect(self.next),
            first_change: crate::diagnostic::to_u32(self.journal.len()),
        });
        self.next += 1;
    }

    #[inline]
    fn record(&mut self, change: Change) {
        self.journal.record(change);
    }
}

/// Makes accesses outside of any history.
#[derive(Clone, Debug, Default)]
pub struct ScratchExecutor {
    journal: Journal,
    effects: Vec<Step>,
}

impl ScratchExecutor {
    /// Makes accesses one after the other. Gives what they changed, in that
    /// order.
    pub fn perform(
        &mut self,
        instruction: &Instruction,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &SymbolTable,
    ) -> &[Change] {
        self.journal.clear();
        self.effects.clear();
        let mut effects = Effects {
            journal: &mut self.journal,
            effects: &mut self.effects,
            instruction: 0,
            next: 0,
            granularity: StepGranularity::Unit,
        };
        instruction.perform(accesses, machine, symbols, &mut effects);
        self.journal.changes()
    }
}

/// A run of a program that can go anywhere in its history.
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) program: Rc<Program>,
    pub(super) machine: Machine,
    pub(super) journal: Journal,
    effects: Vec<Step>,
    pub(super) issued: Vec<Issued>,
    checkpoints: Vec<Checkpoint>,
    /// Before this effect no further copy is taken.
    next_checkpoint: usize,
    /// How many effects are applied.
    pub(super) position: usize,
    fault: Option<Fault>,
    granularity: StepGranularity,
}

impl Session {
    /// A session at the start of a program. A program with errors runs the
    /// instructions that could be read; callers decide whether to.
    #[must_use]
    pub fn new(program: Rc<Program>) -> Self {
        Self::with_granularity(program, StepGranularity::Unit)
    }

    /// A session whose effects are of this granularity.
    #[must_use]
    pub fn with_granularity(program: Rc<Program>, granularity: StepGranularity) -> Self {
        let machine = program.start.clone();
        Self {
            checkpoints: alloc::vec![Checkpoint {
                effect: 0,
                machine: machine.clone(),
            }],
            machine,
            next_checkpoint: CHECKPOINT,
            program,
            journal: Journal::default(),
            effects: Vec::new(),
            issued: Vec::new(),
            position: 0,
            fault: None,
            granularity,
        }
    }

    /// Goes on with an edited program. The history of the instructions before
    /// the first that differs is kept, and the position as far as it is in
    /// there. Returns false, with nothing changed, where the edited program
    /// may start in another state.
    pub fn replace_program(&mut self, program: Rc<Program>) -> bool {
        if !self.program.starts_like(&program) {
            return false;
        }
        let mut same = self.program.common_instructions(&program);
        if self.fault.is_some() {
            // It names the line of the last instruction, which may be another.
            same = same.min(self.issued.len() - 1);
        }
        if let Some(first) = self.issued.get(same) {
            let end = crate::diagnostic::to_usize(first.first_effect);
            let here = self.position.min(end);
            self.seek(end);
            self.journal.truncate(self.change_range(end).start);
            self.effects.truncate(end);
            self.issued.truncate(same);
            self.checkpoints.retain(|copy| copy.effect <= end);
            self.next_checkpoint = self.next_checkpoint.min(end + CHECKPOINT);
            self.fault = None;
            self.seek(here);
        }
        self.program = program;
        true
    }

    /// How fine its effects are.
    #[must_use]
    pub const fn granularity(&self) -> StepGranularity {
        self.granularity
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program, to be kept.
    #[must_use]
    pub fn shared_program(&self) -> Rc<Program> {
        Rc::clone(&self.program)
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
        if self.position == self.effects.len() {
            let first = self.position;
            if !self.issue() {
                return false;
            }
            self.back_to(first);
        }
        self.forward();
        true
    }

    /// Applies the known effect at the position.
    fn forward(&mut self) {
        let range = self.change_range(self.position);
        for change in &self.journal.changes()[range] {
            self.machine.redo(change);
        }
        self.position += 1;
    }

    fn back_to(&mut self, position: usize) {
        while self.position > position && self.step_back() {}
    }

    /// Takes the last effect back. Returns whether there was one.
    pub fn step_back(&mut self) -> bool {
        let Some(before) = self.position.checked_sub(1) else {
            return false;
        };
        let range = self.change_range(before);
        for change in self.journal.changes()[range].iter().rev() {
            self.machine.undo(change);
        }
        self.position = before;
        true
    }

    /// Goes to a position in the known history; positions beyond it mean its
    /// end. Returns how many effects it made or took back on the way: not
    /// more than lie between two copies of the state, wherever it goes.
    pub fn seek(&mut self, position: usize) -> usize {
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
        let moved = self.position.abs_diff(position);
        while self.position < position {
            self.forward();
        }
        self.back_to(position);
        moved
    }

    /// Goes to the end, computing what is not known yet.
    pub fn run_to_end(&mut self) {
        self.explore(usize::MAX);
        self.seek(self.effects.len());
    }

    /// Computes the history up to about `effects` effects without moving.
    /// Returns whether all of it is known.
    pub fn explore(&mut self, effects: usize) -> bool {
        let here = self.position;
        if self.effects.len() < effects && !self.is_explored() {
            self.seek(self.effects.len());
            while self.effects.len() < effects && self.issue() {}
            self.seek(here);
        }
        self.is_explored()
    }

    /// Runs the next instruction at the end of the history, which is where
    /// the machine stands, and notes its effects. Returns whether there was
    /// one.
    fn issue(&mut self) -> bool {
        let index = self.issued.len();
        let program = Rc::clone(&self.program);
        let Some(placed) = program.instructions.get(index) else {
            return false;
        };
        if self.fault.is_some() {
            return false;
        }
        let mut accesses = Vec::new();
        issue_accesses(&program, placed, &self.machine, &mut accesses);
        let first_effect = crate::diagnostic::to_u32(self.effects.len());
        let instruction = crate::diagnostic::to_u32(index);
        let effect = |journal: &Journal, kind| Step {
            instruction,
            kind,
            first_change: crate::diagnostic::to_u32(journal.len()),
        };
        if let Some(fault) = find_fault(&program, index, &accesses) {
            self.fault = Some(fault);
            self.effects.push(effect(&self.journal, EffectKind::Fault));
        } else {
            let mut effects = Effects {
                journal: &mut self.journal,
                effects: &mut self.effects,
                instruction,
                next: 0,
                granularity: self.granularity,
            };
            placed.instruction.perform(
                &accesses,
                &mut self.machine,
                &program.symbols,
                &mut effects,
            );
            if effects.next == 0 {
                self.effects
                    .push(effect(&self.journal, EffectKind::Nothing));
            }
        }
        self.issued.push(Issued {
            first_effect,
            accesses,
        });
        self.position = self.effects.len();
        if self.position >= self.next_checkpoint {
            self.copy_state();
        }
        true
    }

    /// Takes a copy of the state, or puts it off where the pages that were
    /// written since the last one are many for the effects since then.
    fn copy_state(&mut self) {
        let last = self.checkpoints.last();
        let last = last.expect("the state at the start is the first copy");
        let effects = self.machine.bytes_beside(&last.machine) / COPIED_BYTES;
        self.next_checkpoint = last.effect + effects.max(CHECKPOINT);
        if self.position >= self.next_checkpoint {
            self.next_checkpoint = self.position + CHECKPOINT;
            self.checkpoints.push(Checkpoint {
                effect: self.position,
                machine: self.machine.clone(),
            });
        }
    }

    pub(super) fn change_range(&self, effect: usize) -> core::ops::Range<usize> {
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
        self.changes_before(self.position)
    }

    /// The changes of the effect that leads to a position.
    fn changes_before(&self, position: usize) -> &[Change] {
        match position.checked_sub(1) {
            Some(last) => &self.journal.changes()[self.change_range(last)],
            None => &[],
        }
    }

    /// Index of the instruction that the last effect belongs to.
    #[must_use]
    pub fn last_instruction(&self) -> Option<usize> {
        let effect = self.effect_before(self.position)?;
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
        self.effect_before(self.position).map(|e| e.kind)
    }

    /// The effect that leads to a position.
    fn effect_before(&self, position: usize) -> Option<&Step> {
        self.effects.get(position.checked_sub(1)?)
    }

    /// The access that was made last.
    #[must_use]
    pub fn last_access(&self) -> Option<&Access> {
        self.access_before(self.position)
    }

    fn access_before(&self, position: usize) -> Option<&Access> {
        let effect = self.effect_before(position)?;
        let EffectKind::Effect(index) = effect.kind else {
            return None;
        };
        self.issued
            .get(crate::diagnostic::to_usize(effect.instruction))?
            .accesses
            .get(crate::diagnostic::to_usize(index))
    }

    fn effect(&self, position: usize, index: u32) -> Effect<'_> {
        Effect {
            index,
            threads: self.program.threads,
            access: self.access_before(position),
            changes: self.changes_before(position),
        }
    }

    /// The pseudo-code line and the variables of the last effect.
    #[must_use]
    pub fn pseudocode_state(&self) -> Option<PseudocodeState> {
        let EffectKind::Effect(index) = self.last_effect()? else {
            return None;
        };
        let placed = self.program.instructions.get(self.last_instruction()?)?;
        let symbols = &self.program.symbols;
        Some(
            placed
                .instruction
                .pseudocode_state(&self.effect(self.position, index), symbols),
        )
    }

    /// One sentence on the last effect, or on the state of the run.
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
        self.summary_at(self.position)
    }

    /// One sentence on the effect that leads to a known position.
    #[must_use]
    pub fn summary_at(&self, position: usize) -> String {
        let program = &self.program;
        let Some(step) = self.effect_before(position) else {
            return String::new();
        };
        if let (EffectKind::Fault, Some(fault)) = (step.kind, &self.fault) {
            return format!("Fault: {}", fault.message);
        }
        let index = crate::diagnostic::to_usize(step.instruction);
        let Some(placed) = program.instructions.get(index) else {
            return String::new();
        };
        let EffectKind::Effect(index) = step.kind else {
            let name = placed.instruction.spec().name;
            return format!("{name}: no lane is enabled, nothing changes");
        };
        let effect = self.effect(position, index);
        let text = placed
            .instruction
            .describe_effect(&effect, &program.symbols);
        match effect.access {
            Some(access) => format!("{}: {text}", lane_name(access.unit, program.threads)),
            None => text,
        }
    }

    /// The last effect before now, by its index, that changed one of these
    /// bytes: "who last wrote this". A compare that fails leaves them as they
    /// are, and is not meant.
    #[must_use]
    pub fn last_write(&self, space: SpaceId, address: u64, bytes: u64) -> Option<usize> {
        let passed = self.change_range(self.position).start;
        let changes = self.journal.changes().get(..passed)?;
        let change = changes
            .iter()
            .rposition(|c| c.old != c.new && c.touches(space, address, bytes))?;
        Some(self.effect_of(change))
    }

    /// The known effects from a position on, by their indices, that change one
    /// of these bytes.
    pub fn writes_from(
        &self,
        position: usize,
        space: SpaceId,
        address: u64,
        bytes: u64,
    ) -> impl Iterator<Item = usize> + '_ {
        let first = self.change_range(position).start;
        let written = (first..).zip(&self.journal.changes()[first..]);
        let written =
            written.filter(move |(_, c)| c.old != c.new && c.touches(space, address, bytes));
        written.map(|(change, _)| self.effect_of(change))
    }

    /// The effect that a change belongs to.
    fn effect_of(&self, change: usize) -> usize {
        let change = crate::diagnostic::to_u32(change);
        let after = self.effects.partition_point(|e| e.first_change <= change);
        after.saturating_sub(1)
    }

    /// The effect, by its index, at which the program is known to fault.
    #[must_use]
    pub fn fault_ahead(&self) -> Option<usize> {
        self.fault.as_ref().and(self.effects.len().checked_sub(1))
    }
}
