//! The results as a table: only what differs among them.

use super::State;
use super::found::Found;
use super::told::grouped;
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_explore::{Outcome, Schedule, order_name};
use std::rc::Rc;

/// The most elements that a table shows.
const MOST_COLUMNS: usize = 72;

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Its index among all that are listed.
    pub(crate) index: usize,
    /// How many orders give it, and which share of all that is.
    pub(crate) orders: String,
    pub(crate) share: String,
    /// Whether the program's own orders give it.
    pub(crate) own: bool,
    /// What differs, and whether it differs from what the own orders give.
    pub(crate) values: Vec<(String, bool)>,
    pub(crate) fault: Option<String>,
    /// Orders that give it.
    pub(crate) order: String,
}

/// The results that are shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// What differs: its name, and what it is.
    pub(crate) columns: Vec<(String, String)>,
    /// How many more elements differ.
    pub(crate) more_columns: usize,
    pub(crate) rows: Vec<Row>,
    /// How many results are listed below those.
    pub(crate) more_rows: usize,
}

impl State {
    /// Lists the results again.
    pub(super) fn list_outcomes(&mut self) {
        let found = self.outcomes.found.as_ref();
        let table = found.map(|found| Rc::new(self.table(found)));
        let filter = found.and_then(|found| self.filter(found)).map(Rc::new);
        self.outcomes.table = table;
        self.outcomes.filter = filter;
    }

    fn table(&self, found: &Found) -> Table {
        let outcomes = &self.outcomes;
        let program = &self.written;
        let columns = found.columns.get(..MOST_COLUMNS).unwrap_or(&found.columns);
        let own = outcomes.own.as_ref();
        let wanted = self.wanted_value(found);
        let mut rows = Vec::new();
        let mut more_rows = 0;
        for (index, outcome) in found.answer.outcomes.iter().enumerate() {
            // What was written over cannot be looked for in results.
            let wanted = wanted.filter(|(slot, _)| !slot.over);
            if wanted.is_some_and(|(slot, value)| slot.got(outcome, program) != Some(value)) {
                continue;
            }
            if rows.len() == outcomes.shown {
                more_rows += 1;
                continue;
            }
            let mut values = Vec::new();
            for column in columns {
                let value = column.of(outcome, program);
                let differs = own.is_some_and(|own| column.of(own, program) != value);
                let text = value.map_or_else(String::new, |value| show(value, column.ty));
                values.push((text, differs));
            }
            rows.push(Row {
                index,
                orders: match &outcome.orders {
                    Some(orders) => grouped(orders),
                    None => String::from("not counted"),
                },
                share: share(found, outcome),
                own: own.is_some_and(|own| own.is_same_result(outcome)),
                values,
                fault: outcome.fault.as_ref().map(|fault| fault.message.clone()),
                order: order(program, &outcome.schedules),
            });
        }
        let names = columns.iter().map(|c| (c.name.clone(), c.what.clone()));
        Table {
            columns: names.collect(),
            more_columns: found.columns.len() - columns.len(),
            rows,
            more_rows,
        }
    }
}

/// Which share of all orders gives a result, in percent.
fn share(found: &Found, outcome: &Outcome) -> String {
    let (Some(orders), Some(all)) = (&outcome.orders, &found.answer.orders) else {
        return String::from("–");
    };
    match orders.share(all) {
        0 => String::from("< 0.01 %"),
        parts => format!("{}.{:02} %", parts / 100, parts % 100),
    }
}

/// The orders of the lanes, as `.order` has them.
fn order(program: &Program, turns: &[Schedule]) -> String {
    let names = |turns: &Schedule| {
        let names: Vec<_> = turns.units.iter().map(|unit| order_name(*unit)).collect();
        names.join(" ")
    };
    if let [turns] = turns {
        return names(turns);
    }
    let lines = turns.iter().map(|turns| {
        let placed = program.instructions.get(turns.instruction as usize);
        let line = placed.map_or(0, |placed| placed.line + 1);
        format!("line {line}: {}", names(turns))
    });
    lines.collect::<Vec<_>>().join("; ")
}
