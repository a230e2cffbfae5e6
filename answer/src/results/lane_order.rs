//! Order of the current instruction's lanes, and moves.

use super::order_lines::write_orders;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::session::{IssueIndex, Session, unit_name};
use lanewise_core::text::Rewritten;

/// Lane of an instruction. Identifies a dragged lane independently of its
/// place: the run may move to another instruction, and the order may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedUnit {
    /// Index of the instruction in the program.
    pub instruction: usize,
    pub unit: Unit,
}

/// Moves a lane to another place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneMove {
    pub lane: OrderedUnit,
    /// New place, from 0.
    pub to: usize,
}

/// Lane in the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedLane {
    pub unit: Unit,
    /// Name, as in `3`, `EU1.3`, `3.R`.
    pub name: String,
    /// Number of the lane's conflict group.
    pub group: Option<u32>,
}

/// Order of the current instruction's lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneOrder {
    /// Index of the instruction in the program.
    pub instruction: usize,
    /// Line of the instruction, from 1.
    pub line: u32,
    pub lanes: Vec<OrderedLane>,
}

impl LaneOrder {
    /// Lanes in order.
    pub fn in_order(&self) -> Rc<[OrderedUnit]> {
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
    pub fn of(session: &Session) -> Option<Self> {
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
pub fn move_lane(
    text: &str,
    session: &Session,
    LaneMove { lane, to }: LaneMove,
) -> Option<(Rewritten, String)> {
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
        let mut explored = session.clone();
        explored.precompute(MAX_EFFECTS);
        for (other, issue) in first_issues(&explored) {
            let lanes = in_order(&explored, issue);
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
    let edit = write_orders(text, program, &orders)?;
    let name = unit_name(unit, program.threads);
    let announcement = format!("Lane {name} is now number {} of {count}.", to + 1);
    Some((edit, announcement))
}
