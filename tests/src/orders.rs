//! Every order of the lanes, one run each: what outcomes are checked against.

use crate::place::snapshot;
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::{Access, IssueContext, Unit};
use lanewise_core::machine::Machine;
use lanewise_core::program::{LaneName, Order, Program};
use lanewise_core::session::{Session, run};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// A machine state, to compare with others.
pub type Key = u64;

/// The key of a state.
#[must_use]
pub fn key(machine: &Machine) -> Key {
    let mut hasher = DefaultHasher::new();
    snapshot(machine).hash(&mut hasher);
    hasher.finish()
}

/// The lanes of an instruction that take part in some state.
fn units(program: &Program, instruction: usize, machine: &Machine) -> Vec<Unit> {
    let mut accesses: Vec<Access> = Vec::new();
    let stage = IssueContext {
        symbols: &program.symbols,
        machine,
        threads: program.threads,
    };
    let placed = &program.instructions[instruction];
    placed.instruction.issue(&stage, &mut accesses);
    accesses.iter().map(|a| a.unit).collect()
}

/// An order of lanes.
#[must_use]
pub fn order(units: &[Unit]) -> Rc<Order> {
    let span = Span::default();
    let symbols = units.iter().map(|unit| LaneName { unit: *unit, span });
    Rc::new(Order::of(symbols.collect()))
}

/// Calls `f` with every order of `units`.
fn permute(units: &mut Vec<Unit>, done: usize, f: &mut impl FnMut(&[Unit])) {
    if done == units.len() {
        return f(units);
    }
    for i in done..units.len() {
        units.swap(done, i);
        permute(units, done + 1, f);
        units.swap(done, i);
    }
}

/// Runs a program once for every order of the lanes of every instruction:
/// the states at the end, and how many orders lead to each. Which lanes take
/// part must not depend on the order.
#[must_use]
pub fn all(program: &Program) -> HashMap<Key, u64> {
    let mut program = program.clone();
    let mut ends = HashMap::new();
    from(&mut program, 0, &mut ends);
    ends
}

/// What is returned to every lane of a program of one instruction, and in how
/// many of all orders.
#[must_use]
pub fn returned(program: &Program) -> HashMap<Unit, BTreeMap<u64, u64>> {
    let mut returned: HashMap<Unit, BTreeMap<u64, u64>> = HashMap::new();
    let mut units = units(program, 0, &program.start);
    permute(&mut units, 0, &mut |units| {
        let mut next = program.clone();
        next.instructions[0].order = order(units);
        let mut session = Session::new(Rc::new(next));
        session.run_to_end();
        for row in session.lanes(0) {
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
