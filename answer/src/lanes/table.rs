//! Lane table of the current instruction.

use super::units::{Group, current_unit, named_threads};
use crate::notation::Notation;
use crate::state_table::{count, number};
use crate::table::{ExportCell, ExportTable};
use crate::transactions::Transactions;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{Access, Instruction, Unit, Update};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::session::{LaneRow, Session, unit_name};

/// Data operands as table columns: heading, and whether the operand is src1.
pub type Operands = &'static [(&'static str, bool)];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The lane as named, which omits the channel if the lane has only one. Those of a launch
    /// have the numbers of their thread.
    pub unit: Unit,
    /// The lane as highlighted.
    pub key: Unit,
    pub row: LaneRow,
    /// Why the lane is disabled, if known; empty if it is enabled.
    pub disabled: &'static str,
    /// Whether the lane executed the last step.
    pub current: bool,
    pub group: Option<Rc<Group>>,
    /// Whether an access of the instruction faulted, in this lane or another.
    pub is_faulted: bool,
    /// Whether the compare failed, so that nothing was written.
    pub is_unchanged: bool,
    /// Display type of the values.
    pub ty: ElementType,
    /// Accessed buffer element: `bins[3]`.
    pub element: Option<String>,
    pub operands: Operands,
    pub threads: u8,
}

/// Describes an invalid address.
pub fn address_error(access: &Access) -> Option<&'static str> {
    match access.fault {
        Some(fault) => Some(fault.word()),
        None => (!access.in_bounds).then_some("out of bounds"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneState {
    Disabled,
    /// Waiting for earlier lanes.
    Waiting,
    /// Cancelled because an access of the instruction faulted.
    Cancelled,
    /// Executed by the last step.
    Current,
    Done,
    /// The lane's access faulted; the run ends here.
    Faulted,
}

impl LaneState {
    /// Value of `data-state` in the stage.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled | Self::Waiting | Self::Cancelled => "waiting",
            Self::Current => "current",
            Self::Done => "done",
            Self::Faulted => "fault",
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Waiting => "waiting",
            Self::Cancelled => "not executed",
            Self::Current => "this step",
            Self::Done => "done",
            Self::Faulted => "fault",
        }
    }
}

impl Lane {
    /// Values of the operands, one per column.
    pub fn operands(&self) -> impl Iterator<Item = Option<u64>> {
        let access = self.row.access;
        let value = move |(_, is_src1): &(_, bool)| {
            let access = access.as_ref()?;
            Some(if *is_src1 { access.src1 } else { access.src0 })
        };
        self.operands.iter().map(value)
    }

    /// `yes`, or why the lane is disabled: `disabled: predicate`.
    pub fn enabled(&self) -> String {
        match self.row.access {
            Some(_) => "yes".to_owned(),
            None if self.disabled.is_empty() => "disabled".to_owned(),
            None => format!("disabled: {}", self.disabled),
        }
    }

    pub const fn state(&self) -> LaneState {
        match &self.row.access {
            None => LaneState::Disabled,
            Some(access) if self.current && access.fault.is_some() => LaneState::Faulted,
            Some(_) if self.current => LaneState::Current,
            Some(_) if self.row.done => LaneState::Done,
            Some(_) if self.is_faulted => LaneState::Cancelled,
            Some(_) => LaneState::Waiting,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LanesTable {
    /// Text of the instruction, and its line from 1.
    pub heading: Option<(String, u32)>,
    pub operands: Operands,
    /// Lane names include the EU if above 1.
    pub threads: u8,
    /// Empty for instructions that are not executed lane by lane.
    pub lanes: Vec<Lane>,
    pub is_matrix: bool,
    /// Number of enabled channels of a scatter or gather; the lanes are listed
    /// channel by channel.
    pub channels: usize,
    /// Memory transactions of a warp.
    pub transactions: Vec<Transactions>,
}

impl LanesTable {
    /// The lane table of the current instruction.
    pub fn of(session: &Session) -> Self {
        let program = session.program();
        let index = session.current_issue();
        let issue = index.and_then(|index| Some((index, session.issue(index)?)));
        let Some((index, issue)) = issue else {
            return Self::default();
        };
        let placed = program.instruction(issue);
        let rows = if placed.instruction.spec().lane_queue {
            session.lanes(index)
        } else {
            Vec::new()
        };
        let before = session.state_before(index);
        let context = program.context(issue, &before);
        let channels = placed.instruction.channels().count_ones();
        let key = |unit: Unit| Unit {
            channel: unit.channel.filter(|_| channels > 1),
            ..unit
        };
        let first = placed.first_lane(program);
        let named = |unit: Unit| Unit {
            lane: unit.lane + first,
            ..key(unit)
        };
        let mut groups: BTreeMap<u32, Vec<Unit>> = BTreeMap::new();
        for row in &rows {
            if let Some(group) = row.conflict {
                groups.entry(group).or_default().push(named(row.unit));
            }
        }
        let group = |(number, members)| (number, Rc::new(Group { number, members }));
        let groups: BTreeMap<u32, Rc<Group>> = groups.into_iter().map(group).collect();
        let current = current_unit(session);
        let update = placed.instruction.update(&program.symbols);
        let is_compare = |update: &Update| {
            let accesses = rows.iter().filter_map(|row| row.access.as_ref());
            accesses
                .map(|access| update.comparison(access, 0))
                .next()
                .flatten()
                .is_some()
        };
        // By role for a compare-and-swap, because instruction families order the operands
        // differently: unless the arithmetic swaps them, the second one is the comparand.
        let operands: Operands = match (update.filter(is_compare), placed.instruction.operands()) {
            (Some(update), _) if update.swapped => {
                &[("Compare (src0)", false), ("New value (src1)", true)]
            }
            (Some(_), _) => &[("Compare (src1)", true), ("New value (src0)", false)],
            (None, 0) => &[],
            (None, 1) => &[("src0", false)],
            (None, _) => &[("src0", false), ("src1", true)],
        };
        let is_kept = |row: &LaneRow| {
            let compared = update.and_then(|u| u.comparison(row.access.as_ref()?, row.old?));
            compared.is_some_and(|compared| !compared.equal)
        };
        let is_faulted = session.fault().is_some();
        let threads = named_threads(program, issue);
        let own_type = placed.instruction.display_type(&program.symbols);
        let lane = |row: LaneRow| Lane {
            is_faulted,
            disabled: match row.access {
                Some(_) => "",
                None => {
                    let reason = placed.instruction.inactive_reason(&context, row.unit);
                    reason.unwrap_or_default()
                }
            },
            current: current == Some(row.unit),
            group: row.conflict.map(|group| Rc::clone(&groups[&group])),
            is_unchanged: is_kept(&row),
            ty: (row.access.as_ref())
                .filter(|_| update.is_none())
                .and_then(|access| program.cell_type(access))
                // A register may hold more bits than the cell.
                .filter(|ty| ty.bytes() >= own_type.bytes())
                .unwrap_or(own_type),
            element: row.access.as_ref().and_then(|access| {
                let launch = program.launch.as_ref()?;
                let name = launch.element_name(access.address, access.bytes)?;
                (access.space == SpaceId::VIRTUAL).then_some(name)
            }),
            operands,
            threads,
            unit: named(row.unit),
            key: key(row.unit),
            row,
        };
        let name = match &placed.instruction {
            Instruction::Sass(sass) => sass.mnemonic(),
            other => other.spec().name,
        };
        let operation = placed.instruction.operation_row();
        let operation = operation.map_or_else(String::new, |row| format!(".{}", row.name));
        Self {
            heading: Some((format!("{name}{operation}"), placed.line + 1)),
            operands,
            threads,
            lanes: rows.into_iter().map(lane).collect(),
            is_matrix: placed.instruction.matrix().is_some(),
            channels: if channels > 1 { to_usize(channels) } else { 0 },
            transactions: Transactions::of(session),
        }
    }

    pub fn heads(&self) -> Vec<&'static str> {
        let operands: Vec<&str> = self.operands.iter().map(|(head, _)| *head).collect();
        let results = ["Old", "New", "Returned", "State", "Conflict group"];
        let first = ["Lane", "Order", "Enabled", "Address"];
        [&first, &*operands, &results].concat()
    }

    /// The accesses of a scatter or gather grouped by lane, one entry per
    /// channel.
    pub fn planes(&self) -> Vec<Vec<&Lane>> {
        let mut planes: BTreeMap<(u8, u8), Vec<&Lane>> = BTreeMap::new();
        for lane in &self.lanes {
            let own = planes.entry((lane.unit.thread, lane.unit.lane));
            own.or_default().push(lane);
        }
        planes.into_values().collect()
    }

    /// The table as exported: a row for each lane or channel.
    pub fn export(&self) -> ExportTable {
        ExportTable {
            heads: self.heads().into_iter().map(str::to_owned).collect(),
            rows: self.lanes.iter().map(lane_row).collect(),
        }
    }
}

fn lane_row(lane: &Lane) -> Vec<ExportCell> {
    let row = &lane.row;
    let access = row.access.as_ref();
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    let value = |bits: Option<u64>| match bits {
        Some(bits) => number(notation.text(bits), notation),
        None => ExportCell::NoValue,
    };
    let conflict = lane.group.as_ref().map_or(ExportCell::NoValue, |group| {
        let others = group.others(lane.unit, lane.threads);
        ExportCell::Text(format!("{} conflicts with {others}", group.label()))
    });
    let mut cells = vec![
        ExportCell::Text(unit_name(lane.unit, lane.threads)),
        row.order
            .map_or(ExportCell::NoValue, |place| count(u64::from(place) + 1)),
        ExportCell::Text(lane.enabled()),
        access.map_or(ExportCell::NoValue, address),
    ];
    cells.extend(lane.operands().map(value));
    cells.extend([row.old, row.new, row.returned].map(value));
    cells.extend([ExportCell::text(lane.state().label()), conflict]);
    cells
}

fn address(access: &Access) -> ExportCell {
    let error = address_error(access).map(|error| format!(" {error}"));
    ExportCell::Text(format!(
        "{:#x}{}",
        access.address,
        error.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::json;
    use lanewise_core::library::named;
    use lanewise_core::program::Program;

    #[test]
    fn lanes_are_numbers_in_json() {
        let program = Program::parse(named("histogram").unwrap().text);
        let mut session = Session::new(Rc::new(program));
        session.step();
        let lanes = json(&LanesTable::of(&session).export());
        let lanes: serde_json::Value = serde_json::from_str(&lanes).unwrap();
        assert_eq!(lanes[0]["Order"], 1);
        assert_eq!(lanes[0]["Address"], "0x0");
        assert_eq!(lanes[0]["Old"], 0);
        assert_eq!(lanes[1]["Old"], serde_json::Value::Null, "not finished");
    }
}
