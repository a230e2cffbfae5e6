//! Every result that some order of the lanes gives: searched in slices,
//! listed, asked for a returned value, replayed.

mod filter;
mod found;
mod known;
mod orders;
mod shares;
mod table;
#[cfg(test)]
mod tests;
mod told;
mod turns;
mod view;

pub(crate) use filter::FilterView;
pub(crate) use shares::{Field, Grid, percent};
pub(crate) use table::{Row, Table};
pub(crate) use turns::{Turn, TurnsView};
pub(crate) use view::{OutcomesView, Stage};

use super::State;
use filter::Reply;
use found::Found;
use lanewise_core::isa::Unit;
use lanewise_core::program::{Order, Program};
use lanewise_explore::{
    Outcome, Progress, QueryAnswer, ReachabilityQuery, Search, can_leave, can_return,
};
use std::rc::Rc;

/// The most results that are listed.
const LIMIT: usize = 500;

/// How many of them are shown at first, and how many more each time.
const ROWS: usize = 20;

/// How much work a search does before it asks whether to go on, in units of
/// [`Search::work`]: a second or two in a browser.
const UNASKED: u64 = 3_000_000;

/// What a reader can do with the outcomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutcomesAction {
    /// Search on, for about that many units of work.
    Work(usize),
    /// Search to the end, however long it takes.
    Compute,
    /// Search no further.
    Stop,
    /// Run the program in an order that gives a result, by its index.
    Replay(usize),
    /// Run the program in an order in which a lane of an instruction returns a
    /// value.
    ReplayReturn(u32, Unit, u64),
    /// Run it in an order that leaves a content, of a conflict by its index.
    ReplayContent(usize, u64),
    /// Show more results.
    More,
    /// Ask for what another lane returns, by its index.
    Lane(usize),
    /// Ask for this returned value; empty for any.
    Value(String),
    /// A turn is dragged to another place, or none is.
    Drag(Option<(usize, usize)>),
    /// A turn goes to another place.
    Move(usize, usize),
    /// A lane takes another place in the order, in the stage, where the focus
    /// stays.
    Reorder(usize, usize),
}

/// What is known of the outcomes of the program.
#[derive(Default)]
pub(super) struct Outcomes {
    /// The program that was looked at last.
    program: Option<Rc<Program>>,
    /// Its text without its `.order` lines: these make no difference.
    key: String,
    search: Option<Search>,
    progress: Option<Progress>,
    /// Whether a reader wants it, however long it takes.
    asked: bool,
    /// Whether it waits for a reader's word.
    paused: bool,
    found: Option<Found>,
    /// What the program's own orders give.
    own: Option<Outcome>,
    /// How many results are shown.
    shown: usize,
    /// The lane that is asked for, and the value.
    lane: usize,
    value: String,
    /// What was asked for last, of this very program.
    question: Option<ReachabilityQuery>,
    /// What a search for that lane and value said.
    reply: Option<Reply>,
    table: Option<Rc<Table>>,
    filter: Option<Rc<FilterView>>,
    dragged: Option<(usize, usize)>,
    /// What was done last, for those who do not see it.
    told: String,
    /// The turn that gets the focus, with a number that tells one time from
    /// the next.
    focus: Option<(u32, usize)>,
}

impl State {
    /// Whether a search is under way, or is to begin.
    pub(crate) fn has_outcomes_to_find(&self) -> bool {
        let outcomes = &self.outcomes;
        let seen = outcomes.program.as_ref();
        self.can_run()
            && (!seen.is_some_and(|program| Rc::ptr_eq(program, &self.written))
                || (outcomes.search.is_some() && !outcomes.paused))
    }

    pub(super) fn change_outcomes(&mut self, action: OutcomesAction) {
        if !self.can_run() {
            return;
        }
        self.notice_outcomes();
        let outcomes = &mut self.outcomes;
        match action {
            OutcomesAction::Work(budget) => self.search_outcomes(budget),
            OutcomesAction::Compute => {
                outcomes.asked = true;
                outcomes.paused = false;
            }
            OutcomesAction::Stop => outcomes.paused = true,
            OutcomesAction::Replay(index) => self.replay_outcomes(index),
            OutcomesAction::ReplayReturn(instruction, unit, value) => {
                let answer = can_return(&self.written, instruction, unit, value);
                self.replay_answer(answer);
            }
            OutcomesAction::ReplayContent(conflict, content) => {
                let found = self.outcomes.found.as_ref();
                let conflict = found.and_then(|found| found.answer.conflicts.get(conflict));
                if let Some(conflict) = conflict {
                    let (space, address) = (conflict.space, conflict.address);
                    let instruction = conflict.instruction;
                    let answer = can_leave(&self.written, instruction, space, address, content);
                    self.replay_answer(answer);
                }
            }
            OutcomesAction::More => {
                outcomes.shown += ROWS;
                self.list_outcomes();
            }
            OutcomesAction::Lane(lane) => {
                outcomes.lane = lane;
                self.ask_outcomes();
                self.list_outcomes();
            }
            OutcomesAction::Value(value) => {
                outcomes.value = value;
                self.ask_outcomes();
                self.list_outcomes();
            }
            OutcomesAction::Drag(dragged) => outcomes.dragged = dragged,
            OutcomesAction::Move(from, to) => self.move_turn(from, to),
            OutcomesAction::Reorder(from, to) => {
                let focus = outcomes.focus;
                self.move_turn(from, to);
                self.outcomes.focus = focus;
            }
        }
    }

    /// Looks at the program, if it is another one than before.
    fn notice_outcomes(&mut self) {
        let program = &self.written;
        let outcomes = &mut self.outcomes;
        let seen = outcomes.program.as_ref();
        if seen.is_some_and(|seen| Rc::ptr_eq(seen, program)) {
            return;
        }
        outcomes.program = Some(Rc::clone(program));
        outcomes.question = None;
        outcomes.dragged = None;
        let key = orders::without(&self.text);
        if key == outcomes.key && (outcomes.found.is_some() || outcomes.search.is_some()) {
            self.own_outcomes();
            self.list_outcomes();
            return;
        }
        let mut plain = Program::clone(program);
        for placed in &mut plain.instructions {
            placed.order = Rc::new(Order::default());
        }
        self.outcomes = Outcomes {
            program: Some(Rc::clone(program)),
            key,
            search: Some(Search::new(Rc::new(plain), LIMIT).with_distributions()),
            shown: ROWS,
            ..Outcomes::default()
        };
    }

    fn search_outcomes(&mut self, budget: usize) {
        let outcomes = &mut self.outcomes;
        let Some(search) = outcomes.search.as_mut().filter(|_| !outcomes.paused) else {
            return;
        };
        let progress = search.work(u64::try_from(budget).expect("a slice fits 64 bits"));
        outcomes.progress = Some(progress);
        if !progress.done {
            outcomes.paused = !outcomes.asked && search.spent() > UNASKED;
            return;
        }
        let Some(search) = outcomes.search.take() else {
            return;
        };
        let found = Found::new(search.result(), &self.session);
        self.outcomes.found = Some(found);
        self.own_outcomes();
        self.list_outcomes();
    }

    /// Notes what the program's own orders give.
    fn own_outcomes(&mut self) {
        let found = self.outcomes.found.as_ref();
        if found.is_some_and(|found| !found.answer.conflicts.is_empty()) {
            self.outcomes.own = Some(Outcome::of_run(&self.written));
        }
    }

    /// Lists the result that a query found, and replays it.
    fn replay_answer(&mut self, answer: QueryAnswer) {
        let program = Rc::clone(&self.written);
        match (answer.outcome, &mut self.outcomes.found) {
            (Some(outcome), Some(found)) => {
                let index = found.note(outcome, &program);
                self.replay_outcomes(index);
                self.list_outcomes();
            }
            _ => self.outcomes.told = String::from("No order was found in which it is so."),
        }
    }

    /// Writes the orders of a result into the text, and goes to the end.
    fn replay_outcomes(&mut self, index: usize) {
        let found = self.outcomes.found.as_ref();
        let Some(outcome) = found.and_then(|found| found.answer.outcomes.get(index)) else {
            return;
        };
        let turns = &outcome.schedules;
        let orders = turns.iter().map(|turns| {
            let instruction = usize::try_from(turns.instruction).unwrap_or(usize::MAX);
            (instruction, &*turns.units)
        });
        let orders: Vec<_> = orders.collect();
        let edited = orders::write(&self.text, &self.written, &orders);
        let lines = orders.len();
        if let Some((text, caret)) = edited {
            self.rewrite(&text, caret, false);
        }
        self.notice_outcomes();
        self.seek_end();
        let plural = if lines == 1 { "line" } else { "lines" };
        self.outcomes.told = format!(
            "Result {} is replayed: {lines} .order {plural} in the program, the run is at its end.",
            index + 1
        );
    }
}
