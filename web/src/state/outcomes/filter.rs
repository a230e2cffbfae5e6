//! "Can lane 3 get 7 back?"

use super::State;
use super::found::{Column, Found, insert};
use lanewise_core::number::{parse_literal, show};
use lanewise_core::outcomes::Count;
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

impl State {
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
            if let Some(value) = slot.of(outcome, &self.written) {
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
        let with = listed.filter(|outcome| slot.of(outcome, &self.written) == Some(value));
        let (mut results, mut orders) = (0, Some(Count::default()));
        for outcome in with {
            results += 1;
            match (&mut orders, &outcome.orders) {
                (Some(sum), Some(own)) => sum.add(own),
                (orders, _) => *orders = None,
            }
        }
        let raw = value;
        let value = show(value, slot.ty);
        let all = found.lists_all();
        let possible = slot.possible.as_ref().map(|all| all.contains(&raw));
        match (results, orders, &answer.orders) {
            (0, ..) if all || possible == Some(false) => {
                format!("No order gives {name} the value {value}.")
            }
            (0, ..) if possible == Some(true) => format!(
                "Some order gives {name} the value {value}, but none of the {} results listed does.",
                answer.outcomes.len()
            ),
            (0, ..) => format!(
                "None of the {} results listed gives {name} the value {value}. Others may.",
                answer.outcomes.len()
            ),
            (_, Some(orders), Some(every)) if all => format!(
                "{orders} of {every} orders give {name} the value {value}: {results} of {} results.",
                answer.count
            ),
            _ => format!(
                "{results} of the {} results listed give {name} the value {value}.",
                answer.outcomes.len()
            ),
        }
    }
}
