//! Copies from global to shared memory that nothing has waited for.
//!
//! A run performs a copy at once. Here, its bytes stay pending until the warp that has started
//! it waits for its group, as PTX asks of `cp.async`, or until a test finds that the phase of the
//! barrier object is complete which counts them. What a copy reads from shared memory stays
//! pending, too, but only for those who write there.

use crate::Checks;
use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Space};
use crate::races::is_complete;
use alloc::collections::{BTreeMap, BTreeSet};
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
    /// Number of the group of its warp that it belongs to, if that counts.
    group: Option<u64>,
    /// Addresses of the barrier objects that count it.
    objects: Vec<u64>,
    note: AccessNote,
}

/// The copies of a block that are pending.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// By address in shared memory.
    pending: BTreeMap<u64, Pending>,
    /// The barrier objects that count them.
    objects: BTreeSet<u64>,
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
            CopyStep::Start | CopyStep::Arrive => {}
            CopyStep::Commit => *groups += 1,
            CopyStep::Wait(others) => {
                let complete = groups.saturating_sub(others);
                self.pending.retain(|_, copy| {
                    let is_over = copy.group.is_some_and(|group| group < complete);
                    copy.note.thread != thread || !is_over
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
        // To SM89, code tests a phase by a load.
        let is_load = |access: &Access| {
            !is_atomic && !access.writes && access.space == SpaceId::SLM && copy_step.is_none()
        };
        let tests = |access: &&Access| match facts.phase_step {
            Some(PhaseStep::Check) => is_complete(step.machine, access),
            None => is_load(access),
            _ => false,
        };
        if !self.copies.objects.is_empty() {
            for object in accesses
                .iter()
                .filter(tests)
                .map(|access| access.address & !7)
            {
                if self.copies.objects.remove(&object) {
                    let pending = &mut self.copies.pending;
                    pending.retain(|_, copy| !copy.objects.contains(&object));
                }
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
            if copy_step == Some(CopyStep::Start) || counts {
                started.push(note);
            }
        }
        for note in started {
            let group = self.copies.groups.get(&note.thread).copied().unwrap_or(0);
            let pending = Pending {
                group: object.is_none().then_some(group),
                objects: object.into_iter().collect(),
                note,
            };
            self.copies.objects.extend(object);
            self.copies.pending.insert(pending.note.address, pending);
        }
        if let (Some(CopyStep::Arrive), Some(arrival)) = (copy_step, accesses.first()) {
            let mut pending = self.copies.pending.values_mut();
            let own = |copy: &&mut Pending| {
                copy.note.thread == arrival.unit.thread && copy.group.is_some()
            };
            while let Some(copy) = pending.by_ref().find(own) {
                copy.objects.push(arrival.address);
                self.copies.objects.insert(arrival.address);
            }
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
