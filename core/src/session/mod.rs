//! Interactive execution of a program: step, step back and seek.
//!
//! A step is one effect, such as one lane of an atomic. The effects of an instruction
//! are computed when the first of them is requested, and recorded as changes, old →
//! new. Stepping back applies the old values in reverse order; stepping forward again
//! applies the new ones. Checkpoints of the state share pages and bound the number of
//! changes applied by a seek. A history keeps at most 64 MiB of changes and 64 MiB of
//! checkpoints; evicted changes are recomputed from the preceding checkpoint.

mod batch;
mod bounds;
mod claims;
mod condition;
mod fault;
mod flow;
mod history;
mod lanes;
mod matrix;
mod names;
mod observer;
mod order;
mod schedule;
mod stepper;
mod thread_step;

pub use batch::{
    LaunchRun, PrintfWriters, RunResult, after_earlier_groups, run, run_launch, run_observed,
    run_recorded, run_scheduled,
};
pub use claims::{check_end_claim, end_claims, unmet_claims};
pub use condition::{Condition, ConditionRelation, item_id};
pub use fault::Fault;
pub use flow::{ChannelFlow, ThreadFlow};
pub use history::{EffectKind, IssueIndex};
pub use lanes::{LaneRow, conflict_groups};
pub use matrix::MatrixState;
use names::part_name;
pub use names::{item_name, lane_name, lane_phrase, lane_runs, unit_name};
pub use observer::{GroupFault, NoObserver, ObservedStep, Observer};
pub use order::{GroupOrder, RunOrder};
pub use schedule::{barrier_number, next_issue};
pub use stepper::{Stepper, accesses_of};
pub use thread_step::{StepKind, StepUnit, ThreadStep};

use crate::diagnostic::{Diagnostic, to_u32, to_usize};
use crate::isa::{Access, Effect, Instruction, PseudocodeState, SymbolTable, ThreadSet};
use crate::machine::{Change, Journal, Machine, SpaceId, StepGranularity};
use crate::program::{Issue, PRINTF_BYTES, Program, ProgramInstruction};
use crate::text::capitalized;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;
use history::{EffectRecorder, History, Issued, Record, Step};

/// Performs accesses without a history.
#[derive(Clone, Debug, Default)]
pub struct ScratchExecutor {
    journal: Journal,
    steps: Vec<Step>,
}

impl ScratchExecutor {
    /// Applies an evaluated issue and advances its threads; returns the changes in order.
    pub fn apply(
        &mut self,
        stepper: &Stepper,
        program: &Program,
        issue: Issue,
        machine: &mut Machine,
    ) -> &[Change] {
        self.journal.clear();
        self.steps.clear();
        stepper.apply(program, issue, machine, &mut self.recorder());
        self.journal.changes()
    }

    /// Performs accesses in order on a machine that may have no threads; returns the
    /// changes in order.
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
        instruction.perform_accesses(accesses, threads, machine, symbols, &mut effects);
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

/// A run of a program with random access to its history. Clones are cheap, since they
/// share the history and the pages of the state.
#[derive(Clone, Debug)]
pub struct Session {
    history: Rc<History>,
    /// State at the position.
    machine: Machine,
    /// Number of applied effects. The record of the last one is loaded.
    position: usize,
    /// Whether the next issue is the one to display.
    shows_next: bool,
}

impl Session {
    /// Creates a session at the start of a program. A program with errors runs its valid
    /// instructions; callers decide whether to allow that.
    #[must_use]
    pub fn new(program: Rc<Program>) -> Self {
        Self::with_granularity(program, StepGranularity::Unit)
    }

    /// Creates a session with a step granularity.
    #[must_use]
    pub fn with_granularity(program: Rc<Program>, granularity: StepGranularity) -> Self {
        Self {
            machine: program.start.clone(),
            history: Rc::new(History::new(program, granularity)),
            position: 0,
            shows_next: false,
        }
    }

    /// Continues with an edited program. Keeps the history of the common prefix of
    /// instructions, and clamps the position to it. Returns false and changes nothing if
    /// the initial state might differ.
    pub fn replace_program(&mut self, program: Rc<Program>) -> bool {
        if !self.program().starts_like(&program) {
            return false;
        }
        let mut same = self.common_issues(&program);
        if self.history.fault().is_some() {
            // The fault message contains the line of the last instruction.
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

    /// Number of leading issues that run alike in an edited program: up to the first
    /// instruction that differs or may branch elsewhere.
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

    /// The step granularity.
    #[must_use]
    pub fn granularity(&self) -> StepGranularity {
        self.history.granularity()
    }

    #[must_use]
    pub fn program(&self) -> &Program {
        self.history.program()
    }

    /// A shared reference to the program.
    #[must_use]
    pub fn shared_program(&self) -> Rc<Program> {
        Rc::clone(self.history.program())
    }

    /// The state at the position.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Number of effects before the position.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Number of known effects; all of them if [`Self::is_explored`].
    #[must_use]
    pub fn known(&self) -> usize {
        self.history.known()
    }

    /// Whether all effects up to the end or a fault are known.
    #[must_use]
    pub fn is_explored(&self) -> bool {
        self.history.is_explored()
    }

    /// Whether the position is at the end.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.position == self.known() && self.is_explored()
    }

    /// The fault, if the position is at it.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.history.fault().filter(|_| self.at_end())
    }

    /// The first warning about each instruction before the position, with the index of the
    /// instruction.
    pub fn warnings(&self) -> impl Iterator<Item = (u32, &Diagnostic)> {
        let last = self.last_issue();
        let warnings = self.history.warnings().iter();
        let reached = warnings.filter(move |(_, (issue, _))| Some(*issue) <= last);
        reached.map(|(instruction, (_, warning))| (*instruction, warning))
    }

    /// Executes the next effect. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        self.shows_next = false;
        let first = self.position;
        if first < self.known() {
            self.forward();
        } else if self.issue_next() {
            // An issue may have more effects.
            self.back_to(first + 1);
            self.load_last_effect();
        } else {
            return false;
        }
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

    /// Undoes the last effect.
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

    /// Undoes the last effect. Returns whether there was one.
    pub fn step_back(&mut self) -> bool {
        if self.position == 0 {
            return false;
        }
        self.shows_next = false;
        self.back();
        self.load_last_effect();
        true
    }

    /// Moves to a position in the known history, or to its end if `position` is larger.
    /// Returns the number of effects applied or undone, at most the checkpoint interval.
    pub fn seek(&mut self, position: usize) -> usize {
        self.shows_next = false;
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

    /// Loads the record of the last effect.
    fn load_last_effect(&mut self) {
        if let Some(last) = self.position.checked_sub(1) {
            self.history.load(last);
        }
    }

    pub fn run_to_end(&mut self) {
        self.precompute(usize::MAX);
        self.seek(self.known());
    }

    /// Computes about `effects` effects of the history without moving. Returns whether
    /// the whole history is known.
    pub fn precompute(&mut self, effects: usize) -> bool {
        let here = self.position;
        if self.known() < effects && !self.is_explored() {
            self.seek(self.known());
            while self.known() < effects && self.issue_next() {}
            self.seek(here);
        }
        self.is_explored()
    }

    /// Runs the next instruction to its end, with the position at the end of the history.
    /// Returns whether there was one.
    fn issue_next(&mut self) -> bool {
        if self.is_explored() {
            return false;
        }
        Rc::make_mut(&mut self.history).extend(&mut self.machine);
        self.position = self.known();
        true
    }

    /// The changes of the last effect.
    #[must_use]
    pub fn last_changes(&self) -> &[Change] {
        match self.position.checked_sub(1) {
            Some(last) => self.history.loaded(last).changes(last..last + 1),
            None => &[],
        }
    }

    /// A known issue, or the first unknown one if the position is at the end of the
    /// known history.
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

    /// The issue of the last effect.
    #[must_use]
    pub fn last_issue(&self) -> Option<IssueIndex> {
        let last = self.position.checked_sub(1)?;
        Some(self.history.issue_of(last))
    }

    /// The issue of the next effect; `None` at the end.
    #[must_use]
    pub fn next_issue(&self) -> Option<IssueIndex> {
        if self.position < self.known() {
            return Some(self.history.issue_of(self.position));
        }
        let next = to_u32(self.history.issues().len());
        (!self.is_explored()).then_some(IssueIndex(next))
    }

    /// Displays the next issue, as at the start, until the position changes.
    pub fn show_next(&mut self) {
        self.precompute(self.position + 1);
        self.shows_next = true;
    }

    /// The issue to display: that of the last effect, or the next one at the start and after
    /// [`Self::show_next`].
    #[must_use]
    pub fn current_issue(&self) -> Option<IssueIndex> {
        match self.shows_next {
            true => self.next_issue().or_else(|| self.last_issue()),
            false => self.last_issue().or_else(|| self.next_issue()),
        }
    }

    /// Index of the instruction of an issue.
    #[must_use]
    pub fn instruction_of(&self, index: IssueIndex) -> Option<usize> {
        Some(to_usize(self.issue(index)?.instruction))
    }

    /// Index of the instruction of the last effect.
    #[must_use]
    pub fn last_instruction(&self) -> Option<usize> {
        self.instruction_of(self.last_issue()?)
    }

    /// Index of the instruction of the next effect; `None` at the end.
    #[must_use]
    pub fn next_instruction(&self) -> Option<usize> {
        self.instruction_of(self.next_issue()?)
    }

    /// The instruction of [`Self::current_issue`].
    #[must_use]
    pub fn current_instruction(&self) -> Option<usize> {
        self.instruction_of(self.current_issue()?)
    }

    /// Start positions of the issues, for a timeline.
    pub fn issue_starts(&self) -> impl Iterator<Item = usize> + '_ {
        let issues = self.history.issues().iter();
        issues.map(|issued| to_usize(issued.first_effect))
    }

    /// Position at which a known issue starts.
    #[must_use]
    pub fn issue_start(&self, index: IssueIndex) -> Option<usize> {
        let issued = self.history.issued(index)?;
        Some(to_usize(issued.first_effect))
    }

    /// The known issues, in order.
    pub fn issues(&self) -> impl ExactSizeIterator<Item = Issue> + '_ {
        self.history.issues().iter().map(|issued| issued.issue)
    }

    /// The first known issue of an instruction.
    #[must_use]
    pub fn first_issue_of(&self, instruction: usize) -> Option<IssueIndex> {
        let mut issues = self.issues();
        let first = issues.position(|issue| to_usize(issue.instruction) == instruction)?;
        Some(IssueIndex(to_u32(first)))
    }

    /// The state before an issue that is known or next.
    #[must_use]
    pub fn state_before(&self, index: IssueIndex) -> Machine {
        match self.issue_start(index) {
            Some(start) => self.machine_at(start),
            None => self.machine.clone(),
        }
    }

    /// How often each instruction was executed before the position.
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

    /// The kind of the last effect.
    #[must_use]
    pub fn last_effect(&self) -> Option<EffectKind> {
        let last = self.position.checked_sub(1)?;
        Some(self.history.loaded(last).step(last).kind)
    }

    /// The access of the last effect.
    #[must_use]
    pub fn last_access(&self) -> Option<&Access> {
        let last = self.position.checked_sub(1)?;
        self.history.loaded(last).access(last)
    }

    /// The access of the last effect if it did not change its cell: a read, or a failed
    /// compare, which is also in [`Self::last_changes`] as a change to the same value.
    #[must_use]
    pub fn last_read(&self) -> Option<&Access> {
        let last = self.position.checked_sub(1)?;
        self.read_at(self.history.loaded(last), last)
    }

    /// The access of an effect if it did not change its cell.
    fn read_at<'r>(&self, record: &'r Record, effect: usize) -> Option<&'r Access> {
        let access = record.access(effect)?;
        if !access.in_bounds || access.fault.is_some() {
            return None;
        }
        if !access.writes {
            return Some(access);
        }
        let placed = self.placed(record.step(effect).issue);
        let update = placed.instruction.update(&self.program().symbols)?;
        let is_cell = |c: &&Change| (c.space, c.address) == (access.space, access.address);
        let mut changes = record.changes(effect..effect + 1).iter();
        let found = changes.find(is_cell)?.old;
        let comparison = update.comparison(access, found)?;
        (!comparison.equal).then_some(access)
    }

    /// The data that an instruction needs to describe effect `index`.
    fn effect<'r>(&self, record: &'r Record, effect: usize, index: u32) -> Effect<'r> {
        let issued = self.history.issued(record.step(effect).issue);
        let access = record.access(effect);
        Effect {
            index,
            threads: issued.expect("a known effect has an issue").issue.threads,
            access,
            cell_type: access.and_then(|access| self.program().cell_type(access)),
            changes: record.changes(effect..effect + 1),
        }
    }

    /// The instruction of a known issue.
    fn placed(&self, issue: IssueIndex) -> &ProgramInstruction {
        let issued = self.history.issued(issue);
        let issued = issued.expect("a known effect has an issue");
        self.program().instruction(issued.issue)
    }

    /// The pseudo-code line and variables of the last effect.
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

    /// Describes the last effect or the state of the run, in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        if self.position == 0 {
            return match self.program().instructions.len() {
                0 => String::from("The program has no instructions."),
                1 => String::from("At the start. 1 instruction."),
                n => format!("At the start. {n} instructions."),
            };
        }
        let launch = self.program().launch.as_ref();
        match launch.filter(|_| self.at_end() && self.fault().is_none()) {
            Some(launch) => launch.end_text(),
            None => self.summary_at(self.position),
        }
    }

    /// Describes the effect that leads to a known position, in one sentence; empty
    /// for the start and for unknown positions.
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
            return format!("{name}: no lane is enabled, so nothing changes");
        };
        let effect = self.effect(&record, effect, index);
        let flow = self.flow(step.issue);
        let text = match flow.get(to_usize(index)) {
            Some(flow) => {
                let name = placed.instruction.spec().mnemonics[0];
                let mut text = format!("{name}: {}", self.describe_flow(flow));
                let mut warnings = self.history.warnings().values();
                if let Some((_, warning)) = warnings.find(|(issue, _)| *issue == step.issue) {
                    text.push_str(&format!(". Warning: {}", warning.message()));
                }
                text
            }
            None => (placed.instruction).describe_effect(&effect, &program.symbols),
        };
        let Some(access) = effect.access else {
            return text;
        };
        let Some(launch) = &program.launch else {
            return format!("{}: {text}", lane_name(access.unit, program.threads));
        };
        let mut unit = access.unit;
        if placed.instruction.channels().count_ones() < 2 {
            unit.channel = None;
        }
        let is_block = placed.instruction.is_block();
        unit.lane += placed.first_lane(program);
        let item = item_name(program, unit.thread, unit.lane);
        let item = item.filter(|_| !placed.is_uniform(program));
        let lane = match (item, program.threads) {
            (Some(item), _) if unit.channel.is_none() => item,
            (Some(item), _) => format!("{item}, channel {}", unit.letter()),
            (None, 0 | 1) => part_name(if is_block { "Element" } else { "Lane" }, unit, 1),
            (None, _) => {
                let part = part_name(if is_block { "element" } else { "lane" }, unit, 1);
                format!(
                    "{} {}, {part}",
                    capitalized(launch.words().thread),
                    unit.thread
                )
            }
        };
        let element = launch.element_name(access.address, access.bytes);
        let element = element.filter(|_| access.space == SpaceId::VIRTUAL);
        // Descriptions begin with the cell, as `svm[0x10040]`.
        match element.zip(text.split_once(']')) {
            Some((element, (_, rest))) => format!("{lane}: {element}{rest}"),
            None => format!("{lane}: {text}"),
        }
    }

    /// Index of the last effect before the current position that has a change
    /// matching `wanted`, to answer "what last wrote this?". A failed compare does not
    /// write its cell.
    #[must_use]
    pub fn last_write(&self, wanted: impl Fn(&Change) -> bool) -> Option<usize> {
        let last = self.position.checked_sub(1)?;
        (0..=self.history.segment_of(last))
            .rev()
            .find_map(|segment| {
                let record = self.history.record(segment);
                let is_write = |effect: &usize| {
                    let read = self.read_at(&record, *effect);
                    let mut changes = record.changes(*effect..*effect + 1).iter();
                    changes.any(|change| {
                        let is_read = |read: &Access| {
                            change.touches(read.space, read.address, read.bytes.into())
                        };
                        wanted(change) && !read.is_some_and(is_read)
                    })
                };
                let mut effects = record.effects_with(0..self.position, &wanted);
                effects.rfind(is_write)
            })
    }

    /// Indices of the known effects from a position that have a change matching
    /// `wanted`.
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

    /// The work-items that have written the printf buffer before the current position;
    /// `earlier` are those of the work-groups before the one in the timeline.
    #[must_use]
    pub fn printf_writers(&self, earlier: &PrintfWriters) -> PrintfWriters {
        let mut writers = earlier.clone();
        let launch = self.program().launch.as_ref();
        let (Some((launch, buffer)), Some(last)) = (
            launch.and_then(|launch| Some((launch, launch.printf?))),
            self.position.checked_sub(1),
        ) else {
            return writers;
        };
        writers.enter(launch, launch.group);
        let is_printf = |change: &Change| change.touches(SpaceId::VIRTUAL, buffer, PRINTF_BYTES);
        for segment in 0..=self.history.segment_of(last) {
            let record = self.history.record(segment);
            for effect in record.effects_with(0..self.position, is_printf) {
                let access = record.access(effect).map_or(&[][..], slice::from_ref);
                let issued = self.history.issued(self.history.issue_of(effect));
                let issued = issued.expect("an effect belongs to an issue");
                let instruction = &self.program().instructions[to_usize(issued.issue.instruction)];
                let first_channel = instruction.instruction.first_channel();
                writers.note(launch, buffer, first_channel, access);
                // The first word of the buffer is the size of its used part.
                let mut changes = record.changes(effect..effect + 1).iter();
                let size = changes.find(|c| c.touches(SpaceId::VIRTUAL, buffer, 4));
                if let Some(size) = size.filter(|_| !self.at_end()) {
                    writers.note_open(buffer + size.old, buffer + size.new);
                }
            }
        }
        writers
    }

    /// Index of the effect at which the program is known to fault.
    #[must_use]
    pub fn fault_ahead(&self) -> Option<usize> {
        self.history.fault().and(self.known().checked_sub(1))
    }
}
