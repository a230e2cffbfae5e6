//! The results as a table of what differs among them.

use super::Results;
use super::columns::Column;
use super::format::short_count;
use super::own::OwnResult;
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_explore::{LaneSchedule, Outcome, order_name};
use std::rc::Rc;

/// The most elements that a table shows.
const MAX_COLUMNS: usize = 72;

/// The name of a column, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColumnHead {
    pub(crate) name: String,
    pub(crate) description: String,
}

/// The value of a column in a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowValue {
    pub(crate) text: String,
    /// Whether the own orders give another one.
    pub(crate) differs: bool,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResultRow {
    /// Its index among all that are listed.
    pub(crate) index: usize,
    /// How many orders give it, and which share of all that is.
    pub(crate) orders: String,
    pub(crate) share: String,
    /// Whether the program's own orders give it.
    pub(crate) is_own: bool,
    /// By column.
    pub(crate) values: Vec<RowValue>,
    pub(crate) fault: Option<String>,
    /// Orders that give it.
    pub(crate) order: String,
}

/// The results that are shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResultsTable {
    /// What differs.
    pub(crate) columns: Vec<ColumnHead>,
    /// How many more elements differ.
    pub(crate) more_columns: usize,
    pub(crate) rows: Vec<Rc<ResultRow>>,
    /// How many more results can be shown.
    pub(crate) more_rows: usize,
}

impl ResultsTable {
    /// As many results as are `shown`, of those in which a lane returns the value
    /// that is wanted. `None` where every order gives the same.
    pub(crate) fn new(
        results: &Results,
        own: Option<&OwnResult>,
        wanted: Option<(&Column, u64)>,
        shown: usize,
    ) -> Option<Self> {
        let found = &results.found;
        if found.conflicts.is_empty() && found.complete {
            return None;
        }
        let program = &*results.program;
        let columns = results.columns.get(..MAX_COLUMNS);
        let columns = columns.unwrap_or(&results.columns);
        let own = own.map(|own| &own.outcome);
        // A value that was overwritten is not in the results.
        let wanted = wanted.filter(|(column, _)| !column.is_overwritten);
        let mut rows = Vec::new();
        let mut more_rows = 0;
        for (index, outcome) in found.outcomes.iter().enumerate() {
            let is_wanted = wanted.is_none_or(|(column, value)| {
                column.returned_value(outcome, program) == Some(value)
            });
            if !is_wanted {
                continue;
            }
            if rows.len() == shown {
                more_rows += 1;
                continue;
            }
            let values = columns.iter().map(|column| {
                let value = column.final_value(outcome, program);
                RowValue {
                    text: value.map_or_else(String::new, |value| show(value, column.ty)),
                    differs: own.is_some_and(|own| column.final_value(own, program) != value),
                }
            });
            rows.push(Rc::new(ResultRow {
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
            }));
        }
        let heads = columns.iter().map(|column| ColumnHead {
            name: column.name.clone(),
            description: results.description(column),
        });
        Some(Self {
            columns: heads.collect(),
            more_columns: results.columns.len() - columns.len(),
            rows,
            more_rows,
        })
    }
}

/// Which share of all orders gives a result, in percent.
fn share(results: &Results, outcome: &Outcome) -> String {
    let (Some(orders), Some(all)) = (&outcome.orders, &results.found.orders) else {
        return String::from("–");
    };
    match orders.share(all) {
        0 => String::from("<0.01%"),
        parts => format!("{}.{:02}%", parts / 100, parts % 100),
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
