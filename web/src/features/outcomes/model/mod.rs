//! The outcomes of the program: what is searched for, what was found, and what
//! a reader does with it.

pub(crate) mod lane_order;
pub(crate) mod query;
pub(crate) mod table;

use crate::features::lanes::reorder::LaneMove;
use crate::features::outcomes::format::{short_count, tab_count};
use crate::features::outcomes::grids::GridValue;
use crate::features::outcomes::order_lines::{without, write};
use crate::features::outcomes::results::{Results, reordered};
use crate::features::outcomes::summary::Summary;
use crate::features::program::Source;
use crate::store::Slice;
use lane_order::LaneOrder;
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use lanewise_explore::{Count, DEFAULT_WORK, Outcome, QueryAnswer};
use lanewise_web::search_worker::{Query, SearchRequest, SearchResponse};
use query::{QueryView, Reply};
use std::rc::Rc;
use table::Table;

/// How many results are shown at first, and how many more each time.
const ROWS: usize = 20;

/// Above this many results the index of one is not shown.
const MOST_NUMBERED: usize = 1000;

/// How many times the work of the search before a reader has it search on for.
const MORE_WORK: u64 = 4;

/// The most steps of a run that is made to preview a result.
const MAX_PREVIEW: usize = 1 << 16;

/// What can be done about outcomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutcomesAction {
    /// The worker says something.
    Worker(Rc<SearchResponse>),
    /// There is no worker any more, for this reason.
    Failed(Rc<str>),
    /// Begin again, with another worker.
    Retry,
    /// Search on: with more work, where it was spent.
    Compute,
    /// Pause the search.
    Stop,
    /// Run the program in an order that gives a result, by its index.
    Replay(usize),
    /// Run the program in an order that gives a value.
    ReplayValue(GridValue),
    /// Show in the stage the order that gives a result, by its index; `None`
    /// shows the run again.
    Preview(Option<usize>),
    /// Show in the stage an order that gives a value, where one of the results
    /// listed shows it.
    PreviewValue(GridValue),
    /// Show more results.
    More,
    /// Look for what another lane returns, by its index.
    Lane(usize),
    /// Look for this returned value; empty for any.
    Value(String),
    /// A lane moves from one place in the order to another.
    Move(LaneMove),
}

/// The program that outcomes are of.
#[derive(Clone, Copy)]
pub(crate) struct ProgramContext<'s> {
    pub(crate) program: &'s Rc<Program>,
    pub(crate) text: &'s Rc<str>,
    pub(crate) session: &'s Session,
    /// Whether the text has no errors, so that the session is a run of it.
    pub(crate) can_run: bool,
}

impl<'s> ProgramContext<'s> {
    pub(crate) fn new(source: &'s Source, session: &'s Session) -> Self {
        Self {
            program: &source.document.program,
            text: &source.document.text,
            session,
            can_run: source.can_run(),
        }
    }
}

/// A change of the text that an action makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) text: String,
    /// Where the cursor goes, in bytes.
    pub(crate) caret: usize,
    /// Whether the run goes to its end.
    pub(crate) to_end: bool,
}

/// How far the search is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Status {
    /// Under way, so many thousandths of it.
    Working(u32),
    /// Paused by the reader.
    Paused(u32),
    #[default]
    Done,
    /// Done, without every result, because its work was spent.
    WorkSpent,
    /// The worker could not be started, or has failed.
    Failed(Rc<str>),
}

impl Status {
    /// Whether the search has come to an end.
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self, Self::Done | Self::WorkSpent)
    }
}

/// A request to the worker, with the number of the worker that it is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorkerRequest {
    /// Counts the workers that have failed.
    pub(crate) worker: u32,
    /// Tells one request from the next.
    serial: u32,
    pub(crate) request: Rc<SearchRequest>,
}

/// What the worker is asked for one result for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueryPurpose {
    /// To say whether there is one.
    Reply,
    /// To run the program in its order.
    Replay,
}

/// A result in the stage, in place of the run.
#[derive(Clone)]
struct PreviewedResult {
    index: usize,
    session: Slice<Session>,
}

/// What is known of the outcomes of the program.
#[derive(Clone, Default)]
pub(crate) struct Outcomes {
    /// The program that was looked at last.
    program: Option<Rc<Program>>,
    /// Its text without its `.order` lines: these make no difference.
    key: String,
    /// Whether the results are of another program than this.
    is_stale: bool,
    pub(super) status: Status,
    /// The search of this program, and the most work that it may do.
    search_id: u32,
    work: u64,
    /// The last requests to the worker.
    search_request: Option<WorkerRequest>,
    query_request: Option<WorkerRequest>,
    serial: u32,
    worker: u32,
    pub(super) results: Option<Rc<Results>>,
    summary: Option<Rc<Summary>>,
    /// The result of the program's own orders, and its index if it is listed.
    pub(super) own: Option<Outcome>,
    own_index: Option<usize>,
    /// How many results are shown.
    pub(super) shown: usize,
    /// The lane and the value that are looked for, and the worker's reply.
    pub(super) lane: usize,
    pub(super) value: String,
    pub(super) reply: Option<Reply>,
    /// The query under way: its id, and what for.
    pub(super) query: Option<(u32, QueryPurpose)>,
    table: Option<Rc<Table>>,
    query_view: Option<Rc<QueryView>>,
    preview: Option<PreviewedResult>,
    /// What was done last, for a screen reader.
    pub(super) announcement: String,
}

/// What the Outcomes pane shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutcomesView {
    pub(crate) status: Status,
    /// Whether the results are of the program before, or of one with errors.
    pub(crate) is_stale: bool,
    /// None before the first search has come to its end.
    pub(crate) summary: Option<Rc<Summary>>,
    pub(crate) table: Option<Rc<Table>>,
    pub(crate) query: Option<Rc<QueryView>>,
    pub(crate) order: Option<Rc<LaneOrder>>,
    pub(crate) announcement: String,
}

impl OutcomesView {
    /// Whether there are results of this program.
    pub(crate) fn has_results(&self) -> bool {
        self.summary.is_some() && !self.is_stale
    }
}

impl Outcomes {
    /// What the worker is to search for now.
    pub(crate) fn search_request(&self) -> Option<WorkerRequest> {
        self.search_request.clone()
    }

    /// What the worker is to look for now.
    pub(crate) fn query_request(&self) -> Option<WorkerRequest> {
        self.query_request.clone()
    }

    /// How many results there are, for a tab; none before that is known.
    pub(crate) fn count_text(&self) -> Option<String> {
        let results = self.results.as_ref().filter(|_| !self.is_stale)?;
        Some(tab_count(&results.found.count, results.found.complete))
    }

    /// Which result the stage shows: `Result 5 of 14, 3 of 24 orders`; of very
    /// many what all of them have in common. Empty where the order makes no
    /// difference, or nothing is known.
    pub(crate) fn stage_text(&self) -> String {
        let Some(results) = self.results.as_ref().filter(|_| !self.is_stale) else {
            return String::new();
        };
        let found = &results.found;
        if found.conflicts.is_empty() {
            return String::new();
        }
        let preview = self.preview.as_ref().map(|preview| preview.index);
        let lead = match preview {
            Some(_) => "Preview: result",
            None => "Result",
        };
        if found
            .count
            .to_usize()
            .is_none_or(|count| count > MOST_NUMBERED)
        {
            let summary = self.summary.as_ref().filter(|_| preview.is_none());
            let invariant = summary.map(|summary| summary.invariant.clone());
            let count = short_count(&found.count);
            return match (preview, invariant.filter(|text| !text.is_empty())) {
                (_, Some(invariant)) => invariant,
                (Some(_), None) => format!("Preview: one of {count} results"),
                (None, None) => format!("One of {count} results"),
            };
        }
        let index = preview.or(self.own_index);
        let outcome = index.and_then(|index| found.outcomes.get(index));
        let (Some(index), Some(outcome)) = (index, outcome) else {
            return format!("One of {} results", short_count(&found.count));
        };
        if found.complete && found.count == Count::from(1_usize) {
            return String::from("Every order gives this result");
        }
        let count = if found.complete {
            short_count(&found.count)
        } else {
            format!("at least {}", short_count(&found.count))
        };
        match (&outcome.orders, &found.orders) {
            (Some(own), Some(all)) => format!(
                "{lead} {} of {count}, {} of {} orders",
                index + 1,
                short_count(own),
                short_count(all)
            ),
            _ => format!("{lead} {} of {count}", index + 1),
        }
    }

    /// The run that the stage shows in place of the program's own.
    pub(crate) fn preview(&self) -> Option<&Slice<Session>> {
        self.preview.as_ref().map(|preview| &preview.session)
    }

    /// What the Outcomes pane shows.
    pub(crate) fn view(&self, context: ProgramContext<'_>) -> OutcomesView {
        OutcomesView {
            status: self.status.clone(),
            is_stale: self.is_stale || !context.can_run,
            summary: self.summary.clone(),
            table: self.table.clone(),
            query: self.query_view.clone(),
            order: self.lane_order(context).map(Rc::new),
            announcement: self.announcement.clone(),
        }
    }

    /// Whether they are of this program already, or it has errors.
    pub(crate) fn follows(&self, context: ProgramContext<'_>) -> bool {
        let is_same = |seen: &Rc<Program>| Rc::ptr_eq(seen, context.program);
        !context.can_run || self.program.as_ref().is_some_and(is_same)
    }

    /// Follows the program: a new search, unless only the orders of the lanes
    /// have changed. Errors leave everything as it is.
    pub(crate) fn follow(&mut self, context: ProgramContext<'_>) {
        if self.follows(context) {
            return;
        }
        let program = context.program;
        self.preview = None;
        self.query = None;
        let is_first = self.program.is_none();
        self.program = Some(Rc::clone(program));
        let key = without(context.text);
        if !is_first && key == self.key {
            if !self.is_stale {
                self.find_return(context);
                self.summarize(program);
            }
            return;
        }
        let results = self.results.take();
        *self = Self {
            program: Some(Rc::clone(program)),
            key,
            is_stale: true,
            status: Status::Working(0),
            search_id: self.search_id.wrapping_add(1),
            work: DEFAULT_WORK,
            worker: self.worker,
            serial: self.serial,
            // Shown until there is something else to see.
            results,
            summary: self.summary.take(),
            table: self.table.take(),
            query_view: self.query_view.take(),
            shown: ROWS,
            ..Self::default()
        };
        self.search(context.text);
    }

    /// Takes an action. Returns the change of the text that it makes.
    pub(crate) fn apply(
        &mut self,
        action: OutcomesAction,
        context: ProgramContext<'_>,
    ) -> Option<Edit> {
        // While the text has errors the results are of the program that ran last,
        // and nothing is done with them that needs the text.
        let last = self.program.clone();
        let context = match &last {
            Some(program) if !context.can_run => ProgramContext { program, ..context },
            _ => context,
        };
        let needs_text = !matches!(
            action,
            OutcomesAction::Worker(_)
                | OutcomesAction::Failed(_)
                | OutcomesAction::Stop
                | OutcomesAction::More
                | OutcomesAction::Preview(None)
        );
        if needs_text && !context.can_run {
            return None;
        }
        self.follow(context);
        match action {
            OutcomesAction::Worker(response) => return self.take_response(&response, context),
            OutcomesAction::Failed(reason) => {
                self.worker = self.worker.wrapping_add(1);
                self.query = None;
                self.reply = None;
                self.status = Status::Failed(reason);
                self.list(context.program);
            }
            OutcomesAction::Retry => {
                self.status = Status::Working(0);
                self.search(context.text);
            }
            OutcomesAction::Compute => self.search_on(context.text),
            OutcomesAction::Stop => {
                if let Status::Working(permille) = self.status {
                    self.status = Status::Paused(permille);
                    let request = self.worker_request(SearchRequest::Stop);
                    self.search_request = Some(request);
                }
            }
            // Results of another program are only looked at.
            OutcomesAction::Replay(_)
            | OutcomesAction::ReplayValue(_)
            | OutcomesAction::Preview(Some(_))
            | OutcomesAction::PreviewValue(_)
                if self.is_stale => {}
            OutcomesAction::Replay(index) => return self.replay(index, context),
            OutcomesAction::ReplayValue(value) => {
                let results = self.results.as_ref()?;
                if let Some(index) = results.example(value, context.program) {
                    return self.replay(index, context);
                }
                let query = results.query(value)?;
                self.send_query(query, QueryPurpose::Replay, context);
            }
            OutcomesAction::PreviewValue(value) => {
                let results = self.results.as_ref()?;
                let index = results.example(value, context.program);
                self.show_preview(index, context);
            }
            OutcomesAction::Preview(index) => self.show_preview(index, context),
            OutcomesAction::More => {
                self.shown += ROWS;
                self.list(context.program);
            }
            OutcomesAction::Lane(lane) => {
                self.lane = lane;
                self.find_return(context);
                self.list(context.program);
            }
            OutcomesAction::Value(value) => {
                self.value = value;
                self.find_return(context);
                self.list(context.program);
            }
            OutcomesAction::Move(moved) => return self.move_lane(moved, context),
        }
        None
    }

    fn worker_request(&mut self, request: SearchRequest) -> WorkerRequest {
        self.serial = self.serial.wrapping_add(1);
        WorkerRequest {
            worker: self.worker,
            serial: self.serial,
            request: Rc::new(request),
        }
    }

    /// Has the worker search, or go on with the search that it has.
    fn search(&mut self, text: &str) {
        let request = self.worker_request(SearchRequest::Search {
            id: self.search_id,
            text: String::from(text),
            work: self.work,
        });
        self.search_request = Some(request);
    }

    fn search_on(&mut self, text: &str) {
        match self.status {
            Status::Paused(permille) => self.status = Status::Working(permille),
            Status::WorkSpent => {
                self.work = self.work.saturating_mul(MORE_WORK);
                self.status = Status::Working(0);
            }
            Status::Working(_) | Status::Done | Status::Failed(_) => return,
        }
        self.search(text);
    }

    /// Has the worker look for one result.
    pub(super) fn send_query(
        &mut self,
        query: Query,
        purpose: QueryPurpose,
        context: ProgramContext<'_>,
    ) {
        let id = self.serial.wrapping_add(1);
        let request = self.worker_request(SearchRequest::Query {
            id,
            text: String::from(&**context.text),
            query,
        });
        self.query_request = Some(request);
        self.query = Some((id, purpose));
    }

    fn take_response(
        &mut self,
        response: &SearchResponse,
        context: ProgramContext<'_>,
    ) -> Option<Edit> {
        match response {
            SearchResponse::Progress { id, permille } if *id == self.search_id => {
                if matches!(self.status, Status::Working(_) | Status::Failed(_)) {
                    self.status = Status::Working(*permille);
                }
            }
            SearchResponse::Found {
                id,
                result,
                is_work_spent,
            } if *id == self.search_id => {
                self.status = if !result.complete && *is_work_spent {
                    Status::WorkSpent
                } else {
                    Status::Done
                };
                self.preview = None;
                self.results = Some(Rc::new(Results::new(result.clone(), context.session)));
                self.is_stale = false;
                self.find_return(context);
                self.summarize(context.program);
            }
            SearchResponse::Answer { id, answer } => {
                let (_, purpose) = self.query.take_if(|(wanted, _)| wanted == id)?;
                match purpose {
                    QueryPurpose::Replay if !context.can_run => return None,
                    QueryPurpose::Replay => return self.replay_answer(answer, context),
                    QueryPurpose::Reply => {
                        self.take_reply(answer.clone(), context.program);
                        self.list(context.program);
                    }
                }
            }
            // Of a search or a query that another one has replaced; a panic
            // is an action of its own.
            SearchResponse::Progress { .. }
            | SearchResponse::Found { .. }
            | SearchResponse::Panicked(_) => {}
        }
        None
    }

    /// Says anew what was found, for lines have moved, and which result the
    /// program's own orders give.
    fn summarize(&mut self, program: &Rc<Program>) {
        self.own = None;
        self.own_index = None;
        if let Some(results) = &self.results {
            if !results.found.conflicts.is_empty() {
                let own = Outcome::of_run(program);
                let mut listed = results.found.outcomes.iter();
                self.own_index = listed.position(|outcome| outcome.is_same_result(&own));
                self.own = Some(own);
            }
            self.summary = Some(Rc::new(Summary::new(results, program)));
        }
        self.list(program);
    }

    /// Lists the results again.
    fn list(&mut self, program: &Rc<Program>) {
        let results = self.results.as_ref().filter(|_| !self.is_stale);
        let Some(results) = results else { return };
        let has_conflicts = !results.found.conflicts.is_empty() || !results.found.complete;
        self.table = has_conflicts.then(|| Rc::new(Table::new(self, results, program)));
        self.query_view = self.query_view(results, program).map(Rc::new);
    }

    fn show_preview(&mut self, index: Option<usize>, context: ProgramContext<'_>) {
        self.preview = index.and_then(|index| self.preview_of(index, context));
    }

    /// The run of a result, at the end of the instruction that the stage shows.
    fn preview_of(&self, index: usize, context: ProgramContext<'_>) -> Option<PreviewedResult> {
        let outcome = self.results.as_ref()?.found.outcomes.get(index)?;
        let current = context.session.current_instruction()?;
        let program = Rc::new(reordered(context.program, &outcome.schedules));
        let mut session = Session::new(program);
        let end = loop {
            let next = session.instruction_starts().nth(current + 1);
            if let Some(next) = next {
                break next;
            }
            let known = session.known();
            if session.is_explored() || known > MAX_PREVIEW {
                break known;
            }
            session.explore(known + 1024);
        };
        session.seek(end);
        let session = Slice::new(session);
        Some(PreviewedResult { index, session })
    }

    /// Adds the result that a query found to the list, and replays it.
    fn replay_answer(&mut self, answer: &QueryAnswer, context: ProgramContext<'_>) -> Option<Edit> {
        match (&answer.outcome, &mut self.results) {
            (Some(outcome), Some(results)) => {
                let index = Rc::make_mut(results).add(outcome.clone(), context.program);
                self.list(context.program);
                self.replay(index, context)
            }
            _ => {
                self.announcement = String::from("No such order was found.");
                None
            }
        }
    }

    /// Writes the orders of a result into the text, and goes to the end.
    fn replay(&mut self, index: usize, context: ProgramContext<'_>) -> Option<Edit> {
        let outcome = self.results.as_ref()?.found.outcomes.get(index)?;
        let orders = outcome.schedules.iter().map(|schedule| {
            let instruction = usize::try_from(schedule.instruction).expect("indices fit");
            (instruction, &*schedule.units)
        });
        let orders: Vec<_> = orders.collect();
        let lines = orders.len();
        let (text, caret) = write(context.text, context.program, &orders)?;
        self.preview = None;
        let plural = if lines == 1 { "line" } else { "lines" };
        self.announcement = format!(
            "Replayed result {}: {lines} .order {plural} in the program, the run is at its end.",
            index + 1
        );
        Some(Edit {
            text,
            caret,
            to_end: true,
        })
    }
}
