//! Every result that the hardware may give.
//!
//! Lanes that hit the same bytes take turns in an order that is not defined.
//! A [`Search`] finds, for a whole program, every final state that some order
//! gives, how many orders give it, and one that does.
//!
//! Accesses that share no bytes do not matter to each other: each group of
//! those that do is searched alone, and the results are multiplied. Within a
//! group equal accesses are interchangeable, and a state is what is left to do
//! and the bytes that the group shares; states that nothing can tell apart are
//! one. Accesses that only add, all upwards or all downwards, are counted by a
//! formula. Results are counted without being listed: 16 lanes that exchange
//! distinct values have 16! of them. What each lane may get back is found
//! without them where accesses commute or leave values of their own. From
//! instruction to instruction equal machine states are one.
//!
//! Where contents come back, results are walks that take each way once; they
//! are counted without being made where those that go on alike are few enough
//! (`trails`, `tally`). Listing them all would be hopeless, and so may counting
//! them be: 16 lanes that exclusive-or dependent values are not counted.
//!
//! A search works in slices, can be dropped at any time, and needs 150 MB at
//! most besides the results that it lists (a test asks for it): 2^18 states of a
//! group, as many notes of walks, 2^23 words of profiles, and 4,096 machine
//! states (or as many as are asked for) between two instructions. Some steps are
//! made in one piece, and charged afterwards: the table of a group's contents
//! and accesses (`closure`, 256 contents), which contents may stay (`ends`),
//! what accesses of one kind may find (`reach`, 2^20 comparisons at most), and
//! what is asked for one lane (`ask`, once for a [`Question`]). Where that is not enough the answer says that
//! it is not complete, and what it knows all the same: which contents may stay
//! and what each lane may get back are searched for by themselves (`reach`).

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod ask;
mod closure;
mod commutes;
mod constants;
mod count;
mod differing;
mod ends;
mod engine;
mod graph;
mod group;
mod keys;
mod later;
mod list;
mod number;
mod profiles;
mod reach;
mod returns;
mod search;
mod sums;
mod tally;
mod trails;

pub use ask::{Asked, Question, ask};
pub use differing::differing;
pub use later::written_after;
pub use number::Count;
pub use returns::insert;
pub use search::Search;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::machine::{Change, Machine, SpaceId};
use lanewise_core::program::Program;
use lanewise_core::session::{Fault, ScratchExecutor, find_fault, issue_accesses};

/// A byte that differs from the program's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where.
    pub space: SpaceId,
    /// Its address.
    pub address: u64,
    /// What it is.
    pub value: u8,
}

impl Cell {
    /// Whether the next is the byte after it.
    fn goes_on(&self, next: &Self) -> bool {
        self.space == next.space && self.address.checked_add(1) == Some(next.address)
    }
}

/// The order in which an instruction's lanes took their turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Index of the instruction.
    pub instruction: u32,
    /// All lanes that take part.
    pub units: Vec<Unit>,
}

/// A result, and how it comes about.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many orders give it, of all instructions together; `None` where
    /// that is not known, in an answer that is not complete.
    pub orders: Option<Count>,
    /// Orders that give it, of the instructions where the order matters.
    pub turns: Vec<Turns>,
    /// All bytes that differ from the start, by space and address.
    pub cells: Vec<Cell>,
    /// The fault that ended it.
    pub fault: Option<Fault>,
}

/// Accesses of an instruction that share bytes. What is told of them is so where
/// these accesses meet, in all states that they met in: after an instruction
/// whose order matters there may be states in which others meet, or none do.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Index of the instruction.
    pub instruction: u32,
    /// Which memory.
    pub space: SpaceId,
    /// The first of the bytes.
    pub address: u64,
    /// How many bytes.
    pub bytes: u8,
    /// Who takes turns there.
    pub units: Vec<Unit>,
    /// How many results there are, where that is known, and the same in all
    /// those states.
    pub count: Option<Count>,
    /// Every content that the bytes may have after the instruction where these
    /// accesses meet, ascending, if that is known and values are few.
    pub contents: Option<Vec<u64>>,
    /// For each of the units every value that it may get back when they take
    /// turns there, ascending; `None` where that is not known or values are
    /// many. Empty where nothing is returned or nothing of it is known.
    pub returns: Vec<Option<Vec<u64>>>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether count and orders are exact.
    pub complete: bool,
    /// How many results there are; at least, when not complete.
    pub count: Count,
    /// How many orders there are in all; `None` where that is not known, in
    /// an answer that is not complete.
    pub orders: Option<Count>,
    /// The results, as many as were asked for.
    pub outcomes: Vec<Outcome>,
    /// The conflicts of all instructions.
    pub conflicts: Vec<Conflict>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether it is at its end.
    pub done: bool,
    /// The instruction it is at.
    pub instruction: usize,
    /// The machine state before that instruction it is at, and how many there
    /// are.
    pub state: usize,
    /// How many there are.
    pub states: usize,
    /// About how much of the work that is known of is done.
    pub permille: u32,
}

impl Outcome {
    /// The result of a program's own orders.
    #[must_use]
    pub fn of_run(program: &Program) -> Self {
        let mut outcome = Self {
            orders: None,
            turns: Vec::new(),
            cells: Vec::new(),
            fault: None,
        };
        let mut machine = program.start.clone();
        let mut scratch = ScratchExecutor::default();
        let mut accesses = Vec::new();
        for (index, placed) in program.instructions.iter().enumerate() {
            accesses.clear();
            issue_accesses(program, placed, &machine, &mut accesses);
            outcome.fault = find_fault(program, index, &accesses);
            if outcome.fault.is_some() {
                break;
            }
            let symbols = &program.symbols;
            let changes = scratch.perform(&placed.instruction, &accesses, &mut machine, symbols);
            outcome.change(changes, &program.start);
        }
        outcome
    }

    /// Whether it is the same result, however it came about.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.cells == other.cells && self.fault.is_some() == other.fault.is_some()
    }

    /// What a cell holds at the end; `None` where nothing is mapped.
    #[must_use]
    pub fn load(&self, start: &Machine, space: SpaceId, address: u64, bytes: u8) -> Option<u64> {
        let mut value = start.load(space, address, bytes)?.to_le_bytes();
        let from = (space.0, address);
        let first = self
            .cells
            .partition_point(|c| (c.space.0, c.address) < from);
        for cell in self.cells.get(first..).unwrap_or(&[]) {
            let place = cell.address.wrapping_sub(address);
            if cell.space != space || place >= bytes.into() {
                break;
            }
            let byte = usize::try_from(place).ok().and_then(|i| value.get_mut(i));
            if let Some(byte) = byte {
                *byte = cell.value;
            }
        }
        Some(u64::from_le_bytes(value))
    }

    /// The state at the end.
    #[must_use]
    pub fn machine(&self, program: &Program) -> Machine {
        let mut machine = program.start.clone();
        for cell in &self.cells {
            if let Some(space) = machine.space_mut(cell.space) {
                space.store(cell.address, 1, cell.value.into());
            }
        }
        machine
    }

    /// Notes changes that were made after this state.
    fn change(&mut self, changes: &[Change], start: &Machine) {
        for change in changes {
            let Change { space, address, .. } = *change;
            let was = start.load(space, address, change.bytes).unwrap_or(0);
            let bytes = change.new.to_le_bytes().into_iter().zip(was.to_le_bytes());
            let key = |c: &Cell| (c.space.0, c.address);
            let from = self.cells.partition_point(|c| key(c) < (space.0, address));
            let last = address.saturating_add(u64::from(change.bytes) - 1);
            let rest = self.cells.get(from..).unwrap_or(&[]);
            let until = from + rest.partition_point(|c| key(c) <= (space.0, last));
            let cells = (0..u64::from(change.bytes)).zip(bytes);
            let cells = cells.filter(|(_, (value, was))| value != was);
            let cells = cells.map(|(i, (value, _))| Cell {
                space,
                address: address.saturating_add(i),
                value,
            });
            self.cells.splice(from..until, cells);
        }
    }
}

/// How `.order` names a lane: `3`, `EU1.3`, `3.R`.
#[must_use]
pub fn order_name(unit: Unit) -> String {
    let eu = if unit.eu == 0 { "" } else { "EU1." };
    let mut name = format!("{eu}{}", unit.lane);
    if unit.channel.is_some() {
        name.push('.');
        name.push_str(unit.letter());
    }
    name
}
