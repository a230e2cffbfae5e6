//! Steps of the accesses of findings.

use crate::finding::{AccessNote, Finding, Operation, Report};
use crate::memory::clear_fault;
use crate::{Facts, facts_of, lane_of};
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Access;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::program::Program;
use lanewise_core::session::{
    GroupOrder, ObservedStep, Observer, RunOrder, run_observed, run_scheduled,
};

/// How a launch runs a second time.
#[derive(Clone, Copy, Debug)]
pub struct Rerun {
    pub schedule: RunOrder,
    /// Whether it goes on after the faults of accesses.
    pub clears_faults: bool,
}

impl Rerun {
    /// The run that a report is about.
    #[must_use]
    pub fn of(program: &Program, report: &Report) -> Self {
        Self {
            schedule: report.schedule.unwrap_or(RunOrder::of(program)),
            clears_faults: report.clears_faults,
        }
    }

    /// Runs the launch up to the work-group `end`.
    fn observe(self, program: &Program, end: u32, observer: &mut impl Observer) {
        let Some(launch) = &program.launch else {
            run_observed(program, observer);
            return;
        };
        let count = launch.group_count();
        let count = match self.schedule.groups {
            GroupOrder::Ascending => count.min(end),
            GroupOrder::Descending | GroupOrder::Random(_) => count,
        };
        run_scheduled(program, self.schedule, count, observer);
    }
}

/// The last write of a byte of global memory.
#[derive(Debug)]
struct LastWrite {
    facts: Vec<Facts>,
    clears_faults: bool,
    group: u32,
    address: u64,
    found: Option<AccessNote>,
}

impl Observer for LastWrite {
    fn enter_group(&mut self, _: &Program, group: u32, _: &Machine) {
        self.group = group;
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        if self.clears_faults {
            accesses.iter_mut().for_each(clear_fault);
        }
        for (number, access) in (step.steps + 1..).zip(&*accesses) {
            let holds = access.writes
                && access.in_bounds
                && access.space == SpaceId::VIRTUAL
                && self.address.wrapping_sub(access.address) < access.bytes.into();
            if !holds {
                continue;
            }
            let instruction = step.issue.instruction;
            let facts = &self.facts[to_usize(instruction)];
            self.found = Some(AccessNote {
                operation: match facts.is_atomic {
                    true => Operation::Atomic,
                    false => Operation::Write,
                },
                group: self.group,
                thread: access.unit.thread,
                lane: lane_of(facts, access, step.machine),
                instruction,
                site: facts.site,
                address: access.address,
                bytes: access.bytes,
                value: (!facts.is_atomic).then_some(access.src0),
                step: Some(number),
            });
        }
    }
}

/// The last write of a byte of global memory, found by a second run.
#[must_use]
pub fn last_write(program: &Program, address: u64, run: Rerun) -> Option<AccessNote> {
    let mut write = LastWrite {
        facts: facts_of(program),
        clears_faults: run.clears_faults,
        group: 0,
        address,
        found: None,
    };
    run.observe(program, u32::MAX, &mut write);
    write.found
}

/// An access whose step is not known.
#[derive(Debug)]
struct Missing {
    finding: usize,
    access: usize,
    group: u32,
    thread: u8,
    lane: u8,
    /// Address and size, of accesses of memory.
    bytes: Option<(u64, u8)>,
    /// Step of the same work-group that comes later.
    before: Option<u64>,
    step: Option<u64>,
}

/// Finds accesses in a second run of a launch.
#[derive(Debug)]
struct Locator {
    facts: Vec<Facts>,
    clears_faults: bool,
    group: u32,
    missing: Vec<Missing>,
    /// Positions in `missing`, by instruction.
    by_instruction: Vec<Vec<usize>>,
}

impl Observer for Locator {
    fn enter_group(&mut self, _: &Program, group: u32, _: &Machine) {
        self.group = group;
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        if self.clears_faults {
            accesses.iter_mut().for_each(clear_fault);
        }
        let index = to_usize(step.issue.instruction);
        let facts = &self.facts[index];
        for position in &self.by_instruction[index] {
            let missing = &mut self.missing[*position];
            if missing.group != self.group
                || !step.issue.threads.iter().any(|t| t == missing.thread)
            {
                continue;
            }
            let found = match missing.bytes {
                None => {
                    let position = missing.thread - step.issue.threads.first();
                    Some(step.steps + 1 + u64::from(position))
                }
                Some((address, bytes)) => {
                    let is_it = |access: &Access| {
                        access.unit.thread == missing.thread
                            && access.address < address + u64::from(bytes)
                            && address < access.address + u64::from(access.bytes)
                            && lane_of(facts, access, step.machine) == missing.lane
                    };
                    let steps = (step.steps + 1..).zip(accesses.iter());
                    let steps = steps.filter(|(_, access)| is_it(access));
                    let steps = steps.map(|(step, _)| step);
                    steps
                        .take_while(|step| missing.before.is_none_or(|before| *step < before))
                        .last()
                }
            };
            missing.step = found.or(missing.step);
        }
    }
}

/// Completes the steps of findings by a second run of the launch, up to the last access that is
/// missing. Among several executions of an access, the last one before the access that conflicts
/// with it is taken.
pub fn locate(program: &Program, findings: &mut [Finding], run: Rerun) {
    let mut locator = Locator {
        facts: facts_of(program),
        clears_faults: run.clears_faults,
        group: 0,
        missing: Vec::new(),
        by_instruction: vec![Vec::new(); program.instructions.len()],
    };
    let mut groups = 0;
    for (index, finding) in findings.iter().enumerate() {
        let later = finding.accesses.first();
        for (position, access) in finding.accesses.iter().enumerate() {
            if access.step.is_none() {
                let next = locator.missing.len();
                locator.by_instruction[to_usize(access.instruction)].push(next);
                let missing = missing(access, later, (index, position));
                locator.missing.push(missing);
                groups = groups.max(access.group + 1);
            }
        }
    }
    if groups == 0 {
        return;
    }
    run.observe(program, groups, &mut locator);
    for missing in locator.missing {
        findings[missing.finding].accesses[missing.access].step = missing.step;
    }
}

fn missing(
    access: &AccessNote,
    later: Option<&AccessNote>,
    (finding, position): (usize, usize),
) -> Missing {
    let later = later.filter(|later| later.group == access.group);
    Missing {
        finding,
        access: position,
        group: access.group,
        thread: access.thread,
        lane: access.lane,
        bytes: (access.bytes > 0).then_some((access.address, access.bytes)),
        before: later.and_then(|later| later.step),
        step: None,
    }
}
