//! "Can lane 3 return 7?"

use super::{Outcomes, ProgramContext, QueryPurpose};
use crate::features::outcomes::format::{grouped, percent, short_count};
use crate::features::outcomes::results::{Column, Results, insert};
use lanewise_core::number::{parse_literal, show};
use lanewise_core::program::Program;
use lanewise_explore::{Conflict, Count, QueryAnswer};
use lanewise_web::search_worker::Query;
use std::rc::Rc;
use yew::AttrValue;

/// The most values that are offered.
const MAX_OFFERED: usize = 64;

/// A query for what a lane returns, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryView {
    /// The lanes that can be chosen.
    pub(crate) lanes: Vec<AttrValue>,
    /// Index of the chosen lane.
    pub(crate) lane: usize,
    /// The value as it was written.
    pub(crate) value: String,
    /// Values that the lane may return.
    pub(crate) offered: Vec<String>,
    /// The answer in words; empty without a query.
    pub(crate) answer: String,
    /// Whether the value cannot be read.
    pub(crate) is_invalid: bool,
}

/// What is known of the value that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::features::outcomes) enum Reply {
    /// The worker is looking for it.
    Pending,
    /// Some order gives it: the index of its result.
    Yes(usize),
    /// Some order gives it, and a later instruction overwrites it.
    Overwritten,
    No,
    Unknown,
}

impl Outcomes {
    /// The column of the chosen lane, and the value that is looked for.
    pub(super) fn wanted_return<'r>(&self, results: &'r Results) -> Option<(&'r Column, u64)> {
        let column = results.returns.get(self.lane)?;
        let value = parse_literal(self.value.trim(), column.ty).ok()?;
        Some((column, value))
    }

    /// Looks for an order that gives the lane the value, where the results
    /// listed do not tell: for each lane, value, list of results and order of
    /// the other instructions anew. Results of another program tell nothing.
    pub(super) fn find_return(&mut self, context: ProgramContext<'_>) {
        self.reply = None;
        self.query = None;
        let results = self.results.as_ref();
        let current = results.filter(|_| !self.is_stale && context.can_run);
        let Some(results) = current else { return };
        let Some((column, value)) = self.wanted_return(results) else {
            return;
        };
        if results.lists_all() && !column.is_overwritten {
            return;
        }
        let Some((instruction, unit)) = column.returned_by else {
            return;
        };
        if column
            .possible
            .as_ref()
            .is_some_and(|all| !all.contains(&value))
        {
            self.reply = Some(Reply::No);
            return;
        }
        self.reply = Some(Reply::Pending);
        let query = Query::Returns {
            instruction,
            unit,
            value,
        };
        self.send_query(query, QueryPurpose::Reply, context);
    }

    /// Takes the answer to [`Outcomes::find_return`].
    pub(super) fn take_reply(&mut self, answer: QueryAnswer, program: &Program) {
        let wanted = self.results.as_ref();
        let wanted = wanted.and_then(|results| self.wanted_return(results));
        let shows = match (wanted, &answer.outcome) {
            (Some((column, value)), Some(outcome)) => {
                column.returned_value(outcome, program) == Some(value)
            }
            _ => false,
        };
        self.reply = Some(match (answer.outcome, &mut self.results) {
            (Some(outcome), Some(results)) if shows => {
                Reply::Yes(Rc::make_mut(results).add(outcome, program))
            }
            (Some(_), _) => Reply::Overwritten,
            (None, _) if answer.is_certain => Reply::No,
            (None, _) => Reply::Unknown,
        });
    }

    pub(super) fn query_view(&self, results: &Results, program: &Program) -> Option<QueryView> {
        let column = results.returns.get(self.lane)?;
        let is_asked = !self.value.trim().is_empty();
        let wanted = self.wanted_return(results);
        let descriptions = |other: &Column| other.description != column.description;
        let several = results.returns.iter().any(descriptions);
        let lane = |column: &Column| {
            if several {
                AttrValue::from(format!("{}, {}", column.name, column.description))
            } else {
                AttrValue::from(column.name.clone())
            }
        };
        Some(QueryView {
            lanes: results.returns.iter().map(lane).collect(),
            lane: self.lane,
            value: self.value.clone(),
            offered: offered(results, column, program),
            answer: match wanted {
                Some((column, value)) => self.answer_text(results, column, value, program),
                None if is_asked => format!("Write a value of type {}.", column.ty.name()),
                None => String::new(),
            },
            is_invalid: is_asked && wanted.is_none(),
        })
    }

    fn answer_text(
        &self,
        results: &Results,
        column: &Column,
        value: u64,
        program: &Program,
    ) -> String {
        let found = &results.found;
        let name = match column.name.strip_prefix('L') {
            Some(rest) => format!("l{rest}"),
            None => column.name.clone(),
        };
        let with = found.outcomes.iter();
        let with = with.filter(|outcome| column.returned_value(outcome, program) == Some(value));
        let (mut count, mut orders) = (0, Some(Count::default()));
        for outcome in with {
            count += 1;
            match (&mut orders, &outcome.orders) {
                (Some(sum), Some(own)) => sum.add(own),
                (orders, _) => *orders = None,
            }
        }
        let in_orders = match share(results, column, value) {
            Some(share) => format!("{} of all orders", percent(share)),
            None => String::from("some order"),
        };
        let value = show(value, column.ty);
        let all = results.lists_all();
        let listed = grouped(&Count::from(found.outcomes.len()));
        match (count, orders, &found.orders, self.reply) {
            (_, _, _, Some(Reply::Pending)) => String::from("Searching …"),
            (_, _, _, Some(Reply::No)) => format!("No: {name} returns {value} in no order."),
            (_, _, _, Some(Reply::Overwritten)) => format!(
                "Yes: {name} returns {value} in some order. \
                 A later instruction overwrites it, so the results below do not show it."
            ),
            (0, ..) if column.is_overwritten => {
                format!("Not known: no order was found in which {name} returns {value}.")
            }
            (0, ..) if all => format!("No: {name} returns {value} in no order."),
            (1, _, _, Some(Reply::Yes(at))) => format!(
                "Yes: {name} returns {value} in {in_orders}. Result {} is an example.",
                at + 1
            ),
            (_, _, _, Some(Reply::Yes(_))) => format!(
                "Yes: {name} returns {value} in {in_orders}: {count} of the {listed} results \
                 listed, perhaps others too."
            ),
            (0, ..) => format!(
                "{name} returns {value} in none of the {listed} results listed, perhaps in others."
            ),
            (_, Some(orders), Some(every), _) if all => format!(
                "Yes: {name} returns {value} in {} of {} orders: {count} of {} results.",
                short_count(&orders),
                short_count(every),
                short_count(&found.count)
            ),
            _ => format!("Yes: {name} returns {value} in {count} of the {listed} results listed."),
        }
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
fn offered(results: &Results, column: &Column, program: &Program) -> Vec<String> {
    let mut values: Vec<u64> = Vec::new();
    match &column.possible {
        Some(possible) => values.clone_from(possible),
        None => {
            for outcome in &results.found.outcomes {
                if let Some(value) = column.returned_value(outcome, program) {
                    insert(&mut values, value);
                }
            }
        }
    }
    values.truncate(MAX_OFFERED);
    values.iter().map(|value| show(*value, column.ty)).collect()
}
