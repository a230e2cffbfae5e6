//! Checks of scenarios.

use lanewise_api::{Checked, Findings, MAX_FINDINGS};
use lanewise_core::program::Program;
use lanewise_core::session::RunOrder;

/// Most instructions that are run for a check.
const BUDGET: u64 = 20_000_000;

/// Runs a scenario that can be checked: a launch with the usual checks, other programs of
/// several threads for races. Marks `allowed` findings.
pub(crate) fn findings(program: &Program, allowed: &[String]) -> Option<Findings> {
    let words: &[&str] = match program.launch {
        Some(_) => &[],
        None => &["races"],
    };
    let is_alone = program.launch.is_none() && program.threads == 1;
    if !program.can_run() || is_alone {
        return None;
    }
    let checked = Checked::of(words).expect("known checks").within(BUDGET);
    let (_, report) = checked.run(program, RunOrder::of(program));
    let found = Findings::of(program, report, MAX_FINDINGS, allowed, None);
    Some(found)
}
