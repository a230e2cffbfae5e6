//! Order of the current instruction's lanes, and moves.

use super::order_lines::{OrderEdit, write};
use crate::components::reorder::{LaneMove, OrderedUnit};
use crate::features::lanes::units::unit_name;
use lanewise_core::isa::Unit;
use lanewise_core::session::{IssueIndex, Session};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Lane in the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrderedLane {
    pub(crate) unit: Unit,
    /// Name, as in `3`, `EU1.3`, `3.R`.
    pub(crate) name: String,
    /// Number of the lane's conflict group.
    pub(crate) group: Option<u32>,
}

/// Order of the current instruction's lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaneOrder {
    /// Index of the instruction in the program.
    pub(crate) instruction: usize,
    /// Line of the instruction, from 1.
    pub(crate) line: u32,
    pub(crate) lanes: Vec<OrderedLane>,
}

impl LaneOrder {
    /// Lanes in order.
    pub(crate) fn in_order(&self) -> Rc<[OrderedUnit]> {
        let lanes = self.lanes.iter().map(|lane| OrderedUnit {
            instruction: self.instruction,
            unit: lane.unit,
        });
        lanes.collect()
    }
}

/// Lanes of an issue in order, with their conflict groups.
fn in_order(session: &Session, issue: IssueIndex) -> Vec<(Unit, Option<u32>)> {
    let rows = session.lanes(issue);
    let mut lanes: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row.order?, row.unit, row.conflict)))
        .collect();
    lanes.sort_by_key(|(place, ..)| *place);
    let lanes = lanes.into_iter();
    lanes.map(|(_, unit, group)| (unit, group)).collect()
}

impl LaneOrder {
    /// Order of the current instruction's lanes, if the order matters.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let program = session.program();
        let index = session.current_instruction()?;
        let placed = program.instructions.get(index)?;
        if !placed.instruction.spec().lane_queue {
            return None;
        }
        let lanes = in_order(session, session.current_issue()?);
        if lanes.iter().all(|(_, group)| group.is_none()) {
            return None;
        }
        let lanes = lanes.into_iter().map(|(unit, group)| OrderedLane {
            unit,
            name: unit_name(unit, program.threads),
            group,
        });
        Some(Self {
            instruction: index,
            line: placed.line + 1,
            lanes: lanes.collect(),
        })
    }
}

/// Most effects of a run that is made to find where instructions issue.
const MAX_EFFECTS: usize = 1 << 16;

/// First issue of each instruction that the run reaches.
fn first_issues(session: &Session) -> BTreeMap<usize, IssueIndex> {
    // Its history is shared.
    let mut session = session.clone();
    session.explore(MAX_EFFECTS);
    let mut first = BTreeMap::new();
    for issue in (0..).map(IssueIndex).take(session.issue_starts().count()) {
        if let Some(instruction) = session.instruction_of(issue) {
            first.entry(instruction).or_insert(issue);
        }
    }
    first
}

/// Moves a lane of the current instruction to another place. Returns the new
/// text and an announcement; `None` if the lane is already there, the place
/// does not exist, or the lane belongs to another instruction because the run
/// has advanced.
pub(super) fn move_lane(
    text: &str,
    session: &Session,
    LaneMove { lane, to }: LaneMove,
) -> Option<(OrderEdit, String)> {
    let program = session.program();
    let index = session.current_instruction()?;
    let lanes = in_order(session, session.current_issue()?).into_iter();
    let mut units: Vec<Unit> = lanes.map(|(unit, _)| unit).collect();
    let from = units.iter().position(|unit| *unit == lane.unit)?;
    if lane.instruction != index || from == to || to >= units.len() {
        return None;
    }
    let unit = units.remove(from);
    units.insert(to, unit);
    let count = units.len();
    let mut orders = vec![(index, units)];
    if index == 0 {
        // An order before the first instruction applies to all: give the others
        // theirs explicitly.
        for (other, issue) in first_issues(session) {
            let lanes = in_order(session, issue);
            let is_shared = other > 0 && program.order_line(other).is_none();
            if is_shared && lanes.iter().any(|(_, group)| group.is_some()) {
                orders.push((other, lanes.into_iter().map(|(unit, _)| unit).collect()));
            }
        }
    }
    let orders: Vec<(usize, &[Unit])> = orders
        .iter()
        .map(|(at, units)| (*at, units.as_slice()))
        .collect();
    let edit = write(text, program, &orders)?;
    let name = unit_name(unit, program.threads);
    let announcement = format!("Lane {name} is now number {} of {count}.", to + 1);
    Some((edit, announcement))
}
