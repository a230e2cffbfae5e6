//! A result of a program, as the difference from its initial state.

use crate::number::Count;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{Span, to_u32, to_usize};
use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::{Change, Machine, SpaceId};
use lanewise_core::program::{Issue, LaneName, Order, Program};
use lanewise_core::session::{
    Fault, IssueIndex, ScratchExecutor, Stepper, conflict_groups, next_issue,
};

/// Maximum size of a returned value, in bytes.
pub(crate) const MAX_RETURNED_BYTES: u8 = 8;

/// The most orders, and instructions, of an outcome that is replayed to try out
/// other orders.
const MAX_TRIED: usize = 1024;

/// The most issues of such a run.
const MAX_TRIED_ISSUES: u32 = 4096;

/// A byte that differs from the initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChangedByte {
    /// Registers, flags or a memory.
    pub space: SpaceId,
    /// Address in the space.
    pub address: u64,
    /// Final value.
    pub value: u8,
}

impl ChangedByte {
    pub(crate) fn is_followed_by(&self, next: &Self) -> bool {
        self.space == next.space && self.address.checked_add(1) == Some(next.address)
    }
}

/// Serialization order of the lanes of an issue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LaneSchedule {
    /// Index of the issue in the run.
    pub issue: IssueIndex,
    /// Index of the instruction.
    pub instruction: u32,
    /// All lanes that make an access, in order.
    pub units: Rc<[Unit]>,
}

/// A result and orders that lead to it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Number of orders of all instructions that lead to it; `None` if unknown.
    pub orders: Option<Count>,
    /// Orders that lead to it, one for each order-dependent instruction.
    pub schedules: Vec<LaneSchedule>,
    /// All bytes that differ from the start, by space and address, without
    /// control state.
    pub bytes: Vec<ChangedByte>,
    /// The fault that ended the run, if any.
    pub fault: Option<Fault>,
}

impl Outcome {
    /// The initial state, without differences.
    pub(crate) const fn start(orders: Option<Count>) -> Self {
        Self {
            orders,
            schedules: Vec::new(),
            bytes: Vec::new(),
            fault: None,
        }
    }

    /// The result in program order.
    #[must_use]
    pub fn of_run(program: &Program) -> Self {
        let mut run = Run::new(program);
        while run.fault_ahead(program).is_none() && run.issue.is_some() {
            run.perform(program, false);
        }
        run.into_result()
    }

    /// Whether the run stopped at an instruction that Lanewise does not
    /// execute, or because its fuel was spent: the outcome on hardware is not
    /// known.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.kind.is_unfinished())
    }

    /// The `.order` of each instruction whose order matters, which together
    /// replay the outcome. `None` if an instruction is issued several times and no
    /// single order was found that serves all its issues.
    #[must_use]
    pub fn replay(&self, program: &Program) -> Option<Vec<LaneSchedule>> {
        let mut orders: BTreeMap<u32, LaneSchedule> = BTreeMap::new();
        for schedule in &self.schedules {
            // The issue with the most lanes decides: lanes leave a loop one by
            // one.
            let longest = orders
                .entry(schedule.instruction)
                .or_insert_with(|| schedule.clone());
            if schedule.units.len() > longest.units.len() {
                longest.units = Rc::clone(&schedule.units);
            }
        }
        let agrees = |schedule: &LaneSchedule| {
            let mut order = orders[&schedule.instruction].units.iter();
            let mut units = schedule.units.iter();
            units.all(|unit| order.any(|other| other == unit))
        };
        if self.schedules.iter().all(agrees) {
            return Some(orders.into_values().collect());
        }
        self.replay_by_first_lanes(program, orders)
    }

    /// The same where only the first lane of each issue matters, as with a lock:
    /// these lanes in their order, then the others. Tried out by a run.
    fn replay_by_first_lanes(
        &self,
        program: &Program,
        mut orders: BTreeMap<u32, LaneSchedule>,
    ) -> Option<Vec<LaneSchedule>> {
        if self.schedules.len() > MAX_TRIED || program.instructions.len() > MAX_TRIED {
            return None;
        }
        let mut replayed = program.clone();
        for (instruction, order) in &mut orders {
            let own = self.schedules.iter();
            let own = own.filter(|schedule| schedule.instruction == *instruction);
            let firsts = own.filter_map(|schedule| schedule.units.first().copied());
            let mut units: Vec<Unit> = Vec::new();
            for unit in firsts.chain(order.units.iter().copied()) {
                if !units.contains(&unit) {
                    units.push(unit);
                }
            }
            order.units = units.into();
            let span = Span::default();
            let names = order
                .units
                .iter()
                .map(|unit| LaneName { unit: *unit, span });
            let placed = replayed.instructions.get_mut(to_usize(*instruction))?;
            placed.order = Rc::new(Order::of(names.collect()));
        }
        let mut run = Run::new(&replayed);
        let has_ended = run.finish(&replayed, MAX_TRIED_ISSUES);
        let is_replay = has_ended && run.into_result().is_same_result(self);
        is_replay.then(|| orders.into_values().collect())
    }

    /// Whether both are the same result, regardless of their orders.
    #[must_use]
    pub fn is_same_result(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.fault.is_some() == other.fault.is_some()
    }

    /// Final value of a cell; `None` if it is not mapped.
    #[must_use]
    pub fn load(&self, start: &Machine, space: SpaceId, address: u64, bytes: u8) -> Option<u64> {
        let mut value = start.load(space, address, bytes)?.to_le_bytes();
        let first = self
            .bytes
            .partition_point(|byte| (byte.space.0, byte.address) < (space.0, address));
        for byte in &self.bytes[first..] {
            let offset = byte.address.wrapping_sub(address);
            if byte.space != space || offset >= bytes.into() {
                break;
            }
            value[usize::try_from(offset).expect("the offset is less than 8")] = byte.value;
        }
        Some(u64::from_le_bytes(value))
    }

    /// The state at the end; control state is that of the start.
    #[must_use]
    pub fn machine(&self, program: &Program) -> Machine {
        let mut machine = program.start.clone();
        for byte in &self.bytes {
            let space = machine.space_mut(byte.space);
            let space = space.expect("the space was written");
            space.store(byte.address, 1, byte.value.into());
        }
        machine
    }

    /// Leaves control state out: results do not differ by it.
    pub(crate) fn drop_control(&mut self) {
        self.bytes.retain(|byte| !byte.space.is_control());
    }

    /// Applies later changes to this state.
    pub(crate) fn apply(&mut self, changes: &[Change], start: &Machine) {
        for change in changes {
            let Change { space, address, .. } = *change;
            let was = start.load(space, address, change.bytes);
            let was = was.expect("written bytes are mapped").to_le_bytes();
            let key = |byte: &ChangedByte| (byte.space.0, byte.address);
            let from = self
                .bytes
                .partition_point(|byte| key(byte) < (space.0, address));
            let last = address.saturating_add(u64::from(change.bytes) - 1);
            let until = self
                .bytes
                .partition_point(|byte| key(byte) <= (space.0, last));
            let new = change.new.to_le_bytes();
            let bytes = (0..usize::from(change.bytes)).filter(|at| new[*at] != was[*at]);
            let bytes = bytes.map(|at| ChangedByte {
                space,
                address: address.saturating_add(u64::from(to_u32(at))),
                value: new[at],
            });
            self.bytes.splice(from..until, bytes);
        }
    }
}

/// A run of a program, issue by issue.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) machine: Machine,
    pub(crate) outcome: Outcome,
    /// Index of the next issue in the run.
    pub(crate) index: u32,
    /// The next issue.
    pub(crate) issue: Option<Issue>,
    /// The next issue, evaluated.
    pub(crate) stepper: Stepper,
    /// Fingerprint of its state: see [`fingerprint`].
    pub(crate) fingerprint: u64,
    scratch: ScratchExecutor,
}

impl Run {
    pub(crate) fn new(program: &Program) -> Self {
        Self::from(program, Outcome::start(None), 0)
    }

    /// Continues from a state.
    pub(crate) fn from(program: &Program, outcome: Outcome, index: u32) -> Self {
        let machine = outcome.machine(program);
        Self::at(program, machine, outcome, index)
    }

    /// A run that goes on from a state, which is that of a machine.
    pub(crate) fn at(program: &Program, machine: Machine, outcome: Outcome, index: u32) -> Self {
        Self {
            issue: next_issue(program, &machine),
            machine,
            outcome,
            index,
            stepper: Stepper::default(),
            fingerprint: 0,
            scratch: ScratchExecutor::default(),
        }
    }

    /// The accesses of the next issue in order.
    pub(crate) fn accesses(&self) -> &[Access] {
        self.stepper.accesses()
    }

    /// Prepares the accesses of the next issue; returns its fault, which ends the run.
    pub(crate) fn fault_ahead(&mut self, program: &Program) -> Option<&Fault> {
        let issue = self.issue?;
        self.outcome.fault = (self.stepper).evaluate(program, issue, self.index, &self.machine);
        self.outcome.fault.as_ref()
    }

    /// Performs the accesses in their current order and advances to the next issue.
    /// `is_noted` says whether the order is recorded in the outcome.
    pub(crate) fn perform(&mut self, program: &Program, is_noted: bool) {
        let Some(issue) = self.issue else {
            return;
        };
        if is_noted {
            self.outcome.schedules.push(LaneSchedule {
                issue: IssueIndex(self.index),
                instruction: issue.instruction,
                units: self.accesses().iter().map(|access| access.unit).collect(),
            });
        }
        let machine = &mut self.machine;
        let changes = (self.scratch).apply(&self.stepper, program, issue, machine);
        self.outcome.apply(changes, &program.start);
        self.fingerprint ^= fingerprint(changes);
        self.index += 1;
        self.issue = next_issue(program, &self.machine);
    }

    /// Whether lanes of the next issue share bytes, so that their order may
    /// matter.
    pub(crate) fn has_conflicts(&self) -> bool {
        conflict_groups(self.accesses()).iter().any(Option::is_some)
    }

    /// Runs on in the program's own orders for `most` issues at most. Whether
    /// it has ended then.
    pub(crate) fn finish(&mut self, program: &Program, most: u32) -> bool {
        let last = self.index.saturating_add(most);
        while self.issue.is_some() && self.fault_ahead(program).is_none() {
            if self.index >= last {
                return false;
            }
            self.perform(program, self.has_conflicts());
        }
        true
    }

    /// The result of a run that has ended.
    pub(crate) fn into_result(mut self) -> Outcome {
        self.outcome.drop_control();
        self.outcome
    }
}

/// The difference that changes make to the fingerprint of a state: states of
/// one program that are equal have equal fingerprints.
pub(crate) fn fingerprint(changes: &[Change]) -> u64 {
    let mut sum = 0;
    for change in changes {
        let (old, new) = (change.old.to_le_bytes(), change.new.to_le_bytes());
        let bytes = old.iter().zip(&new).take(change.bytes.into());
        for ((old, new), offset) in bytes.zip(0_u64..).filter(|((old, new), _)| old != new) {
            let address = change.address.wrapping_add(offset);
            let place = address.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(change.space.0);
            sum ^= mixed(place, *old) ^ mixed(place, *new);
        }
    }
    sum
}

/// The finalizer of SplitMix64.
fn mixed(place: u64, value: u8) -> u64 {
    let bits = place.rotate_left(17) ^ u64::from(value) << 20;
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// The cells written after an issue in program order, as space, address and number of
/// space, address and number of bytes, each once. Which registers these are is
/// the same in every order of a program without branches, unless one faults.
#[must_use]
pub fn written_after(program: &Program, after: IssueIndex) -> Vec<(SpaceId, u64, u8)> {
    let mut written = BTreeSet::new();
    let mut run = Run::new(program);
    let mut runs = true;
    while let Some(issue) = run.issue {
        let is_later = run.index > after.0;
        runs = runs && run.fault_ahead(program).is_none();
        if !runs {
            // In another order, it might not fault and would write these registers.
            for access in run.accesses().iter().filter(|_| is_later) {
                let registers = SpaceId::registers(access.unit.thread);
                let dst = access
                    .dst
                    .map(|dst| (registers, dst.into(), MAX_RETURNED_BYTES));
                written.extend(dst);
            }
            break;
        }
        let machine = &mut run.machine;
        let changes = (run.scratch).apply(&run.stepper, program, issue, machine);
        let cells = changes.iter().filter(|c| !c.space.is_control());
        let cells = cells.map(|c| (c.space, c.address, c.bytes));
        written.extend(cells.filter(|_| is_later));
        run.index += 1;
        run.issue = next_issue(program, &run.machine);
    }
    written.into_iter().collect()
}

/// A byte that is changed by some result.
#[derive(Clone, Copy)]
struct SeenByte {
    place: (u16, u64),
    value: u8,
    /// Number of results that change it, and whether to different values.
    count: usize,
    varies: bool,
}

/// The bytes in which outcomes differ, as space and address, ascending.
#[must_use]
pub fn differing_bytes(outcomes: &[Outcome]) -> Vec<(u16, u64)> {
    let mut seen: Vec<SeenByte> = Vec::new();
    for outcome in outcomes {
        let mut new: Vec<SeenByte> = Vec::new();
        // Both lists are sorted.
        let mut known = seen.iter_mut().peekable();
        for byte in &outcome.bytes {
            let place = (byte.space.0, byte.address);
            while known.next_if(|seen| seen.place < place).is_some() {}
            match known.next_if(|seen| seen.place == place) {
                Some(seen) => {
                    seen.count += 1;
                    seen.varies |= seen.value != byte.value;
                }
                None => new.push(SeenByte {
                    place,
                    value: byte.value,
                    count: 1,
                    varies: false,
                }),
            }
        }
        if !new.is_empty() {
            seen.append(&mut new);
            seen.sort_by_key(|byte| byte.place);
        }
    }
    let all = outcomes.len();
    let differing = seen.iter().filter(|byte| byte.varies || byte.count < all);
    differing.map(|byte| byte.place).collect()
}

/// Formats a lane as in `.order`: `3`, `EU1.3`, `3.R`.
#[must_use]
pub fn order_name(unit: Unit) -> String {
    let eu = if unit.thread == 0 { "" } else { "EU1." };
    let mut name = format!("{eu}{}", unit.lane);
    if unit.channel.is_some() {
        name.push('.');
        name.push_str(unit.letter());
    }
    name
}
