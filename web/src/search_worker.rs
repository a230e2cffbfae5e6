//! The Web Worker: its message types, the search for outcomes, checks of launches, and
//! files.
//!
//! A search runs in time slices, and the worker reads its messages in between:
//! a new search replaces the previous one, and [`SearchRequest::Stop`] pauses
//! it. Queries are answered between slices; of several pending queries, only
//! the latest is answered. Checks of a launch run in slices, too, before the search
//! goes on. Files are read at once: the user is waiting.

use crate::launch_checks::{CheckedLaunch, LaunchChecks};
use gloo_timers::callback::Timeout;
use gloo_worker::{HandlerId, Registrable, Worker, WorkerScope};
use lanewise_core::ide::kernel_parameters;
use lanewise_core::program::{Order, Program};
use lanewise_core::session::after_earlier_groups;
pub use lanewise_explore::Query;
use lanewise_explore::{QueryAnswer, ReachabilityQuery, Search, SearchResult, can_leave};
use lanewise_files::outline::{self, FileContents, OpenedEntry, ReadFile};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::panic;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{DedicatedWorkerGlobalScope, js_sys};

/// Maximum number of results listed.
pub const MAX_LISTED: usize = 500;

/// Length of a time slice in milliseconds.
const SLICE: f64 = 50.0;

/// Interval between progress reports in milliseconds.
const REPORT_INTERVAL: f64 = 100.0;

/// Units of work between two clock reads.
const WORK_PER_LOOK: u64 = 500;

/// Message from the page to the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchRequest {
    /// Finds every result, replacing the previous search. Repeating the `id` of
    /// a paused search resumes it.
    Search {
        id: u32,
        /// Program; its own `.order` lines are ignored.
        text: String,
        /// Work limit, in units of [`Search::work`].
        work: u64,
    },
    /// Pauses the search.
    Stop,
    /// Looks for one result.
    Query {
        id: u32,
        /// Program; its `.order` lines apply to all other instructions.
        text: String,
        /// Condition on the result.
        query: Query,
    },
    /// Checks a launch, instead of the previous one of its kind.
    CheckLaunch {
        id: u32,
        /// Whether the launch is proposed in the Launch dialog, rather than run by the user.
        is_trial: bool,
        checks: Vec<String>,
        text: String,
        /// Text of the kernel's source, if it is known.
        source: Option<String>,
    },
    ReadFile {
        id: u32,
        name: String,
        bytes: Vec<u8>,
        /// The cubin that a SASS listing was printed from, if it was opened with it.
        cubin: Option<Vec<u8>>,
        /// Texts of the sources that the file names, as far as they are known.
        sources: Vec<String>,
    },
    /// Makes the scenario of a function or kernel of the file with this `id`.
    OpenEntry { id: u32, index: usize },
}

/// Message from the worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SearchResponse {
    Progress {
        id: u32,
        /// Estimate in thousandths.
        permille: u32,
    },
    /// End of a search.
    Found {
        id: u32,
        result: SearchResult,
        /// Whether the work limit ended the search: a higher limit may find
        /// more.
        is_work_spent: bool,
    },
    Answer {
        id: u32,
        answer: QueryAnswer,
    },
    /// Findings of the checks of a launch; `None` while they run.
    Checked {
        id: u32,
        launch: Option<CheckedLaunch>,
    },
    /// Contents of a file, or the reason why it cannot be opened.
    File {
        id: u32,
        contents: Result<FileContents, String>,
    },
    /// A function or kernel of a file, or the reason why it cannot be opened.
    Entry {
        id: u32,
        entry: Result<OpenedEntry, String>,
    },
    /// The worker panicked with this message and has stopped.
    Panicked(String),
}

/// Running or paused search.
struct Task {
    id: u32,
    page: HandlerId,
    search: Search,
    work: u64,
    is_paused: bool,
    /// Time of the last progress report, in milliseconds.
    reported: f64,
}

/// Checks of a launch under way.
struct CheckTask {
    id: u32,
    page: HandlerId,
    checks: LaunchChecks,
}

/// Pending [`SearchRequest::Query`] and its sender.
struct WaitingQuery {
    id: u32,
    page: HandlerId,
    text: String,
    query: Query,
}

#[derive(Default)]
pub struct SearchWorker {
    task: Option<Task>,
    /// Checks of a launch that the user has run, and of one that is proposed.
    checks: [Option<CheckTask>; 2],
    /// Timer of the next slice.
    next: Option<Timeout>,
    waiting: Option<WaitingQuery>,
    /// Last query for a lane's returned value; a query for the same lane
    /// continues from its findings.
    last_query: Option<ReturnsQuery>,
    /// The last file with functions, and its number.
    file: Option<(u32, ReadFile)>,
}

/// Query for the values returned by one lane.
struct ReturnsQuery {
    text: String,
    program: Rc<Program>,
    search: ReachabilityQuery,
}

thread_local! {
    /// Receiver of panic reports.
    static PAGE: RefCell<Option<(WorkerScope<SearchWorker>, HandlerId)>> = const { RefCell::new(None) };
}

fn global_scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Monotonic time in milliseconds.
fn now() -> f64 {
    let clock = global_scope().performance();
    clock.expect("workers have a clock").now()
}

/// Runs the worker in its own thread.
pub fn start() {
    panic::set_hook(Box::new(|info| {
        gloo_console::error!(info.to_string());
        PAGE.with_borrow(|page| {
            if let Some((scope, page)) = page {
                scope.respond(*page, SearchResponse::Panicked(info.to_string()));
            }
        });
        // After a panic, the worker no longer reads messages: end the thread.
        global_scope().close();
    }));
    SearchWorker::registrar().register();
}

impl Worker for SearchWorker {
    type Message = ();
    type Input = SearchRequest;
    type Output = SearchResponse;

    fn create(_: &WorkerScope<Self>) -> Self {
        Self::default()
    }

    fn connected(&mut self, scope: &WorkerScope<Self>, page: HandlerId) {
        PAGE.set(Some((scope.clone(), page)));
    }

    /// Answers the pending query, or works for one slice.
    fn update(&mut self, scope: &WorkerScope<Self>, (): ()) {
        self.next = None;
        if let Some(waiting) = self.waiting.take() {
            let (id, answer) = (waiting.id, self.answer(waiting.text, waiting.query));
            scope.respond(waiting.page, SearchResponse::Answer { id, answer });
            self.schedule(scope);
            return;
        }
        if let Some(slot) = self.checks.iter_mut().find(|slot| slot.is_some()) {
            let mut task = slot.take().expect("it was just found");
            let (id, page) = (task.id, task.page);
            let start = now();
            let is_done = loop {
                let is_done = task.checks.work();
                if is_done || now() - start > SLICE {
                    break is_done;
                }
            };
            let launch = if is_done {
                Some(task.checks.finish())
            } else {
                *slot = Some(task);
                None
            };
            scope.respond(page, SearchResponse::Checked { id, launch });
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
        let task = self.task.take().expect("the search was just advanced");
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
            SearchRequest::CheckLaunch {
                id,
                is_trial,
                checks,
                text,
                source,
            } => {
                let checks = LaunchChecks::new(&text, source, &checks);
                self.checks[usize::from(is_trial)] = Some(CheckTask { id, page, checks });
                self.schedule(scope);
            }
            SearchRequest::ReadFile {
                id,
                name,
                bytes,
                cubin,
                sources,
            } => {
                let read = outline::read(&name, &bytes, cubin.as_deref());
                let contents = read.map(|(contents, file)| {
                    if let Some(mut file) = file {
                        file.name_parameters(|kernel, count| {
                            let all = sources.iter();
                            let mut all = all.filter_map(|s| kernel_parameters(s, kernel, count));
                            let names = all.next()?;
                            let agree = all.all(|other| other == names);
                            agree.then(|| names.into_iter().map(String::from).collect())
                        });
                        self.file = Some((id, file));
                    }
                    contents
                });
                scope.respond(page, SearchResponse::File { id, contents });
            }
            SearchRequest::OpenEntry { id, index } => {
                let file = self.file.as_ref().filter(|(known, _)| *known == id);
                let entry = match file {
                    Some((_, file)) => file.open(index),
                    // The worker has been replaced since.
                    None => Err(String::from("open the file again")),
                };
                scope.respond(page, SearchResponse::Entry { id, entry });
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
    /// Yields to the message queue, then continues in [`Worker::update`].
    fn schedule(&mut self, scope: &WorkerScope<Self>) {
        let scope = scope.clone();
        self.next = Some(Timeout::new(0, move || scope.send_message(())));
    }

    fn answer(&mut self, text: String, query: Query) -> QueryAnswer {
        match query {
            Query::Returns { issue, unit, value } => {
                let last = self.last_query.take();
                let same = last.filter(|last| last.text == text && last.search.is_for(issue, unit));
                let query = self.last_query.insert(same.unwrap_or_else(|| {
                    let program = Rc::new(parse(&text));
                    let search = ReachabilityQuery::new(&program, issue, unit);
                    ReturnsQuery {
                        text,
                        program,
                        search,
                    }
                }));
                query.search.answer(&query.program, value)
            }
            Query::Leaves {
                issue,
                space,
                address,
                content,
            } => can_leave(&parse(&text), issue, space, address, content),
        }
    }
}

/// The program as its timeline starts. After a fault in an earlier work-group the page
/// opens that group, and its text replaces this one.
fn parse(text: &str) -> Program {
    let program = Program::parse(text);
    after_earlier_groups(&program).unwrap_or(program)
}

/// Search for the results of a program, ignoring its own `.order` lines.
#[must_use]
pub fn search(text: &str, work: u64) -> Search {
    let mut program = parse(text);
    for placed in &mut program.instructions {
        placed.order = Rc::new(Order::default());
    }
    Search::new(Rc::new(program), MAX_LISTED)
        .with_work(work)
        .with_distributions()
}
