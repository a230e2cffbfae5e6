//! The lanes of an instruction as a table: accesses, order and conflicts.

use super::stepper::accesses_of;
use super::{IssueIndex, Session};
use crate::diagnostic::{to_u32, to_usize};
use crate::isa::{Access, CHANNELS, Instruction, LaneComputation, ThreadSet, Unit};
use crate::machine::{Machine, SpaceId};
use alloc::vec::Vec;

/// A row of the lanes table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneRow {
    pub unit: Unit,
    /// The access; `None` for a disabled lane.
    pub access: Option<Access>,
    /// Whether the access has been executed.
    pub done: bool,
    /// Position in the serialization order, from 0.
    pub order: Option<u32>,
    /// The old value of the cell, once executed.
    pub old: Option<u64>,
    /// The new value of the cell, once executed.
    pub new: Option<u64>,
    /// The returned value, once executed.
    pub returned: Option<u64>,
    /// Number of the conflict group: lanes with the same number access the same bytes.
    pub conflict: Option<u32>,
}

impl Session {
    /// The lanes of an issue, EU0 before EU1, lanes ascending; channel by channel, or
    /// element by element, if lanes have several accesses. For the next issue, if it is
    /// not known yet, these are the accesses its lanes are about to make.
    #[must_use]
    pub fn lanes(&self, issue: IssueIndex) -> Vec<LaneRow> {
        let program = self.program();
        let known = self.history.issued(issue);
        let record = known.map(|issued| {
            let segment = self.history.segment_of_issue(issue);
            (self.history.record(segment), to_usize(issued.first_effect))
        });
        let Some(issued) = self.issue(issue) else {
            return Vec::new();
        };
        let placed = program.instruction(issued);
        let next;
        let accesses = match &record {
            Some((record, _)) => record.accesses(issue),
            None => {
                // A faulting instruction has no effect on its lanes.
                next = accesses_of(program, issued, &self.machine);
                &next
            }
        };
        let faulted = accesses.iter().any(|a| a.fault.is_some());
        let conflicts = conflict_groups(accesses);
        let units = units(&placed.instruction, issued.threads);
        let row = |unit: Unit| {
            let order = accesses.iter().position(|a| a.unit == unit);
            let access = order.and_then(|t| accesses.get(t));
            let effect = record.as_ref().zip(order).filter(|_| !faulted);
            let effect = effect.map(|((record, first), order)| (record, first + order));
            let effect = effect.filter(|(_, effect)| *effect < self.position);
            let done = effect.is_some();
            let changes = match effect {
                Some((record, effect)) => record.changes(effect..effect + 1),
                None => &[],
            };
            let cell = changes
                .iter()
                .find(|c| access.is_some_and(|a| a.space == c.space));
            let returned = changes.iter().find(|c| {
                c.space == SpaceId::registers(unit.thread)
                    && access.is_some_and(|a| a.dst.map(u64::from) == Some(c.address))
            });
            LaneRow {
                unit,
                access: access.copied(),
                done,
                order: order.map(to_u32),
                old: cell.map(|c| c.old),
                new: cell.map(|c| c.new),
                returned: returned.map(|c| c.new),
                conflict: order.and_then(|t| conflicts.get(t).copied().flatten()),
            }
        };
        units.into_iter().map(row).collect()
    }
}

impl Session {
    /// The operands and results of a computing instruction in its [state
    /// before](Self::state_before), by thread; empty for other instructions and for one
    /// that faults.
    #[must_use]
    pub fn computation(&self, index: IssueIndex, before: &Machine) -> Vec<(u8, LaneComputation)> {
        let program = self.program();
        let Some(issue) = self.issue(index) else {
            return Vec::new();
        };
        let instruction = &program.instruction(issue).instruction;
        let context = program.context(issue, before);
        let thread = |thread| Some((thread, instruction.computation(&context, thread)?));
        let computed: Option<Vec<_>> = issue.threads.iter().map(thread).collect();
        computed.unwrap_or_default()
    }

    /// Whether the effect of an issue on a thread has happened; for instructions
    /// with one effect per thread.
    #[must_use]
    pub fn has_executed(&self, index: IssueIndex, thread: u8) -> bool {
        let (Some(start), Some(issue)) = (self.issue_start(index), self.issue(index)) else {
            return false;
        };
        start + usize::from(thread - issue.threads.first()) < self.position
    }
}

/// All EUs, channels and lanes of an instruction.
fn units(instruction: &Instruction, threads: ThreadSet) -> Vec<Unit> {
    let mut units = Vec::new();
    let channels = instruction.channels();
    for thread in threads.iter() {
        for (channel, _) in (0..).zip(CHANNELS) {
            let channel = match channels {
                // Once without a channel.
                0 if channel == 0 => None,
                _ if channels >> channel & 1 == 1 => Some(channel),
                _ => continue,
            };
            let lanes = 0..instruction.lanes();
            units.extend(lanes.map(|lane| Unit::part(thread, lane, channel)));
        }
    }
    units
}

/// Groups accesses that share bytes and can change them. Groups have at least two
/// accesses and are numbered from 0 by address.
#[must_use]
pub fn conflict_groups(accesses: &[Access]) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..accesses.len())
        .filter(|i| accesses[*i].in_bounds && accesses[*i].writes)
        .collect();
    order.sort_by_key(|i| (accesses[*i].space.0, accesses[*i].address));
    let end_of = |access: &Access| access.address.saturating_add(access.bytes.into());
    let mut groups = alloc::vec![None; accesses.len()];
    let mut next = 0;
    let mut rest = &order[..];
    while let Some(first) = rest.first().map(|i| &accesses[*i]) {
        let mut reach = end_of(first);
        let overlaps = rest.iter().take_while(|i| {
            let access = &accesses[**i];
            let is_in = access.space == first.space && access.address < reach;
            reach = reach.max(end_of(access));
            is_in
        });
        // Includes the first access, since all accesses have bytes.
        let (group, others) = rest.split_at(overlaps.count().max(1));
        if group.len() > 1 {
            for i in group {
                groups[*i] = Some(next);
            }
            next += 1;
        }
        rest = others;
    }
    groups
}
