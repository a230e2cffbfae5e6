//! Data races: conflicting accesses that nothing orders.
//!
//! Accesses of a thread are in order. A barrier that carries the fence of a memory starts a
//! new epoch of it in its group. An atomic after a fence releases what its thread has done in the
//! memory of the fence; a fence after an atomic of the same place acquires it. An arrival at a
//! barrier object releases, and a test that finds its phase complete acquires, without a fence.

use crate::clocks::Clock;
use crate::finding::{AccessNote, Finding, Kind, Operation, Report, Severity, Space};
use crate::shadow::{Cell, Shadow, Stamp};
use crate::{Facts, lane_of};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::{Access, Fence, FenceScope, PhaseStep, mbarrier};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::low_mask;
use lanewise_core::session::ObservedStep;

/// Most records that stamps refer to. Afterwards, races are not looked for.
const MAX_RECORDS: usize = 1 << 24;

/// Records that may be unused, for each granule of the shadow and at least.
const SPARE_RECORDS: (usize, usize) = (16, 256);

/// Most places whose releases are kept.
const MAX_PLACES: usize = 1 << 16;

/// Most places of atomics that a thread remembers.
const MAX_ACQUIRED: usize = 64;

/// An execution of an instruction by a thread.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    group: u32,
    /// The instruction, and in the low byte the thread.
    place: u32,
    /// Barriers that the group had passed.
    barriers: u32,
    /// Releases of the thread.
    releases: u32,
}

impl Record {
    /// Most instructions of a program that can be checked.
    const MAX_INSTRUCTION: u32 = (1 << 24) - 1;

    fn thread(self) -> u8 {
        u8::try_from(self.place & 0xff).expect("it has eight bits")
    }

    const fn instruction(self) -> u32 {
        self.place >> 8
    }
}

/// State of a thread of the running group.
#[derive(Clone, Debug, Default)]
struct Thread {
    /// Whether it has accessed local or global memory since its last fence of it.
    is_dirty: [bool; 2],
    releases: u32,
    /// Whether it has executed fences of local and global memory.
    has_fences: [bool; 2],
    /// The releases that it has acquired, for local and global memory.
    clocks: [Clock; 2],
    /// Those that its fences for the device release.
    device: [Clock; 2],
    /// Clocks that its fences acquire.
    read: [Clock; 2],
    /// Addresses of its atomics in global memory since its last fence for the device.
    read_places: BTreeSet<u64>,
    /// Those before that fence. Its accesses of these come after the earlier atomics of other
    /// groups.
    acquired_places: BTreeSet<u64>,
    /// The named barrier that it waits for.
    awaited: Option<u8>,
    /// Accesses of the block that have several parts: the first part, and the first record.
    parts: BTreeMap<u32, u32>,
}

/// Clocks released to an atomic place.
#[derive(Debug, Default)]
struct Released {
    device: [Clock; 2],
    /// Releases to a group.
    group: (u32, [Clock; 2]),
}

/// How two accesses relate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ordered,
    /// Only by the order of the instructions of their thread.
    Lockstep,
    /// Only by an atomic at the same place, of the later thread or one before its last barrier.
    ByAtomic,
    /// A barrier without the fence is between them.
    BarrierOnly,
    Unordered,
}

/// Accesses that conflict.
struct Conflict {
    old: Stamp,
    old_operation: Operation,
    order: Order,
    address: u64,
    bytes: u8,
}

#[derive(Debug)]
pub(crate) struct Races {
    shadows: [Shadow; 2],
    /// Those that stamps refer to, and some that none does any more; the first is of none.
    records: Vec<Record>,
    /// Number of records at which unused ones are dropped.
    most_records: usize,
    threads: Vec<Thread>,
    group: u32,
    /// By number of barriers passed, the epochs of local and global memory.
    epochs: Vec<[u32; 2]>,
    has_clocks: bool,
    with_lockstep: bool,
    places: BTreeMap<(SpaceId, u64), Released>,
    /// Clocks of the threads that have signalled a named barrier of the group, and what they
    /// release to the device.
    named: BTreeMap<u8, [[Clock; 2]; 2]>,
    /// The same of the threads that have arrived at the barrier object at an address in local
    /// memory.
    phases: BTreeMap<u64, [[Clock; 2]; 2]>,
    /// Whether a barrier orders local and global memory without a fence.
    orders: [bool; 2],
    is_full: bool,
}

const LOCAL: usize = 0;
const GLOBAL: usize = 1;

/// Adds what other clocks of both memories know.
fn join(clocks: &mut [Clock; 2], others: &[Clock; 2]) {
    for (clock, other) in clocks.iter_mut().zip(others) {
        clock.join(other, |_| true);
    }
}

/// Adds places to those that a thread remembers.
fn add_places(known: &mut BTreeSet<u64>, others: &BTreeSet<u64>) {
    let room = MAX_ACQUIRED.saturating_sub(known.len());
    known.extend(others.iter().take(room));
}

/// Number of a thread across groups.
fn key(group: u32, thread: u8) -> u64 {
    u64::from(group) << 8 | u64::from(thread)
}

impl Races {
    pub(crate) fn new(has_clocks: bool, orders: [bool; 2], with_lockstep: bool) -> Self {
        Self {
            shadows: [Shadow::default(), Shadow::default()],
            records: vec![Record::default()],
            most_records: SPARE_RECORDS.1,
            threads: Vec::new(),
            group: 0,
            epochs: Vec::new(),
            has_clocks,
            with_lockstep,
            places: BTreeMap::new(),
            named: BTreeMap::new(),
            phases: BTreeMap::new(),
            orders,
            is_full: false,
        }
    }

    pub(crate) fn enter_group(&mut self, group: u32, threads: u8) {
        self.shadows[LOCAL].clear();
        self.group = group;
        self.threads.clear();
        self.threads.resize(usize::from(threads), Thread::default());
        self.epochs.clear();
        self.epochs.push([0; 2]);
        self.places.retain(|(space, _), _| *space != SpaceId::SLM);
        self.named.clear();
        self.phases.clear();
    }

    /// A thread has executed a fence.
    pub(crate) fn fence(&mut self, thread: u8, fence: Fence) {
        let group = self.group;
        let Some(state) = self.threads.get_mut(usize::from(thread)) else {
            return;
        };
        state.is_dirty[LOCAL] &= !fence.local;
        state.is_dirty[GLOBAL] &= !fence.global;
        let is_of_compiler = !fence.local && !fence.global;
        state.releases += u32::from(self.has_clocks || is_of_compiler);
        if !self.has_clocks {
            return;
        }
        let of_group = |other: u64| fence.scope == FenceScope::Device || other >> 8 == group.into();
        let own = key(group, thread);
        for (space, is_ordered) in [fence.local, fence.global].into_iter().enumerate() {
            if !is_ordered {
                continue;
            }
            state.has_fences[space] = true;
            state.clocks[space].join(&state.read[space], of_group);
            state.clocks[space].note(own, state.releases);
            if fence.scope == FenceScope::Device {
                state.read[space] = Clock::default();
                state.device[space] = state.clocks[space].clone();
                if space == GLOBAL {
                    let read = core::mem::take(&mut state.read_places);
                    add_places(&mut state.acquired_places, &read);
                }
            }
        }
    }

    /// All threads have passed a barrier.
    pub(crate) fn barrier(&mut self, arrived: impl Iterator<Item = u8> + Clone) {
        let epochs = self.epochs.last().copied();
        let mut epochs = epochs.expect("a group starts with one");
        for (space, epoch) in epochs.iter_mut().enumerate() {
            let is_dirty = |thread: u8| {
                let state = self.threads.get(usize::from(thread));
                state.is_some_and(|state| state.is_dirty[space])
            };
            if self.orders[space] || !arrived.clone().any(is_dirty) {
                *epoch += 1;
            }
        }
        self.epochs.push(epochs);
        if self.has_clocks {
            let group = self.group;
            for thread in arrived.clone() {
                let Some(state) = self.threads.get_mut(usize::from(thread)) else {
                    continue;
                };
                // A barrier that is a fence releases, too.
                state.releases += 1;
                for (space, clock) in state.clocks.iter_mut().enumerate() {
                    if self.orders[space] {
                        clock.note(key(group, thread), state.releases);
                    }
                }
            }
            let [mut clocks, mut device, mut read] = <[[Clock; 2]; 3]>::default();
            let [mut read_places, mut acquired_places] = <[BTreeSet<u64>; 2]>::default();
            for state in &self.threads {
                add_places(&mut read_places, &state.read_places);
                add_places(&mut acquired_places, &state.acquired_places);
                join(&mut clocks, &state.clocks);
                join(&mut device, &state.device);
                join(&mut read, &state.read);
            }
            for thread in arrived {
                if let Some(state) = self.threads.get_mut(usize::from(thread)) {
                    state.clocks = clocks.clone();
                    state.device = device.clone();
                    // A fence behind the barrier acquires what any thread has read before it.
                    state.read = read.clone();
                    state.read_places.clone_from(&read_places);
                    state.acquired_places.clone_from(&acquired_places);
                }
            }
        }
    }

    /// A thread signals a named barrier: it releases all that it has done.
    pub(crate) fn signal(&mut self, thread: u8, barrier: u8) {
        let own = key(self.group, thread);
        let Some(state) = self.threads.get_mut(usize::from(thread)) else {
            return;
        };
        state.releases += 1;
        for clock in &mut state.clocks {
            clock.note(own, state.releases);
        }
        let [clocks, device] = self.named.entry(barrier).or_default();
        join(clocks, &state.clocks);
        join(device, &state.device);
    }

    /// A thread waits for a named barrier, and goes on once it is complete.
    pub(crate) fn wait(&mut self, thread: u8, barrier: u8) {
        if let Some(state) = self.threads.get_mut(usize::from(thread)) {
            state.awaited = Some(barrier);
            state.releases += 1;
        }
    }

    /// A thread arrives at barrier objects, or has found that their phases are complete.
    fn pass_phases(&mut self, thread: u8, objects: &[u64], arrives: bool) {
        let own = key(self.group, thread);
        let Some(state) = self.threads.get_mut(usize::from(thread)) else {
            return;
        };
        state.releases += 1;
        for clock in &mut state.clocks {
            clock.note(own, state.releases);
        }
        for object in objects {
            if arrives {
                let [clocks, device] = self.phases.entry(*object).or_default();
                join(clocks, &state.clocks);
                join(device, &state.device);
            } else if let Some([clocks, device]) = self.phases.get(object) {
                join(&mut state.clocks, clocks);
                join(&mut state.device, device);
            }
        }
    }

    /// Ends the accesses of a thread that have several parts: these are in one block.
    pub(crate) fn end_block(&mut self, thread: u8) {
        if let Some(state) = self.threads.get_mut(usize::from(thread)) {
            state.parts.clear();
        }
    }

    /// A new record of a thread and an instruction.
    fn record(&mut self, thread: u8, instruction: u32) -> Option<(u32, Record)> {
        let barriers = u32::try_from(self.epochs.len() - 1).ok()?;
        let state = self.threads.get_mut(usize::from(thread))?;
        let awaited = state.awaited.take().and_then(|b| self.named.get(&b));
        if let Some([clocks, device]) = awaited {
            join(&mut state.clocks, clocks);
            join(&mut state.device, device);
        }
        let number = u32::try_from(self.records.len()).ok()?;
        let record = Record {
            group: self.group,
            place: instruction << 8 | u32::from(thread),
            barriers,
            releases: state.releases,
        };
        self.records.push(record);
        Some((number, record))
    }

    /// Drops the records that no stamp refers to, once there are many.
    fn tidy(&mut self) {
        if self.records.len() < self.most_records {
            return;
        }
        // The new number of each record that is referred to.
        let mut numbers = vec![0; self.records.len()];
        for stamp in self.shadows.iter_mut().flat_map(Shadow::stamps_mut) {
            numbers[to_usize(stamp.record())] = 1;
        }
        numbers[0] = 1;
        let mut kept = 0;
        for (old, number) in numbers.iter_mut().enumerate() {
            if *number != 0 {
                self.records[kept] = self.records[old];
                *number = to_u32(kept);
                kept += 1;
            }
        }
        self.records.truncate(kept);
        for thread in &mut self.threads {
            thread.parts.clear();
        }
        for stamp in self.shadows.iter_mut().flat_map(Shadow::stamps_mut) {
            if stamp.is_some() {
                *stamp = Stamp::new(numbers[to_usize(stamp.record())], stamp.lane());
            }
        }
        let granules: usize = self.shadows.iter().map(Shadow::granules).sum();
        let (of_granule, least) = SPARE_RECORDS;
        let spare = least.max(of_granule * granules);
        self.is_full = kept >= MAX_RECORDS;
        self.most_records = kept + spare;
        self.records.shrink_to(self.most_records);
        self.records.reserve_exact(spare);
    }

    /// Releases and acquires of an atomic.
    fn synchronize(&mut self, access: &Access) {
        if !self.has_clocks {
            return;
        }
        let group = self.group;
        let Some(state) = self.threads.get_mut(usize::from(access.unit.thread)) else {
            return;
        };
        let place = (access.space, access.address);
        let is_read = access.space == SpaceId::VIRTUAL && access.dst.is_some();
        if is_read && state.read_places.len() < MAX_ACQUIRED {
            state.read_places.insert(access.address);
        }
        let known = self.places.get(&place);
        if let Some(released) = known {
            join(&mut state.read, &released.device);
            if released.group.0 == group {
                join(&mut state.read, &released.group.1);
            }
        }
        if state.has_fences == [false; 2] || known.is_none() && self.places.len() >= MAX_PLACES {
            return;
        }
        let released = self.places.entry(place).or_default();
        if released.group.0 != group {
            released.group = (group, Default::default());
        }
        join(&mut released.device, &state.device);
        for (space, has_fence) in state.has_fences.into_iter().enumerate() {
            if has_fence {
                released.group.1[space].join(&state.clocks[space], |_| true);
            }
        }
    }

    pub(crate) fn accesses(
        &mut self,
        facts: &[Facts],
        step: ObservedStep<'_>,
        accesses: &[Access],
        mut report: Option<&mut Report>,
    ) {
        let instruction = step.issue.instruction;
        let own = &facts[to_usize(instruction)];
        let launch = step.program.launch.as_ref();
        self.tidy();
        if self.is_full || instruction > Record::MAX_INSTRUCTION {
            limit(
                report,
                "races are looked for in the first part of the launch only",
            );
            return;
        }
        let mut conflicts = Vec::new();
        let (mut arrived, mut passed) = (Vec::new(), Vec::new());
        let mut current: Option<(u8, u32, Record)> = None;
        for (index, access) in accesses.iter().enumerate() {
            if own.phase_step == Some(PhaseStep::Check) && is_complete(step.machine, access) {
                passed.push(access.address);
            }
            if !access.in_bounds || !access.has_effect(own.excess) {
                continue;
            }
            let space = match access.space {
                SpaceId::SLM => LOCAL,
                SpaceId::VIRTUAL => GLOBAL,
                _ => continue,
            };
            let is_exempt = space == GLOBAL
                && launch.is_some_and(|launch| {
                    launch.is_printed(access.address) || launch.is_private(access.address)
                });
            if is_exempt {
                continue;
            }
            let thread = access.unit.thread;
            let object = access.address & !7;
            let is_object = space == LOCAL && self.phases.contains_key(&object);
            match own.phase_step {
                Some(PhaseStep::Arrive) => arrived.push(object),
                Some(PhaseStep::Copy) if index + 1 == accesses.len() => {
                    arrived.push(object);
                    continue;
                }
                // To SM89, code tests a phase by a load.
                None if is_object && !own.is_atomic && !access.writes => {
                    passed.push(object);
                    continue;
                }
                _ => {}
            }
            let (number, record) = match current {
                Some((of, number, record)) if of == thread => (number, record),
                _ => {
                    let Some((number, record)) = self.record(thread, instruction) else {
                        continue;
                    };
                    current = Some((thread, number, record));
                    (number, record)
                }
            };
            let mut first_part = None;
            if let Some(state) = self.threads.get_mut(usize::from(thread)) {
                state.is_dirty[space] = true;
                let parts = &mut state.parts;
                first_part = own.part_of.map(|of| *parts.entry(of).or_insert(number));
            }
            let state = self.threads.get(usize::from(thread));
            if state.is_some_and(|state| state.clocks[space].has_all()) {
                let what = "fences are followed between the first 4096 threads only";
                limit(report.as_deref_mut(), what);
            }
            let is_strong_load = own.is_strong && !access.writes;
            let operation = match (own.is_atomic, access.writes) {
                _ if is_strong_load => Operation::Read,
                (true, _) => Operation::Atomic,
                (false, true) => Operation::Write,
                (false, false) => Operation::Read,
            };
            let stamp = Stamp::new(number, lane_of(own, access, step.machine));
            let has_place = |places: fn(&Thread) -> &BTreeSet<u64>| {
                let places = state.map(places).filter(|_| space == GLOBAL);
                places.is_some_and(|places| places.contains(&access.address))
            };
            conflicts.clear();
            let judge = Judge {
                facts,
                records: &self.records,
                epochs: &self.epochs,
                space,
                clock: self
                    .threads
                    .get(usize::from(thread))
                    .map(|t| &t.clocks[space]),
                with_lockstep: self.with_lockstep,
                stamp,
                record,
                first_part,
                is_strong_load,
                resets: operation == Operation::Write && has_place(|state| &state.read_places),
                is_acquired: has_place(|state| &state.acquired_places),
            };
            let has_room =
                self.shadows[space].visit(access.address, access.bytes, |cell, at, n| {
                    judge.touch(cell, operation, at, n, &mut conflicts);
                });
            if !has_room {
                let what = "the launch accesses more memory than races are looked for in";
                limit(report.as_deref_mut(), what);
            }
            if own.phase_step == Some(PhaseStep::Arrive) || is_object && own.is_atomic {
                conflicts.retain(|conflict| conflict.old_operation != Operation::Read);
            }
            if let Some(report) = report.as_deref_mut() {
                for conflict in &conflicts {
                    let now = Now {
                        facts,
                        step,
                        accesses: &accesses[..=index],
                        operation,
                        space,
                        stamp,
                    };
                    self.report(&now, conflict, report);
                }
            }
            if own.is_atomic {
                self.synchronize(access);
            }
        }
        let thread = step.issue.threads.first();
        for (objects, arrives) in [(arrived, true), (passed, false)] {
            if !objects.is_empty() {
                self.pass_phases(thread, &objects, arrives);
            }
        }
    }

    #[cold]
    fn report(&self, now: &Now<'_>, conflict: &Conflict, report: &mut Report) {
        let Some((access, earlier)) = now.accesses.split_last() else {
            return;
        };
        let (old, bytes) = (conflict.old, conflict.bytes);
        let mask = low_mask(u32::from(bytes) * 8);
        // The bytes in conflict, of an access that stores all of them.
        let value_of = |access: &Access| {
            let offset = conflict.address.checked_sub(access.address)?;
            let is_whole = offset + u64::from(bytes) <= u64::from(access.bytes.min(8));
            is_whole.then(|| access.src0 >> (8 * offset) & mask)
        };
        let overlaps = |e: &&Access| {
            e.writes
                && e.space == access.space
                && e.address < conflict.address + u64::from(bytes)
                && conflict.address < e.address + u64::from(e.bytes)
        };
        let stored = value_of(access);
        // Earlier stores of the same step are not in memory yet.
        let pending = earlier.iter().rfind(overlaps);
        let pending = pending.filter(|_| now.operation == Operation::Write);
        let memory = || now.step.machine.load(access.space, conflict.address, bytes);
        let found = pending.map_or_else(memory, value_of);
        let is_stored = |value: Option<u64>| value.is_some() && value == stored;
        let writes =
            now.operation == Operation::Write && conflict.old_operation == Operation::Write;
        let record_of = |stamp: Stamp| self.records[to_usize(stamp.record())];
        let (before, after) = (record_of(old), record_of(now.stamp));
        let part_of = |record: Record| now.facts[to_usize(record.instruction())].part_of;
        let is_part = before.instruction() != after.instruction()
            && part_of(before).is_some()
            && part_of(before) == part_of(after);
        let is_same = before.instruction() == after.instruction() || is_part;
        let same_step = conflict.order == Order::Lockstep && is_same;
        let mut old_value = found;
        let severity = if same_step {
            // Lanes of one store; those of earlier executions do not conflict.
            let is_other = |e: &&Access| {
                e.unit.lane != access.unit.lane && e.unit.thread == access.unit.thread
            };
            let mut others = earlier.iter().filter(overlaps);
            let value = match others.rfind(is_other) {
                Some(other) => value_of(other),
                None if is_part => found,
                None => return,
            };
            old_value = value;
            match is_stored(value) {
                true => Severity::Warning,
                false => Severity::Error,
            }
        } else {
            match conflict.order {
                Order::Ordered => return,
                Order::Lockstep if !self.with_lockstep => return,
                Order::Lockstep | Order::ByAtomic => Severity::Note,
                Order::BarrierOnly => Severity::Warning,
                Order::Unordered if writes && is_stored(found) => Severity::Warning,
                Order::Unordered => Severity::Error,
            }
        };
        let site = |instruction: u32| now.facts[to_usize(instruction)].site;
        let sites = (site(after.instruction()), Some(site(before.instruction())));
        let words = now.step.program.words();
        let (kind, space, name) = match now.space {
            LOCAL => (Kind::RaceLocal, Space::Local, words.local),
            _ => (Kind::RaceGlobal, Space::Global, "global"),
        };
        let equal = writes && (is_stored(found) || is_stored(old_value));
        report.add(kind, severity, sites, now.operation, self.group, || {
            let launch = now.step.program.launch.as_ref();
            let element = match now.space {
                GLOBAL => launch.and_then(|l| l.element_name(conflict.address, bytes)),
                _ => None,
            };
            let element = element.map_or(String::new(), |name| format!(" ({name})"));
            let last = conflict.address + u64::from(bytes) - 1;
            let why = match conflict.order {
                Order::BarrierOnly => format!("the barrier between them has no {name} fence"),
                Order::Lockstep if same_step => String::from("lanes of one store"),
                Order::Lockstep => {
                    format!("only the order of one {} separates them", words.thread)
                }
                Order::ByAtomic => String::from("only the order of atomics separates them"),
                _ if equal => String::from("both write the same value"),
                _ if before.group != self.group => {
                    let groups = words.work_group;
                    let mut fences = now.facts.iter().filter_map(|facts| facts.fence);
                    let has_narrow = fences.any(|f| f.global && f.scope == FenceScope::Group);
                    let fence = if has_narrow {
                        " or fence within one"
                    } else {
                        ""
                    };
                    format!("nothing orders {groups}s, and no barrier{fence} reaches across them")
                }
                _ => String::from("no barrier is between them"),
            };
            let message = format!(
                "race on {name} memory, bytes {:#x}..{last:#x}{element}: {why}",
                conflict.address
            );
            let index = earlier.len() as u64;
            let step = Some(now.step.steps + index + 1);
            let note = |operation, record: Record, stamp: Stamp, (value, step)| AccessNote {
                operation,
                group: record.group,
                thread: record.thread(),
                lane: stamp.lane(),
                instruction: record.instruction(),
                site: site(record.instruction()),
                address: conflict.address,
                bytes,
                value,
                step,
            };
            let value = match now.operation {
                Operation::Write => stored,
                _ => found,
            };
            let accesses = vec![
                note(now.operation, after, now.stamp, (value, step)),
                note(conflict.old_operation, before, old, (old_value, None)),
            ];
            Finding::new(kind, severity, space, message, accesses)
        });
    }
}

/// Whether an access tests a barrier object whose phase is complete.
pub(crate) fn is_complete(machine: &Machine, access: &Access) -> bool {
    let object = machine.load(access.space, access.address, access.bytes);
    object.is_some_and(|object| mbarrier::is_complete(object, access.src0))
}

/// Says once that something was not checked.
fn limit(report: Option<&mut Report>, what: &'static str) {
    if let Some(report) = report
        && !report.limits.contains(&what)
    {
        report.limits.push(what);
    }
}

/// The access that conflicts, and those of its instruction before it.
struct Now<'s> {
    facts: &'s [Facts],
    step: ObservedStep<'s>,
    accesses: &'s [Access],
    operation: Operation,
    space: usize,
    stamp: Stamp,
}

/// Compares an access with those before it.
struct Judge<'s> {
    facts: &'s [Facts],
    records: &'s [Record],
    epochs: &'s [[u32; 2]],
    space: usize,
    clock: Option<&'s Clock>,
    with_lockstep: bool,
    stamp: Stamp,
    record: Record,
    /// The first record of the parts of this access.
    first_part: Option<u32>,
    is_strong_load: bool,
    /// Whether it is a plain write of a place at which its thread has performed an atomic.
    resets: bool,
    /// Whether the thread has passed a fence since that atomic.
    is_acquired: bool,
}

impl Judge<'_> {
    fn record_of(&self, stamp: Stamp) -> Record {
        self.records[to_usize(stamp.record())]
    }

    fn is_atomic(&self, stamp: Stamp) -> bool {
        let instruction = self.record_of(stamp).instruction();
        self.facts[to_usize(instruction)].is_atomic
    }

    fn is_of_other_group(&self, old: Stamp) -> bool {
        self.record_of(old).group != self.record.group
    }

    /// Whether an earlier access is another part of this one.
    fn is_part(&self, old: Stamp) -> bool {
        let part_of = |record: Record| self.facts[to_usize(record.instruction())].part_of;
        let before = self.record_of(old);
        let is_since = self.first_part.is_some_and(|first| old.record() >= first);
        is_since
            && before.thread() == self.record.thread()
            && part_of(before) == part_of(self.record)
    }

    fn order(&self, old: Stamp) -> Order {
        if old.record() == self.stamp.record() {
            return Order::Lockstep;
        }
        let (before, now) = (self.record_of(old), self.record);
        if before.group == now.group {
            if before.thread() == now.thread() {
                let moment = |record: Record| (record.barriers, record.releases);
                return match moment(before) == moment(now) {
                    true => Order::Lockstep,
                    false => Order::Ordered,
                };
            }
            let epoch = |record: Record| self.epochs.get(to_usize(record.barriers));
            let epoch = |record| epoch(record).map(|epochs| epochs[self.space]);
            if epoch(before) != epoch(now) {
                return Order::Ordered;
            }
        }
        let knows =
            |clock: &Clock| clock.has(key(before.group, before.thread()), before.releases + 1);
        if self.clock.is_some_and(knows) {
            return Order::Ordered;
        }
        match before.group == now.group && before.barriers != now.barriers {
            true => Order::BarrierOnly,
            false => Order::Unordered,
        }
    }

    fn conflict(
        &self,
        old: Stamp,
        operation: Operation,
        at: u64,
        bytes: u8,
        out: &mut Vec<Conflict>,
    ) {
        let order = match self.order(old) {
            Order::Unordered
                if self.resets && operation == Operation::Atomic && self.is_of_other_group(old) =>
            {
                Order::ByAtomic
            }
            order => order,
        };
        let is_kept = match order {
            Order::Ordered => false,
            Order::Lockstep => {
                let is_same = old.record() == self.stamp.record() || self.is_part(old);
                old.lane() != self.stamp.lane() && (is_same || self.with_lockstep)
            }
            Order::ByAtomic | Order::BarrierOnly | Order::Unordered => true,
        };
        if is_kept {
            out.push(Conflict {
                old,
                old_operation: operation,
                order,
                address: at,
                bytes,
            });
        }
    }

    /// Keeps the accesses of two threads; of reads and atomics, one each.
    fn keep(&self, others: &mut [Stamp; 2], is_atomic: bool) {
        let [first, second] = others;
        if first.record() == self.stamp.record() && !self.with_lockstep {
            *first = self.stamp;
            return;
        }
        let is_own = |stamp: Stamp| {
            self.order(stamp) == Order::Lockstep && self.is_atomic(stamp) == is_atomic
        };
        if !first.is_some() || !self.with_lockstep && is_own(*first) {
            *first = self.stamp;
        } else if !second.is_some() || is_own(*second) {
            *second = self.stamp;
        } else if self.order(*first) == Order::Ordered {
            *first = self.stamp;
        } else if self.order(*second) == Order::Ordered {
            *second = self.stamp;
        } else if self.is_atomic(*first) == self.is_atomic(*second) {
            if self.is_atomic(*first) != is_atomic {
                *second = self.stamp;
            }
        } else if self.record_of(*first).thread() == self.record_of(*second).thread() {
            let same = if self.is_atomic(*first) == is_atomic {
                first
            } else {
                second
            };
            *same = self.stamp;
        }
    }

    #[inline]
    fn touch(
        &self,
        cell: &mut Cell,
        operation: Operation,
        at: u64,
        bytes: u8,
        out: &mut Vec<Conflict>,
    ) {
        let mut check = |old: Stamp, operation| {
            if old.is_some() && old != self.stamp {
                self.conflict(old, operation, at, bytes, out);
            }
        };
        check(cell.write, Operation::Write);
        if self.is_strong_load {
            // Plain writes that come later are not compared with it.
            return;
        }
        for old in cell.others {
            if old.is_some() {
                match (operation, self.is_atomic(old)) {
                    (Operation::Read, false) | (Operation::Atomic, true) => {}
                    (_, true) if self.is_acquired && self.is_of_other_group(old) => {}
                    (_, true) => check(old, Operation::Atomic),
                    (_, false) => check(old, Operation::Read),
                }
            }
        }
        match operation {
            Operation::Read => self.keep(&mut cell.others, false),
            Operation::Atomic => self.keep(&mut cell.others, true),
            _ => {
                *cell = Cell {
                    write: self.stamp,
                    ..Cell::default()
                };
            }
        }
    }
}
