//! Queries such as "can lane 5 return 0?", which do not need a list of results.

use crate::budget::Budget;
use crate::conflict_search::order_of_content;
use crate::conflict_set::{self, ConflictSet};
use crate::outcome::{Outcome, Run};
use crate::reachability::Reachability;
use crate::search::has_other_schedules;
use alloc::boxed::Box;
use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::IssueIndex;

/// The most issues after the one that a query is about. A run that does not
/// end within them gives no answer.
const MAX_ISSUES: u32 = 1 << 18;

/// Condition on a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Query {
    /// A lane of an issue returns a value.
    Returns {
        issue: IssueIndex,
        unit: Unit,
        /// Returned value, as bits.
        value: u64,
    },
    /// The bytes shared by lanes of an issue end up with given contents.
    Leaves {
        issue: IssueIndex,
        space: SpaceId,
        /// Address of the first byte.
        address: u64,
        /// Contents, as bits.
        content: u64,
    },
}

/// Answer to a query.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QueryAnswer {
    /// A result that satisfies the query.
    pub outcome: Option<Outcome>,
    /// Whether absence is proven, if `outcome` is `None`.
    pub is_certain: bool,
}

impl QueryAnswer {
    const fn none(is_certain: bool) -> Self {
        Self {
            outcome: None,
            is_certain,
        }
    }
}

/// A query for the values returned by one lane of an issue. The contents that the lane
/// can find are searched once for all values.
#[derive(Clone, Debug)]
pub struct ReachabilityQuery {
    issue: IssueIndex,
    unit: Unit,
    state: QueryState,
}

#[derive(Clone, Debug)]
enum QueryState {
    /// The lane does not return a value; the flag says whether that is certain.
    Never(bool),
    Open {
        ahead: Box<Ahead>,
        lane: usize,
        reachability: Reachability,
    },
}

/// The state before an instruction in program order, and a conflict set of the
/// instruction.
#[derive(Clone, Debug)]
struct Ahead {
    run: Run,
    set: ConflictSet,
}

impl Ahead {
    /// Finds the conflict set that matches `is_wanted`. The error says whether there is
    /// none in any order of the preceding instructions.
    fn find(
        program: &Program,
        issue: IssueIndex,
        is_wanted: impl Fn(&ConflictSet) -> bool,
    ) -> Result<Self, bool> {
        let mut run = Run::new(program);
        while run.issue.is_some() {
            if run.fault_ahead(program).is_some() {
                // The instruction is not reached.
                let outcome = &run.outcome;
                return Err(outcome.schedules.is_empty() && !outcome.is_unfinished());
            }
            let sets = run.conflict_sets(program).ok_or(false)?;
            if run.index < issue.0 {
                run.perform(program, !sets.is_empty());
                continue;
            }
            let set = sets.into_iter().find(is_wanted).ok_or(false)?;
            return Ok(Self { run, set });
        }
        Err(false)
    }

    /// Whether every order leads to this state before the issue.
    fn is_only_state(&self, program: &Program) -> bool {
        self.run.outcome.schedules.is_empty() && !has_other_schedules(program)
    }

    /// Continues the program with an order of the lanes of the set.
    fn finish(&self, program: &Program, order: &[usize]) -> QueryAnswer {
        let mut run = self.run.clone();
        let order: Vec<Unit> = order.iter().map(|lane| self.set.units[*lane]).collect();
        // Lanes of other sets follow in their own order.
        let place = |unit: Unit| order.iter().position(|other| *other == unit);
        run.stepper
            .accesses_mut()
            .sort_by_key(|access| place(access.unit).unwrap_or(order.len()));
        run.perform(program, true);
        let last = run.index.saturating_add(MAX_ISSUES);
        while run.issue.is_some() && run.fault_ahead(program).is_none() {
            let sets = run.conflict_sets(program);
            let Some(sets) = sets.filter(|_| run.index < last) else {
                return QueryAnswer::none(false);
            };
            run.perform(program, !sets.is_empty());
        }
        QueryAnswer {
            outcome: Some(run.into_result()),
            is_certain: true,
        }
    }
}

impl Run {
    /// The conflict sets of the issued accesses.
    pub(crate) fn conflict_sets(&self, program: &Program) -> Option<Vec<ConflictSet>> {
        let placed = program.instruction(self.issue?);
        conflict_set::split(&placed.instruction, self.accesses(), &self.machine)
    }
}

impl ReachabilityQuery {
    /// Creates a query for a lane of an instruction.
    #[must_use]
    pub fn new(program: &Program, issue: IssueIndex, unit: Unit) -> Self {
        let state = match Ahead::find(program, issue, |set| set.units.contains(&unit)) {
            Err(is_certain) => QueryState::Never(is_certain && !has_other_schedules(program)),
            Ok(ahead) => {
                let lane = ahead.set.units.iter().position(|other| *other == unit);
                let lane = lane.expect("the set contains the lane");
                let class = ahead.set.class_of[lane];
                if ahead.set.classes[class].access.dst.is_none() {
                    QueryState::Never(true)
                } else {
                    QueryState::Open {
                        ahead: Box::new(ahead),
                        lane,
                        reachability: Reachability::of_one_lane(),
                    }
                }
            }
        };
        Self { issue, unit, state }
    }

    /// Whether the query is for this lane.
    #[must_use]
    pub fn is_for(&self, issue: IssueIndex, unit: Unit) -> bool {
        (self.issue, self.unit) == (issue, unit)
    }

    /// Whether the lane can return a value, given as bits of its cell. `program` must be
    /// the one passed to [`ReachabilityQuery::new`]. Other instructions run in program
    /// order.
    pub fn answer(&mut self, program: &Program, value: u64) -> QueryAnswer {
        let (ahead, lane, reachability) = match &mut self.state {
            QueryState::Never(is_certain) => return QueryAnswer::none(*is_certain),
            QueryState::Open {
                ahead,
                lane,
                reachability,
            } => (ahead, *lane, reachability),
        };
        let mut budget = Budget::new(u64::MAX);
        let symbols = &program.symbols;
        let (order, is_certain) =
            reachability.order(&mut ahead.set, lane, value, symbols, &mut budget);
        match order {
            Some(order) => ahead.finish(program, &order),
            // Other orders of preceding instructions may make it possible.
            None => QueryAnswer::none(is_certain && ahead.is_only_state(program)),
        }
    }
}

/// Whether a lane can return a value, as a single query.
#[must_use]
pub fn can_return(program: &Program, issue: IssueIndex, unit: Unit, value: u64) -> QueryAnswer {
    ReachabilityQuery::new(program, issue, unit).answer(program, value)
}

/// Whether the shared bytes of the conflict set at an address can have a content after
/// an instruction.
#[must_use]
pub fn can_leave(
    program: &Program,
    issue: IssueIndex,
    space: SpaceId,
    address: u64,
    content: u64,
) -> QueryAnswer {
    let is_wanted = |set: &ConflictSet| (set.space, set.address) == (space, address);
    let mut ahead = match Ahead::find(program, issue, is_wanted) {
        Ok(ahead) => ahead,
        Err(is_certain) => return QueryAnswer::none(is_certain && !has_other_schedules(program)),
    };
    let (order, is_impossible) = order_of_content(&mut ahead.set, content, &program.symbols);
    match order {
        Some(order) => ahead.finish(program, &order),
        // Other orders of preceding instructions may make it possible.
        None => QueryAnswer::none(is_impossible && ahead.is_only_state(program)),
    }
}
