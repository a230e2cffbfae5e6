//! Lane names: in lists, of elements, and of conflict groups.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use lanewise_core::isa::Unit;
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::{Session, lane_runs};

/// Lane of the last step, whether it completed or faulted.
pub fn current_unit(session: &Session) -> Option<Unit> {
    match session.fault() {
        Some(fault) => Some(fault.unit),
        None => session.last_access().map(|access| access.unit),
    }
}

/// Lanes in a sentence: `lane 3`, `lanes 3, 6–9`.
pub fn lanes_text(lanes: &[Unit], threads: u8) -> String {
    let noun = if lanes.len() == 1 { "lane" } else { "lanes" };
    format!("{noun} {}", lane_runs(lanes, threads))
}

/// Lanes grouped by a key, in the order in which they first appear.
pub fn grouped<K: PartialEq>(lanes: impl IntoIterator<Item = (K, Unit)>) -> Vec<(K, Vec<Unit>)> {
    let mut groups: Vec<(K, Vec<Unit>)> = Vec::new();
    for (key, unit) in lanes {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, units)) if units.contains(&unit) => {}
            Some((_, units)) => units.push(unit),
            None => groups.push((key, vec![unit])),
        }
    }
    groups
}

/// Conflict group: lanes that access the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub number: u32,
    pub members: Vec<Unit>,
}

impl Group {
    /// A, B … Z, A2 …
    pub fn label(&self) -> String {
        group_letter(self.number)
    }

    /// The other members: `lanes 0, 2`, `lanes EU0.0, EU0.2–7, EU1.3`, `2.R,
    /// 3.G`.
    pub fn others(&self, unit: Unit, threads: u8) -> String {
        let others = self.members.iter().filter(|m| **m != unit);
        let others: Vec<Unit> = others.copied().collect();
        match unit.channel {
            Some(_) => lane_runs(&others, threads),
            None => lanes_text(&others, threads),
        }
    }
}

/// Number of EUs, which lane names include if above 1. The threads of a launch usually issue
/// on their own; the picture says which.
pub fn named_threads(program: &Program, issue: Issue) -> u8 {
    match program.launch {
        Some(_) => u8::try_from(issue.threads.iter().count()).expect("at most 128 threads"),
        None => program.threads,
    }
}

/// Letter of a conflict group: A, B … Z, A2 …
pub fn group_letter(number: u32) -> String {
    let letter = char::from_u32(u32::from('A') + number % 26).expect("it is a letter");
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}
