//! The lanes table.

use lanewise_core::isa::{Access, Unit};
use lanewise_core::number::ElementType;
use lanewise_core::session::{LaneRow, Session};
use std::rc::Rc;

/// Whose the last step was: the lane that was done, or that faulted.
pub(crate) fn current_unit(session: &Session) -> Option<Unit> {
    match session.fault() {
        Some(fault) => Some(fault.unit),
        None => session.last_access().map(|access| access.unit),
    }
}

/// Lanes that hit the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Its number, from 0.
    pub(crate) number: u32,
    pub(crate) members: Vec<Unit>,
}

impl Group {
    /// A, B … Z, A2 …
    pub(crate) fn label(&self) -> String {
        group_label(self.number)
    }

    /// The members but one: `lanes 0, 2`, `lanes EU0.0, EU0.2–7, EU1.3`,
    /// `2.R, 3.G`.
    pub(crate) fn others(&self, unit: Unit, threads: u8) -> String {
        if unit.channel.is_some() {
            let others = self.members.iter().filter(|m| **m != unit);
            let names: Vec<String> = others.map(|m| unit_name(*m, threads)).collect();
            return names.join(", ");
        }
        let others = self.members.iter().filter(|m| **m != unit);
        let others: Vec<Unit> = others.copied().collect();
        let word = if others.len() == 1 { "lane" } else { "lanes" };
        format!("{word} {}", runs(&others, threads))
    }
}

/// The letter of a group: A, B … Z, A2 …
pub(crate) fn group_label(number: u32) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}

/// `3`, `EU1.3`, `3.R`, as `.order` names it.
pub(crate) fn unit_name(unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        2 => format!("EU{}.{}", unit.eu, unit.lane),
        _ => unit.lane.to_string(),
    };
    if unit.channel.is_some() {
        name.push('.');
        name.push_str(unit.letter());
    }
    name
}

/// Units in their order, three or more successive lanes as a range: `6, 10,
/// 12–15`, `EU0.3–7, EU1.0`, `2.R, 3.G`.
pub(crate) fn runs(units: &[Unit], threads: u8) -> String {
    let follows = |a: &Unit, b: &Unit| {
        a.eu == b.eu && a.channel.is_none() && b.channel.is_none() && a.lane + 1 == b.lane
    };
    let mut parts = Vec::new();
    for run in units.chunk_by(follows) {
        match run {
            [first, .., last] if run.len() > 2 => {
                parts.push(format!("{}–{}", unit_name(*first, threads), last.lane));
            }
            _ => parts.extend(run.iter().map(|unit| unit_name(*unit, threads))),
        }
    }
    parts.join(", ")
}

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
#[derive(Clone, Debug, PartialEq)]
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
    pub(crate) const fn name(self) -> &'static str {
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LanesTable {
    /// The instruction: its text, and its line from 1.
    pub(crate) heading: Option<(String, u32)>,
    pub(crate) operands: Operands,
    pub(crate) threads: u8,
    /// Empty for an instruction without a lane queue.
    pub(crate) lanes: Vec<Lane>,
    /// Whether the instruction multiplies matrices.
    pub(crate) is_matrix: bool,
    /// How many channels of a scatter are enabled; the lanes are listed channel
    /// after channel.
    pub(crate) channels: usize,
}

impl LanesTable {
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
    pub(crate) fn planes(&self) -> Vec<Vec<Lane>> {
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

pub(super) fn groups(rows: &[LaneRow]) -> Vec<Rc<Group>> {
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
