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

    /// The members but one: `lanes 0, 2`, `EU0 lanes 0, 2–7, EU1 lane 3`,
    /// `2.R, 3.G`.
    pub(crate) fn others(&self, unit: Unit, threads: u8) -> String {
        if unit.channel.is_some() {
            let others = self.members.iter().filter(|m| **m != unit);
            let names: Vec<String> = others.map(|m| unit_name(*m, threads)).collect();
            return names.join(", ");
        }
        let of = |eu: u8| {
            let others = self.members.iter().filter(|m| **m != unit && m.eu == eu);
            let lanes: Vec<u8> = others.map(|m| m.lane).collect();
            let word = if lanes.len() == 1 { "lane" } else { "lanes" };
            let place = if threads == 2 {
                format!("EU{eu} ")
            } else {
                String::new()
            };
            (!lanes.is_empty()).then(|| format!("{place}{word} {}", runs(&lanes)))
        };
        let parts: Vec<String> = (0..threads).filter_map(of).collect();
        parts.join(", ")
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

/// Ascending numbers as a list, three or more in a row as a range.
fn runs(lanes: &[u8]) -> String {
    let mut parts = Vec::new();
    for run in lanes.chunk_by(|a, b| a + 1 == *b) {
        match run {
            [first, .., last] if run.len() > 2 => parts.push(format!("{first}–{last}")),
            _ => parts.extend(run.iter().map(u8::to_string)),
        }
    }
    parts.join(", ")
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
    /// Whether its compare failed: nothing was written.
    pub(crate) kept: bool,
    /// The type in which its values are shown.
    pub(crate) ty: ElementType,
    /// How many data operands there are.
    pub(crate) operands: u8,
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
            Some(_) => LaneState::Waiting,
        }
    }
}

/// The lanes table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LanesTable {
    /// The instruction: its text, and its line from 1.
    pub(crate) heading: Option<(String, u32)>,
    pub(crate) operands: u8,
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
        let operands: &[&str] = match self.operands {
            0 => &[],
            1 => &["src0"],
            _ => &["src0", "src1"],
        };
        let results = ["Old", "New", "Returned", "State", "Conflict group"];
        [
            &["Lane", "Order", "Enabled", "Address"],
            operands,
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
