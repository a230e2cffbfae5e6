//! The search for outcomes in a Web Worker: the messages, and the worker.
//!
//! A search works in slices of some milliseconds, between which the worker
//! reads its messages: a new search replaces the one before, and
//! [`SearchRequest::Stop`] pauses it. A query is answered between two slices;
//! of several that wait only the last is, which is the one the reader means.

use gloo_timers::callback::Timeout;
use gloo_worker::{HandlerId, Registrable, Worker, WorkerScope};
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::{Order, Program};
use lanewise_explore::{QueryAnswer, ReachabilityQuery, Search, SearchResult, can_leave};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::panic;
use std::rc::Rc;
use web_sys::DedicatedWorkerGlobalScope;
use web_sys::js_sys;
use web_sys::wasm_bindgen::JsCast;

/// The most results that are listed.
pub const MAX_LISTED: usize = 500;

/// Milliseconds that the worker works before it reads its messages.
const SLICE: f64 = 50.0;

/// Milliseconds between two reports of the progress.
const REPORT_INTERVAL: f64 = 100.0;

/// Units of work between two looks at the clock.
const WORK_PER_LOOK: u64 = 500;

/// What the page asks of the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchRequest {
    /// Find every result, in place of the search before. The same id as before
    /// continues a paused search.
    Search {
        /// Tells this search from others.
        id: u32,
        /// The program; its own orders are left out.
        text: String,
        /// The most work, in units of [`Search::work`].
        work: u64,
    },
    /// Pause the search.
    Stop,
    /// Look for one result.
    Query {
        /// Tells this query from others.
        id: u32,
        /// The program, whose own orders count for all other instructions.
        text: String,
        /// What the result has to show.
        query: Query,
    },
}

/// What a result has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Query {
    /// A lane of an instruction returns a value.
    Returns {
        /// Index of the instruction.
        instruction: u32,
        /// The lane.
        unit: Unit,
        /// The value, as bits.
        value: u64,
    },
    /// The bytes that lanes of an instruction share have a content after it.
    Leaves {
        /// Index of the instruction.
        instruction: u32,
        /// Where the bytes are.
        space: SpaceId,
        /// The first of them.
        address: u64,
        /// The content, as bits.
        content: u64,
    },
}

/// What the worker tells the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SearchResponse {
    /// How far a search is.
    Progress {
        /// The search.
        id: u32,
        /// In thousandths, roughly.
        permille: u32,
    },
    /// The end of a search.
    Found {
        /// The search.
        id: u32,
        /// What it found.
        result: SearchResult,
        /// Whether it ended because its work was spent, so that more work may
        /// find more.
        is_work_spent: bool,
    },
    /// The answer to a query.
    Answer {
        /// The query.
        id: u32,
        /// The answer.
        answer: QueryAnswer,
    },
    /// The worker has panicked with this message, and does nothing any more.
    Panicked(String),
}

/// A search that is under way or paused.
struct Task {
    id: u32,
    page: HandlerId,
    search: Search,
    work: u64,
    is_paused: bool,
    /// When the progress was last reported, in milliseconds.
    reported: f64,
}

/// [`SearchRequest::Query`], and who sent it.
struct WaitingQuery {
    id: u32,
    page: HandlerId,
    text: String,
    query: Query,
}

/// The worker.
pub struct SearchWorker {
    task: Option<Task>,
    /// The next slice.
    next: Option<Timeout>,
    /// The query that waits for its answer.
    waiting: Option<WaitingQuery>,
    /// The last query for what a lane returns: one for the same lane goes on
    /// from what it found.
    last_query: Option<ReturnsQuery>,
}

/// A query for the values that one lane returns.
struct ReturnsQuery {
    text: String,
    program: Rc<Program>,
    search: ReachabilityQuery,
}

thread_local! {
    /// Where a panic is reported.
    static PAGE: RefCell<Option<(WorkerScope<SearchWorker>, HandlerId)>> = const { RefCell::new(None) };
}

/// The thread of the worker.
fn global_scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Milliseconds, by a clock that is never set back.
fn now() -> f64 {
    let clock = global_scope().performance();
    clock.expect("a worker has a clock").now()
}

/// Starts the worker in its own thread.
pub fn start() {
    panic::set_hook(Box::new(|info| {
        gloo_console::error!(info.to_string());
        PAGE.with_borrow(|page| {
            if let Some((scope, page)) = page {
                scope.respond(*page, SearchResponse::Panicked(info.to_string()));
            }
        });
        // What has panicked reads no messages any more: it ends here.
        global_scope().close();
    }));
    SearchWorker::registrar().register();
}

impl Worker for SearchWorker {
    type Message = ();
    type Input = SearchRequest;
    type Output = SearchResponse;

    fn create(_: &WorkerScope<Self>) -> Self {
        Self {
            task: None,
            next: None,
            waiting: None,
            last_query: None,
        }
    }

    fn connected(&mut self, scope: &WorkerScope<Self>, page: HandlerId) {
        PAGE.set(Some((scope.clone(), page)));
    }

    /// Answers the query that waits, or works for a slice.
    fn update(&mut self, scope: &WorkerScope<Self>, (): ()) {
        self.next = None;
        if let Some(WaitingQuery {
            id,
            page,
            text,
            query,
        }) = self.waiting.take()
        {
            let answer = self.answer(text, query);
            scope.respond(page, SearchResponse::Answer { id, answer });
            self.schedule(scope);
            return;
        }
        let Some(task) = self.task.as_mut().filter(|task| !task.is_paused) else {
            return;
        };
        let start = now();
        let progress = loop {
            let progress = task.search.work(WORK_PER_LOOK);
            if progress.done || now() - start > SLICE {
                break progress;
            }
        };
        if !progress.done {
            if now() - task.reported > REPORT_INTERVAL {
                task.reported = now();
                let (id, permille) = (task.id, progress.permille);
                scope.respond(task.page, SearchResponse::Progress { id, permille });
            }
            self.schedule(scope);
            return;
        }
        let task = self.task.take().expect("it has just worked");
        let response = SearchResponse::Found {
            id: task.id,
            is_work_spent: task.search.spent() >= task.work,
            result: task.search.result(),
        };
        scope.respond(task.page, response);
    }

    fn received(&mut self, scope: &WorkerScope<Self>, request: SearchRequest, page: HandlerId) {
        match request {
            SearchRequest::Search { id, text, work } => {
                self.task = Some(match self.task.take().filter(|task| task.id == id) {
                    Some(task) => Task {
                        search: task.search.with_work(work),
                        work,
                        is_paused: false,
                        ..task
                    },
                    None => Task {
                        id,
                        page,
                        search: search(&text, work),
                        work,
                        is_paused: false,
                        reported: now(),
                    },
                });
                self.schedule(scope);
            }
            SearchRequest::Stop => {
                if let Some(task) = &mut self.task {
                    task.is_paused = true;
                }
            }
            SearchRequest::Query { id, text, query } => {
                self.waiting = Some(WaitingQuery {
                    id,
                    page,
                    text,
                    query,
                });
                self.schedule(scope);
            }
        }
    }
}

impl SearchWorker {
    /// Lets the worker read its messages, then go on in [`Worker::update`].
    fn schedule(&mut self, scope: &WorkerScope<Self>) {
        let scope = scope.clone();
        self.next = Some(Timeout::new(0, move || scope.send_message(())));
    }

    fn answer(&mut self, text: String, query: Query) -> QueryAnswer {
        match query {
            Query::Returns {
                instruction,
                unit,
                value,
            } => {
                let last = self.last_query.take();
                let same =
                    last.filter(|last| last.text == text && last.search.is_for(instruction, unit));
                let query = self.last_query.insert(same.unwrap_or_else(|| {
                    let program = Rc::new(Program::parse(&text));
                    let search = ReachabilityQuery::new(&program, instruction, unit);
                    ReturnsQuery {
                        text,
                        program,
                        search,
                    }
                }));
                query.search.answer(&query.program, value)
            }
            Query::Leaves {
                instruction,
                space,
                address,
                content,
            } => can_leave(&Program::parse(&text), instruction, space, address, content),
        }
    }
}

/// A search for the results of a program, whatever orders it has itself.
#[must_use]
pub fn search(text: &str, work: u64) -> Search {
    let mut program = Program::parse(text);
    for placed in &mut program.instructions {
        placed.order = Rc::new(Order::default());
    }
    Search::new(Rc::new(program), MAX_LISTED)
        .with_work(work)
        .with_distributions()
}
