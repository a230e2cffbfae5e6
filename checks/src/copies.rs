//! Copies from global to shared memory that nothing has waited for.
//!
//! A run performs a copy at once. Here, its bytes stay pending until the warp that has started
//! it waits for its group, as PTX asks of `cp.async`.

use crate::Checks;
use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Space};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{Access, CopyStep};
use lanewise_core::machine::SpaceId;
use lanewise_core::session::ObservedStep;

/// A copy that may not be complete.
#[derive(Debug)]
struct Pending {
    /// Number of the group of its warp that it belongs to.
    group: u64,
    note: AccessNote,
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
            address + u64::from(bytes) > access.address
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
                self.pending
                    .retain(|_, copy| copy.note.thread != thread || copy.group >= complete);
            }
        }
    }
}

impl Checks {
    /// Reports accesses to bytes to which a copy is pending.
    pub(crate) fn check_copies(&mut self, step: ObservedStep<'_>, accesses: &[Access]) {
        let facts = &self.facts[to_usize(step.issue.instruction)];
        let (copy_step, is_atomic) = (facts.copy_step, facts.is_atomic);
        if copy_step.is_none() && self.copies.pending.is_empty() {
            return;
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
            if copy_step.is_some() {
                started.push(note);
            }
        }
        for note in started {
            let group = self.copies.groups.get(&note.thread).copied().unwrap_or(0);
            self.copies
                .pending
                .insert(note.address, Pending { group, note });
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
