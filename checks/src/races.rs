//! Data races: conflicting accesses that nothing orders.
//!
//! Accesses of a thread are in order. A barrier that carries the fence of a memory starts a
//! new epoch of it in its group. An atomic after a fence releases what its thread has done; a
//! fence after an atomic of the same place acquires it.

use crate::clocks::Clock;
use crate::finding::{AccessNote, Finding, Kind, Operation, Report, Severity, Space};
use crate::shadow::{Cell, Shadow, Stamp};
use crate::{Facts, lane_of};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{Access, Fence, FenceScope};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::low_mask;
use lanewise_core::session::ObservedStep;

/// Most moments of a launch. Afterwards, races are not looked for.
const MAX_MOMENTS: usize = 1 << 24;

/// Most places whose releases are kept.
const MAX_PLACES: usize = 1 << 16;

/// Work of a thread between two events that order it.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    group: u32,
    thread: u8,
    /// Barriers that the group had passed.
    barriers: u32,
    /// Releases of the thread.
    releases: u32,
}

/// State of a thread of the running group.
#[derive(Clone, Debug, Default)]
struct Thread {
    moment: Option<u32>,
    /// Whether it has accessed local or global memory since its last fence of it.
    is_dirty: [bool; 2],
    releases: u32,
    /// The scope of its last fence.
    fence: Option<FenceScope>,
    clock: Clock,
    /// Clocks that its next fence acquires.
    read: Clock,
    /// The named barrier that it waits for.
    awaited: Option<u8>,
}

/// Clocks released to an atomic place.
#[derive(Debug, Default)]
struct Released {
    device: Clock,
    /// Releases to a group.
    group: (u32, Clock),
}

/// How two accesses relate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ordered,
    /// Only by the order of the instructions of their thread.
    Lockstep,
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
    moments: Vec<Moment>,
    threads: Vec<Thread>,
    group: u32,
    /// By number of barriers passed, the epochs of local and global memory.
    epochs: Vec<[u32; 2]>,
    has_clocks: bool,
    with_lockstep: bool,
    places: BTreeMap<(SpaceId, u64), Released>,
    /// Clocks of the threads that have signalled a named barrier of the group.
    named: BTreeMap<u8, Clock>,
    /// Whether a barrier orders local memory without a fence.
    orders_local: bool,
    is_full: bool,
}

const LOCAL: usize = 0;
const GLOBAL: usize = 1;

/// Number of a thread across groups.
fn key(group: u32, thread: u8) -> u64 {
    u64::from(group) << 8 | u64::from(thread)
}

impl Races {
    pub(crate) fn new(has_clocks: bool, orders_local: bool, with_lockstep: bool) -> Self {
        Self {
            shadows: [Shadow::default(), Shadow::default()],
            moments: vec![Moment::default()],
            threads: Vec::new(),
            group: 0,
            epochs: Vec::new(),
            has_clocks,
            with_lockstep,
            places: BTreeMap::new(),
            named: BTreeMap::new(),
            orders_local,
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
    }

    /// A thread has executed a fence.
    pub(crate) fn fence(&mut self, thread: u8, fence: Fence) {
        let group = self.group;
        let Some(state) = self.threads.get_mut(usize::from(thread)) else {
            return;
        };
        state.is_dirty[LOCAL] &= !fence.local;
        state.is_dirty[GLOBAL] &= !fence.global;
        if !self.has_clocks {
            return;
        }
        state.releases += 1;
        state.moment = None;
        state.fence = Some(match (state.fence, fence.scope) {
            (Some(FenceScope::Device), _) | (_, FenceScope::Device) => FenceScope::Device,
            _ => FenceScope::Group,
        });
        let of_group = |other: u64| fence.scope == FenceScope::Device || other >> 8 == group.into();
        let read = core::mem::take(&mut state.read);
        state.clock.join(&read, of_group);
        let own = key(group, thread);
        state.clock.note(own, state.releases);
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
            let is_exempt = space == LOCAL && self.orders_local;
            if is_exempt || !arrived.clone().any(is_dirty) {
                *epoch += 1;
            }
        }
        self.epochs.push(epochs);
        for state in &mut self.threads {
            state.moment = None;
        }
        if self.has_clocks {
            let mut joined = Clock::default();
            for state in &self.threads {
                joined.join(&state.clock, |_| true);
            }
            for thread in arrived {
                if let Some(state) = self.threads.get_mut(usize::from(thread)) {
                    state.clock = joined.clone();
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
        state.moment = None;
        state.clock.note(own, state.releases);
        let named = self.named.entry(barrier).or_default();
        named.join(&state.clock, |_| true);
    }

    /// A thread waits for a named barrier, and goes on once it is complete.
    pub(crate) fn wait(&mut self, thread: u8, barrier: u8) {
        if let Some(state) = self.threads.get_mut(usize::from(thread)) {
            state.awaited = Some(barrier);
            state.moment = None;
        }
    }

    /// The moment of a thread.
    fn moment(&mut self, thread: u8) -> Option<u32> {
        let barriers = u32::try_from(self.epochs.len() - 1).ok()?;
        let state = self.threads.get_mut(usize::from(thread))?;
        if let Some(moment) = state.moment {
            return Some(moment);
        }
        let awaited = state.awaited.take().and_then(|b| self.named.get(&b));
        if let Some(signals) = awaited {
            state.clock.join(signals, |_| true);
        }
        if self.moments.len() >= MAX_MOMENTS {
            self.is_full = true;
            return None;
        }
        let moment = u32::try_from(self.moments.len()).ok()?;
        self.moments.push(Moment {
            group: self.group,
            thread,
            barriers,
            releases: state.releases,
        });
        state.moment = Some(moment);
        Some(moment)
    }

    /// Releases and acquires of an atomic.
    fn synchronize(&mut self, access: &Access) {
        let group = self.group;
        let Some(state) = self.threads.get_mut(usize::from(access.unit.eu)) else {
            return;
        };
        let place = (access.space, access.address);
        if self.places.len() >= MAX_PLACES && !self.places.contains_key(&place) {
            return;
        }
        let released = self.places.entry(place).or_default();
        state.read.join(&released.device, |_| true);
        if released.group.0 == group {
            state.read.join(&released.group.1, |_| true);
        }
        match state.fence {
            Some(FenceScope::Device) => released.device.join(&state.clock, |_| true),
            Some(FenceScope::Group) => {
                if released.group.0 != group {
                    released.group = (group, Clock::default());
                }
                released.group.1.join(&state.clock, |_| true);
            }
            None => {}
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
        if self.is_full || instruction > Stamp::MAX_INSTRUCTION {
            limit(
                report,
                "races are looked for in the first part of the launch only",
            );
            return;
        }
        let mut conflicts = Vec::new();
        for (index, access) in accesses.iter().enumerate() {
            if !access.in_bounds || !(access.writes || access.dst.is_some()) {
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
            let thread = access.unit.eu;
            let Some(moment) = self.moment(thread) else {
                limit(
                    report,
                    "races are looked for in the first part of the launch only",
                );
                return;
            };
            if let Some(state) = self.threads.get_mut(usize::from(thread)) {
                state.is_dirty[space] = true;
            }
            let operation = match (own.is_atomic, access.writes) {
                (true, _) => Operation::Atomic,
                (false, true) => Operation::Write,
                (false, false) => Operation::Read,
            };
            let stamp = Stamp::new(moment, instruction, lane_of(own, access, step.machine));
            conflicts.clear();
            let judge = Judge {
                moments: &self.moments,
                epochs: &self.epochs,
                space,
                clock: self.threads.get(usize::from(thread)).map(|t| &t.clock),
                with_lockstep: self.with_lockstep,
                stamp,
            };
            let has_room =
                self.shadows[space].visit(access.address, access.bytes, |cell, at, n| {
                    judge.touch(cell, operation, at, n, &mut conflicts);
                });
            if !has_room {
                let what = "the launch accesses more memory than races are looked for in";
                limit(report.as_deref_mut(), what);
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
            if own.is_atomic && self.has_clocks {
                self.synchronize(access);
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
        let (before, after) = (self.moments[to_usize(old.moment())], now.stamp);
        let same_step =
            conflict.order == Order::Lockstep && old.instruction() == after.instruction();
        let mut old_value = found;
        let severity = if same_step {
            // Lanes of one store; those of earlier executions do not conflict.
            let is_other =
                |e: &&Access| e.unit.lane != access.unit.lane && e.unit.eu == access.unit.eu;
            let mut others = earlier.iter().filter(overlaps);
            let Some(other) = others.rfind(is_other) else {
                return;
            };
            let value = value_of(other);
            old_value = value;
            match is_stored(value) {
                true => Severity::Warning,
                false => Severity::Error,
            }
        } else {
            match conflict.order {
                Order::Ordered => return,
                Order::Lockstep if !self.with_lockstep => return,
                Order::Lockstep => Severity::Note,
                Order::BarrierOnly => Severity::Warning,
                Order::Unordered if writes && is_stored(found) => Severity::Warning,
                Order::Unordered => Severity::Error,
            }
        };
        let site = |instruction: u32| now.facts[to_usize(instruction)].site;
        let sites = (site(after.instruction()), Some(site(old.instruction())));
        let (kind, space, name) = match now.space {
            LOCAL => (Kind::RaceLocal, Space::Local, "local"),
            _ => (Kind::RaceGlobal, Space::Global, "global"),
        };
        let equal = writes && (is_stored(found) || is_stored(old_value));
        report.add(kind, severity, sites, self.group, || {
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
                Order::Lockstep => String::from("only the order of one thread separates them"),
                _ if equal => String::from("both write the same value"),
                _ if before.group != self.group => {
                    String::from("nothing orders work-groups, and no barrier reaches across them")
                }
                _ => String::from("no barrier is between them"),
            };
            let message = format!(
                "race on {name} memory, bytes {:#x}..{last:#x}{element}: {why}",
                conflict.address
            );
            let index = earlier.len() as u64;
            let step = Some(now.step.steps + index + 1);
            let note = |operation, group, thread, stamp: Stamp, (value, step)| AccessNote {
                operation,
                group,
                thread,
                lane: stamp.lane(),
                instruction: stamp.instruction(),
                site: site(stamp.instruction()),
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
                note(
                    now.operation,
                    self.group,
                    access.unit.eu,
                    after,
                    (value, step),
                ),
                note(
                    conflict.old_operation,
                    before.group,
                    before.thread,
                    old,
                    (old_value, None),
                ),
            ];
            Finding::new(kind, severity, space, message, accesses)
        });
    }
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
    moments: &'s [Moment],
    epochs: &'s [[u32; 2]],
    space: usize,
    clock: Option<&'s Clock>,
    with_lockstep: bool,
    stamp: Stamp,
}

impl Judge<'_> {
    fn order(&self, old: Stamp) -> Order {
        if old.moment() == self.stamp.moment() {
            return Order::Lockstep;
        }
        let before = self.moments[to_usize(old.moment())];
        let now = self.moments[to_usize(self.stamp.moment())];
        if before.group == now.group {
            if before.thread == now.thread {
                return Order::Ordered;
            }
            let epoch = |moment: Moment| self.epochs.get(to_usize(moment.barriers));
            let epoch = |moment| epoch(moment).map(|epochs| epochs[self.space]);
            if epoch(before) != epoch(now) {
                return Order::Ordered;
            }
        }
        let knows =
            |clock: &Clock| clock.has(key(before.group, before.thread), before.releases + 1);
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
        if !old.is_some() || old == self.stamp {
            return;
        }
        let order = self.order(old);
        let is_kept = match order {
            Order::Ordered => false,
            Order::Lockstep => {
                let is_same = old.instruction() == self.stamp.instruction();
                old.lane() != self.stamp.lane() && (is_same || self.with_lockstep)
            }
            Order::BarrierOnly | Order::Unordered => true,
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

    /// Keeps the accesses of two threads.
    fn keep(&self, slots: &mut [Stamp; 2]) {
        let own = self.stamp.moment();
        let [first, second] = slots;
        if !first.is_some() || first.moment() == own && !self.with_lockstep {
            *first = self.stamp;
        } else if !second.is_some() || second.moment() == own {
            *second = self.stamp;
        } else if self.order(*first) == Order::Ordered {
            *first = self.stamp;
        } else if self.order(*second) == Order::Ordered {
            *second = self.stamp;
        }
    }

    fn touch(
        &self,
        cell: &mut Cell,
        operation: Operation,
        at: u64,
        bytes: u8,
        out: &mut Vec<Conflict>,
    ) {
        let mut check = |old, operation| self.conflict(old, operation, at, bytes, out);
        check(cell.write, Operation::Write);
        if operation != Operation::Atomic {
            for old in cell.atomics {
                check(old, Operation::Atomic);
            }
        }
        if operation != Operation::Read {
            for old in cell.reads {
                check(old, Operation::Read);
            }
        }
        match operation {
            Operation::Read => self.keep(&mut cell.reads),
            Operation::Atomic => self.keep(&mut cell.atomics),
            _ => {
                *cell = Cell {
                    write: self.stamp,
                    ..Cell::default()
                };
            }
        }
    }
}
