//! "Can lane 3 return 7?": the value that is looked for, and the answer.

use super::results::Results;
use super::results::columns::{Column, insert};
use super::results::format::{grouped, percent, short_count};
use crate::features::lanes::units::unit_name;
use lanewise_core::number::{parse_literal, show};
use lanewise_explore::{Conflict, Count, QueryAnswer};
use lanewise_web::search_worker::Query;
use yew::AttrValue;

/// The most values that are offered.
const MAX_OFFERED: usize = 64;

/// The lane and the value that are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WantedReturn {
    /// The index of the lane among those that return something.
    pub(crate) lane: usize,
    /// The value as it was written; empty for any.
    pub(crate) value: String,
}

impl WantedReturn {
    /// The column of the lane, and the value; `None` where no value can be read.
    pub(crate) fn in_column<'r>(&self, results: &'r Results) -> Option<(&'r Column, u64)> {
        let column = results.returns.get(self.lane)?;
        let value = parse_literal(self.value.trim(), column.ty).ok()?;
        Some((column, value))
    }

    /// What the worker has to look for, where the results do not tell whether
    /// the lane may return the value.
    pub(crate) fn query(&self, results: &Results) -> Option<Query> {
        let (column, value) = self.in_column(results)?;
        let (instruction, unit) = column.returned_by?;
        let is_told = results.lists_all() && !column.is_overwritten;
        (!is_told && column.may_be(value)).then_some(Query::Returns {
            instruction,
            unit,
            value,
        })
    }
}

/// The worker's reply to [`WantedReturn::query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Some order gives the value: the index of its result, which is listed now.
    Found(usize),
    /// Some order gives it, and a later instruction overwrites it.
    Overwritten,
    No,
    Unknown,
}

impl Reply {
    /// What an answer says; its result is added to the list.
    pub(crate) fn of(answer: QueryAnswer, wanted: &WantedReturn, results: &mut Results) -> Self {
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

/// What is known of the worker's reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyState {
    /// It is on its way, or the results are.
    Expected,
    Known(Reply),
    /// The results tell.
    NotAsked,
    /// There are no results of this program, and no search for them is under
    /// way: it was stopped, or has failed.
    NoResults,
}

/// Whether a lane may return a value.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    Searching,
    /// No search is under way.
    NotSearched,
    No,
    /// In some order; the results do not show it.
    Overwritten,
    /// No order is known, and a later instruction overwrites the value.
    NotKnown,
    /// Every result is listed: so many of them have it, from so many orders.
    Exact {
        results: usize,
        orders: Count,
        every: Count,
    },
    /// The result of this index is the one that is known.
    Example(usize),
    /// So many of those listed have it, perhaps others too.
    AtLeast(usize),
    /// So many of those listed have it.
    Listed(usize),
    /// None of those listed has it, perhaps others.
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
        let in_orders = || match share(results, column, value) {
            Some(share) => format!("{} of all orders", percent(share)),
            None => String::from("some order"),
        };
        let listed = || grouped(&Count::from(results.found.outcomes.len()));
        match self {
            Self::Searching => String::from("Searching …"),
            Self::NotSearched => String::from("Not known: the search was not finished."),
            Self::No => format!("No: {returns} in no order."),
            Self::Overwritten => format!(
                "Yes: {returns} in some order. \
                 A later instruction overwrites it, so the results below do not show it."
            ),
            Self::NotKnown => format!("Not known: no order was found in which {returns}."),
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
            Self::Example(index) => format!(
                "Yes: {returns} in {}. Result {} is an example.",
                in_orders(),
                index + 1
            ),
            Self::AtLeast(count) => format!(
                "Yes: {returns} in {}: {count} of the {} results listed, perhaps others too.",
                in_orders(),
                listed()
            ),
            Self::Listed(count) => {
                format!(
                    "Yes: {returns} in {count} of the {} results listed.",
                    listed()
                )
            }
            Self::NoneListed => format!(
                "{} in none of the {} results listed, perhaps in others.",
                returns,
                listed()
            ),
        }
    }
}

/// The form for a lane and a value, and the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReturnForm {
    /// The lanes that can be chosen.
    pub(crate) lanes: Vec<AttrValue>,
    pub(crate) wanted: WantedReturn,
    /// Values that the lane may return.
    pub(crate) offered: Vec<String>,
    /// The answer in words; empty where nothing is looked for.
    pub(crate) answer: String,
    /// Whether the value cannot be read.
    pub(crate) is_invalid: bool,
}

impl ReturnForm {
    /// `None` where no lane returns anything.
    pub(crate) fn new(results: &Results, wanted: &WantedReturn, reply: ReplyState) -> Option<Self> {
        let column = results.returns.get(wanted.lane)?;
        let is_asked = !wanted.value.trim().is_empty();
        let value = wanted.in_column(results).map(|(_, value)| value);
        let description = results.description(column);
        let differs = |other: &Column| results.description(other) != description;
        let several = results.returns.iter().any(differs);
        let lane = |column: &Column| {
            if several {
                let description = results.description(column);
                AttrValue::from(format!("{}, {description}", column.name))
            } else {
                AttrValue::from(column.name.clone())
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
                None if is_asked => format!("Write a value of type {}.", column.ty.name()),
                None => String::new(),
            },
            is_invalid: is_asked && value.is_none(),
        })
    }
}

/// The share of all orders in which a lane returns a value, where it is known.
fn share(results: &Results, column: &Column, value: u64) -> Option<f64> {
    let (instruction, unit) = column.returned_by?;
    let own = |conflict: &&Conflict| conflict.instruction == instruction;
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

/// Values that a lane may return, ascending as bits.
fn offered(results: &Results, column: &Column) -> Vec<String> {
    let mut values: Vec<u64> = Vec::new();
    match &column.possible {
        Some(possible) => values.clone_from(possible),
        None => {
            for outcome in &results.found.outcomes {
                if let Some(value) = column.returned_value(outcome, &results.program) {
                    insert(&mut values, value);
                }
            }
        }
    }
    values.truncate(MAX_OFFERED);
    values.iter().map(|value| show(*value, column.ty)).collect()
}
