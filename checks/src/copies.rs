//! Copies from global to shared memory that nothing has waited for.
//!
//! A run performs a copy at once. Here, its bytes stay pending until the warp that has started
//! it waits for its group, as PTX asks of `cp.async`, or until a test finds that the phase of the
//! barrier object is complete which counts them. What a copy reads from shared memory stays
//! pending, too, but only for those who write there.

use crate::Checks;
use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Space};
use crate::races::is_complete;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{Access, CopyStep, PhaseStep};
use lanewise_core::machine::SpaceId;
use lanewise_core::session::ObservedStep;

/// A copy that may not be complete.
#[derive(Debug)]
struct Pending {
    until: Until,
    note: AccessNote,
}

/// When a copy is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// Its warp has waited for the group with this number.
    Group(u64),
    /// A phase of the barrier object at this address is complete.
    Phase(u64),
}

/// The copies of a block that are pending.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// By address in shared memory.
    pending: BTreeMap<u64, Pending>,
    /// Groups that each warp has made.
    groups: BTreeMap<u8, u64>,
}

/// Most bytes that one access of a copy writes.
const MOST_BYTES: u64 = 8;

impl Copies {
    /// The pending copy to one of the bytes of an access.
    fn overlapping(&self, access: &Access) -> Option<&Pending> {
        let end = access.address.saturating_add(access.bytes.into());
        let near = access.address.saturating_sub(MOST_BYTES - 1)..end;
        let mut copies = self.pending.range(near).map(|(_, pending)| pending);
        copies.find(|pending| {
            let AccessNote { address, bytes, .. } = pending.note;
            let conflicts = access.writes || pending.note.operation != Operation::Read;
            conflicts && address + u64::from(bytes) > access.address
        })
    }

    /// Makes a group, or waits for all groups of a warp but a number of them.
    fn advance(&mut self, thread: u8, step: CopyStep) {
        let groups = self.groups.entry(thread).or_default();
        match step {
            CopyStep::Start => {}
            CopyStep::Commit => *groups += 1,
            CopyStep::Wait(others) => {
                let complete = groups.saturating_sub(others);
                self.pending.retain(|_, copy| match copy.until {
                    Until::Group(group) => copy.note.thread != thread || group >= complete,
                    Until::Phase(_) => true,
                });
            }
        }
    }
}

impl Checks {
    /// Reports accesses to bytes to which a copy is pending.
    pub(crate) fn check_copies(&mut self, step: ObservedStep<'_>, accesses: &[Access]) {
        let facts = &self.facts[to_usize(step.issue.instruction)];
        let (copy_step, is_atomic) = (facts.copy_step, facts.is_atomic);
        let counts = facts.phase_step == Some(PhaseStep::Copy);
        if copy_step.is_none() && !counts && self.copies.pending.is_empty() {
            return;
        }
        // The last access is that to the barrier object.
        let (accesses, object) = match accesses.split_last() {
            Some((object, copied)) if counts => (copied, Some(object.address)),
            _ => (accesses, None),
        };
        if facts.phase_step == Some(PhaseStep::Check) {
            let passed = accesses.iter().filter(|a| is_complete(step.machine, a));
            for object in passed.map(|access| access.address) {
                let pending = &mut self.copies.pending;
                pending.retain(|_, copy| copy.until != Until::Phase(object));
            }
        }
        let mut started = Vec::new();
        for (index, access) in (0..).zip(accesses) {
            if access.space != SpaceId::SLM || !access.in_bounds {
                continue;
            }
            let operation = match (is_atomic, access.writes) {
                (true, _) => Operation::Atomic,
                (false, true) => Operation::Write,
                (false, false) => Operation::Read,
            };
            let note = self.note(step, (index, access), operation);
            if let Some(copy) = self.copies.overlapping(access) {
                let (kind, severity) = (Kind::RaceLocal, Severity::Error);
                let sites = (note.site, Some(copy.note.site));
                let memory = step.program.words().local;
                let (first, last) = (access.address, access.address + u64::from(access.bytes) - 1);
                self.report
                    .add(kind, severity, sites, operation, self.group, || {
                        let what = format!(
                            "race on {memory} memory, bytes {first:#x}..{last:#x}: an asynchronous \
                         copy to them may not be complete"
                        );
                        let notes = vec![note.clone(), copy.note.clone()];
                        Finding::new(kind, severity, Space::Local, what, notes)
                    });
            }
            if copy_step.is_some() || counts {
                started.push(note);
            }
        }
        for note in started {
            let group = self.copies.groups.get(&note.thread).copied().unwrap_or(0);
            let until = object.map_or(Until::Group(group), Until::Phase);
            self.copies
                .pending
                .insert(note.address, Pending { until, note });
        }
        if let Some(copy_step) = copy_step {
            let instruction = &step.program.instruction(step.issue).instruction;
            let executes = |thread: &u8| instruction.executing_channels(step.machine, *thread) != 0;
            for thread in step.issue.threads.iter().filter(executes) {
                self.copies.advance(thread, copy_step);
            }
        }
    }
}
