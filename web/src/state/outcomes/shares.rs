//! What all orders have in common, and how often each value comes up: lane ×
//! returned value, and cell × value after the instruction.

use super::found::{Column, Found};
use super::told::{grouped, listed};
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

/// A count in full up to 12 digits. Longer ones as `32!` or `32! × 32!` where
/// they are that, otherwise rounded: `about 6.9 × 10⁷⁰`.
pub(super) fn short_count(count: &Count) -> String {
    let digits = count.to_string();
    if digits.len() <= 12 {
        return grouped(count);
    }
    for n in 13..=128 {
        let factorial = Count::factorial(n);
        if factorial > *count {
            break;
        }
        let mut product = factorial.clone();
        for power in 1..=4 {
            if product == *count {
                return vec![format!("{n}!"); power].join(" × ");
            }
            product.multiply(&factorial);
        }
    }
    let power = (digits.len() - 1).to_string();
    let raised = power
        .bytes()
        .map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]);
    let raised: String = raised.collect();
    format!("about {}.{} × 10{raised}", &digits[..1], &digits[1..2])
}

/// The digits 0 to 9, raised.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// `lane 3`, `lanes 0–3, 7`, `EU0 lanes 0–7 and EU1 lane 2`, of lanes in
/// ascending order.
fn lane_list(units: &[Unit], threads: u8) -> String {
    let parts = units.chunk_by(|a, b| a.eu == b.eu).map(|of_eu| {
        let eu = match threads {
            2 => format!("EU{} ", of_eu[0].eu),
            _ => String::new(),
        };
        let plural = if of_eu.len() == 1 { "lane" } else { "lanes" };
        format!("{eu}{plural} {}", lane_numbers(of_eu))
    });
    listed(parts.collect())
}

/// `0–3, 7`, of the lanes of one EU; `3.R` where a lane has channels.
fn lane_numbers(units: &[Unit]) -> String {
    let follows =
        |a: &Unit, b: &Unit| a.channel.is_none() && b.channel.is_none() && a.lane + 1 == b.lane;
    let runs = units.chunk_by(follows).map(|run| match run {
        [first, .., last] if run.len() > 2 => format!("{}–{}", first.lane, last.lane),
        _ => {
            let names: Vec<String> = run.iter().map(|unit| short_name(*unit, 1)).collect();
            names.join(", ")
        }
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// `3`, `EU1 3`, `3.R`.
fn short_name(unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        2 => format!("EU{} {}", unit.eu, unit.lane),
        _ => unit.lane.to_string(),
    };
    if unit.channel.is_some() {
        name.push('.');
        name.push_str(unit.letter());
    }
    name
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
    pub(super) fn invariant(&self, found: &Found) -> String {
        let parts = [self.memory_invariant(found), self.returns_invariant(found)];
        let sentence = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
        if sentence.is_empty() {
            return sentence;
        }
        // A sentence may start with a cell: its name is written as everywhere.
        let starts_with_cell = found.cells.iter().any(|c| sentence.starts_with(&c.name));
        let mut letters = sentence.chars();
        match letters.next() {
            Some(first) if !starts_with_cell => {
                format!("{}{}.", first.to_uppercase(), letters.as_str())
            }
            _ => format!("{sentence}."),
        }
    }

    /// What the cells hold at the end.
    fn memory_invariant(&self, found: &Found) -> Option<String> {
        let cells = found.cells.as_slice();
        let varies: Vec<&Column> = cells.iter().filter(|cell| found.differs(cell)).collect();
        let are_all_known = cells
            .iter()
            .all(|cell| found.differs(cell) || found.is_same(cell));
        let all = cells.len();
        let every = match all {
            2 => String::from("both"),
            _ => format!("all {all}"),
        };
        Some(match (cells, varies.as_slice()) {
            ([], _) => return None,
            (_, []) if !are_all_known => return None,
            ([cell], []) => {
                let values = found.values(cell, &self.written)?;
                format!(
                    "{} is always {}",
                    cell.name,
                    show(*values.first()?, cell.ty)
                )
            }
            (_, []) => format!("{every} cells end the same in every order"),
            ([cell], [_]) => self
                .winners(&found.answer)
                .or_else(|| self.ends_as(found, cell))
                .unwrap_or_else(|| format!("{} depends on the order", cell.name)),
            (_, some) if some.len() == all => {
                format!("what {every} cells hold depends on the order")
            }
            (_, some) if !are_all_known => {
                let some = some.len();
                format!("what at least {some} of {all} cells hold depends on the order")
            }
            (_, [cell]) => format!("only {} of {all} cells depends on the order", cell.name),
            (_, some) => {
                let some = some.len();
                format!("what {some} of {all} cells hold depends on the order")
            }
        })
    }

    /// `slm[0x0] ends as 3, 4 or 5`.
    fn ends_as(&self, found: &Found, cell: &Column) -> Option<String> {
        let values = found.values(cell, &self.written)?;
        let name = &cell.name;
        let shown = values.iter().map(|value| show(*value, cell.ty));
        Some(match values.len() {
            2..=4 => {
                let mut shown: Vec<String> = shown.collect();
                let last = shown.pop()?;
                format!("{name} ends as {} or {last}", shown.join(", "))
            }
            many => format!("{name} ends as one of {many} values"),
        })
    }

    /// `exactly one of 8 lanes wins`, where in every result one lane alone
    /// changes the cell.
    fn winners(&self, result: &SearchResult) -> Option<String> {
        let [conflict] = result.conflicts.as_slice() else {
            return None;
        };
        let lanes = conflict.units.len();
        let winners = self.single_writers(result, conflict)?;
        Some(match winners {
            1 => return None,
            all if all == lanes => format!("exactly one of {lanes} lanes wins, any of them can"),
            some => format!("exactly one of {lanes} lanes wins, one of {some} that can"),
        })
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

    /// What lanes return: which of them return different values in different
    /// orders, by line where several instructions return something.
    fn returns_invariant(&self, found: &Found) -> Option<String> {
        let slots = found.slots.as_slice();
        // Lanes that differ, with the lines of the instructions where they do.
        let mut varies: Vec<(String, Vec<u32>)> = Vec::new();
        let mut are_all_known = true;
        let of_one = |a: &Column, b: &Column| a.of.map(|of| of.0) == b.of.map(|of| of.0);
        for own in slots.chunk_by(of_one) {
            let (instruction, _) = own.first()?.of?;
            let line = self.written.instructions.get(instruction as usize)?.line + 1;
            let mut lanes = Vec::new();
            for slot in own {
                let values = found.values(slot, &self.written);
                if found.differs(slot) || values.as_ref().is_some_and(|all| all.len() > 1) {
                    lanes.extend(slot.of.map(|(_, unit)| unit));
                } else {
                    are_all_known &= values.is_some();
                }
            }
            if lanes.is_empty() {
                continue;
            }
            lanes.sort_by_key(|unit| (unit.eu, unit.lane));
            let lanes = lane_list(&lanes, self.written.threads);
            match varies.iter_mut().find(|(names, _)| *names == lanes) {
                Some((_, lines)) => lines.push(line),
                None => varies.push((lanes, vec![line])),
            }
        }
        if slots.is_empty() || (varies.is_empty() && !are_all_known) {
            return None;
        }
        let has_several = slots.chunk_by(of_one).count() > 1;
        let parts = varies.iter().map(|(lanes, lines)| {
            let verb = match lanes.contains("lanes") || lanes.contains(" and ") {
                true => "return",
                false => "returns",
            };
            let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
            match (has_several, lines.len()) {
                (false, _) => format!("what {lanes} {verb}"),
                (true, 1) => format!("what {lanes} {verb} in line {}", numbers[0]),
                (true, _) => format!("what {lanes} {verb} in lines {}", listed(numbers)),
            }
        });
        let parts: Vec<String> = parts.collect();
        Some(match parts.is_empty() {
            true => String::from("every lane returns the same in every order"),
            false => format!("{} depends on the order", listed(parts)),
        })
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
    fn long_counts_are_written_short() {
        assert_eq!(short_count(&Count::factorial(32)), "32!");
        let mut product = Count::factorial(32);
        product.multiply(&Count::factorial(32));
        assert_eq!(short_count(&product), "32! × 32!");
        product.multiply(&Count::from(2_usize));
        assert_eq!(short_count(&product), "about 1.3 × 10⁷¹");
        assert_eq!(short_count(&Count::factorial(8)), "40,320");
        assert_eq!(short_count(&Count::from(2_903_040_usize)), "2,903,040");
    }

    #[test]
    fn lanes_are_listed_by_eu_in_runs() {
        let unit = |eu, lane| Unit {
            eu,
            lane,
            channel: None,
        };
        let run: Vec<Unit> = (0..4).map(|lane| unit(0, lane)).collect();
        assert_eq!(lane_list(&run, 1), "lanes 0–3");
        assert_eq!(lane_list(&[run[0], run[1], run[3]], 1), "lanes 0, 1, 3");
        assert_eq!(lane_list(&[unit(0, 5)], 1), "lane 5");
        let both = [unit(0, 0), unit(0, 1), unit(0, 2), unit(1, 2)];
        assert_eq!(lane_list(&both, 2), "EU0 lanes 0–2 and EU1 lane 2");
    }
}
