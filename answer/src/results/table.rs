//! Table of the elements in which results differ.

use super::Results;
use super::columns::Column;
use super::format::{percent, short_count};
use super::own::OwnResult;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::number::show;
use lanewise_core::program::Program;
use lanewise_explore::{LaneSchedule, Outcome, order_name};

/// Maximum number of columns.
const MAX_COLUMNS: usize = 72;

/// Name and description of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnHead {
    pub name: String,
    pub description: String,
}

/// Value of a column in a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowValue {
    pub text: String,
    /// Whether the program's own orders give another value.
    pub differs: bool,
}

/// Row of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// Index among all listed results.
    pub index: usize,
    /// Number of orders and share.
    pub orders: String,
    pub share: String,
    /// Whether the program's own orders produce it.
    pub is_own: bool,
    /// By column.
    pub values: Vec<RowValue>,
    pub fault: Option<String>,
    /// Example order.
    pub order: String,
}

/// Results shown.
#[derive(Debug, PartialEq, Eq)]
pub struct ResultsTable {
    /// Elements that differ.
    pub columns: Vec<ColumnHead>,
    /// Number of omitted columns.
    pub more_columns: usize,
    pub rows: Vec<ResultRow>,
    /// Number of results not yet shown.
    pub more_rows: usize,
}

impl ResultsTable {
    /// The first `shown` results, filtered by the queried returned value.
    /// `None` if the order does not affect the result.
    pub fn new(
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
        // Results do not show an overwritten value.
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
            rows.push(ResultRow {
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

/// Share of all orders that produce a result, in percent.
fn share(results: &Results, outcome: &Outcome) -> String {
    let (Some(orders), Some(all)) = (&outcome.orders, &results.found.orders) else {
        return String::from("–");
    };
    // The orders of threads and work-groups, which are not counted, may give other results.
    if results.found.has_other_schedules {
        return String::from("–");
    }
    percent(orders.fraction(all))
}

/// Lane orders in `.order` syntax.
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
