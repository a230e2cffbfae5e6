//! The program's own result among those found.

use super::Results;
use super::format::{counted, short_count};
use super::invariant::invariant;
use alloc::format;
use alloc::string::String;
use lanewise_explore::{Count, Outcome};

/// Maximum number of results for which the index is shown.
const MAX_NUMBERED: usize = 1000;

/// The program's own result.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnResult {
    pub outcome: Outcome,
    /// Index, if listed.
    index: Option<usize>,
}

impl OwnResult {
    /// `None` if the order does not affect the result.
    pub fn of(results: &Results) -> Option<Self> {
        if results.found.conflicts.is_empty() {
            return None;
        }
        let outcome = Outcome::of_run(&results.program);
        let mut listed = results.found.outcomes.iter();
        let index = listed.position(|other| other.is_same_result(&outcome));
        Some(Self { outcome, index })
    }
}

/// Describes the result shown in the stage, the run's own or a previewed one:
/// `Result 5 of 14, 3 of 24 orders`. If there are very many, only the total.
/// Empty if lanes do not conflict. In a trial, the run's order is not that of the
/// text.
#[must_use]
pub fn stage_text(
    results: &Results,
    own: Option<&OwnResult>,
    preview: Option<usize>,
    is_trial: bool,
) -> String {
    let Some(own) = own else {
        return String::new();
    };
    let found = &results.found;
    let total = counted(found);
    let is_preview = is_trial || preview.is_some();
    let lead = if is_preview {
        "Preview: result"
    } else {
        "Result"
    };
    let count = found.count.to_usize();
    if count == Some(0) {
        return String::from("The search found no result yet");
    }
    if count.is_none_or(|count| count > MAX_NUMBERED) {
        if is_preview {
            return format!("Preview: one of {total} results");
        }
        let invariant = invariant(results);
        if invariant.is_empty() {
            return format!("One of {total} results");
        }
        return invariant;
    }
    let index = preview.or(own.index);
    let outcome = index.and_then(|index| found.outcomes.get(index));
    let (Some(index), Some(outcome)) = (index, outcome) else {
        return format!("One of {total} results");
    };
    if found.has_other_schedules && found.count == Count::from(1_usize) {
        return String::from(
            "No lane order affects the result; orders of threads are not searched",
        );
    }
    if found.complete && found.count == Count::from(1_usize) {
        return String::from("Lane order does not affect the result");
    }
    match (&outcome.orders, &found.orders) {
        (Some(own), Some(all)) => format!(
            "{lead} {} of {total}, {} of {} orders",
            index + 1,
            short_count(own),
            short_count(all)
        ),
        _ => format!("{lead} {} of {total}", index + 1),
    }
}
