//! What all orders have in common, and how often each value comes up: lane ×
//! returned value, and cell × value after the instruction.

use super::{OutcomesAction, State};
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::Unit;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{LaneName, Order, Program};
use lanewise_core::session::{Session, lane_name};
use lanewise_explore::{Conflict, Count, Distribution, SearchResult};
use std::rc::Rc;

/// The most values of a grid; the rest is counted.
const MAX_VALUES: usize = 32;

/// The most results that are replayed to see who writes.
const MAX_REPLAYS: usize = 64;

/// The most grids.
const MAX_GRIDS: usize = 16;

/// One field of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// The share of the orders: 0 to 1.
    pub(crate) share: f64,
    /// What a press does, in words.
    pub(crate) label: String,
    pub(crate) action: OutcomesAction,
}

/// Values by lane, or by cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) title: String,
    /// What the rows are: `returns`, `after`.
    pub(crate) corner: &'static str,
    /// The lanes or cells, with the number of the conflict set for its colour.
    pub(crate) columns: Vec<(String, usize)>,
    /// A value, and a field for each column where the value comes up.
    pub(crate) rows: Vec<(String, Vec<Option<Field>>)>,
    pub(crate) more_values: usize,
}

/// A share as a percentage. What is possible is never 0 %, what is not certain
/// never 100 %.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 0.5 {
        String::from("<1%")
    } else if percent >= 99.5 && share < 1.0 - 1e-9 {
        String::from(">99%")
    } else {
        format!("{percent:.0}%")
    }
}

/// `32!` where a count is a factorial that takes many digits.
pub(super) fn factorial(count: &Count) -> Option<String> {
    let n = (13..=128).find(|n| Count::factorial(*n) == *count)?;
    Some(format!("{n}!"))
}

/// Names as a list: `0–3, 7`, where they are numbers that follow each other.
fn ranges(units: &[Unit], threads: u8) -> String {
    let mut text = String::new();
    let follows = |a: &Unit, b: &Unit| {
        a.eu == b.eu && a.channel.is_none() && b.channel.is_none() && a.lane + 1 == b.lane
    };
    for run in units.chunk_by(follows) {
        if !text.is_empty() {
            text.push_str(", ");
        }
        let [first, .., last] = run else {
            text.push_str(&short_name(run[0], threads));
            continue;
        };
        let join = if run.len() == 2 { ", " } else { "–" };
        text.push_str(&short_name(*first, threads));
        text.push_str(join);
        text.push_str(&last.lane.to_string());
    }
    text
}

/// `3`, `EU1 3`, `3.R`.
fn short_name(unit: Unit, threads: u8) -> String {
    let name = lane_name(unit, threads);
    name.replace("Lane ", "").replace("lane ", "")
}

impl State {
    fn type_of(&self, conflict: &Conflict) -> ElementType {
        let placed = self.written.instructions.get(conflict.instruction as usize);
        let ty = placed.map(|placed| placed.instruction.shown_as(&self.written.symbols));
        match (ty, conflict.bytes) {
            (Some(ty), bytes) if ty.bytes() == bytes => ty,
            (_, 2) => ElementType::Uw,
            (_, 4) => ElementType::Ud,
            _ => ElementType::Uq,
        }
    }

    /// `slm[0x40]`.
    fn cell_name(&self, conflict: &Conflict) -> String {
        let mut spaces = lanewise_answer::spaces(&self.written);
        let name = spaces.find(|(_, space)| *space == conflict.space);
        format!(
            "{}[{:#x}]",
            name.map_or("memory", |(name, _)| name),
            conflict.address
        )
    }

    /// What holds in every order, in a sentence; empty where nothing is known.
    pub(super) fn invariant(&self, result: &SearchResult) -> String {
        let conflicts = &result.conflicts;
        if conflicts.is_empty() || conflicts.iter().any(|c| c.contents.is_none()) {
            return String::new();
        }
        let mut sentence = self.memory_invariant(result);
        if let Some(returns) = self.returns_invariant(conflicts) {
            sentence.push_str("; ");
            sentence.push_str(&returns);
        }
        sentence.push('.');
        let mut letters = sentence.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        match sentence.starts_with(char::is_lowercase) && !sentence.contains('[') {
            true => first.chain(letters).collect(),
            false => sentence,
        }
    }

    fn memory_invariant(&self, result: &SearchResult) -> String {
        let conflicts = result.conflicts.as_slice();
        let contents = |conflict: &Conflict| conflict.contents.clone().unwrap_or_default();
        let varies: Vec<&Conflict> = conflicts.iter().filter(|c| contents(c).len() > 1).collect();
        let value = |conflict: &Conflict, value: u64| show(value, self.type_of(conflict));
        match (conflicts, varies.as_slice()) {
            ([one], []) => {
                let content = contents(one).first().map(|content| value(one, *content));
                format!(
                    "{} is always {}",
                    self.cell_name(one),
                    content.unwrap_or_default()
                )
            }
            (_, []) => format!("all {} cells end alike in every order", conflicts.len()),
            ([one], [_]) => {
                let all = contents(one);
                let lanes = one.units.len();
                match self.single_writers(result, one) {
                    Some(writers) if writers == lanes => {
                        return format!("exactly one of {lanes} lanes wins, any of them can");
                    }
                    Some(writers) => {
                        return format!("exactly one of {lanes} lanes wins, one of {writers}");
                    }
                    None => {}
                }
                let few: Vec<String> = all.iter().take(4).map(|c| value(one, *c)).collect();
                match all.len() {
                    2..=4 => format!("{} ends as {}", self.cell_name(one), few.join(" or ")),
                    many => format!("{} ends as one of {many} values", self.cell_name(one)),
                }
            }
            (_, [one]) => format!("only {} depends on the order", self.cell_name(one)),
            (_, some) => format!(
                "{} of {} cells depend on the order",
                some.len(),
                conflicts.len()
            ),
        }
    }

    /// How many lanes can be the one that changes a cell, if in every result
    /// exactly one does. Known where all results are listed and few.
    fn single_writers(&self, result: &SearchResult, conflict: &Conflict) -> Option<usize> {
        let is_all = result.complete && result.count == Count::from(result.outcomes.len());
        if !is_all || result.outcomes.len() > MAX_REPLAYS || self.written.instructions.len() != 1 {
            return None;
        }
        let mut writers: Vec<Unit> = Vec::new();
        for outcome in &result.outcomes {
            let mut program = Program::clone(&self.written);
            for schedule in &outcome.schedules {
                let span = Span::default();
                let names = schedule
                    .units
                    .iter()
                    .map(|unit| LaneName { unit: *unit, span });
                let instruction = program
                    .instructions
                    .get_mut(schedule.instruction as usize)?;
                instruction.order = Rc::new(Order::of(names.collect()));
            }
            let mut session = Session::new(Rc::new(program));
            session.run_to_end();
            let rows = session.lanes(conflict.instruction as usize);
            let mut changing = rows
                .iter()
                .filter(|row| conflict.units.contains(&row.unit) && row.done && row.old != row.new);
            let writer = changing.next()?.unit;
            if changing.next().is_some() {
                return None;
            }
            if !writers.contains(&writer) {
                writers.push(writer);
            }
        }
        Some(writers.len())
    }

    fn returns_invariant(&self, conflicts: &[Conflict]) -> Option<String> {
        let mut varies: Vec<Unit> = Vec::new();
        let mut all = 0;
        for conflict in conflicts {
            for (unit, values) in conflict.units.iter().zip(&conflict.returns) {
                let values = values.as_ref()?;
                if !values.is_empty() {
                    all += 1;
                }
                if values.len() > 1 && !varies.contains(unit) {
                    varies.push(*unit);
                }
            }
        }
        varies.sort_by_key(|unit| (unit.eu, unit.lane));
        let threads = self.written.threads;
        match (all, varies.len()) {
            (0, _) => None,
            (_, 0) => Some(String::from("every lane returns the same in every order")),
            (_, 1) => Some(format!(
                "what lane {} returns depends on it",
                ranges(&varies, threads)
            )),
            _ => Some(format!(
                "what lanes {} return depends on it",
                ranges(&varies, threads)
            )),
        }
    }

    /// The grids: for each instruction the returned values, then the contents.
    pub(super) fn grids(&self, result: &SearchResult) -> Vec<Rc<Grid>> {
        let known: Vec<(usize, &Conflict, Distribution)> = result
            .conflicts
            .iter()
            .enumerate()
            .filter_map(|(index, conflict)| Some((index, conflict, conflict.distribution()?)))
            .collect();
        let mut grids = Vec::new();
        for own in known.chunk_by(|a, b| a.1.instruction == b.1.instruction) {
            let instruction = own[0].1.instruction;
            let placed = self.written.instructions.get(instruction as usize);
            let line = placed.map_or(0, |placed| placed.line + 1);
            grids.extend(self.returns_grid(own, line));
            grids.extend(self.contents_grid(own, line));
        }
        grids.truncate(MAX_GRIDS);
        grids.into_iter().map(Rc::new).collect()
    }

    fn returns_grid(&self, own: &[(usize, &Conflict, Distribution)], line: u32) -> Option<Grid> {
        let mut lanes = Vec::new();
        for (set, (_, conflict, distribution)) in own.iter().enumerate() {
            for (unit, shares) in conflict.units.iter().zip(&distribution.returns) {
                if !shares.is_empty() {
                    lanes.push((*unit, set, *conflict, shares));
                }
            }
        }
        lanes.sort_by_key(|(unit, ..)| (unit.eu, unit.lane));
        let threads = self.written.threads;
        let columns = lanes
            .iter()
            .map(|(unit, set, ..)| (short_name(*unit, threads), *set));
        let values = lanes
            .iter()
            .flat_map(|(.., shares)| shares.iter().map(|share| share.0));
        let (values, more_values) = distinct(values);
        let row = |value: u64| {
            let shown = lanes
                .first()
                .map(|(_, _, conflict, _)| self.type_of(conflict));
            let shown = show(value, shown.unwrap_or(ElementType::Uq));
            let fields = lanes.iter().map(|(unit, _, conflict, shares)| {
                let at = shares.binary_search_by_key(&value, |share| share.0).ok()?;
                let share = shares[at].1;
                let lane = lane_name(*unit, threads);
                Some(Field {
                    share,
                    label: format!(
                        "{lane} returns {shown}: {} of orders, replay one",
                        percent(share)
                    ),
                    action: OutcomesAction::ReplayReturn(conflict.instruction, *unit, value),
                })
            });
            (shown.clone(), fields.collect())
        };
        (!lanes.is_empty()).then(|| Grid {
            title: format!("Returned values by lane, line {line}"),
            corner: "returns",
            columns: columns.collect(),
            rows: values.iter().map(|value| row(*value)).collect(),
            more_values,
        })
    }

    fn contents_grid(&self, own: &[(usize, &Conflict, Distribution)], line: u32) -> Option<Grid> {
        // Cells that end alike in every order are in the headline.
        let varies = |(_, (_, _, distribution)): &(usize, &(usize, &Conflict, Distribution))| {
            distribution.contents.len() > 1
        };
        let cells: Vec<_> = own.iter().enumerate().filter(varies).collect();
        let columns = cells
            .iter()
            .map(|(set, (_, conflict, _))| (self.cell_name(conflict), *set));
        let values = cells
            .iter()
            .flat_map(|(_, (_, _, d))| d.contents.iter().map(|share| share.0));
        let (values, more_values) = distinct(values);
        let row = |value: u64| {
            let shown = cells
                .first()
                .map(|(_, (_, conflict, _))| self.type_of(conflict));
            let shown = show(value, shown.unwrap_or(ElementType::Uq));
            let fields = cells.iter().map(|(_, (index, conflict, distribution))| {
                let shares = &distribution.contents;
                let at = shares.binary_search_by_key(&value, |share| share.0).ok()?;
                let share = shares[at].1;
                let cell = self.cell_name(conflict);
                Some(Field {
                    share,
                    label: format!(
                        "{cell} is {shown}: {} of orders, replay one",
                        percent(share)
                    ),
                    action: OutcomesAction::ReplayContent(*index, value),
                })
            });
            (shown.clone(), fields.collect())
        };
        (!cells.is_empty()).then(|| Grid {
            title: format!("Memory by cell, after line {line}"),
            corner: "after",
            columns: columns.collect(),
            rows: values.iter().map(|value| row(*value)).collect(),
            more_values,
        })
    }
}

/// The values, ascending, each once, and how many are left out.
fn distinct(values: impl Iterator<Item = u64>) -> (Vec<u64>, usize) {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.dedup();
    let more = values.len().saturating_sub(MAX_VALUES);
    values.truncate(MAX_VALUES);
    (values, more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_not_rounded_to_certainty() {
        assert_eq!(percent(1.0), "100%");
        assert_eq!(percent(0.9999), ">99%");
        assert_eq!(percent(1.0 / 3.0), "33%");
        assert_eq!(percent(1e-9), "<1%");
    }

    #[test]
    fn long_factorials_are_written_as_such() {
        assert_eq!(factorial(&Count::factorial(32)).as_deref(), Some("32!"));
        assert_eq!(factorial(&Count::factorial(8)), None);
        assert_eq!(factorial(&Count::from(2_903_040_usize)), None);
    }
}
