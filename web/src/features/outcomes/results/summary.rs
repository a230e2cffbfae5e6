//! What a search found, in words and grids.

use super::Results;
use super::format::{capitalized, counted, grouped, short_count};
use super::grids::{MAX_GRIDS, OutcomeGrid, grids};
use super::invariant::invariant;
use super::sentences::sentences;
use lanewise_explore::Count;
use std::rc::Rc;

/// What a search found, in words and grids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// How many results there are.
    pub(crate) count: String,
    /// Whether these are all.
    pub(crate) completeness: String,
    /// What holds in every order; empty where nothing does.
    pub(crate) invariant: String,
    pub(crate) grids: Vec<Rc<OutcomeGrid>>,
    /// How many more grids there are.
    pub(crate) more_grids: usize,
    /// In what results differ and in what not, and what is known exactly where
    /// the results listed are a sample.
    pub(crate) sentences: Vec<String>,
}

impl Summary {
    pub(crate) fn new(results: &Results) -> Self {
        let found = &results.found;
        if found.conflicts.is_empty() && found.complete {
            return Self::without_conflicts(results);
        }
        let results_word = match found.count.to_usize() {
            Some(1) => "result",
            _ => "results",
        };
        let count = format!("{} {results_word}", counted(found));
        let count = match &found.orders {
            Some(orders) => format!("{count} of {} orders", short_count(orders)),
            None => count,
        };
        let mut grids = grids(found, &results.program);
        let more_grids = grids.len().saturating_sub(MAX_GRIDS);
        grids.truncate(MAX_GRIDS);
        Self {
            count: capitalized(&count),
            completeness: completeness(results),
            invariant: invariant(results),
            grids,
            more_grids,
            sentences: sentences(results),
        }
    }

    fn without_conflicts(results: &Results) -> Self {
        let fault = results.found.outcomes.first();
        let fault = fault.and_then(|outcome| outcome.fault.as_ref());
        let (count, completeness) = match (fault, results.program.instructions.len()) {
            (Some(fault), _) => (
                "Every order ends in a fault.",
                format!("{}.", fault.message),
            ),
            (None, 0) => ("The program has no instructions.", String::new()),
            (None, _) => (
                "No two lanes access the same bytes: the order of the lanes makes no difference.",
                String::new(),
            ),
        };
        Self {
            count: String::from(count),
            completeness,
            ..Self::default()
        }
    }
}

fn completeness(results: &Results) -> String {
    let found = &results.found;
    let listed = grouped(&Count::from(found.outcomes.len()));
    if !found.complete {
        return format!(
            "Not complete: there are more than were counted. The {listed} below are a sample."
        );
    }
    if found.count == Count::from(1_usize) {
        return String::from("Complete: every order gives the same.");
    }
    if results.lists_all() {
        String::from("Complete: every order is counted, every result is below.")
    } else {
        format!("Complete: every order is counted. {listed} of the results are below.")
    }
}
