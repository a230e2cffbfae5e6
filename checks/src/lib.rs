//! Checks of launches: watches what the steps of a launch do and reports data races,
//! accesses outside their object, misaligned accesses, barriers in divergent flow and loops
//! that make no progress.
//!
//! [`Checks`] is an observer of [`lanewise_core::session::LaunchRun`]; it changes nothing but
//! the faults of accesses that it reports, so that the launch goes on. Its findings are
//! grouped by kind and lines ([`Report`]). It judges one run: that it finds nothing does not
//! mean that another input or order has no defect.
//!
//! # Bounds
//! The shadow memory takes at most 16 bytes for each byte of a touched buffer. It is made on first
//! touch and limited to that of 64 MB of memory; the number of findings is limited, too. The
//! report names each limit that was reached. For each byte, the shadow keeps the last write and
//! the accesses of two other threads, so a race with a third one at the same byte can be missed.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::panic, clippy::cast_possible_truncation)
)]

extern crate alloc;

mod barriers;
mod clocks;
mod copies;
mod finding;
mod locate;
mod memory;
mod operands;
mod progress;
mod races;
mod shadow;

pub use finding::{
    AccessNote, Finding, KINDS, Kind, KindFacts, Operation, Report, Severity, Site, Space,
};

pub use locate::{Rerun, last_write, locate};
pub use operands::Operands;

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use barriers::Barriers;
use copies::Copies;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::rmw::Rmw;
use lanewise_core::isa::visa::op::FlowKind;
use lanewise_core::isa::{
    Access, CopyStep, FIRST_ELEMENT, Fence, Instruction, PhaseStep, Style, Unit,
};
use lanewise_core::machine::Machine;
use lanewise_core::machine::control::Control;
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::{GroupFault, LaunchRun, ObservedStep, Observer, RunResult};
use progress::Progress;
use races::Races;

/// The selected checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Data races.
    pub races: bool,
    /// Accesses outside their object, and misaligned ones.
    pub memory: bool,
    /// Barriers that not all work-items reach, and loops without progress.
    pub barriers: bool,
    /// Races that only the order of a thread's instructions resolves.
    pub lockstep: bool,
    /// Results that are NaN, infinite or denormal.
    pub float: bool,
}

impl Options {
    pub const NONE: Self = Self {
        races: false,
        memory: false,
        barriers: false,
        lockstep: false,
        float: false,
    };
    /// Everything but lockstep.
    pub const ALL: Self = Self {
        races: true,
        memory: true,
        barriers: true,
        lockstep: false,
        float: false,
    };

    /// Looks for what a word of `--check` names, too; false if it names nothing.
    pub fn add(&mut self, word: &str) -> bool {
        match word {
            "races" => self.races = true,
            "memory" => self.memory = true,
            "barriers" => self.barriers = true,
            "lockstep" => (self.races, self.lockstep) = (true, true),
            "float" => self.float = true,
            _ => return false,
        }
        true
    }
}

/// Properties of an instruction, determined once.
#[derive(Clone, Copy, Debug)]
struct Facts {
    is_atomic: bool,
    /// Whether it is an atomic load or store, or a load that need not be atomic.
    is_strong: bool,
    /// Whether one access serves all active lanes.
    is_scalar: bool,
    /// Register-file address from which no instruction reads what it loads.
    excess: Option<u32>,
    /// The channel of lane 0.
    channel: u8,
    fence: Option<Fence>,
    copy_step: Option<CopyStep>,
    phase_step: Option<PhaseStep>,
    /// The first instruction of the access that it is a part of: a message may have room for
    /// only some of the lanes of a thread.
    part_of: Option<u32>,
    site: Site,
}

/// The address operand of an instruction of a warp: `[R2+0x10]`, also for `[R2.64+0x10]` and
/// `desc[UR4][R2.64+0x10]`.
fn address_text(text: &str) -> Option<String> {
    let address = text.get(text.rfind('[')?..=text.rfind(']')?)?;
    Some(address.replace(".64", ""))
}

/// The destination of a load of a warp: the register before its address.
fn loaded(text: &str) -> Option<&str> {
    let (before, _) = text.split_once('[')?;
    let before = before.strip_suffix("desc").unwrap_or(before);
    before.strip_suffix(", ")?.rsplit(' ').next()
}

/// The operand that a SASS compare-and-swap compares: the register after its address.
fn compared(text: &str) -> Option<&str> {
    text.split_once("], ")?.1.split(", ").next()
}

/// Loads that only guess what a compare-and-swap compares: if another lane has written since,
/// it fails and the loop goes on.
fn guesses(program: &Program) -> BTreeSet<usize> {
    match program.has_warps() {
        true => guesses_of_warps(program),
        false => guesses_in_loops(program),
    }
}

/// In vISA, a load of a loop whose result is what the compare-and-swap of the loop compares, or
/// that has its address.
fn guesses_in_loops(program: &Program) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let symbols = &program.symbols;
    let all = &program.instructions;
    let is_swap = |index: &usize| {
        let update = all[*index].instruction.update(symbols);
        update.is_some_and(|update| update.rmw == Rmw::CompareExchange)
    };
    let swaps: Vec<usize> = (0..all.len()).filter(is_swap).collect();
    if swaps.is_empty() {
        return found;
    }
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (end, placed) in all.iter().enumerate() {
        let targets = placed.instruction.branch().map_or(&[][..], |b| b.targets);
        let starts = targets.iter().filter_map(|l| program.label_position(*l));
        loops.extend(starts.map(|start| (to_usize(start), end)));
    }
    for swap in swaps {
        let around = loops
            .iter()
            .filter(|(start, end)| (*start..=*end).contains(&swap));
        let Some((start, _)) = around.max_by_key(|(start, _)| *start) else {
            continue;
        };
        let instruction = &all[swap].instruction;
        let read = instruction.source_elements(Unit::lane(0, 0), symbols);
        let text = |i: &Instruction| address_text(&i.text(symbols, Style::Assembler));
        let address = text(instruction);
        let feeds = |index: &usize| {
            let load = &all[*index].instruction;
            let is_plain = load.spec().lane_queue && load.update(symbols).is_none();
            let channels = [None, Some(0), Some(FIRST_ELEMENT)];
            let units = channels.map(|channel| Unit {
                channel,
                ..Unit::lane(0, 0)
            });
            let elements = units
                .iter()
                .filter_map(|unit| load.channel_element(*unit, symbols));
            let copies = elements.flat_map(|at| symbols.visa.value_flow.copies_of(at..at + 1));
            let mut places = copies.map(|copy| copy.place.start);
            is_plain
                && (places.any(|at| read.iter().any(|element| element.at == at))
                    || address.is_some() && text(load) == address)
        };
        found.extend((*start..swap).filter(feeds));
    }
    found
}

/// In code of warps, they have the address of the compare-and-swap, or are the last load of the
/// register that it compares.
fn guesses_of_warps(program: &Program) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let text = |instruction: &Instruction| instruction.text(&program.symbols, Style::Assembler);
    let instructions = program
        .instructions
        .iter()
        .map(|placed| &placed.instruction);
    let all = instructions.map(|i| (text(i), i.update(&program.symbols)));
    let all: Vec<_> = all.collect();
    for (index, (swap, update)) in all.iter().enumerate() {
        if !update.is_some_and(|update| update.swapped) {
            continue;
        }
        let loads = all.iter().enumerate();
        let mut loads =
            loads.filter(|(_, (text, update))| update.is_none() && loaded(text).is_some());
        let address = address_text(swap);
        let same = loads
            .clone()
            .filter(|(_, (text, _))| address_text(text) == address);
        found.extend(same.map(|(load, _)| load));
        let register = compared(swap);
        let last = loads.rfind(|(load, (text, _))| *load < index && loaded(text) == register);
        found.extend(last.map(|(load, _)| load));
    }
    found
}

/// Fence semantics of an instruction. One that binds only the compiler is the fence of local
/// memory of a platform that needs no other.
fn fence_of(program: &Program, instruction: &Instruction) -> Option<Fence> {
    let fence = instruction.fence()?;
    let is_enough = !program.has_warps() && !program.symbols.visa.features().fences_local;
    Some(Fence {
        local: fence.local || is_enough && !fence.global,
        ..fence
    })
}

fn facts_of(program: &Program) -> Vec<Facts> {
    let mut line = None;
    let guesses = guesses(program);
    let emulated = emulated_atomics(program);
    let parts = parts(program);
    let instructions = (0..).zip(&program.instructions);
    let facts = instructions.map(|(index, placed)| {
        let instruction = &placed.instruction;
        let is_strong = instruction.is_strong();
        // Code without a line belongs to that before it.
        line = program.source_line(index).map(|(_, line)| line).or(line);
        let site = match line {
            Some(line) => Site::Line(line),
            None => Site::Instruction(index),
        };
        Facts {
            is_atomic: instruction.update(&program.symbols).is_some()
                || is_strong
                || emulated.contains(&to_usize(index)),
            is_strong: is_strong || guesses.contains(&to_usize(index)),
            is_scalar: placed.is_uniform(program),
            excess: instruction.excess(&program.symbols),
            channel: instruction.first_channel(),
            fence: fence_of(program, instruction),
            copy_step: instruction.copy_step(),
            phase_step: instruction.phase_step(),
            part_of: parts.get(&index).copied(),
            site,
        }
    });
    facts.collect()
}

/// The code between taking and releasing a lock of the compiler, with which it emulates
/// atomics: a compare-and-swap in a loop that pauses takes it, and an exchange releases it.
fn emulated_atomics(program: &Program) -> BTreeSet<usize> {
    let symbols = &program.symbols;
    let mut found = BTreeSet::new();
    let (mut pauses, mut taken) = (false, None);
    for (index, placed) in program.instructions.iter().enumerate() {
        let instruction = &placed.instruction;
        pauses |= instruction.is_pause();
        let update = instruction.update(symbols).map(|update| update.rmw);
        match (update, taken) {
            (Some(Rmw::CompareExchange), _) if pauses => taken = Some(index),
            (Some(Rmw::Exchange), Some(start)) => {
                found.extend(start..index);
                taken = None;
            }
            // No atomic is emulated across these.
            _ if instruction
                .branch()
                .is_some_and(|branch| !matches!(branch.kind, FlowKind::Goto | FlowKind::Jump)) =>
            {
                taken = None;
            }
            _ if instruction.branch().is_none() && !instruction.spec().lane_queue => continue,
            _ => {}
        }
        pauses = false;
    }
    found
}

/// Most accesses of a block whose next part is looked for.
const MAX_PARTS: usize = 16;

/// Accesses that a compiler has divided by channels: plain ones of one line and block, with the
/// same mnemonic, each for the channels after those of the last. By instruction, the first part.
fn parts(program: &Program) -> BTreeMap<u32, u32> {
    let mut found = BTreeMap::new();
    let mut line = None;
    // The first part, the mnemonic and the next channel of each access.
    let mut open: VecDeque<(u32, &str, u8)> = VecDeque::new();
    for (index, placed) in (0..).zip(&program.instructions) {
        let instruction = &placed.instruction;
        let own_line = program.source_line(index).map(|(_, line)| line).or(line);
        if own_line != line || instruction.branch().is_some() {
            open.clear();
        }
        line = own_line;
        let spec = instruction.spec();
        let is_atomic = instruction.update(&program.symbols).is_some();
        if !spec.lane_queue || is_atomic || placed.is_uniform(program) {
            continue;
        }
        let channel = instruction.first_channel();
        let end = channel + instruction.lanes();
        let mut firsts = open.iter_mut();
        let first = firsts.find(|(_, name, next)| *name == spec.name && *next == channel);
        if let Some((first, _, next)) = first {
            *next = end;
            found.extend([(*first, *first), (index, *first)]);
        } else if channel == 0 {
            open.push_back((index, spec.name, end));
            if open.len() > MAX_PARTS {
                open.pop_front();
            }
        }
    }
    found
}

/// Whether a barrier follows a fence, which needs no release then.
fn is_before_barrier(program: &Program, fence: usize) -> bool {
    let rest = program.instructions.iter().skip(fence + 1);
    let rest = rest.map(|placed| &placed.instruction);
    let is_local_fence = |instruction: &Instruction| {
        let fence = instruction.fence();
        fence.is_some_and(|fence| !fence.global)
    };
    let mut rest = rest.filter(|i| !i.is_source_mark() && !is_local_fence(i));
    let next = rest.next().and_then(|instruction| instruction.branch());
    next.is_some_and(|branch| branch.kind == FlowKind::Barrier)
}

/// Watches a launch.
#[derive(Debug)]
pub struct Checks {
    options: Options,
    facts: Vec<Facts>,
    group: u32,
    report: Report,
    races: Races,
    copies: Copies,
    barriers: Barriers,
    progress: Progress,
}

impl Checks {
    #[must_use]
    pub fn new(program: &Program, options: Options) -> Self {
        let facts = facts_of(program);
        let mut fences = (0..)
            .zip(&facts)
            .filter_map(|(index, facts)| Some((index, facts.fence?)));
        let has_fences = fences.any(|(index, fence)| {
            fence.global || fence.local && !is_before_barrier(program, index)
        });
        let has_atomics = facts.iter().any(|facts| facts.is_atomic);
        let has_named_barriers = program.instructions.iter().any(|placed| {
            let branch = placed.instruction.branch();
            branch.is_some_and(|branch| branch.kind == FlowKind::NamedSignal)
        });
        let has_phases = facts.iter().any(|facts| facts.phase_step.is_some());
        let has_clocks = has_fences && has_atomics || has_named_barriers || has_phases;
        // A barrier of a block orders both memories.
        let warps = program.has_warps();
        let orders = [
            warps || !program.symbols.visa.features().fences_local,
            warps,
        ];
        let mut report = Report::default();
        report.remark = within_thread(program, options);
        Self {
            options,
            group: 0,
            report,
            races: Races::new(has_clocks, orders, options.lockstep),
            copies: Copies::default(),
            barriers: Barriers::default(),
            progress: Progress::new(facts.len()),
            facts,
        }
    }

    /// The findings so far.
    #[must_use]
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// The findings.
    #[must_use]
    pub fn into_report(mut self) -> Report {
        self.report.clears_faults = self.options.memory;
        self.report
    }

    /// Describes an access by its index in the instruction.
    fn note(
        &self,
        step: ObservedStep<'_>,
        (index, access): (u64, &Access),
        operation: Operation,
    ) -> AccessNote {
        let instruction = step.issue.instruction;
        let facts = &self.facts[to_usize(instruction)];
        let thread = access.unit.thread;
        AccessNote {
            operation,
            group: self.group,
            thread,
            lane: lane_of(facts, access, step.machine),
            instruction,
            site: facts.site,
            address: access.address,
            bytes: access.bytes,
            value: None,
            step: Some(step.steps + index + 1),
        }
    }
}

/// The races that are not checked, if each work-group is one thread.
fn within_thread(program: &Program, options: Options) -> Option<&'static str> {
    let launch = program.launch.as_ref()?;
    let is_one = program.threads == 1 && launch.local.iter().any(|size| *size > 1);
    let is_open = options.races && !options.lockstep && launch.local_bytes > 0;
    (is_one && is_open).then_some(match program.has_warps() {
        true => "races within a warp (`lockstep`) are not checked, and each block is one warp",
        false => {
            "races within a thread (`lockstep`) are not checked, and each work-group is one thread"
        }
    })
}

/// The lowest channel of a mask; 0 if it is empty.
fn channel_of(mask: u32) -> u8 {
    u8::try_from(mask.trailing_zeros() & 31).expect("at most 31")
}

/// The channel of its thread that an access belongs to.
fn lane_of(facts: &Facts, access: &Access, machine: &Machine) -> u8 {
    if facts.is_scalar {
        return Control::new(machine, access.unit.thread).first_active();
    }
    (facts.channel + access.unit.lane) & 31
}

impl Observer for Checks {
    fn enter_group(&mut self, program: &Program, group: u32, _: &Machine) {
        self.group = group;
        self.report.groups += 1;
        self.races.enter_group(group, program.threads);
        self.copies = Copies::default();
        self.barriers.enter_group();
        self.progress.enter_group();
    }

    #[inline]
    fn issue(&mut self, _: &Program, issue: Issue, issued: u32) {
        self.progress.issue(issue.instruction, issued);
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        if self.options.memory && !accesses.is_empty() {
            self.check_memory(step, accesses);
        }
        let instruction = step.issue.instruction;
        let facts = self.facts[to_usize(instruction)];
        if let Some(fence) = facts.fence {
            for thread in step.issue.threads.iter() {
                self.races.fence(thread, fence);
            }
            return;
        }
        if self.options.races && !self.barriers.is_broken() {
            self.check_copies(step, accesses);
        }
        if accesses.is_empty() {
            self.arrive(step);
            return;
        }
        self.progress.accesses(step.program, instruction, accesses);
        if self.options.races {
            let is_reported = !self.barriers.is_broken();
            let report = is_reported.then_some(&mut self.report);
            self.races.accesses(&self.facts, step, accesses, report);
        }
    }

    fn branched(&mut self, step: ObservedStep<'_>) {
        for thread in step.issue.threads.iter() {
            self.races.end_block(thread);
        }
        self.release(step);
    }

    fn leave_group(&mut self, program: &Program, machine: &Machine, fault: GroupFault) {
        self.leave_barriers(program, machine);
        if let Some(fault) = fault.filter(|_| self.options.barriers) {
            let found = self
                .progress
                .stuck(program, machine, fault, &self.facts, self.group);
            self.report.extend(found);
        }
    }
}

/// The place of an instruction by which findings are grouped.
#[must_use]
pub fn site_of(program: &Program, instruction: u32) -> Site {
    let line = program.source_line_before(instruction);
    line.map_or(Site::Instruction(instruction), |(_, line)| Site::Line(line))
}

/// Runs every work-group of a launch and checks it.
#[must_use]
pub fn run(program: &Program, options: Options) -> (RunResult, Report) {
    let mut run = LaunchRun::new(program);
    let mut checks = Checks::new(program, options);
    let groups = program
        .launch
        .as_ref()
        .map_or(0, |launch| launch.group_count());
    run.advance_observed(program, groups, u64::MAX, &mut checks);
    (run.result().clone(), checks.into_report())
}
