//! "Can lane 3 get 7 back?"

use super::State;
use super::found::{Column, Found};
use super::known::insert;
use super::told::grouped;
use lanewise_core::number::{parse_literal, show};
use lanewise_explore::{Count, ReachabilityQuery};
use yew::AttrValue;

/// The most values that are offered.
const OFFERED: usize = 64;

/// A question for what a lane returns, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilterView {
    /// The lanes that may be asked for.
    pub(crate) lanes: Vec<AttrValue>,
    pub(crate) lane: usize,
    pub(crate) value: String,
    /// Values that it may return.
    pub(crate) offered: Vec<String>,
    /// The answer in words; empty without a question.
    pub(crate) answer: String,
    /// Whether the value cannot be read.
    pub(crate) wrong: bool,
}

/// What a search for one value of one lane said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Some order gives it: the index of its result.
    Yes(usize),
    /// Some order gives it, and a later instruction writes over it.
    Over,
    No,
    Unknown,
}

impl State {
    /// Looks for an order that gives the lane the value, where the results
    /// listed are not all.
    pub(super) fn ask_outcomes(&mut self) {
        self.outcomes.reply = None;
        let Some(mut found) = self.outcomes.found.take() else {
            return;
        };
        let wanted = self.wanted_value(&found);
        let wanted = wanted.and_then(|(slot, value)| Some((slot.clone(), slot.of?, value)));
        let asks = |slot: &Column| slot.over || !found.lists_all();
        let wanted = wanted.filter(|(slot, ..)| asks(slot));
        if let Some((slot, (instruction, unit), value)) = wanted {
            let possible = slot.possible.as_ref().map(|all| all.contains(&value));
            let program = &self.written;
            self.outcomes.reply = Some(match possible {
                Some(false) => Reply::No,
                _ => {
                    let question = self.outcomes.question.take();
                    let question = question.filter(|q| q.is_for(instruction, unit));
                    let mut question = question
                        .unwrap_or_else(|| ReachabilityQuery::new(program, instruction, unit));
                    let asked = question.answer(program, value);
                    self.outcomes.question = Some(question);
                    // What a later instruction makes of the register is not
                    // what the lane got back.
                    let shows = |outcome: &_| slot.got(outcome, program) == Some(value);
                    match asked.outcome {
                        Some(outcome) if shows(&outcome) => {
                            Reply::Yes(found.note(outcome, program))
                        }
                        Some(_) => Reply::Over,
                        None if asked.is_certain => Reply::No,
                        None => Reply::Unknown,
                    }
                }
            });
        }
        self.outcomes.found = Some(found);
    }

    /// The lane and the value that are asked for.
    pub(super) fn wanted_value<'f>(&self, found: &'f Found) -> Option<(&'f Column, u64)> {
        let slot = found.slots.get(self.outcomes.lane)?;
        let value = parse_literal(self.outcomes.value.trim(), slot.ty).ok()?;
        Some((slot, value))
    }

    pub(super) fn filter(&self, found: &Found) -> Option<FilterView> {
        let slot = found.slots.get(self.outcomes.lane)?;
        let value = self.outcomes.value.clone();
        let asks = !value.trim().is_empty();
        let wanted = self.wanted_value(found);
        let name = match slot.name.strip_prefix('L') {
            Some(rest) => format!("l{rest}"),
            None => slot.name.clone(),
        };
        let several = found.slots.iter().any(|s| s.what != slot.what);
        let lane = |slot: &Column| match several {
            true => AttrValue::from(format!("{}, {}", slot.name, slot.what)),
            false => AttrValue::from(slot.name.clone()),
        };
        Some(FilterView {
            lanes: found.slots.iter().map(lane).collect(),
            lane: self.outcomes.lane,
            offered: self.offered(found, slot),
            answer: match wanted {
                Some((slot, value)) => self.answer(found, slot, value, &name),
                None if asks => format!("Write a value of type {}.", slot.ty.name()),
                None => String::new(),
            },
            wrong: asks && wanted.is_none(),
            value,
        })
    }

    /// Values that a lane may return, ascending as bits.
    fn offered(&self, found: &Found, slot: &Column) -> Vec<String> {
        let mut values: Vec<u64> = Vec::new();
        for outcome in &found.answer.outcomes {
            if let Some(value) = slot.got(outcome, &self.written) {
                insert(&mut values, value);
            }
        }
        if let Some(possible) = &slot.possible {
            values.clone_from(possible);
        }
        values.truncate(OFFERED);
        values.iter().map(|value| show(*value, slot.ty)).collect()
    }

    fn answer(&self, found: &Found, slot: &Column, value: u64, name: &str) -> String {
        let answer = &found.answer;
        let listed = answer.outcomes.iter();
        let with = listed.filter(|outcome| slot.got(outcome, &self.written) == Some(value));
        let (mut results, mut orders) = (0, Some(Count::default()));
        for outcome in with {
            results += 1;
            match (&mut orders, &outcome.orders) {
                (Some(sum), Some(own)) => sum.add(own),
                (orders, _) => *orders = None,
            }
        }
        let value = show(value, slot.ty);
        let all = found.lists_all();
        let listed = grouped(&Count::from(answer.outcomes.len()));
        match (results, orders, &answer.orders, self.outcomes.reply) {
            (_, _, _, Some(Reply::No)) => format!("No: no order gives {name} the value {value}."),
            (_, _, _, Some(Reply::Over)) => format!(
                "Yes: some order gives {name} the value {value}. \
                 A later instruction writes over it, so the results below do not tell."
            ),
            (0, ..) if slot.over => {
                format!("Not known: no order was found that gives {name} the value {value}.")
            }
            (0, ..) if all => format!("No: no order gives {name} the value {value}."),
            (1, _, _, Some(Reply::Yes(at))) => format!(
                "Yes: some order gives {name} the value {value}. Result {} is one that does.",
                at + 1
            ),
            (_, _, _, Some(Reply::Yes(_))) => format!(
                "Yes: some order gives {name} the value {value}: \
                 {results} of the {listed} results listed do, others may as well."
            ),
            (0, ..) => format!(
                "None of the {listed} results listed gives {name} the value {value}. Others may."
            ),
            (_, Some(orders), Some(every), _) if all => format!(
                "Yes: {} of {} orders give {name} the value {value}: {results} of {} results.",
                grouped(&orders),
                grouped(every),
                grouped(&answer.count)
            ),
            _ => format!(
                "Yes: {results} of the {listed} results listed give {name} the value {value}."
            ),
        }
    }
}
