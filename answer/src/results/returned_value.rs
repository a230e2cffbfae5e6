//! Returned-value query: "Can lane 3 return 7?", and its answer.

use super::Results;
use super::columns::{Column, insert};
use super::format::{grouped, in_orders, short_count};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::number::{parse_literal, show};
use lanewise_core::session::unit_name;
use lanewise_explore::Query;
use lanewise_explore::{Conflict, Count, QueryAnswer};

/// Maximum number of suggested values.
const MAX_OFFERED: usize = 64;

/// Queried lane and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedReturn {
    /// Index among the lanes that return a value.
    pub lane: usize,
    /// Value as typed; empty for any.
    pub value: String,
}

impl WantedReturn {
    /// Column of the lane, and the parsed value, if any.
    pub fn in_column<'r>(&self, results: &'r Results) -> Option<(&'r Column, u64)> {
        let column = results.returns.get(self.lane)?;
        let value = parse_literal(self.value.trim(), column.ty).ok()?;
        Some((column, value))
    }

    /// Query for the worker, if the results do not answer the question.
    pub fn query(&self, results: &Results) -> Option<Query> {
        let (column, value) = self.in_column(results)?;
        let (issue, unit) = column.returned_by?;
        let is_told = results.lists_all() && !column.is_overwritten;
        (!is_told && column.may_be(value)).then_some(Query::Returns { issue, unit, value })
    }
}

/// The worker's reply to [`WantedReturn::query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Some order returns the value: index of its result, now listed.
    Found(usize),
    /// Some order returns the value, but a later instruction overwrites it.
    Overwritten,
    No,
    Unknown,
}

impl Reply {
    /// Interprets an answer, adding its result to the list.
    pub fn of(answer: QueryAnswer, wanted: &WantedReturn, results: &mut Results) -> Self {
        let Some(outcome) = answer.outcome else {
            return if answer.is_certain {
                Self::No
            } else {
                Self::Unknown
            };
        };
        let shows = wanted.in_column(results).is_some_and(|(column, value)| {
            column.returned_value(&outcome, &results.program) == Some(value)
        });
        if shows {
            Self::Found(results.add(outcome))
        } else {
            Self::Overwritten
        }
    }
}

/// State of the worker's reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyState {
    /// Waiting for the reply or for results.
    Expected,
    Known(Reply),
    /// The results answer the question.
    NotAsked,
    /// The program has no results and no running search: it was stopped or
    /// failed.
    NoResults,
}

/// Whether a lane may return a value.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    Searching,
    /// No search is running.
    NotSearched,
    No,
    /// Some order returns it; the results do not show that.
    Overwritten,
    /// No order was found, and a later instruction overwrites the value.
    NotKnown,
    /// All results are listed: number of results and orders with the value.
    Exact {
        results: usize,
        orders: Count,
        every: Count,
    },
    /// Index of the only known result.
    Example(usize),
    /// Number of listed results with the value; unlisted ones may have it too.
    AtLeast(usize),
    /// Number of listed results with the value.
    Listed(usize),
    /// No listed result has it, but unlisted ones may.
    NoneListed,
}

impl Answer {
    fn of(results: &Results, column: &Column, value: u64, reply: ReplyState) -> Self {
        match reply {
            ReplyState::Expected => return Self::Searching,
            ReplyState::NoResults => return Self::NotSearched,
            ReplyState::Known(Reply::No) => return Self::No,
            ReplyState::Known(Reply::Overwritten) => return Self::Overwritten,
            ReplyState::Known(Reply::Found(_) | Reply::Unknown) | ReplyState::NotAsked => {}
        }
        let found = &results.found;
        let listed = found.outcomes.iter();
        let with: Vec<_> = listed
            .filter(|outcome| column.returned_value(outcome, &results.program) == Some(value))
            .collect();
        match (with.len(), reply) {
            (0, _) if !column.may_be(value) => Self::No,
            (0, _) if column.is_overwritten => Self::NotKnown,
            (0, _) if results.lists_all() => Self::No,
            (0, _) => Self::NoneListed,
            (1, ReplyState::Known(Reply::Found(index))) => Self::Example(index),
            (count, ReplyState::Known(Reply::Found(_))) => Self::AtLeast(count),
            (count, _) => {
                let mut sum = Count::default();
                let are_counted = with.iter().all(|outcome| {
                    let orders = outcome.orders.as_ref();
                    orders.inspect(|orders| sum.add(orders)).is_some()
                });
                match &found.orders {
                    Some(every) if are_counted && results.lists_all() => Self::Exact {
                        results: count,
                        orders: sum,
                        every: every.clone(),
                    },
                    _ => Self::Listed(count),
                }
            }
        }
    }

    fn text(&self, results: &Results, column: &Column, value: u64) -> String {
        let name = column.returned_by.map_or_else(String::new, |(_, unit)| {
            unit_name(unit, results.program.threads)
        });
        let returns = format!("lane {name} returns {}", show(value, column.ty));
        let share = || match share_of(results, column, value) {
            Some(share) => in_orders(share),
            None => String::from("in some order"),
        };
        let listed = || grouped(&Count::from(results.found.outcomes.len()));
        match self {
            Self::Searching => String::from("Searching …"),
            Self::NotSearched => String::from("Unknown: the search is incomplete."),
            Self::No => format!("No: {returns} in no order."),
            Self::Overwritten => format!(
                "Yes: {returns} in some order. A later instruction overwrites it, so the results below do not show it."
            ),
            Self::NotKnown => format!("Unknown: the search found no order in which {returns}."),
            Self::Exact {
                results: count,
                orders,
                every,
            } => format!(
                "Yes: {returns} in {} of {} orders: {count} of {} results.",
                short_count(orders),
                short_count(every),
                short_count(&results.found.count)
            ),
            Self::Example(index) => {
                format!("Yes: {returns} {}. See result {}.", share(), index + 1)
            }
            Self::AtLeast(count) => format!(
                "Yes: {returns} {}. {count} of the {} listed results show it; unlisted results may too.",
                share(),
                listed()
            ),
            Self::Listed(count) => {
                format!(
                    "Yes: {returns} in {count} of the {} listed results.",
                    listed()
                )
            }
            Self::NoneListed => format!(
                "{} in none of the {} listed results, but unlisted results may differ.",
                returns,
                listed()
            ),
        }
    }
}

/// Model of the returned-value form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnForm {
    /// Lanes to choose from.
    pub lanes: Vec<String>,
    pub wanted: WantedReturn,
    /// Suggested values for the lane.
    pub offered: Vec<String>,
    /// Answer; empty without a query.
    pub answer: String,
    /// Whether the value could not be parsed.
    pub is_invalid: bool,
}

impl ReturnForm {
    /// `None` if no lane returns a value.
    pub fn new(results: &Results, wanted: &WantedReturn, reply: ReplyState) -> Option<Self> {
        let column = results.returns.get(wanted.lane)?;
        let is_asked = !wanted.value.trim().is_empty();
        let value = wanted.in_column(results).map(|(_, value)| value);
        let description = results.description(column);
        let differs = |other: &Column| results.description(other) != description;
        let several = results.returns.iter().any(differs);
        let lane = |column: &Column| {
            if several {
                let description = results.description(column);
                format!("{}, {description}", column.name)
            } else {
                column.name.clone()
            }
        };
        Some(Self {
            lanes: results.returns.iter().map(lane).collect(),
            wanted: wanted.clone(),
            offered: offered(results, column),
            answer: match value {
                Some(value) => {
                    let answer = Answer::of(results, column, value, reply);
                    answer.text(results, column, value)
                }
                None if is_asked => format!("Enter a value of type {}.", column.ty.name()),
                None => String::new(),
            },
            is_invalid: is_asked && value.is_none(),
        })
    }
}

/// Share of all orders in which a lane returns a value, if known.
fn share_of(results: &Results, column: &Column, value: u64) -> Option<f64> {
    let (issue, unit) = column.returned_by?;
    let own = |conflict: &&Conflict| conflict.issue == issue;
    results
        .found
        .conflicts
        .iter()
        .filter(own)
        .find_map(|conflict| {
            let lane = conflict.units.iter().position(|other| *other == unit)?;
            let shares = conflict.distribution()?.returns.into_iter().nth(lane)?;
            let (_, share) = shares
                .into_iter()
                .find(|(returned, _)| *returned == value)?;
            Some(share)
        })
}

/// Suggested values for a lane, sorted by number.
fn offered(results: &Results, column: &Column) -> Vec<String> {
    let mut values: Vec<u64> = Vec::new();
    match &column.possible {
        Some(possible) => values.clone_from(possible),
        None => {
            for outcome in &results.found.outcomes {
                if let Some(value) = column.returned_value(outcome, &results.program) {
                    insert(&mut values, value, column.ty);
                }
            }
        }
    }
    values.truncate(MAX_OFFERED);
    values.iter().map(|value| show(*value, column.ty)).collect()
}
