//! Reference implementation of outcomes: runs every lane order.

use crate::place::snapshot;
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::{Machine, NoJournal, SpaceId};
use lanewise_core::program::{LaneName, Order, Program};
use lanewise_core::session::{
    IssueIndex, ScratchExecutor, Session, Stepper, accesses_of, conflict_groups, next_issue, run,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// Hash of a machine state.
pub type Key = u64;

#[must_use]
pub fn key(machine: &Machine) -> Key {
    let mut hasher = DefaultHasher::new();
    snapshot(machine).hash(&mut hasher);
    hasher.finish()
}

/// Active lanes of an instruction.
fn units(program: &Program, instruction: usize, machine: &Machine) -> Vec<Unit> {
    let accesses = accesses_of(program, program.issue_by_all(instruction), machine);
    accesses.iter().map(|a| a.unit).collect()
}

#[must_use]
pub fn order(units: &[Unit]) -> Rc<Order> {
    let span = Span::default();
    let symbols = units.iter().map(|unit| LaneName { unit: *unit, span });
    Rc::new(Order::of(symbols.collect()))
}

/// Calls `f` with every order of `units`.
fn permute<T>(units: &mut [T], done: usize, f: &mut dyn FnMut(&[T])) {
    if done == units.len() {
        return f(units);
    }
    for i in done..units.len() {
        units.swap(done, i);
        permute(units, done + 1, f);
        units.swap(done, i);
    }
}

/// Runs a program for every order of the lanes of every instruction. Returns the final
/// states with their number of orders. The active lanes must not depend on the order.
#[must_use]
pub fn all(program: &Program) -> HashMap<Key, u64> {
    let mut program = program.clone();
    let mut ends = HashMap::new();
    from(&mut program, 0, &mut ends);
    ends
}

/// Returned values of every lane of a one-instruction program, with their number of
/// orders.
#[must_use]
pub fn returned(program: &Program) -> HashMap<Unit, BTreeMap<u64, u64>> {
    let mut returned: HashMap<Unit, BTreeMap<u64, u64>> = HashMap::new();
    let mut units = units(program, 0, &program.start);
    permute(&mut units, 0, &mut |units| {
        let mut next = program.clone();
        next.instructions[0].order = order(units);
        let mut session = Session::new(Rc::new(next));
        session.run_to_end();
        for row in session.lanes(IssueIndex(0)) {
            if let Some(value) = row.returned {
                let values = returned.entry(row.unit).or_default();
                *values.entry(value).or_default() += 1;
            }
        }
    });
    returned
}

fn from(program: &mut Program, instruction: usize, ends: &mut HashMap<Key, u64>) {
    if instruction == program.instructions.len() {
        *ends.entry(key(&run(program).machine)).or_default() += 1;
        return;
    }
    let mut units = units(program, instruction, &program.start);
    permute(&mut units, 0, &mut |units| {
        program.instructions[instruction].order = order(units);
        from(program, instruction + 1, ends);
    });
}

/// Instruction, memory, first byte, number of bytes, and lanes.
pub type Place = (usize, SpaceId, u64, u8, BTreeSet<Unit>);

/// Value returned to each lane, and contents after the instruction.
pub type PlaceResult = (BTreeMap<Unit, u64>, u64);

/// Conflict: accesses of an instruction to common bytes, in every lane order.
#[derive(Debug)]
pub struct Meeting {
    /// Location of the conflict.
    pub place: Place,
    /// Number of orders per final contents.
    pub contents: BTreeMap<u64, u64>,
    /// Number of orders per returned value, for each lane with a destination.
    pub returns: BTreeMap<Unit, BTreeMap<u64, u64>>,
    /// Results by machine state before the instruction.
    pub results: BTreeMap<Key, BTreeSet<PlaceResult>>,
}

/// Conflicts of all instructions of a program. The active lanes must not depend on the
/// order.
#[must_use]
pub fn meetings(program: &Program) -> Vec<Meeting> {
    let mut program = program.clone();
    let mut meetings = Vec::new();
    let machine = program.start.clone();
    meet(&mut program, 0, &machine, &mut meetings);
    meetings
}

/// Records the conflicts of an instruction and of later ones, for each order. Returns
/// the number of orders.
fn meet(
    program: &mut Program,
    instruction: usize,
    machine: &Machine,
    meetings: &mut Vec<Meeting>,
) -> u64 {
    if instruction == program.instructions.len() {
        return 1;
    }
    let before = key(machine);
    let mut orders = 0;
    let mut units = units(program, instruction, machine);
    permute(&mut units, 0, &mut |units| {
        program.instructions[instruction].order = order(units);
        let issue = program.issue_by_all(instruction);
        let mut stepper = Stepper::default();
        if stepper.evaluate(program, issue, 0, machine).is_some() {
            // The instruction faults in every order.
            orders += 1;
            return;
        }
        let accesses = stepper.accesses().to_vec();
        let mut after = machine.clone();
        let mut scratch = ScratchExecutor::default();
        let changes = scratch.apply(&stepper, program, issue, &mut after);
        let changes = changes.to_vec();
        let own = meet(program, instruction + 1, &after, meetings);
        orders += own;
        let groups = conflict_groups(&accesses);
        for group in 0..=groups.iter().flatten().max().copied().unwrap_or_default() {
            let members = accesses.iter().zip(&groups);
            let members = members.filter(|(_, own)| **own == Some(group));
            let members: Vec<&Access> = members.map(|(access, _)| access).collect();
            let Some(address) = members.iter().map(|access| access.address).min() else {
                continue;
            };
            let ends = members.iter().map(|a| a.address + u64::from(a.bytes));
            let bytes = ends.max().expect("a conflict has at least two accesses") - address;
            let bytes = u8::try_from(bytes).expect("cells are adjacent");
            let space = members[0].space;
            let units = members.iter().map(|access| access.unit).collect();
            let place = (instruction, space, address, bytes, units);
            let returned = members.iter().filter_map(|access| {
                let dst = u64::from(access.dst?);
                let registers = SpaceId::registers(access.unit.thread);
                let mut changes = changes.iter();
                let change = changes.find(|c| c.space == registers && c.address == dst);
                Some((access.unit, change.expect("it is returned").new))
            });
            let returned: BTreeMap<Unit, u64> = returned.collect();
            let content = after.load(space, address, bytes).expect("it was accessed");
            let at = meetings.iter().position(|met| met.place == place);
            let at = at.unwrap_or_else(|| {
                meetings.push(Meeting {
                    place,
                    contents: BTreeMap::new(),
                    returns: BTreeMap::new(),
                    results: BTreeMap::new(),
                });
                meetings.len() - 1
            });
            let met = &mut meetings[at];
            *met.contents.entry(content).or_default() += own;
            for (unit, value) in &returned {
                let values = met.returns.entry(*unit).or_default();
                *values.entry(*value).or_default() += own;
            }
            let results = met.results.entry(before).or_default();
            results.insert((returned, content));
        }
    });
    orders
}

/// How a run ends: the state, and whether it faulted.
pub type End = (Key, bool);

/// Every run of a program, which may branch: its ends, and how many orders of
/// the lanes in conflict lead to each.
///
/// # Panics
/// When a run does not end within 1,000 issues.
#[must_use]
pub fn runs(program: &Program) -> HashMap<End, u64> {
    let mut ends = HashMap::new();
    run_on(program, &program.start, 0, &mut ends);
    ends
}

fn run_on(program: &Program, machine: &Machine, issued: u32, ends: &mut HashMap<End, u64>) {
    assert!(issued < 1000, "the run does not end");
    let mut end = |has_faulted| *ends.entry((key(machine), has_faulted)).or_default() += 1;
    let Some(issue) = next_issue(program, machine) else {
        return end(false);
    };
    let mut stepper = Stepper::default();
    if stepper.evaluate(program, issue, issued, machine).is_some() {
        return end(true);
    }
    let accesses = stepper.accesses().to_vec();
    let groups = conflict_groups(&accesses);
    let members = |group| {
        let members = (0..accesses.len()).filter(|at| groups[*at] == Some(group));
        members.collect::<Vec<usize>>()
    };
    let count = groups.iter().flatten().max().map_or(0, |last| last + 1);
    let groups: Vec<Vec<usize>> = (0..count).map(members).collect();
    permute_groups(&groups, &mut accesses.clone(), &accesses, &mut |sequence| {
        let mut after = machine.clone();
        stepper.accesses_mut().copy_from_slice(sequence);
        stepper.apply(program, issue, &mut after, &mut NoJournal);
        run_on(program, &after, issued + 1, ends);
    });
}

/// Calls `f` with every order of the members of every group.
fn permute_groups(
    groups: &[Vec<usize>],
    sequence: &mut Vec<Access>,
    accesses: &[Access],
    f: &mut dyn FnMut(&[Access]),
) {
    let Some((group, others)) = groups.split_first() else {
        return f(sequence);
    };
    permute(&mut group.clone(), 0, &mut |members: &[usize]| {
        for (place, member) in group.iter().zip(members) {
            sequence[*place] = accesses[*member];
        }
        permute_groups(others, sequence, accesses, f);
    });
}
