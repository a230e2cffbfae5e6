//! Every result that the hardware may give.
//!
//! Lanes that access the same bytes are serialized in an order that is not
//! defined. A [`Search`] finds, for a whole program, every final state that some
//! order leads to, how many orders lead to it, and one that does.
//!
//! Accesses that share no bytes do not affect each other: each *conflict set* of
//! those that do is searched alone, and the results are multiplied. Within a set
//! equal accesses form a class, and a state is what is left of each class and
//! the *content* of the shared bytes; `perform` on a copy of the machine is the
//! only arithmetic. Indistinguishable states are one. Results are
//! counted without being listed, as long as no content recurs after it was
//! left: 16 lanes that exchange distinct values have 16! of them. Where contents recur, equal histories are merged,
//! which is exact for nine distinct lanes at least, and for more where operands
//! are equal. From instruction to instruction equal machine states are one.
//!
//! In a program with branches, states of one issue number may be at different
//! instructions, and equal ones are one. States that have ended are results,
//! equal if their bytes are, control state left out. A state that is equal to
//! one on its own path closes a cycle: the run may never end, the state is not
//! continued, and the result is not complete.
//!
//! # Bounds
//! A search has a budget of work units ([`DEFAULT_WORK`], about two seconds) and
//! needs 200 MB at most. When one of them is spent, or a set has too many
//! states, the result says that it is not complete, and what is known all the
//! same: results that exist, and for each conflict the contents that may stay and
//! the values that each lane may return, which are searched for by themselves.
//! The same program and budget give the same result on every machine.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::string_slice,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod budget;
mod conflict_search;
mod conflict_set;
mod counting;
mod distribution;
mod graph;
mod histories;
mod interner;
mod listing;
mod number;
mod outcome;
mod query;
mod reachability;
mod search;
mod states;
#[cfg(test)]
mod tests;
mod transitions;
mod worklist;

pub use distribution::{Distribution, Shares};
pub use number::Count;
pub use outcome::{ChangedByte, LaneSchedule, Outcome, differing_bytes, order_name, written_after};
pub use query::{QueryAnswer, ReachabilityQuery, can_leave, can_return};
pub use search::{Search, issues_once};

use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::session::IssueIndex;

/// The work of a search where no other bound is given, in units: about two
/// seconds of native code.
pub const DEFAULT_WORK: u64 = 12_000_000;

/// Work units per second of native code; roughly.
pub const WORK_PER_SECOND: u64 = DEFAULT_WORK / 2;

/// Accesses of an instruction that share bytes. What is known holds where these
/// accesses meet, in all states in which they do: after an instruction whose
/// order matters there may be states in which others meet, or none do.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conflict {
    /// Number of the issue in the run.
    pub issue: IssueIndex,
    /// Index of the instruction.
    pub instruction: u32,
    /// Which memory.
    pub space: SpaceId,
    /// The first of the bytes.
    pub address: u64,
    /// How many bytes: 8 at most.
    pub bytes: u8,
    /// The number of their group among those of the instruction, as
    /// [`conflict_groups`](lanewise_core::session::conflict_groups)
    /// counts them.
    pub group: u32,
    /// The lanes in conflict.
    pub units: Vec<Unit>,
    /// How many results there are, if that is known and the same in all those
    /// states.
    pub count: Option<Count>,
    /// Every content that the bytes may have after the instruction, ascending,
    /// if that is known.
    pub contents: Option<Vec<u64>>,
    /// For each of the lanes every value that it may return, ascending; `None`
    /// if that is not known or values are more than 1,024. Empty if nothing is
    /// returned or nothing is known of it.
    pub returns: Vec<Option<Vec<u64>>>,
    /// Shares of the orders, if they were requested and are known.
    /// Divide by [`Conflict::weight`].
    distribution: Option<Distribution>,
    /// The share of the orders before the instruction in which the accesses meet.
    weight: f64,
}

impl Conflict {
    /// How likely each returned value and each content is, if every order is as
    /// likely as any other and the accesses meet.
    #[must_use]
    pub fn distribution(&self) -> Option<Distribution> {
        let mut distribution = self.distribution.clone()?;
        distribution.scale(1.0 / self.weight);
        Some(distribution)
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchResult {
    /// Whether the count is exact, and so are the orders if they are known.
    pub complete: bool,
    /// Whether some order leads back to a state before it, so that the run may
    /// never end. Such an order has no result, and the search is not complete.
    pub has_cycle: bool,
    /// Whether a result is [unfinished](Outcome::is_unfinished). The search is
    /// not complete then.
    pub is_unfinished: bool,
    /// How many results there are; at least, if not complete.
    pub count: Count,
    /// How many orders there are in all; `None` if that is not known, or the
    /// number has more than 20,000 digits.
    pub orders: Option<Count>,
    /// The results, as many as were requested.
    pub outcomes: Vec<Outcome>,
    /// The conflicts of all instructions.
    pub conflicts: Vec<Conflict>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether it is at its end.
    pub done: bool,
    /// Number of the issue that it is at.
    pub issue: usize,
    /// The machine state before that issue that it is at.
    pub state: usize,
    /// How many such states there are.
    pub states: usize,
    /// How much of the work that is known of is done, in thousandths; roughly.
    pub permille: u32,
}
