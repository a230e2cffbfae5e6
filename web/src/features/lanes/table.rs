//! The table of the lanes of the current instruction.

use super::units::{Group, current_unit};
use lanewise_core::isa::{Access, IssueContext, Update};
use lanewise_core::number::ElementType;
use lanewise_core::session::{LaneRow, Session};
use std::rc::Rc;

/// The data operands of the lanes, as columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    /// By number: so many.
    Numbered(u8),
    /// Of a compare-and-swap, by what they are for: families of instructions have
    /// them in different orders.
    CompareAndNew {
        /// Whether the value to compare with is src1.
        compare_is_src1: bool,
    },
}

impl Operands {
    fn heads(self) -> &'static [&'static str] {
        match self {
            Self::Numbered(0) => &[],
            Self::Numbered(1) => &["src0"],
            Self::Numbered(_) => &["src0", "src1"],
            Self::CompareAndNew {
                compare_is_src1: true,
            } => &["Compare (src1)", "New value (src0)"],
            Self::CompareAndNew {
                compare_is_src1: false,
            } => &["Compare (src0)", "New value (src1)"],
        }
    }

    /// The values of a lane, one for each column.
    pub(crate) fn values(self, access: Option<&Access>) -> Vec<Option<u64>> {
        let sources = [access.map(|a| a.src0), access.map(|a| a.src1)];
        match self {
            Self::Numbered(count) => sources.into_iter().take(count.into()).collect(),
            Self::CompareAndNew { compare_is_src1 } => {
                let [src0, src1] = sources;
                if compare_is_src1 {
                    vec![src1, src0]
                } else {
                    vec![src0, src1]
                }
            }
        }
    }
}

/// A row of the lanes table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    pub(crate) row: LaneRow,
    /// Why it is not enabled; empty if it is.
    pub(crate) disabled: &'static str,
    /// Whether the last step was its.
    pub(crate) current: bool,
    pub(crate) group: Option<Rc<Group>>,
    /// Whether an access of the instruction faulted, its or another lane's.
    pub(crate) is_faulted: bool,
    /// Whether its compare failed: nothing was written.
    pub(crate) kept: bool,
    /// The type in which its values are shown.
    pub(crate) ty: ElementType,
    pub(crate) operands: Operands,
    pub(crate) threads: u8,
}

/// What is wrong with an address.
pub(crate) fn address_error(access: &Access) -> Option<&'static str> {
    match access.fault {
        Some(fault) => Some(fault.word()),
        None => (!access.in_bounds).then_some("out of bounds"),
    }
}

/// How far a lane has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneState {
    /// Not enabled.
    Disabled,
    /// Other lanes go first.
    Waiting,
    /// It would have gone: an access of the instruction faulted.
    NotPerformed,
    /// The last step was its.
    Current,
    Done,
    /// Its access faulted: the run ends here.
    Faulted,
}

impl LaneState {
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Waiting => "waiting",
            Self::NotPerformed => "not performed",
            Self::Current => "this step",
            Self::Done => "done",
            Self::Faulted => "fault",
        }
    }
}

impl Lane {
    pub(crate) const fn state(&self) -> LaneState {
        match &self.row.access {
            None => LaneState::Disabled,
            Some(access) if self.current && access.fault.is_some() => LaneState::Faulted,
            Some(_) if self.current => LaneState::Current,
            Some(_) if self.row.done => LaneState::Done,
            Some(_) if self.is_faulted => LaneState::NotPerformed,
            Some(_) => LaneState::Waiting,
        }
    }
}

/// The lanes table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LanesTable {
    /// The instruction: its text, and its line from 1.
    pub(crate) heading: Option<(String, u32)>,
    pub(crate) operands: Operands,
    pub(crate) threads: u8,
    /// Empty for an instruction without a lane queue.
    pub(crate) lanes: Vec<Rc<Lane>>,
    /// Whether the instruction multiplies matrices.
    pub(crate) is_matrix: bool,
    /// How many channels of a scatter are enabled; the lanes are listed channel
    /// after channel.
    pub(crate) channels: usize,
}

impl LanesTable {
    /// The lanes of the current instruction of a run.
    pub(crate) fn of(session: &Session) -> Self {
        let program = session.program();
        let index = session.current_instruction();
        let placed = index.and_then(|i| program.instructions.get(i));
        let (Some(index), Some(placed)) = (index, placed) else {
            return Self {
                heading: None,
                operands: Operands::Numbered(0),
                threads: program.threads,
                lanes: Vec::new(),
                is_matrix: false,
                channels: 0,
            };
        };
        let rows = if placed.instruction.spec().lane_queue {
            session.lanes(index)
        } else {
            Vec::new()
        };
        let issue = IssueContext {
            symbols: &program.symbols,
            machine: session.machine(),
            threads: program.threads,
        };
        let groups = groups(&rows);
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
        let operands = match update.filter(is_compare) {
            // Not swapped, the second operand of the arithmetic is compared with.
            Some(update) => Operands::CompareAndNew {
                compare_is_src1: !update.swapped,
            },
            None => Operands::Numbered(placed.instruction.operands()),
        };
        let is_kept = |row: &LaneRow| {
            let compared = update.and_then(|u| u.comparison(row.access.as_ref()?, row.old?));
            compared.is_some_and(|compared| !compared.equal)
        };
        let is_faulted = session.fault().is_some();
        let lane = |row: LaneRow| Lane {
            is_faulted,
            disabled: match row.access {
                Some(_) => "",
                None => {
                    let reason = placed.instruction.inactive_reason(&issue, row.unit);
                    reason.unwrap_or("")
                }
            },
            current: current == Some(row.unit),
            group: row.conflict.and_then(|g| groups.get(g as usize).cloned()),
            kept: is_kept(&row),
            ty: placed.instruction.display_type(&program.symbols),
            operands,
            threads: program.threads,
            row,
        };
        let name = placed.instruction.spec().name;
        let operation = (placed.instruction.operation())
            .and_then(|code| {
                let rows = (placed.instruction.spec().operations)();
                rows.iter().find(|row| row.code == code).map(|row| row.name)
            })
            .map_or_else(String::new, |operation| format!(".{operation}"));
        Self {
            heading: Some((format!("{name}{operation}"), placed.line + 1)),
            operands,
            threads: program.threads,
            lanes: rows.into_iter().map(lane).map(Rc::new).collect(),
            is_matrix: placed.instruction.matrix().is_some(),
            channels: placed.instruction.channels().count_ones() as usize,
        }
    }

    /// The heads of its columns.
    pub(crate) fn heads(&self) -> Vec<&'static str> {
        let results = ["Old", "New", "Returned", "State", "Conflict group"];
        [
            &["Lane", "Order", "Enabled", "Address"],
            self.operands.heads(),
            results.as_slice(),
        ]
        .concat()
    }

    /// The lanes of a scatter: for every lane, one after another, its
    /// channels.
    pub(crate) fn planes(&self) -> Vec<Vec<Rc<Lane>>> {
        let threads = usize::from(self.threads.max(1));
        let lanes = self.lanes.len() / self.channels.max(1) / threads;
        let channels = |eu: usize, lane: usize| {
            let at = move |channel| (eu * self.channels + channel) * lanes + lane;
            (0..self.channels).filter_map(move |c| self.lanes.get(at(c)).cloned())
        };
        let rows = |eu| (0..lanes).map(move |lane| channels(eu, lane).collect());
        (0..threads).flat_map(rows).collect()
    }
}

fn groups(rows: &[LaneRow]) -> Vec<Rc<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    let count = rows.iter().filter_map(|r| r.conflict).max();
    for number in 0..count.map_or(0, |c| c + 1) {
        let members = rows.iter().filter(|r| r.conflict == Some(number));
        groups.push(Group {
            number,
            members: members.map(|r| r.unit).collect(),
        });
    }
    groups.into_iter().map(Rc::new).collect()
}
