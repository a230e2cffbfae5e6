//! The results as a table of what differs among them.

use super::Outcomes;
use crate::features::outcomes::format::short_count;
use crate::features::outcomes::results::Results;
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_explore::{LaneSchedule, Outcome, order_name};

/// The most elements that a table shows.
const MAX_COLUMNS: usize = 72;

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Its index among all that are listed.
    pub(crate) index: usize,
    /// How many orders give it, and which share of all that is.
    pub(crate) orders: String,
    pub(crate) share: String,
    /// Whether the program's own orders give it.
    pub(crate) is_own: bool,
    /// The values of the columns, and whether each differs from what the own
    /// orders give.
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
    /// How many more results can be shown.
    pub(crate) more_rows: usize,
}

impl Table {
    pub(super) fn new(outcomes: &Outcomes, results: &Results, program: &Program) -> Self {
        let columns = results.columns.get(..MAX_COLUMNS);
        let columns = columns.unwrap_or(&results.columns);
        let own = outcomes.own.as_ref();
        // A value that was overwritten is not in the results.
        let wanted = outcomes.wanted_return(results);
        let wanted = wanted.filter(|(column, _)| !column.is_overwritten);
        let mut rows = Vec::new();
        let mut more_rows = 0;
        for (index, outcome) in results.found.outcomes.iter().enumerate() {
            let is_wanted = wanted.is_none_or(|(column, value)| {
                column.returned_value(outcome, program) == Some(value)
            });
            if !is_wanted {
                continue;
            }
            if rows.len() == outcomes.shown {
                more_rows += 1;
                continue;
            }
            let values = columns.iter().map(|column| {
                let value = column.final_value(outcome, program);
                let differs = own.is_some_and(|own| column.final_value(own, program) != value);
                let text = value.map_or_else(String::new, |value| show(value, column.ty));
                (text, differs)
            });
            rows.push(Row {
                index,
                orders: match &outcome.orders {
                    Some(orders) => short_count(orders),
                    None => String::from("not counted"),
                },
                share: share(results, outcome),
                is_own: own.is_some_and(|own| own.is_same_result(outcome)),
                values: values.collect(),
                fault: outcome.fault.as_ref().map(|fault| fault.message.clone()),
                order: order_text(program, &outcome.schedules),
            });
        }
        let names = columns
            .iter()
            .map(|column| (column.name.clone(), column.description.clone()));
        Self {
            columns: names.collect(),
            more_columns: results.columns.len() - columns.len(),
            rows,
            more_rows,
        }
    }
}

/// Which share of all orders gives a result, in percent.
fn share(results: &Results, outcome: &Outcome) -> String {
    let (Some(orders), Some(all)) = (&outcome.orders, &results.found.orders) else {
        return String::from("–");
    };
    match orders.share(all) {
        0 => String::from("< 0.01 %"),
        parts => format!("{}.{:02} %", parts / 100, parts % 100),
    }
}

/// The orders of the lanes, as `.order` has them.
fn order_text(program: &Program, schedules: &[LaneSchedule]) -> String {
    let names = |schedule: &LaneSchedule| {
        let names = schedule.units.iter().map(|unit| order_name(*unit));
        names.collect::<Vec<_>>().join(" ")
    };
    if let [schedule] = schedules {
        return names(schedule);
    }
    let lines = schedules.iter().map(|schedule| {
        let placed = program.instructions.get(schedule.instruction as usize);
        let line = placed.map_or(0, |placed| placed.line + 1);
        format!("line {line}: {}", names(schedule))
    });
    lines.collect::<Vec<_>>().join("; ")
}
