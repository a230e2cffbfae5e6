//! Enumerates all results that hardware can produce.
//!
//! Lanes that access the same bytes are serialized in an undefined order. A [`Search`]
//! finds all possible final states of a program, with the number of orders that lead to
//! each, and one such order.
//!
//! Accesses without common bytes are independent, so each *conflict set* is searched
//! separately and the results are multiplied. Equal accesses of a set form a class. A
//! state consists of the number of lanes left in each class and the *content* of the
//! shared bytes; transitions use `perform` on a copy of the machine. Indistinguishable
//! states are merged. Results are counted without listing them if no content recurs:
//! 16 lanes that exchange distinct values have 16! results. If contents recur, equal
//! histories are merged, which is exact for at least nine distinct lanes, and for more
//! with equal operands. Equal machine states between instructions are merged.
//!
//! In a program with branches, states of one issue number may be at different
//! instructions, and equal ones are one. States that have ended are results,
//! equal if their bytes are, control state left out. A state that is equal to
//! one on its own path closes a cycle: the run may never end, the state is not
//! continued, and the result is not complete.
//!
//! # Bounds
//! A search is limited to a budget of work units ([`DEFAULT_WORK`], about two seconds)
//! and 200 MB. If a limit is reached, or a set has too many states, the result is marked
//! as incomplete. It then has a sample of the results and, for each conflict, the
//! possible final contents and returned values, which are searched separately. The same
//! program and budget give the same result on every machine.
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
pub use query::{Query, QueryAnswer, ReachabilityQuery, can_leave, can_return};
pub use search::{Search, issues_once};

use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::session::IssueIndex;

/// Default budget of a search in work units: about two seconds of native code.
pub const DEFAULT_WORK: u64 = 12_000_000;

/// Approximate work units per second of native code.
pub const WORK_PER_SECOND: u64 = DEFAULT_WORK / 2;

/// Accesses of an instruction that share bytes. The data applies to all states in which
/// these accesses conflict. After an order-dependent instruction, there can be states in
/// which other accesses conflict, or none.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conflict {
    /// Index of the issue in the run.
    pub issue: IssueIndex,
    /// Index of the instruction.
    pub instruction: u32,
    pub space: SpaceId,
    /// Address of the first shared byte.
    pub address: u64,
    /// Number of shared bytes, at most 8.
    pub bytes: u8,
    /// Number of the group within the instruction, as in
    /// [`conflict_groups`](lanewise_core::session::conflict_groups).
    pub group: u32,
    /// The conflicting lanes.
    pub units: Vec<Unit>,
    /// Number of results, if known and equal in all those states.
    pub count: Option<Count>,
    /// All possible contents after the instruction, ascending, if known.
    pub contents: Option<Vec<u64>>,
    /// All possible returned values of each lane, ascending; `None` if unknown or more than
    /// 1,024. Empty if nothing is returned or known.
    pub returns: Vec<Option<Vec<u64>>>,
    /// Shares of the orders, if requested and known. Divide by [`Conflict::weight`].
    distribution: Option<Distribution>,
    /// Share of the orders before the instruction in which the accesses conflict.
    weight: f64,
}

impl Conflict {
    /// Probabilities of the returned values and contents, with equally likely orders and
    /// given that the accesses conflict.
    #[must_use]
    pub fn distribution(&self) -> Option<Distribution> {
        let mut distribution = self.distribution.clone()?;
        distribution.scale(1.0 / self.weight);
        Some(distribution)
    }
}

/// Result of a search.
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
    /// Whether threads or work-groups could run in another order: only lane
    /// orders are searched, in one work-group. The search is not complete
    /// then.
    pub has_other_schedules: bool,
    /// Number of results; a lower bound if incomplete.
    pub count: Count,
    /// How many orders there are in all; `None` if that is not known, or the
    /// number has more than 20,000 digits.
    pub orders: Option<Count>,
    /// The results, up to the requested number.
    pub outcomes: Vec<Outcome>,
    /// The conflicts of all instructions.
    pub conflicts: Vec<Conflict>,
}

/// Progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether the search has finished.
    pub done: bool,
    /// Index of the current issue.
    pub issue: usize,
    /// Index of the current machine state before that issue.
    pub state: usize,
    /// Number of such states.
    pub states: usize,
    /// Approximate progress of the known work, in thousandths.
    pub permille: u32,
}
