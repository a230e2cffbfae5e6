//! What the Outcomes pane shows.

use super::found::Found;
use super::shares::short_count;
use super::told::sentences;
use super::{FilterView, Grid, State, Table, TurnsView};
use lanewise_core::number::{ElementType, show};
use lanewise_explore::{Conflict, Count};
use std::rc::Rc;

/// The most contents that are told one by one.
const TOLD: usize = 32;

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Under way: thousandths of it.
    Works(u32),
    /// Waits for a reader's word.
    Waits(u32),
    Done,
}

/// What the Outcomes pane shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutcomesView {
    pub(crate) stage: Stage,
    /// How many results there are.
    pub(crate) count: String,
    /// What holds in every order.
    pub(crate) invariant: String,
    pub(crate) grids: Vec<Rc<Grid>>,
    /// Whether these are all, in words.
    pub(crate) complete: String,
    /// In what results differ and in what not; and what is known exactly where
    /// results are a sample.
    pub(crate) known: Vec<String>,
    pub(crate) table: Option<Rc<Table>>,
    pub(crate) filter: Option<Rc<FilterView>>,
    pub(crate) turns: Option<TurnsView>,
    /// What was done last.
    pub(crate) told: String,
}

impl State {
    /// What the Outcomes pane shows.
    pub(crate) fn outcomes_view(&self) -> OutcomesView {
        let outcomes = &self.outcomes;
        let stage = match outcomes.progress {
            _ if outcomes.found.is_some() => Stage::Done,
            Some(progress) if outcomes.paused => Stage::Waits(progress.permille),
            Some(progress) => Stage::Works(progress.permille),
            None => Stage::Works(0),
        };
        let mut view = OutcomesView {
            stage,
            count: String::new(),
            invariant: String::new(),
            grids: Vec::new(),
            complete: String::new(),
            known: Vec::new(),
            table: None,
            filter: None,
            turns: self.turns(),
            told: outcomes.told.clone(),
        };
        let seen = outcomes.program.as_ref();
        if self.can_run() && !seen.is_some_and(|seen| Rc::ptr_eq(seen, &self.written)) {
            // What was found is not of this program; it stays until there is
            // something else to see.
            view.count = String::from("Computing …");
            view.table.clone_from(&outcomes.table);
            view.filter.clone_from(&outcomes.filter);
            return view;
        }
        let Some(found) = &outcomes.found else {
            view.count = String::from(match stage {
                Stage::Waits(_) if outcomes.asked => "Stopped: results are not known yet.",
                Stage::Waits(_) => {
                    "Lanes hit the same bytes. To find all results may take a while."
                }
                _ => "Computing …",
            });
            return view;
        };
        let answer = &found.answer;
        if answer.conflicts.is_empty() && answer.complete {
            let fault = answer.outcomes.first().and_then(|o| o.fault.as_ref());
            if let Some(fault) = fault {
                view.count = String::from("Every order ends in a fault.");
                view.complete = format!("{}.", fault.message);
                return view;
            }
            view.count = String::from(match self.written.instructions.len() {
                0 => "There is no instruction to run.",
                _ => "No two lanes hit the same bytes: the order of the lanes makes no difference.",
            });
            return view;
        }
        let results = match answer.count.to_usize() {
            Some(1) => String::from("1 result"),
            _ => {
                format!("{} results", short_count(&answer.count))
            }
        };
        let at_least = if answer.complete { "" } else { "At least " };
        view.count = match &answer.orders {
            Some(orders) => {
                format!("{at_least}{results} of {} orders", short_count(orders))
            }
            None => format!("{at_least}{results}"),
        };
        view.invariant = self.invariant(found);
        view.grids = self.grids(answer);
        view.complete = complete(found);
        view.known = sentences(found, &self.written);
        if !answer.complete {
            let known = answer.conflicts.iter().filter_map(|c| self.known(c));
            view.known.extend(known);
            let mut returns = answer.conflicts.iter().flat_map(|c| &c.returns);
            if found.slots.iter().all(|slot| slot.possible.is_some()) && returns.next().is_some() {
                view.known.push(String::from(
                    "Exact: what each lane may get back. Ask for a lane and a value.",
                ));
            }
        }
        view.table.clone_from(&outcomes.table);
        view.filter.clone_from(&outcomes.filter);
        view
    }

    /// What a cell may hold in the end.
    fn known(&self, conflict: &Conflict) -> Option<String> {
        let contents = conflict.contents.as_ref()?;
        let instruction = conflict.instruction as usize;
        let placed = self.written.instructions.get(instruction)?;
        let ty = placed.instruction.shown_as(&self.written.symbols);
        let ty = match (ty.bytes() == conflict.bytes, conflict.bytes) {
            (true, _) => ty,
            (_, 2) => ElementType::Uw,
            (_, 4) => ElementType::Ud,
            _ => ElementType::Uq,
        };
        let values = contents.iter().take(TOLD).map(|value| show(*value, ty));
        let values = values.collect::<Vec<_>>().join(", ");
        let more = match contents.len().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!(
            "Exact: where {} lanes meet in line {}, {:#x} holds one of {values}{more} after it.",
            conflict.units.len(),
            placed.line + 1,
            conflict.address
        ))
    }
}

fn complete(found: &Found) -> String {
    let answer = &found.answer;
    let listed = answer.outcomes.len();
    if !answer.complete {
        return format!(
            "Not complete: there are more than can be counted. The {listed} below are a sample."
        );
    }
    if answer.count == Count::from(1_usize) {
        return String::from("Complete: every order gives the same.");
    }
    match found.lists_all() {
        true => String::from("Complete: every order is counted, every result is below."),
        false => format!("Complete: every order is counted. {listed} of the results are below."),
    }
}
