//! "Can lane 3 ever get 7 back?"

use super::reach::Reach;
use super::{Outcome, Turns, group};
use crate::diagnostic::{to_u32, to_usize};
use crate::isa::{Access, Unit};
use crate::run::{Scratch, find_fault, latch};
use crate::scenario::Program;
use alloc::vec::Vec;

/// The most bytes that a returned value has.
pub(super) const RETURNED: u8 = 8;

/// The answer to the question whether a lane may get back a value.
#[derive(Clone, Debug)]
pub struct Asked {
    /// A result in which it does.
    pub outcome: Option<Outcome>,
    /// Whether there is none for certain, where there is none here.
    pub certain: bool,
}

/// Looks for an order of the lanes in which a lane of an instruction gets back
/// a value, as bits of its cell: a search for this one thing, which knows
/// nothing of the list of results. Other instructions go in the program's own
/// order.
#[must_use]
pub fn ask(program: &Program, instruction: u32, unit: Unit, value: u64) -> Asked {
    let unknown = none(false);
    let mut outcome = Outcome {
        orders: None,
        turns: Vec::new(),
        cells: Vec::new(),
        fault: None,
    };
    let names = &program.names;
    let mut machine = program.start.clone();
    let mut scratch = Scratch::default();
    let mut accesses: Vec<Access> = Vec::new();
    for (index, placed) in program.instructions.iter().enumerate() {
        accesses.clear();
        latch(program, placed, &machine, &mut accesses);
        outcome.fault = find_fault(program, index, &accesses);
        if outcome.fault.is_some() {
            if index > to_usize(instruction) {
                return of(outcome);
            }
            // The instruction does not come, in this order of those before.
            return none(outcome.turns.is_empty());
        }
        let Some(groups) = group::split(&placed.instruction, &accesses, &machine) else {
            return unknown;
        };
        let conflicts = !groups.is_empty();
        if to_u32(index) == instruction {
            let access = accesses.iter().find(|access| access.unit == unit);
            if access.is_some_and(|access| access.dst.is_none()) {
                // It gets nothing back.
                return none(true);
            }
            let own = groups.into_iter().find(|group| group.units.contains(&unit));
            let Some(mut group) = own else {
                return unknown;
            };
            let lane = group.units.iter().position(|other| *other == unit);
            let lane = lane.unwrap_or(0);
            let (order, certain) = Reach::of_one().order(&mut group, lane, value, names);
            let Some(order) = order else {
                // Other orders of instructions before may tell otherwise.
                return none(certain && outcome.turns.is_empty());
            };
            let order: Vec<Unit> = order
                .iter()
                .filter_map(|lane| group.units.get(*lane).copied())
                .collect();
            // Lanes of other groups keep their places after these.
            let turn = |access: &Access| order.iter().position(|unit| *unit == access.unit);
            accesses.sort_by_key(|access| turn(access).unwrap_or(order.len()));
        }
        if conflicts {
            outcome.turns.push(Turns {
                instruction: to_u32(index),
                units: accesses.iter().map(|access| access.unit).collect(),
            });
        }
        let changes = scratch.perform(&placed.instruction, &accesses, &mut machine, names);
        outcome.change(changes, &program.start);
    }
    of(outcome)
}

const fn none(certain: bool) -> Asked {
    Asked {
        outcome: None,
        certain,
    }
}

const fn of(outcome: Outcome) -> Asked {
    Asked {
        outcome: Some(outcome),
        certain: true,
    }
}
