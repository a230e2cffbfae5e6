//! History of a run: checkpoints of the state, and the changes of each effect between
//! them.
//!
//! Both are bounded in memory. Evicted changes are recomputed from the preceding
//! checkpoint, and checkpoints are spaced farther apart if they need much memory.

use super::fault::Fault;
use super::names::group_of_timeline;
use super::schedule::next_issue;
use super::stepper::Stepper;
use crate::diagnostic::{Diagnostic, to_u32, to_usize};
use crate::isa::{Access, FaultKind, Unit};
use crate::machine::{Change, Journal, Machine, Recorder, StepGranularity};
use crate::program::{Issue, Program};
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

/// Minimum checkpoint interval, in effects.
const CHECKPOINT: usize = 1024;

/// Maximum bytes of a checkpoint per effect since the previous one; less than the
/// journal needs.
const COPIED_BYTES: usize = 64;

/// Memory limits of a history, not counting the program.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Limit for changes. The segment of the current position is always kept.
    recorded: usize,
    /// Limit for checkpoints.
    copied: usize,
    /// Number of issues that can be recorded; each takes 12 bytes, which are kept.
    issues: usize,
}

const LIMITS: Limits = Limits {
    recorded: 64 << 20,
    copied: 64 << 20,
    issues: 8 << 20,
};

/// Kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// An effect of the instruction, by index. If the instruction makes accesses, it is
    /// the access with the same index.
    Effect(u32),
    /// No effect, since no lane is enabled.
    Nothing,
    /// A fault, which ends the program.
    Fault,
}

/// Index of an issue in a run. An instruction in a loop is issued repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IssueIndex(pub u32);

impl IssueIndex {
    fn of(index: usize) -> Self {
        Self(to_u32(index))
    }

    fn index(self) -> usize {
        to_usize(self.0)
    }
}

/// A recorded issue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Issued {
    pub(super) issue: Issue,
    pub(super) first_effect: u32,
}

/// One effect of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) issue: IssueIndex,
    pub(super) kind: EffectKind,
    /// Index of the first change in the journal of the record.
    first_change: u32,
}

/// Records changes and the start of each effect.
pub(super) struct EffectRecorder<'r> {
    pub(super) journal: &'r mut Journal,
    pub(super) steps: &'r mut Vec<Step>,
    pub(super) issue: IssueIndex,
    /// Index of the next effect among the instruction's.
    pub(super) next: u32,
    pub(super) granularity: StepGranularity,
}

impl Recorder for EffectRecorder<'_> {
    fn granularity(&self) -> StepGranularity {
        self.granularity
    }

    #[inline]
    fn begin(&mut self) {
        self.steps.push(Step {
            issue: self.issue,
            kind: EffectKind::Effect(self.next),
            first_change: to_u32(self.journal.len()),
        });
        self.next += 1;
    }

    #[inline]
    fn record(&mut self, change: Change) {
        self.journal.record(change);
    }
}

/// The effects of the issues between two checkpoints. Issue and effect indices are
/// relative to the start of the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    first_issue: usize,
    first_effect: usize,
    steps: Vec<Step>,
    journal: Journal,
    accesses: Vec<Access>,
    /// Index of the first access of each issue.
    first_accesses: Vec<usize>,
}

impl Record {
    /// Memory use in bytes.
    const fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step>()
            + self.journal.capacity() * size_of::<Change>()
            + self.accesses.capacity() * size_of::<Access>()
            + self.first_accesses.capacity() * size_of::<usize>()
    }

    /// Creates an empty record for the following instructions with the same capacity.
    fn next(&self) -> Self {
        Self {
            first_issue: self.first_issue + self.first_accesses.len(),
            first_effect: self.end(),
            steps: Vec::with_capacity(self.steps.len()),
            journal: Journal::with_capacity(self.journal.len()),
            accesses: Vec::with_capacity(self.accesses.len()),
            first_accesses: Vec::with_capacity(self.first_accesses.len()),
        }
    }

    /// Applies and records the next issue, which has been evaluated.
    fn run_next(
        &mut self,
        program: &Program,
        issue: Issue,
        granularity: StepGranularity,
        machine: &mut Machine,
        (stepper, has_fault): (&Stepper, bool),
    ) {
        let index = IssueIndex::of(self.next_issue());
        self.first_accesses.push(self.accesses.len());
        self.accesses.extend_from_slice(stepper.accesses());
        let mut effects = EffectRecorder {
            journal: &mut self.journal,
            steps: &mut self.steps,
            issue: index,
            next: 0,
            granularity,
        };
        if !has_fault {
            stepper.perform(program, issue, machine, &mut effects);
        }
        if effects.next == 0 {
            effects.begin();
            let step = effects.steps.last_mut().expect("a step was just added");
            step.kind = match has_fault {
                true => EffectKind::Fault,
                false => EffectKind::Nothing,
            };
        }
        if !has_fault {
            // Control flow is part of the last effect.
            stepper.proceed(program, issue, machine, &mut effects);
        }
    }

    /// Removes the issues from `issue`, whose first effect is `effect`.
    fn truncate(&mut self, issue: usize, effect: usize) {
        let effects = effect - self.first_effect;
        let issues = issue - self.first_issue;
        if let Some(step) = self.steps.get(effects) {
            self.journal.truncate(to_usize(step.first_change));
            self.steps.truncate(effects);
        }
        if let Some(access) = self.first_accesses.get(issues) {
            self.accesses.truncate(*access);
            self.first_accesses.truncate(issues);
        }
    }

    /// An effect of this record.
    pub(super) fn step(&self, effect: usize) -> &Step {
        &self.steps[effect - self.first_effect]
    }

    /// The changes of some effects, as indices into the journal.
    fn change_range(&self, effects: Range<usize>) -> Range<usize> {
        let at = |effect: usize| {
            let step = self.steps.get(effect - self.first_effect);
            step.map_or(self.journal.len(), |step| to_usize(step.first_change))
        };
        at(effects.start)..at(effects.end)
    }

    /// The changes of some effects in order.
    pub(super) fn changes(&self, effects: Range<usize>) -> &[Change] {
        &self.journal.changes()[self.change_range(effects)]
    }

    /// Indices of the effects in a range that have a change matching `wanted`.
    pub(super) fn effects_with(
        &self,
        effects: Range<usize>,
        wanted: impl Fn(&Change) -> bool,
    ) -> impl DoubleEndedIterator<Item = usize> {
        let effects = effects.start.max(self.first_effect)..effects.end.min(self.end());
        let range = self.change_range(effects);
        let first = range.start;
        let changes = self.journal.changes()[range].iter().enumerate();
        let found = changes.filter(move |(_, change)| wanted(change));
        found.map(move |(at, _)| self.effect_of(first + at))
    }

    /// The effect that a change in the journal belongs to.
    fn effect_of(&self, change: usize) -> usize {
        let change = to_u32(change);
        let after = self
            .steps
            .partition_point(|step| step.first_change <= change);
        self.first_effect + after - 1
    }

    /// One past the last effect.
    pub(super) const fn end(&self) -> usize {
        self.first_effect + self.steps.len()
    }

    /// Index of the issue after the last one.
    fn next_issue(&self) -> usize {
        self.first_issue + self.first_accesses.len()
    }

    /// The accesses of an issue.
    pub(super) fn accesses(&self, issue: IssueIndex) -> &[Access] {
        let index = issue.index() - self.first_issue;
        let end = self.first_accesses.get(index + 1);
        let end = end.copied().unwrap_or(self.accesses.len());
        &self.accesses[self.first_accesses[index]..end]
    }

    /// The access of an effect, if the instruction makes accesses.
    pub(super) fn access(&self, effect: usize) -> Option<&Access> {
        let step = self.step(effect);
        let EffectKind::Effect(index) = step.kind else {
            return None;
        };
        self.accesses(step.issue).get(to_usize(index))
    }
}

/// The part of a run between two checkpoints.
#[derive(Clone, Debug)]
struct Segment {
    first_issue: usize,
    first_effect: usize,
    start: Rc<Machine>,
    /// Bytes of `start` not shared with the previous checkpoint.
    copied: usize,
    /// The recorded effects; `None` if evicted.
    record: Option<Rc<Record>>,
}

/// The known history of a run. Clones share records and checkpoints; the record that is
/// extended is copied on write.
#[derive(Clone, Debug)]
pub(super) struct History {
    program: Rc<Program>,
    granularity: StepGranularity,
    limits: Limits,
    /// The first segment starts with the program; the last one is extended.
    segments: Vec<Segment>,
    /// The issued instructions.
    issues: Vec<Issued>,
    /// Whether all issues of the run are known.
    is_finished: bool,
    /// Number of known effects.
    known: usize,
    fault: Option<Fault>,
    /// The first warning about each instruction.
    warnings: BTreeMap<u32, (IssueIndex, Diagnostic)>,
    /// First effect at which the next checkpoint can be taken.
    next_copy: usize,
    /// Number of times the checkpoint interval has been doubled.
    doublings: u32,
    /// The segment found by the last lookup, as a cache.
    near: Cell<usize>,
}

impl History {
    pub(super) fn new(program: Rc<Program>, granularity: StepGranularity) -> Self {
        Self {
            segments: alloc::vec![Segment {
                first_issue: 0,
                first_effect: 0,
                start: Rc::new(program.start.clone()),
                copied: 0,
                record: Some(Rc::new(Record::default())),
            }],
            is_finished: next_issue(&program, &program.start).is_none(),
            program,
            granularity,
            limits: LIMITS,
            issues: Vec::new(),
            known: 0,
            fault: None,
            warnings: BTreeMap::new(),
            next_copy: CHECKPOINT,
            doublings: 0,
            near: Cell::new(0),
        }
    }

    pub(super) const fn program(&self) -> &Rc<Program> {
        &self.program
    }

    pub(super) const fn granularity(&self) -> StepGranularity {
        self.granularity
    }

    /// Number of known effects.
    pub(super) const fn known(&self) -> usize {
        self.known
    }

    /// The issued instructions.
    pub(super) fn issues(&self) -> &[Issued] {
        &self.issues
    }

    /// A known issue.
    pub(super) fn issued(&self, issue: IssueIndex) -> Option<Issued> {
        self.issues.get(issue.index()).copied()
    }

    /// The fault at the end of the program, if known.
    pub(super) const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The first known warning about each instruction.
    pub(super) const fn warnings(&self) -> &BTreeMap<u32, (IssueIndex, Diagnostic)> {
        &self.warnings
    }

    /// Whether all effects up to the end or a fault are known.
    pub(super) fn is_explored(&self) -> bool {
        self.fault.is_some() || self.is_finished
    }

    /// The issue of a known effect.
    pub(super) fn issue_of(&self, effect: usize) -> IssueIndex {
        let after = (self.issues).partition_point(|i| to_usize(i.first_effect) <= effect);
        IssueIndex::of(after.saturating_sub(1))
    }

    /// The segment of an effect.
    pub(super) fn segment_of(&self, effect: usize) -> usize {
        let is_behind = |s: &Segment| s.first_effect > effect;
        let near = self.near.get();
        if self.segments.get(near).is_some_and(|s| !is_behind(s))
            && self.segments.get(near + 1).is_none_or(is_behind)
        {
            return near;
        }
        let after = self.segments.partition_point(|s| s.first_effect <= effect);
        self.near.set(after - 1);
        after - 1
    }

    pub(super) fn segment_of_issue(&self, issue: IssueIndex) -> usize {
        let after = self
            .segments
            .partition_point(|s| s.first_issue <= issue.index());
        after - 1
    }

    pub(super) fn segment_count(&self) -> usize {
        self.segments.len()
    }

    /// The first effect of a segment and the state before it.
    pub(super) fn segment_start(&self, segment: usize) -> (usize, &Machine) {
        let segment = &self.segments[segment];
        (segment.first_effect, &segment.start)
    }

    /// The record of a segment, recomputed if evicted.
    pub(super) fn record(&self, segment: usize) -> Cow<'_, Record> {
        match &self.segments[segment].record {
            Some(record) => Cow::Borrowed(record),
            None => Cow::Owned(self.rerun(segment)),
        }
    }

    /// The record of the segment that was loaded last, which contains `effect`.
    pub(super) fn loaded(&self, effect: usize) -> &Record {
        let record = self.segments[self.segment_of(effect)].record.as_ref();
        record.expect("the current segment is loaded")
    }

    /// Loads the record of the segment that contains `effect` and keeps it; copies the
    /// history if it is shared.
    pub(super) fn load(self: &mut Rc<Self>, effect: usize) -> &Record {
        let segment = self.segment_of(effect);
        if self.segments[segment].record.is_none() {
            Rc::make_mut(self).rerun_segment(segment);
        }
        let record = self.segments[segment].record.as_ref();
        record.expect("the record is present or was just computed")
    }

    fn rerun_segment(&mut self, segment: usize) {
        self.segments[segment].record = Some(Rc::new(self.rerun(segment)));
        self.evict_records(segment);
    }

    /// Recomputes the record of a segment.
    fn rerun(&self, segment: usize) -> Record {
        let next = self.segments.get(segment + 1);
        let end = next.map_or(self.issues.len(), |next| next.first_issue);
        let segment = &self.segments[segment];
        let mut record = Record {
            first_issue: segment.first_issue,
            first_effect: segment.first_effect,
            ..Record::default()
        };
        let mut machine = Machine::clone(&segment.start);
        let mut stepper = Stepper::default();
        for issued in &self.issues[segment.first_issue..end] {
            let (issue, granularity) = (issued.issue, self.granularity);
            let fault = self.evaluate(&mut stepper, issue, record.next_issue(), &machine);
            let evaluated = (&stepper, fault.is_some());
            record.run_next(&self.program, issue, granularity, &mut machine, evaluated);
        }
        debug_assert_eq!(record.end(), next.map_or(self.known, |s| s.first_effect));
        record
    }

    /// Evaluates the issue at an index; returns its fault, if any. A full history ends the run.
    fn evaluate(
        &self,
        stepper: &mut Stepper,
        issue: Issue,
        index: usize,
        machine: &Machine,
    ) -> Option<Fault> {
        if index < self.limits.issues {
            return stepper.evaluate(&self.program, issue, to_u32(index), machine);
        }
        *stepper = Stepper::default();
        let line = self.program.instruction(issue).line + 1;
        Some(Fault {
            kind: FaultKind::OutOfFuel,
            instruction: issue.instruction,
            unit: Unit::lane(issue.threads.first(), 0),
            place: None,
            message: format!(
                "the history is full after {index} instructions, before line {line}: run the \
                 program without stepping"
            ),
        })
    }

    /// Executes the first unknown issue; `machine` is the state before it. Must not be
    /// called if [`Self::is_explored`].
    pub(super) fn extend(&mut self, machine: &mut Machine) {
        debug_assert!(!self.is_explored());
        let (program, granularity) = (Rc::clone(&self.program), self.granularity);
        let issue = next_issue(&program, machine).expect("the run is not finished");
        let mut stepper = Stepper::default();
        let fault = self.evaluate(&mut stepper, issue, self.issues.len(), machine);
        let warning = match fault {
            Some(_) => None,
            None => stepper.warning(&program, issue, group_of_timeline(&program), machine),
        };
        let last = self.segments.len() - 1;
        if self.segments[last].record.is_none() {
            self.rerun_segment(last);
        }
        let record = self.segments[last].record.as_mut();
        let record = Rc::make_mut(record.expect("the record is present or was just computed"));
        let evaluated = (&stepper, fault.is_some());
        record.run_next(&program, issue, granularity, machine, evaluated);
        if let Some(warning) = warning {
            let first = (IssueIndex::of(self.issues.len()), warning);
            self.warnings.entry(issue.instruction).or_insert(first);
        }
        let end = record.end();
        self.issues.push(Issued {
            issue,
            first_effect: to_u32(self.known),
        });
        self.known = end;
        self.is_finished = fault.is_some() || next_issue(&program, machine).is_none();
        self.fault = fault;
        if self.known >= self.next_copy {
            self.checkpoint(machine);
        }
    }

    /// Takes a checkpoint, or postpones it if too many pages were written relative to the
    /// number of effects since the last one.
    fn checkpoint(&mut self, machine: &Machine) {
        let last = self.segments.last_mut();
        let last = last.expect("the initial state is the first checkpoint");
        let copied = machine.bytes_beside(&last.start);
        let distance = CHECKPOINT.max(copied / COPIED_BYTES) << self.doublings;
        self.next_copy = last.first_effect + distance;
        if self.known < self.next_copy {
            return;
        }
        let record = last.record.as_ref();
        let record = record.expect("the last instruction was just added");
        let next = record.next();
        self.segments.push(Segment {
            first_issue: next.first_issue,
            first_effect: next.first_effect,
            start: Rc::new(machine.clone()),
            copied,
            record: Some(Rc::new(next)),
        });
        if self.segments.iter().map(|s| s.copied).sum::<usize>() > self.limits.copied {
            self.thin_checkpoints();
        }
        let last = self.segments.len() - 1;
        self.next_copy = self.segments[last].first_effect + (CHECKPOINT << self.doublings);
        self.evict_records(last);
    }

    /// Drops every second checkpoint and doubles the checkpoint interval.
    fn thin_checkpoints(&mut self) {
        self.doublings += 1;
        let mut is_kept = false;
        self.segments.retain(|_| {
            is_kept = !is_kept;
            is_kept
        });
        for segment in &mut self.segments {
            // The segment now extends to the end of a later one.
            segment.record = None;
        }
        for later in 1..self.segments.len() {
            let [before, segment] = &mut self.segments[later - 1..=later] else {
                unreachable!("a slice of two");
            };
            segment.copied = segment.start.bytes_beside(&before.start);
        }
    }

    /// Evicts records, those farthest from a segment first, until the limit is met.
    fn evict_records(&mut self, near: usize) {
        let bytes = |s: &Segment| s.record.as_deref().map_or(0, Record::bytes);
        let mut all: usize = self.segments.iter().map(bytes).sum();
        let mut kept = 0..self.segments.len();
        while all > self.limits.recorded && kept.len() > 1 {
            let farthest = if near - kept.start > kept.end - 1 - near {
                kept.start += 1;
                kept.start - 1
            } else {
                kept.end -= 1;
                kept.end
            };
            all -= bytes(&self.segments[farthest]);
            self.segments[farthest].record = None;
        }
    }

    /// Replaces the program, keeping the history of the first `same` issues, which must
    /// run alike.
    pub(super) fn replace_program(&mut self, program: Rc<Program>, same: usize) {
        self.program = program;
        if let Some(issued) = self.issues.get(same) {
            let end = to_usize(issued.first_effect);
            self.issues.truncate(same);
            self.warnings.retain(|_, (issue, _)| issue.index() < same);
            self.known = end;
            self.fault = None;
            self.segments.retain(|segment| segment.first_effect <= end);
            let last = self.segments.last_mut();
            let last = last.expect("the initial state precedes every effect");
            if let Some(record) = &mut last.record {
                Rc::make_mut(record).truncate(same, end);
            }
            self.next_copy = self.next_copy.min(end + (CHECKPOINT << self.doublings));
        }
    }

    /// Updates whether the run is finished, given the state at the end of the history.
    pub(super) fn set_finished(&mut self, machine: &Machine) {
        self.is_finished = self.fault.is_some() || next_issue(&self.program, machine).is_none();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::SpaceId;
    use crate::session::Session;
    use std::format;
    use std::string::String;

    /// 136 instructions with 4,366 effects and therefore several checkpoints; the last
    /// instruction faults.
    fn program() -> Rc<Program> {
        let head = ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
                    .decl V33 v_type=G type=ud num_elts=32 align=GRF\n\
                    .decl V34 v_type=G type=ud num_elts=32 align=GRF\n\
                    .decl V35 v_type=G type=uq num_elts=8 align=GRF\n\
                    .decl V36 v_type=G type=d num_elts=64 align=GRF\n\
                    .decl P1 v_type=P num_elts=32\n\
                    .slm 4096\n.init V32 = iota(0, 4)\n.init V33 = iota(1, 1)\n";
        let lines = "dword_atomic.add (M1, 32) %slm V32.0 V33.0 %null.0 V34.0\n\
                     (P1) dword_atomic.inc (M1, 32) %slm V32.0 %null.0 %null.0 V34.0\n\
                     dpas.s8.s8.8.8 (M1, 8) V36.0 V36.0 V36.0 V36(0,0)\n";
        let lines = lines.repeat(45);
        let fault = "svm_atomic.inc (M1, 8) V35.0 V34.0 %null.0 %null.0\n";
        let program = Program::parse(&format!("{head}{lines}{fault}"));
        assert!(program.can_run(), "{:?}", program.diagnostics);
        Rc::new(program)
    }

    fn limited(program: &Rc<Program>, recorded: usize, copied: usize) -> Session {
        let mut session = Session::new(Rc::clone(program));
        let limits = Limits {
            recorded,
            copied,
            ..LIMITS
        };
        Rc::make_mut(&mut session.history).limits = limits;
        session
    }

    /// The observable state of a session at its position.
    fn view(session: &Session) -> String {
        let cell = |address| session.machine().load(SpaceId::SLM, address, 4);
        let issue = session.current_issue().unwrap_or(IssueIndex(0));
        let is_write = |c: &Change| c.old != c.new && c.touches(SpaceId::SLM, 8, 4);
        format!(
            "{:?}",
            (
                session.last_changes(),
                session.last_effect(),
                session.last_access(),
                session.summary(),
                session.pseudocode_state(),
                session.lanes(issue),
                session.matrix(issue, false),
                session.last_write(is_write),
                session.writes_from(session.position(), is_write).next(),
                (cell(0), cell(8), cell(124)),
            )
        )
    }

    #[test]
    fn evicted_records_are_recomputed() {
        const NO_LIMIT: usize = usize::MAX;
        let program = program();
        let mut kept = Session::new(Rc::clone(&program));
        kept.run_to_end();
        let fault = kept.fault().cloned();
        assert!(fault.is_some());
        let (known, copies) = (kept.known(), kept.history.segments.len());
        let is_recorded = |segment: &&Segment| segment.record.is_some();
        assert_eq!(
            kept.history.segments.iter().filter(is_recorded).count(),
            copies
        );
        let copied = kept.history.segments[1].copied;
        for (recorded, copied, records, segments) in [
            (0, NO_LIMIT, 1, copies),
            (0, 0, 1, 1),
            (0, 3 * copied, 1, copies - 2),
            (NO_LIMIT, 3 * copied, copies - 2, copies - 2),
        ] {
            let mut session = limited(&program, recorded, copied);
            while session.step() {}
            assert_eq!((session.known(), session.fault()), (known, fault.as_ref()));
            assert_eq!(session.history.segments.len(), segments);
            let count = session.history.segments.iter().filter(is_recorded).count();
            assert!(count <= records, "{count} of {records}");
            for n in 0..60_usize {
                let to = n.wrapping_mul(2_654_435_761) % (known + 1);
                kept.seek(to);
                session.seek(to);
                assert_eq!(view(&kept), view(&session), "{to}");
                assert_eq!(kept.step_back(), session.step_back());
                assert_eq!(view(&kept), view(&session), "back from {to}");
            }
        }
    }

    #[test]
    fn a_full_history_ends_the_run() {
        let mut session = Session::new(program());
        Rc::make_mut(&mut session.history).limits.issues = 5;
        session.run_to_end();
        let fault = session.fault().expect("the history is full");
        assert_eq!(fault.kind, FaultKind::OutOfFuel);
        assert!(fault.message.contains("full after 5 instructions"));
        assert_eq!(session.issues().len(), 6);
        let end = session.known();
        session.seek(0);
        session.seek(end);
        assert_eq!(session.known(), end);
    }

    #[test]
    fn clones_are_independent_and_share_history() {
        let program = program();
        let mut kept = Session::new(Rc::clone(&program));
        kept.run_to_end();
        for limit in [0, usize::MAX] {
            let mut first = limited(&program, limit, limit);
            first.precompute(2000);
            first.seek(1500);
            let before = view(&first);
            let known = first.known();
            let mut second = first.clone();
            assert!(Rc::ptr_eq(&first.history, &second.history));
            // Steps within the kept history do not copy it.
            second.step();
            assert!(Rc::ptr_eq(&first.history, &second.history));
            second.run_to_end();
            second.seek(3000);
            assert_eq!((view(&first), first.known()), (before.clone(), known));
            for (session, to) in [(&mut first, 1500), (&mut second, 3000)] {
                kept.seek(to);
                assert_eq!(view(&kept), view(session), "{to}");
            }
            let mut edited = (*program).clone();
            edited.instructions.truncate(3);
            assert!(second.replace_program(Rc::new(edited)));
            assert_eq!((view(&first), first.known()), (before, known));
        }
    }

    #[test]
    fn edits_keep_preceding_history() {
        let first = program();
        let mut edited = (*first).clone();
        edited.instructions.truncate(40);
        edited
            .instructions
            .extend_from_slice(&first.instructions[..2]);
        let edited = Rc::new(edited);
        let mut fresh = Session::new(Rc::clone(&edited));
        fresh.run_to_end();
        for limit in [0, usize::MAX] {
            let mut session = limited(&first, limit, limit);
            session.run_to_end();
            assert!(session.replace_program(Rc::clone(&edited)));
            session.run_to_end();
            assert_eq!(session.known(), fresh.known());
            for to in [fresh.known(), fresh.known() - 20, 1300, 1024, 1, 0] {
                fresh.seek(to);
                session.seek(to);
                assert_eq!(view(&fresh), view(&session), "{to}");
            }
        }
    }
}
