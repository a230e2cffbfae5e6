//! Summary of a search, in words and grids.

use super::Results;
use super::format::{counted, grouped, short_count};
use super::grids::{MAX_GRIDS, OutcomeGrid, grids};
use super::invariant::invariant;
use super::sentences::sentences;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::text::capitalized;
use lanewise_explore::Count;

/// Summary of a search, in words and grids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of results.
    pub count: String,
    /// Whether the search was complete.
    pub completeness: String,
    /// Headline that holds in every order; empty if none is known.
    pub invariant: String,
    pub grids: Vec<OutcomeGrid>,
    /// Number of omitted grids.
    pub more_grids: usize,
    /// Sentences about what differs and what does not, and about what is known
    /// exactly if the listed results are a sample.
    pub sentences: Vec<String>,
}

impl Summary {
    pub fn new(results: &Results) -> Self {
        let found = &results.found;
        if found.is_unfinished {
            return Self::unfinished(results);
        }
        if found.conflicts.is_empty() && found.complete {
            return Self::without_conflicts(results);
        }
        let results_word = match found.count.to_usize() {
            Some(1) => "result",
            _ => "results",
        };
        let count = format!("{} {results_word}", counted(found));
        let count = match &found.orders {
            _ if found.count == Count::from(0_usize) => String::from("no result found yet"),
            Some(orders) if *orders == Count::from(1_usize) => String::from("1 order tried"),
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

    /// Of a program that Lanewise cannot run to its end.
    fn unfinished(results: &Results) -> Self {
        let outcomes = results.found.outcomes.iter();
        let mut faults = outcomes.filter(|outcome| outcome.is_unfinished());
        let fault = faults.find_map(|outcome| outcome.fault.as_ref());
        Self {
            count: String::from("The result is not known."),
            completeness: fault.map_or_else(String::new, |fault| format!("{}.", fault.message)),
            ..Self::default()
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
            (None, _) if results.found.has_other_schedules => (
                "Lanes of one instruction do not access the same bytes.",
                completeness(results),
            ),
            (None, _) => (
                "Lanes do not access the same bytes, so lane order does not affect the result.",
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
    if found.has_cycle {
        return format!("Some orders may never end; {listed} outcomes that end are listed.");
    }
    if found.has_other_schedules {
        return String::from(
            "Orders of threads and work-groups are not searched. \
             A launch with checks finds their races; \
             `lanewise run FILE --schedules 8` compares some of their orders.",
        );
    }
    if !found.complete {
        return match found.outcomes.len() {
            1 => String::from("Search limit reached; 1 outcome so far."),
            _ if results.found.count > Count::from(found.outcomes.len()) => {
                format!("Search limit reached; {listed} of the outcomes are listed.")
            }
            _ => format!("Search limit reached; {listed} outcomes so far."),
        };
    }
    if found.count == Count::from(1_usize) {
        return String::from("Complete: lane order does not affect the result.");
    }
    if results.lists_all() {
        String::from("Complete: all orders are counted and all results are listed.")
    } else {
        format!("Complete: all orders are counted; {listed} of the results are listed.")
    }
}
