//! State of Outcomes: requests to the worker, results, and user actions.

use super::OutcomesAction;
use crate::features::program::Source;
use crate::store::Slice;
use lanewise_answer::results::{
    GridValue, Reply, ReplyState, Results, WantedReturn, move_lane, reordered, tab_count,
    write_orders,
};
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, LaunchRun, Session};
use lanewise_core::text::Rewritten;
use lanewise_explore::{DEFAULT_WORK, LaneSchedule, QueryAnswer};
use lanewise_web::search_worker::{Query, SearchRequest, SearchResponse};
use std::rc::Rc;

/// Number of results per page of the list.
const ROWS: usize = 20;

/// Factor by which "Search longer" raises the work limit.
const MORE_WORK: u64 = 4;

/// Maximum number of steps run for a preview.
const MAX_PREVIEW: usize = 1 << 16;

#[derive(Clone, Copy)]
pub(crate) struct ProgramContext<'s> {
    pub(crate) program: &'s Rc<Program>,
    pub(crate) text: &'s Rc<str>,
    pub(crate) session: &'s Session,
    /// Whether the text has no errors, so that the session runs it.
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

/// Effect of an action outside of the pane.
pub(crate) enum Effect {
    Rewrite(Rewritten),
    /// Runs the program with other lane orders.
    Run(Rc<Program>, RunEnd),
}

/// Where a run with other lane orders stops.
pub(crate) enum RunEnd {
    /// At the current position.
    Here,
    /// After the access of a lane in an issue; without a lane, after the issue.
    Access(IssueIndex, Option<Unit>),
    End,
}

/// Lane orders of the run that the text does not have, until they are kept or
/// discarded.
#[derive(Clone)]
struct Trial {
    /// Program with the orders of the text.
    original: Rc<Program>,
    schedules: Vec<LaneSchedule>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Status {
    /// Running; progress in thousandths.
    Working(u32),
    /// Paused by the user; progress in thousandths.
    Paused(u32),
    #[default]
    Done,
    /// The work limit was reached before all results were found.
    WorkSpent,
    /// The worker failed or could not be started.
    Failed(Rc<str>),
}

impl Status {
    /// Whether the search has ended.
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self, Self::Done | Self::WorkSpent)
    }
}

/// Request to a numbered worker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorkerRequest {
    /// Worker number: incremented when a failed worker is replaced.
    pub(crate) worker: u32,
    /// Distinguishes successive requests.
    serial: u32,
    pub(crate) request: Rc<SearchRequest>,
}

#[derive(Clone, Debug, PartialEq)]
struct PendingQuery {
    id: u32,
    query: Query,
    /// The value for which an order is replayed; `None` answers the returned-value form.
    replayed: Option<GridValue>,
}

/// Result shown in the stage instead of the run.
#[derive(Clone)]
struct PreviewedResult {
    index: usize,
    session: Slice<Session>,
}

/// Announcement of an action's result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Announcement {
    pub(crate) text: String,
    /// Whether to show the announcement to everyone, because it is not visible
    /// otherwise.
    pub(crate) is_visible: bool,
}

/// Outcomes of the program. Display models are built in [`super::view`].
#[derive(Clone, Default)]
pub(crate) struct Outcomes {
    /// Last program seen.
    program: Option<Rc<Program>>,
    pub(super) status: Status,
    /// Identifies the search for this program.
    search_id: u32,
    /// Work limit of the search, in its units.
    work: u64,
    /// Last search or stop request, and the last query.
    pub(super) search_request: Option<WorkerRequest>,
    pub(super) query_request: Option<WorkerRequest>,
    /// Numbers of the last request and its worker.
    serial: u32,
    worker: u32,
    /// Whether the worker has failed, so that the next request needs another one.
    has_worker_failed: bool,
    pub(super) results: Option<Slice<Results>>,
    /// Whether the results belong to an earlier program; shown until new ones
    /// arrive.
    pub(super) is_stale: bool,
    /// Number of results shown.
    pub(super) shown: usize,
    pub(super) wanted: WantedReturn,
    /// The worker's reply to the query.
    reply: Option<Reply>,
    pending: Option<PendingQuery>,
    preview: Option<PreviewedResult>,
    trial: Option<Trial>,
    pub(super) announcement: Announcement,
}

impl Outcomes {
    pub(super) fn current_results(&self) -> Option<&Slice<Results>> {
        self.results.as_ref().filter(|_| !self.is_stale)
    }

    /// Number of results for a tab, once one is known.
    pub(crate) fn count_text(&self) -> Option<String> {
        let found = &self.current_results()?.found;
        tab_count(&found.count, found.complete)
    }

    /// Run shown in the stage instead of the program's own.
    pub(crate) fn preview(&self) -> Option<&Slice<Session>> {
        self.preview.as_ref().map(|preview| &preview.session)
    }

    /// Whether the run has lane orders that the text does not have.
    pub(crate) const fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Index of the result shown in the stage instead of the run.
    pub(super) fn previewed_index(&self) -> Option<usize> {
        self.preview.as_ref().map(|preview| preview.index)
    }

    /// Value for which the worker is looking for an order to replay.
    pub(super) fn replaying(&self) -> Option<GridValue> {
        self.pending.as_ref()?.replayed
    }

    #[cfg(test)]
    pub(super) const fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether the worker is to answer a search or a query.
    pub(super) const fn awaits_response(&self) -> bool {
        matches!(self.status, Status::Working(_)) || self.pending.is_some()
    }

    /// State of the worker's reply to the returned-value form.
    pub(super) fn reply_state(&self) -> ReplyState {
        let needs_reply = |results: &Slice<Results>| self.wanted.query(results).is_some();
        match (self.current_results(), self.reply) {
            (None, _) if matches!(self.status, Status::Working(_)) => ReplyState::Expected,
            (None, _) => ReplyState::NoResults,
            (Some(_), Some(reply)) => ReplyState::Known(reply),
            (Some(results), None) if self.pending.is_some() && needs_reply(results) => {
                ReplyState::Expected
            }
            (Some(_), None) => ReplyState::NotAsked,
        }
    }

    /// Announcement of the last action.
    pub(crate) fn announcement(&self) -> &str {
        &self.announcement.text
    }

    /// Ends the preview; the stage shows the program's own run.
    pub(crate) fn end_preview(&mut self) {
        self.preview = None;
    }

    /// Whether the outcomes belong to this program, or the program has errors.
    pub(crate) fn belong_to(&self, context: ProgramContext<'_>) -> bool {
        let is_same = |seen: &Rc<Program>| Rc::ptr_eq(seen, context.program);
        !context.can_run || self.program.as_ref().is_some_and(is_same)
    }

    /// Switches to another program and starts a search, unless only lane orders
    /// changed. A program with errors has no effect.
    pub(crate) fn set_program(&mut self, context: ProgramContext<'_>) {
        if self.belong_to(context) {
            return;
        }
        self.preview = None;
        self.trial = None;
        let program = context.program;
        let before = self.program.replace(Rc::clone(program));
        let alike = before.filter(|before| before.is_equivalent_but_for_orders(program));
        if let Some(before) = alike {
            if let Some(results) = self.results.as_mut().filter(|_| !self.is_stale) {
                results.program = context.session.shared_program();
            }
            let is_asked = self.reply.is_some() || self.pending.is_some();
            if is_asked && before.is_equivalent(program) {
                return;
            }
            // Queries depend on the orders.
            match self.pending.take() {
                Some(pending) if pending.replayed.is_some() => {
                    self.send_query(pending.query, pending.replayed, context);
                }
                _ => self.ask_for_reply(context),
            }
            return;
        }
        let announcement = match self.replaying() {
            Some(_) => failure("Not replayed: the program has changed."),
            None => Announcement::default(),
        };
        *self = Self {
            program: Some(Rc::clone(program)),
            is_stale: true,
            status: Status::Working(0),
            search_id: self.search_id.wrapping_add(1),
            work: DEFAULT_WORK,
            worker: self.worker,
            has_worker_failed: self.has_worker_failed,
            serial: self.serial,
            results: self.results.take(),
            shown: ROWS,
            announcement,
            ..Self::default()
        };
        self.search(context.text);
    }

    /// Applies an action. Returns its effect outside of the pane.
    pub(crate) fn apply(
        &mut self,
        action: OutcomesAction,
        context: ProgramContext<'_>,
    ) -> Option<Effect> {
        // While the text has errors, the results belong to the previous
        // program, and actions that need the text are disabled.
        let last = self.program.clone();
        let context = match &last {
            Some(program) if !context.can_run => ProgramContext { program, ..context },
            _ => context,
        };
        let searches = matches!(action, OutcomesAction::Retry | OutcomesAction::Compute);
        let needs_text = searches || action.edits();
        if needs_text && !context.can_run {
            return None;
        }
        self.set_program(context);
        match action {
            OutcomesAction::Worker(response) => {
                // A late worker is healthy.
                self.has_worker_failed = false;
                return self.take_response(Rc::unwrap_or_clone(response), context);
            }
            OutcomesAction::Failed(reason) => {
                self.has_worker_failed = true;
                if !self.awaits_response() {
                    return None;
                }
                if self.replaying().is_some() {
                    self.announcement = failure("Not replayed: the search failed.");
                }
                self.pending = None;
                self.reply = None;
                self.status = Status::Failed(reason);
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
            OutcomesAction::Replay(index) => {
                // Results of another program are view-only.
                self.current_results()?;
                self.end_pending_replay(context);
                return self.replay(index, None, context);
            }
            OutcomesAction::Keep => {
                let Trial { schedules, .. } = self.trial.take()?;
                let orders = schedules.iter().map(|schedule| {
                    let index = usize::try_from(schedule.instruction);
                    (index.expect("indices fit in usize"), &*schedule.units)
                });
                let orders: Vec<_> = orders.collect();
                let lines = write_orders(context.text, context.program, &orders)?;
                self.announcement = done(String::from("The order is written into the program."));
                return Some(Effect::Rewrite(lines));
            }
            OutcomesAction::Discard => {
                let Trial { original, .. } = self.trial.take()?;
                self.results.as_mut()?.program = Rc::clone(&original);
                self.announcement = done(String::from("The program has its own order again."));
                return Some(Effect::Run(original, RunEnd::Here));
            }
            OutcomesAction::ReplayValue(value) => {
                let results = self.current_results()?;
                if let Some(index) = results.example(value) {
                    self.end_pending_replay(context);
                    return self.replay(index, Some(value), context);
                }
                let query = results.query(value)?;
                self.send_query(query, Some(value), context);
                self.announcement = Announcement {
                    text: String::from("Looking for an order that gives this …"),
                    is_visible: true,
                };
            }
            OutcomesAction::PreviewValue(value) => {
                let results = self.current_results();
                let index = results.and_then(|results| results.example(value));
                self.show_preview(index, context);
            }
            OutcomesAction::Preview(index) => self.show_preview(index, context),
            OutcomesAction::More => self.shown += ROWS,
            OutcomesAction::Lane(lane) => {
                self.wanted.lane = lane;
                self.ask_for_reply(context);
            }
            OutcomesAction::Value(value) => {
                self.wanted.value = value;
                self.ask_for_reply(context);
            }
            OutcomesAction::Move(lane_move) => {
                let (lines, announcement) = move_lane(context.text, context.session, lane_move)?;
                self.end_pending_replay(context);
                self.announcement = done(announcement);
                return Some(Effect::Rewrite(lines));
            }
        }
        None
    }

    /// Request to the worker, or to its replacement if it has failed.
    pub(crate) fn worker_request(&mut self, request: SearchRequest) -> WorkerRequest {
        if std::mem::take(&mut self.has_worker_failed) {
            self.worker = self.worker.wrapping_add(1);
        }
        self.serial = self.serial.wrapping_add(1);
        WorkerRequest {
            worker: self.worker,
            serial: self.serial,
            request: Rc::new(request),
        }
    }

    /// Starts or continues a search.
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

    /// Sends a query, replacing any pending one.
    fn send_query(
        &mut self,
        query: Query,
        replayed: Option<GridValue>,
        context: ProgramContext<'_>,
    ) {
        let id = self.serial.wrapping_add(1);
        let request = self.worker_request(SearchRequest::Query {
            id,
            text: String::from(&**context.text),
            query,
        });
        self.query_request = Some(request);
        self.pending = Some(PendingQuery {
            id,
            query,
            replayed,
        });
    }

    /// Asks the worker whether the lane may return the queried value, if the
    /// results do not tell. Asked again for each lane, value, list of results
    /// and order of the other instructions. Results of another program cannot
    /// answer it. A pending replay takes precedence.
    fn ask_for_reply(&mut self, context: ProgramContext<'_>) {
        self.reply = None;
        if self.replaying().is_some() {
            return;
        }
        self.pending = None;
        let results = self.current_results().filter(|_| context.can_run);
        let query = results.and_then(|results| self.wanted.query(results));
        if let Some(query) = query {
            self.send_query(query, None, context);
        }
    }

    /// A new user action cancels a pending replay.
    fn end_pending_replay(&mut self, context: ProgramContext<'_>) {
        if self.replaying().is_some() {
            self.pending = None;
            self.ask_for_reply(context);
        }
    }

    fn take_response(
        &mut self,
        response: SearchResponse,
        context: ProgramContext<'_>,
    ) -> Option<Effect> {
        match response {
            SearchResponse::Progress { id, permille } if id == self.search_id => {
                if matches!(self.status, Status::Working(_) | Status::Failed(_)) {
                    self.status = Status::Working(permille);
                }
            }
            SearchResponse::Found {
                id,
                result,
                is_work_spent,
            } if id == self.search_id => {
                self.status = if !result.complete && is_work_spent {
                    Status::WorkSpent
                } else {
                    Status::Done
                };
                self.preview = None;
                self.results = Some(Slice::new(Results::new(result, context.session)));
                self.is_stale = false;
                self.ask_for_reply(context);
            }
            SearchResponse::Answer { id, answer } => {
                let pending = self.pending.take_if(|pending| pending.id == id)?;
                match pending.replayed {
                    Some(value) => {
                        let edit = self.replay_answer(answer, value, context);
                        // A value may have been typed meanwhile.
                        self.ask_for_reply(context);
                        return edit;
                    }
                    None => {
                        let results = self.results.as_mut()?;
                        self.reply = Some(Reply::of(answer, &self.wanted, results));
                    }
                }
            }
            // Responses to a replaced search or query; a panic is an action of
            // its own.
            SearchResponse::Progress { .. }
            | SearchResponse::Found { .. }
            | SearchResponse::Checked { .. }
            | SearchResponse::File { .. }
            | SearchResponse::Entry { .. }
            | SearchResponse::Panicked(_) => {}
        }
        None
    }

    fn show_preview(&mut self, index: Option<usize>, context: ProgramContext<'_>) {
        self.preview = index.and_then(|index| self.preview_of(index, context));
    }

    /// Program of the run, with the orders of the text.
    fn original_program(&self, context: ProgramContext<'_>) -> Rc<Program> {
        match &self.trial {
            Some(trial) => Rc::clone(&trial.original),
            None => context.session.shared_program(),
        }
    }

    /// The run continues after the earlier work-groups: `program` is the program that
    /// it continues with.
    pub(crate) fn continue_after(&mut self, groups: &LaunchRun, program: &Rc<Program>) {
        self.preview = None;
        if let Some(trial) = &mut self.trial {
            let original = groups.clone().continue_in_timeline(&trial.original);
            trial.original = Rc::new(original);
        }
        if let Some(results) = self.results.as_mut().filter(|_| !self.is_stale) {
            results.program = Rc::clone(program);
        }
    }

    /// Run of a result, at the end of the instruction shown in the stage.
    fn preview_of(&self, index: usize, context: ProgramContext<'_>) -> Option<PreviewedResult> {
        let outcome = self.current_results()?.found.outcomes.get(index)?;
        let current = context.session.current_issue()?.0 as usize;
        let original = self.original_program(context);
        let program = Rc::new(reordered(&original, &outcome.replay(&original)?));
        let mut session = Session::new(program);
        let end = loop {
            let next = session.issue_starts().nth(current + 1);
            if let Some(next) = next {
                break next;
            }
            let known = session.known();
            if session.is_explored() || known > MAX_PREVIEW {
                break known;
            }
            session.precompute(known + 1024);
        };
        session.seek(end);
        let session = Slice::new(session);
        Some(PreviewedResult { index, session })
    }

    /// Adds the result of a query to the list and replays it.
    fn replay_answer(
        &mut self,
        answer: QueryAnswer,
        value: GridValue,
        context: ProgramContext<'_>,
    ) -> Option<Effect> {
        if !context.can_run {
            self.announcement = failure("Not replayed: the text has errors.");
            return None;
        }
        let (Some(outcome), Some(results)) = (answer.outcome, &mut self.results) else {
            self.announcement = failure("No such order was found.");
            return None;
        };
        let index = results.add(outcome);
        self.replay(index, Some(value), context)
    }

    /// Runs the program with the orders of a result, up to the step that shows the
    /// value, or to the end.
    fn replay(
        &mut self,
        index: usize,
        value: Option<GridValue>,
        context: ProgramContext<'_>,
    ) -> Option<Effect> {
        let original = self.original_program(context);
        let results = self.results.as_mut()?;
        let outcome = results.found.outcomes.get(index)?;
        let Some(schedules) = outcome.replay(&original) else {
            self.announcement = failure(
                "Not replayed: an instruction is issued several times in different orders, \
                 and an .order line is for all of them.",
            );
            return None;
        };
        let end = match value {
            None => RunEnd::End,
            Some(GridValue::Returned { issue, unit, .. }) => RunEnd::Access(issue, Some(unit)),
            Some(GridValue::Content { conflict, .. }) => {
                RunEnd::Access(results.found.conflicts.get(conflict)?.issue, None)
            }
        };
        let program = Rc::new(reordered(&original, &schedules));
        results.program = Rc::clone(&program);
        self.preview = None;
        self.trial = Some(Trial {
            original,
            schedules,
        });
        self.announcement = done(format!(
            "Replayed result {}: keep its order to write it into the program.",
            index + 1
        ));
        Some(Effect::Run(program, end))
    }
}

/// Success; the page already shows it.
fn done(text: String) -> Announcement {
    Announcement {
        text,
        is_visible: false,
    }
}

/// Failure, with a reason.
fn failure(text: &str) -> Announcement {
    Announcement {
        text: String::from(text),
        is_visible: true,
    }
}
