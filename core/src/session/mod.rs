//! A program, its state, and its history: step, step back, seek.
//!
//! The unit is the smallest effect: one lane of an atomic. An instruction's
//! effects are computed when the first of them is asked for and recorded as
//! changes, old → new; going back applies the old values in reverse order,
//! going forward again applies the new ones. Copies of the state taken along
//! the way share their pages, so that a seek applies few changes wherever it
//! goes. A history is bounded: 64 MiB of changes and 64 MiB of copies; changes
//! beyond that are computed again from the copy before them.

mod batch;
mod history;
mod lanes;
mod matrix;
mod schedule;

pub use batch::{
    Fault, RunResult, find_fault, issue_accesses, lane_name, run, run_launch, run_recorded,
};
pub use history::{EffectKind, IssueIndex};
pub use lanes::{LaneRow, conflict_groups};
pub use matrix::MatrixState;
pub use schedule::{flow_fault, next_issue, proceed};

use crate::diagnostic::{to_u32, to_usize};
use crate::isa::{Access, Effect, Instruction, PseudocodeState, SymbolTable, ThreadSet};
use crate::machine::{Change, Journal, Machine, StepGranularity};
use crate::program::{Issue, Program, ProgramInstruction};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use history::{EffectRecorder, History, Issued, Record, Step};

/// Makes accesses outside of any history.
#[derive(Clone, Debug, Default)]
pub struct ScratchExecutor {
    journal: Journal,
    steps: Vec<Step>,
}

impl ScratchExecutor {
    /// Executes an issue whose accesses are in the order given, and moves its
    /// threads on. Returns what changed, in that order.
    pub fn perform(
        &mut self,
        program: &Program,
        issue: Issue,
        accesses: &[Access],
        machine: &mut Machine,
    ) -> &[Change] {
        self.journal.clear();
        self.steps.clear();
        let mut effects = self.recorder();
        let instruction = &program.instruction(issue).instruction;
        let (threads, symbols) = (issue.threads, &program.symbols);
        instruction.perform(accesses, threads, machine, symbols, &mut effects);
        proceed(program, issue, instruction, machine, &mut effects);
        self.journal.changes()
    }

    /// Makes accesses one after the other, on a machine that may have no
    /// threads. Returns what changed, in that order.
    pub fn perform_accesses(
        &mut self,
        instruction: &Instruction,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &SymbolTable,
    ) -> &[Change] {
        self.journal.clear();
        self.steps.clear();
        let mut effects = self.recorder();
        let threads = ThreadSet::one(0);
        instruction.perform(accesses, threads, machine, symbols, &mut effects);
        self.journal.changes()
    }

    fn recorder(&mut self) -> EffectRecorder<'_> {
        EffectRecorder {
            journal: &mut self.journal,
            steps: &mut self.steps,
            issue: IssueIndex(0),
            next: 0,
            granularity: StepGranularity::Unit,
        }
    }
}

/// A run of a program that can go anywhere in its history. A clone costs little,
/// however long the run: it shares the history, and the pages of the state.
#[derive(Clone, Debug)]
pub struct Session {
    history: Rc<History>,
    /// The state at the position.
    machine: Machine,
    /// How many effects are applied. The history has what the last of them did
    /// in memory.
    position: usize,
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
        Self {
            machine: program.start.clone(),
            history: Rc::new(History::new(program, granularity)),
            position: 0,
        }
    }

    /// Goes on with an edited program. The history of the instructions before
    /// the first that differs is kept, and the position as far as it is in
    /// there. Returns false, with nothing changed, where the edited program
    /// may start in another state.
    pub fn replace_program(&mut self, program: Rc<Program>) -> bool {
        if !self.program().starts_like(&program) {
            return false;
        }
        let mut same = self.common_issues(&program);
        if self.history.fault().is_some() {
            // It names the line of the last instruction, which may be another.
            same = same.min(self.history.issues().len() - 1);
        }
        if let Some(issued) = self.history.issues().get(same) {
            let end = to_usize(issued.first_effect);
            self.seek(self.position.min(end));
        }
        Rc::make_mut(&mut self.history).replace_program(program, same);
        let here = self.position;
        self.seek(self.known());
        Rc::make_mut(&mut self.history).set_finished(&self.machine);
        self.seek(here);
        true
    }

    /// How many of the issues run alike in an edited program: up to the first
    /// of an instruction that differs, or that may continue elsewhere.
    fn common_issues(&self, edited: &Program) -> usize {
        let program = self.program();
        let same = program.common_instructions(edited);
        let is_end = |p: &Program, index: usize| index + 1 == p.instructions.len();
        let differs = |issued: &Issued| {
            let index = to_usize(issued.issue.instruction);
            let moved = || {
                let branch = program.instructions[index].instruction.branch();
                let targets = branch.map_or(&[][..], |branch| branch.targets);
                // Channels that branch to the end of a program end.
                let place = |p: &Program, label| {
                    let position = p.label_position(label)?;
                    Some((position, to_usize(position) == p.instructions.len()))
                };
                targets
                    .iter()
                    .any(|label| place(program, *label) != place(edited, *label))
            };
            index >= same || is_end(program, index) != is_end(edited, index) || moved()
        };
        let issues = self.history.issues();
        issues.iter().position(differs).unwrap_or(issues.len())
    }

    /// How fine its effects are.
    #[must_use]
    pub fn granularity(&self) -> StepGranularity {
        self.history.granularity()
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.history.program()
    }

    /// The program, to be kept.
    #[must_use]
    pub fn shared_program(&self) -> Rc<Program> {
        Rc::clone(self.history.program())
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
        self.history.known()
    }

    /// Whether every effect up to the end or a fault is known.
    #[must_use]
    pub fn is_explored(&self) -> bool {
        self.history.is_explored()
    }

    /// Whether the end has been reached.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.position == self.known() && self.is_explored()
    }

    /// The fault that ends the program, once it has been stepped onto.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.history.fault().filter(|_| self.at_end())
    }

    /// Makes the next effect happen. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        if self.position == self.known() {
            let first = self.position;
            if !self.issue_next() {
                return false;
            }
            self.back_to(first);
        }
        self.forward();
        true
    }

    /// Applies the known effect at the position.
    fn forward(&mut self) {
        let effect = self.position;
        for change in self.history.load(effect).changes(effect..effect + 1) {
            self.machine.redo(change);
        }
        self.position += 1;
    }

    /// Takes the last effect back.
    fn back(&mut self) {
        let last = self.position - 1;
        let changes = self.history.load(last).changes(last..last + 1);
        for change in changes.iter().rev() {
            self.machine.undo(change);
        }
        self.position = last;
    }

    fn back_to(&mut self, position: usize) {
        while self.position > position {
            self.back();
        }
    }

    /// Takes the last effect back. Returns whether there was one.
    pub fn step_back(&mut self) -> bool {
        if self.position == 0 {
            return false;
        }
        self.back();
        self.load_last_effect();
        true
    }

    /// Goes to a position in the known history; positions beyond it mean its
    /// end. Returns how many effects it made or took back on the way: not
    /// more than lie between two copies of the state, wherever it goes.
    pub fn seek(&mut self, position: usize) -> usize {
        let position = position.min(self.known());
        let (copied, state) = self
            .history
            .segment_start(self.history.segment_of(position));
        if position.abs_diff(self.position) > position - copied {
            self.machine = Machine::clone(state);
            self.position = copied;
        }
        let moved = self.position.abs_diff(position);
        while self.position < position {
            self.forward();
        }
        self.back_to(position);
        self.load_last_effect();
        moved
    }

    /// Sees to it that what the last effect did is in memory.
    fn load_last_effect(&mut self) {
        if let Some(last) = self.position.checked_sub(1) {
            self.history.load(last);
        }
    }

    /// Goes to the end, computing what is not known yet.
    pub fn run_to_end(&mut self) {
        self.explore(usize::MAX);
        self.seek(self.known());
    }

    /// Computes the history up to about `effects` effects without moving.
    /// Returns whether all of it is known.
    pub fn explore(&mut self, effects: usize) -> bool {
        let here = self.position;
        if self.known() < effects && !self.is_explored() {
            self.seek(self.known());
            while self.known() < effects && self.issue_next() {}
            self.seek(here);
        }
        self.is_explored()
    }

    /// Runs the next instruction at the end of the history, which is where the
    /// position is, and goes to its end. Returns whether there was one.
    fn issue_next(&mut self) -> bool {
        if self.is_explored() {
            return false;
        }
        Rc::make_mut(&mut self.history).extend(&mut self.machine);
        self.position = self.known();
        true
    }

    /// The changes of the effect that was made last.
    #[must_use]
    pub fn last_changes(&self) -> &[Change] {
        match self.position.checked_sub(1) {
            Some(last) => self.history.loaded(last).changes(last..last + 1),
            None => &[],
        }
    }

    /// A known issue, or the one that follows all that is known if the position
    /// is there.
    #[must_use]
    pub fn issue(&self, index: IssueIndex) -> Option<Issue> {
        if let Some(issued) = self.history.issued(index) {
            return Some(issued.issue);
        }
        let is_next = to_usize(index.0) == self.history.issues().len();
        let is_here = self.position == self.known() && !self.is_explored();
        (is_next && is_here)
            .then(|| next_issue(self.program(), &self.machine))
            .flatten()
    }

    /// The issue that the last effect belongs to.
    #[must_use]
    pub fn last_issue(&self) -> Option<IssueIndex> {
        let last = self.position.checked_sub(1)?;
        Some(self.history.issue_of(last))
    }

    /// The issue that the next effect belongs to; None at the end.
    #[must_use]
    pub fn next_issue(&self) -> Option<IssueIndex> {
        if self.position < self.known() {
            return Some(self.history.issue_of(self.position));
        }
        let next = to_u32(self.history.issues().len());
        (!self.is_explored()).then_some(IssueIndex(next))
    }

    /// The issue to show: the one under way, or else the next, or at the end
    /// the last.
    #[must_use]
    pub fn current_issue(&self) -> Option<IssueIndex> {
        self.last_issue().or_else(|| self.next_issue())
    }

    /// Index of the instruction of an issue.
    #[must_use]
    pub fn instruction_of(&self, index: IssueIndex) -> Option<usize> {
        Some(to_usize(self.issue(index)?.instruction))
    }

    /// Index of the instruction that the last effect belongs to.
    #[must_use]
    pub fn last_instruction(&self) -> Option<usize> {
        self.instruction_of(self.last_issue()?)
    }

    /// Index of the instruction that the next effect belongs to; None at the
    /// end.
    #[must_use]
    pub fn next_instruction(&self) -> Option<usize> {
        self.instruction_of(self.next_issue()?)
    }

    /// The instruction of [`Self::current_issue`].
    #[must_use]
    pub fn current_instruction(&self) -> Option<usize> {
        self.instruction_of(self.current_issue()?)
    }

    /// Positions at which issues start, for a timeline.
    pub fn issue_starts(&self) -> impl Iterator<Item = usize> + '_ {
        let issues = self.history.issues().iter();
        issues.map(|issued| to_usize(issued.first_effect))
    }

    /// How often the known history has executed each instruction before the
    /// position.
    #[must_use]
    pub fn hit_counts(&self) -> Vec<u32> {
        let mut counts = alloc::vec![0; self.program().instructions.len()];
        let issues = self.history.issues().iter();
        for issued in issues.take_while(|i| to_usize(i.first_effect) < self.position) {
            if let Some(count) = counts.get_mut(to_usize(issued.issue.instruction)) {
                *count += 1;
            }
        }
        counts
    }

    /// What the last effect was.
    #[must_use]
    pub fn last_effect(&self) -> Option<EffectKind> {
        let last = self.position.checked_sub(1)?;
        Some(self.history.loaded(last).step(last).kind)
    }

    /// The access that was made last.
    #[must_use]
    pub fn last_access(&self) -> Option<&Access> {
        let last = self.position.checked_sub(1)?;
        self.history.loaded(last).access(last)
    }

    /// The access of the last effect where it read its cell and left it as it
    /// was: an access that only reads, or a compare that failed. The latter is
    /// among [`Self::last_changes`] too, as a change to the same value.
    #[must_use]
    pub fn last_read(&self) -> Option<&Access> {
        let access = self.last_access()?;
        if !access.in_bounds || access.fault.is_some() {
            return None;
        }
        if !access.writes {
            return Some(access);
        }
        let program = self.program();
        let placed = &program.instructions[self.last_instruction()?];
        let update = placed.instruction.update(&program.symbols)?;
        let is_cell = |c: &&Change| (c.space, c.address) == (access.space, access.address);
        let found = self.last_changes().iter().find(is_cell)?.old;
        let comparison = update.comparison(access, found)?;
        (!comparison.equal).then_some(access)
    }

    /// What an instruction needs to describe an effect, its `index`-th.
    fn effect<'r>(&self, record: &'r Record, effect: usize, index: u32) -> Effect<'r> {
        let issued = self.history.issued(record.step(effect).issue);
        Effect {
            index,
            threads: issued.expect("a known effect has an issue").issue.threads,
            access: record.access(effect),
            changes: record.changes(effect..effect + 1),
        }
    }

    /// The instruction of a known issue.
    fn placed(&self, issue: IssueIndex) -> &ProgramInstruction {
        let issued = self.history.issued(issue);
        let issued = issued.expect("a known effect has an issue");
        self.program().instruction(issued.issue)
    }

    /// The pseudo-code line and the variables of the last effect.
    #[must_use]
    pub fn pseudocode_state(&self) -> Option<PseudocodeState> {
        let last = self.position.checked_sub(1)?;
        let record = self.history.loaded(last);
        let step = record.step(last);
        let EffectKind::Effect(index) = step.kind else {
            return None;
        };
        let placed = self.placed(step.issue);
        let effect = self.effect(record, last, index);
        let symbols = &self.program().symbols;
        Some(placed.instruction.pseudocode_state(&effect, symbols))
    }

    /// One sentence on the last effect, or on the state of the run.
    #[must_use]
    pub fn summary(&self) -> String {
        if self.position == 0 {
            return match self.program().instructions.len() {
                0 => String::from("There is no instruction to run."),
                1 => String::from("At the start. 1 instruction."),
                n => format!("At the start. {n} instructions."),
            };
        }
        self.summary_at(self.position)
    }

    /// One sentence on the effect that leads to a known position; empty for the
    /// start and for positions that are not known.
    #[must_use]
    pub fn summary_at(&self, position: usize) -> String {
        let program = self.program();
        let known = position.checked_sub(1).filter(|e| *e < self.known());
        let Some(effect) = known else {
            return String::new();
        };
        let record = self.history.record(self.history.segment_of(effect));
        let step = record.step(effect);
        if let (EffectKind::Fault, Some(fault)) = (step.kind, self.history.fault()) {
            return format!("Fault: {}", fault.message);
        }
        let placed = self.placed(step.issue);
        let EffectKind::Effect(index) = step.kind else {
            let name = placed.instruction.spec().name;
            return format!("{name}: no lane is enabled, nothing changes");
        };
        let effect = self.effect(&record, effect, index);
        let text = placed
            .instruction
            .describe_effect(&effect, &program.symbols);
        match effect.access {
            Some(access) => format!("{}: {text}", lane_name(access.unit, program.threads)),
            None => text,
        }
    }

    /// The last effect before now, by its index, with a change that is
    /// `wanted`: "who last wrote this". A compare that fails is a change too,
    /// from a value to itself.
    #[must_use]
    pub fn last_write(&self, wanted: impl Fn(&Change) -> bool) -> Option<usize> {
        let last = self.position.checked_sub(1)?;
        (0..=self.history.segment_of(last))
            .rev()
            .find_map(|segment| {
                let record = self.history.record(segment);
                record.effects_with(0..self.position, &wanted).next_back()
            })
    }

    /// The known effects from a position on, by their indices, with a change
    /// that is `wanted`.
    pub fn writes_from<'s>(
        &'s self,
        position: usize,
        wanted: impl Fn(&Change) -> bool + 's,
    ) -> impl Iterator<Item = usize> + 's {
        let segments = self.history.segment_of(position)..self.history.segment_count();
        segments.flat_map(move |segment| {
            let record = self.history.record(segment);
            let writes = record.effects_with(position..self.known(), &wanted);
            writes.collect::<Vec<_>>()
        })
    }

    /// The effect, by its index, at which the program is known to fault.
    #[must_use]
    pub fn fault_ahead(&self) -> Option<usize> {
        self.history.fault().and(self.known().checked_sub(1))
    }
}
